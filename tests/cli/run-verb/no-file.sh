# SPDX-License-Identifier: Apache-2.0
# A file that is not there.
"$ORCHIL" run --device simulated none.litmus || code=$?
[ ! -e orchil.db ]
exit "$code"
