# SPDX-License-Identifier: Apache-2.0
# --threads is about --critical.
"$ORCHIL" generate --family MP --threads 3
