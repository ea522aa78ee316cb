# SPDX-License-Identifier: Apache-2.0
# What is printed is a litmus test again, and means the same.
for test in MP SB; do
    "$ORCHIL" show "$TEST_DIR/$test.litmus" >first.litmus
    "$ORCHIL" show first.litmus >second.litmus
    cmp first.litmus second.litmus
done
