# SPDX-License-Identifier: Apache-2.0
# Saved kernels are replayed: the same outcomes from the same seed, a mark in the output and in the
# database, the compiler as it was saved, and nothing compiled, with builders or without.
export ORCHIL_SIMULATED=$PWD/script.json
echo '{"devices": [{"name": "Old", "driver": "1.0", "compiler": "Compiler 7"}]}' >script.json
run() { "$ORCHIL" run --device simulated --seed 1 --instances 10000 --json --no-controls --db my.db "$@" ptx:MP+relaxed opencl:MP+relaxed; }
counts() { sed 's/.*"outcomes"/"outcomes"/' "$1"; }
run --save-kernels new/below >saved
ls new/below | sed 's/-[0-9a-f]\{12\}-[0-9a-f]\{8\}\./-HASH./'
echo '{"devices": [{"name": "Old", "driver": "1.0", "compiler": ""}]}' >script.json
run --builders 0 --no-cache --kernels new/below >replayed
run --builders 2 --kernels new/below >again
counts saved >a; counts replayed >b; counts again >c
cmp a b; cmp b c
grep -c '"marks":\["frozen"\]' saved replayed again || true
grep -o '"compiler":"[^"]*"' replayed
if command -v sqlite3 >/dev/null; then
    sqlite3 my.db 'SELECT run_id, marks, driver.compiler FROM job JOIN build ON job_id = job.id JOIN driver ON driver.id = driver_id' >rows
    [ "$(grep -c '^[23]|\["frozen"\]|Compiler 7$' rows)" = 4 ] || cat rows
fi
"$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls --kernels new/below ptx:MP+relaxed | grep Replayed
