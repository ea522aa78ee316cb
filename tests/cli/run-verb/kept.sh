# SPDX-License-Identifier: Apache-2.0
# Protects: a test that the compiler did not keep is named. Its block, the summary and the JSON say so, with the place, and the exit
# code is that of its outcomes; a test whose code was not inspected passes, and the summary says why it was not. --last-failed runs the one again.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/kept.json"
run() { "$ORCHIL" run --device simulated --no-controls --instances 10k --seed 7 "$@" 2>messages; }
run opencl:MP+relaxed opencl:SB+relaxed opencl:LB+relaxed >out || echo "exit $?"
grep -n 'ot kept' out | cut -d: -f2-
grep '^SB.*KEPT' out
run --json opencl:MP+relaxed opencl:SB+relaxed >out || echo "exit $?"
grep -o '"test":"[^"]*"\|"kept[_a-z]*":"[^"]*"' out
echo "kept alone:"
run opencl:MP+relaxed opencl:LB+relaxed >out && echo passed
grep code out
echo "without an inspection:"
run opencl:LB+relaxed >out && echo passed
grep code out || echo 'nothing is said'
echo "again:"
run opencl:MP+relaxed opencl:SB+relaxed >out || echo "exit $?"
"$ORCHIL" run --last-failed --db orchil.db --device simulated --no-controls --instances 10k >out 2>messages || echo "exit $?"
grep '^MP' out || echo "not MP"
grep '^SB' out
