# SPDX-License-Identifier: Apache-2.0
# Several models: one table each, in the order in which they were asked for.
"$ORCHIL" check --model ptx,sc ptx:SB+relaxed
