# SPDX-License-Identifier: Apache-2.0
# The output is a litmus test with the same meaning.
for test in MP SB; do
    "$ORCHIL" show "$TEST_DIR/$test.litmus" >first.litmus
    "$ORCHIL" show first.litmus >second.litmus
    cmp first.litmus second.litmus
done
