# SPDX-License-Identifier: Apache-2.0
# A reader that has seen enough ends a long list early.
"$ORCHIL" generate --critical --threads 4 --tags relaxed,ra,fencesc --mix --placements all --names | head -n 1
