# SPDX-License-Identifier: Apache-2.0
# Models are compared in columns of a table, and it has no more of them.
"$ORCHIL" check --model sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc ptx:SB+relaxed | grep -c 'under sc'
"$ORCHIL" check --model sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc,sc ptx:SB+relaxed
