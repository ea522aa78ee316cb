# SPDX-License-Identifier: Apache-2.0
# What the verb says of itself.
"$ORCHIL" report --help
