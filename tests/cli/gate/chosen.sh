# SPDX-License-Identifier: Apache-2.0
# TEST arguments choose among the baseline's tests: then the others are not a doubt. A test that the
# baseline lacks is judged, but not compared. Without TEST, a test missing on this side is a doubt.
. "$TEST_DIR/common"
baseline
script 2.0 0.001
gate opencl:MP+relaxed | sed -n '/^Tests/p'
gate opencl:MP+relaxed opencl:LB+relaxed | sed -n '/^Tests/p'
"$ORCHIL" gate --stored base.db run.db:1 | sed '/^[AB],/d'
echo "-- a file that cannot be read hides no change"
mkdir tests
"$ORCHIL" show opencl:MP+relaxed >tests/MP.litmus
echo "no test" >tests/broken.litmus
script 2.0 0.004
gate --db other.db ./tests >report || echo "exit $?"
sed 1q report
