# SPDX-License-Identifier: Apache-2.0
# A model of the user's own: results go under its name and a part of its hash.
"$ORCHIL" check --model "$TEST_DIR/my.cat" opencl:SB+sc opencl:CoRR+relaxed
cp "$TEST_DIR/my.cat" other.cat
echo '(* changed *)' >>other.cat
"$ORCHIL" check --json --model "$TEST_DIR/my.cat,other.cat" opencl:SB+sc | sed 's/.*"model":"\([^"]*\)".*/\1/' >ids
[ "$(sed 's/.*\.cat//' ids | sort -u | wc -l)" -eq 2 ]
