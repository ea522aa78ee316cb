# SPDX-License-Identifier: Apache-2.0
# Without --differ the list comes after the tables of several tests; a single test has no list.
"$ORCHIL" check --model ptx,sc ptx:SB+fencesc ptx:SB+relaxed | tail -n 6
"$ORCHIL" check --model ptx,sc ptx:SB+relaxed | tail -n 2
