# SPDX-License-Identifier: Apache-2.0
# A model of the user: its axiom has a name and no sentence.
"$ORCHIL" explain --model "$TEST_DIR/../check/my.cat" opencl:SB+relaxed
