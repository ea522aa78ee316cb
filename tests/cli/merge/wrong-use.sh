# SPDX-License-Identifier: Apache-2.0
# Meaningless arguments, and mistakes that must not lose data.
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
"$ORCHIL" run --device simulated --instances 10k --db a.db "$TEST_DIR/../run-verb/one.litmus" >/dev/null 2>&1
cp a.db b.db
try() { code=0; "$ORCHIL" merge "$@" 2>&1 >out | head -n 1 | sed 's/^Try.*//'; cat out; }
try a.db b.db
try --into new.db
try --into new.db a.db missing.db
try --into new.db --run 1 a.db b.db
try --into new.db --run 0 a.db
try --into new.db --leave-out kernels,kittens a.db
try --into new.db --leave-out kernels, a.db
try --into new.db --leave-out '' a.db
ls
cmp a.db b.db
try --into a.db a.db
try --into a.db --run 2 b.db
echo text >text.db
"$ORCHIL" merge --into new.db text.db a.db || code=$?
"$ORCHIL" merge --into text.db a.db || echo "exit code $?"
cat text.db
exit "$code"
