# SPDX-License-Identifier: Apache-2.0
# A host thread next to a GPU: ptx takes C11 at its word, tso takes every thread for x86's, and ptx-6.0 says that it has no host.
"$ORCHIL" check "$TEST_DIR/host.litmus"
"$ORCHIL" check --model tso "$TEST_DIR/host.litmus"
"$ORCHIL" check --model ptx-6.0 "$TEST_DIR/host.litmus"
cp "$TEST_DIR/host.litmus" . && "$ORCHIL" list host.litmus
