# SPDX-License-Identifier: Apache-2.0
# SIGINT while a model thinks ends the check at once; what was judged by then is printed, whole.
. "$TEST_DIR/common"
"$ORCHIL" check --json --limit 1h --limit 1T opencl:SB+relaxed "$TEST_DIR/slow.litmus" opencl:MP+relaxed >out 2>err &
pid=$!
wait_until grep -q SB out
sleep 0.3 # the model is at the next test, or comes to it with the signal already there: both must end
interrupt $pid
sed 's/"outcomes":.*]/"outcomes": .../; s/,"expect.*}$/}/' out
cat err
