# SPDX-License-Identifier: Apache-2.0
# A test that says itself that its witness must never appear.
"$ORCHIL" run --device simulated --instances 10k --json "$TEST_DIR/forbidden.litmus" >stdout || code=$?
cut -d, -f1 stdout
exit "$code"
