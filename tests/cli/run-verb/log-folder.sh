# SPDX-License-Identifier: Apache-2.0
# A log that cannot be created stops the run before it begins.
"$ORCHIL" run --device simulated --instances 1k --log none/out.log "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
exit "$code"
