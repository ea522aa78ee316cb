# SPDX-License-Identifier: Apache-2.0
# Names that cannot be written are an error.
"$ORCHIL" generate --critical --threads 4 --tags relaxed,ra,fencesc --mix --placements all --names >/dev/full
