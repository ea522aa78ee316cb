# SPDX-License-Identifier: Apache-2.0
# A bound that is none.
for bound in 0 65 4x -1 ''; do
    code=0
    "$ORCHIL" check --unroll "$bound" SB+relaxed || code=$?
    [ "$code" -eq 2 ]
done
