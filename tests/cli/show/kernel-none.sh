# SPDX-License-Identifier: Apache-2.0
# A test that no device of the backend can run has no kernel: an error that says why.
"$ORCHIL" show --kernel cuda "$TEST_DIR/five-devices.litmus"
