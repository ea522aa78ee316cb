# SPDX-License-Identifier: Apache-2.0
# A model with an error: its place is named, and nothing is judged.
cp "$TEST_DIR/wrong.cat" "$TEST_DIR/unfinished.cat" .
code=0
"$ORCHIL" check --model unfinished.cat opencl:SB+relaxed || code=$?
[ "$code" -eq 2 ]
"$ORCHIL" check --model wrong.cat opencl:SB+relaxed
