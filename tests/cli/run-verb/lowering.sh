# SPDX-License-Identifier: Apache-2.0
# --lowering both runs a CUDA test twice, with the same draws, and any other test once; the database, the summary and JSON tell the
# two apart, --resume keeps them apart, and so do saved kernels. What has no CUDA C++ is unsupported, with the reason.
. "$TEST_DIR/../gate/common"
unset ORCHIL_SIMULATED
run() { "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --no-controls --builders 0 "$@"; }

echo "--- both"
run --lowering both --instances 10k --seed 5 --db both.db cuda:SB+fencesc ptx:MP+relaxed >out 2>err || echo "exit $?"
grep -E '^(SB|MP)\S+ +(CUDA|PTX)' out | sed 's/  .*  / /'
grep -c 'compiled from CUDA C++' out
ask both.db "SELECT test, dialect, lowering, state FROM v_job ORDER BY job"
ask both.db "SELECT count(DISTINCT key), count(DISTINCT kernel_hash) FROM v_job WHERE dialect = 'CUDA'"
ask both.db "SELECT count(*) FROM (SELECT batch, draw FROM v_batch b JOIN v_job j ON j.job = b.job WHERE dialect = 'CUDA'
    GROUP BY batch HAVING count(DISTINCT draw) > 1)"

echo "--- JSON"
run --lowering source --instances 10k --json --db json.db cuda:SB+fencesc 2>err | grep -o '"lowering":"[a-z]*"'

echo "--- unsupported"
run --lowering source --instances 10k --db none.db ptx:MP+relaxed opencl:MP+rel+acq 2>&1 | grep unsupported, || :
run --dry-run --lowering source cuda:SB+fencesc ptx:MP+relaxed | grep -E '^SB|unsupported: '

echo "--- saved kernels"
run --lowering both --instances 10k --save-kernels kernels --db saved.db cuda:SB+fencesc >out 2>&1 || echo "exit $?"
ls kernels | sed -E 's/-[0-9a-f]{12}.*//' | sort | uniq -c | sed 's/^ *//'
run --lowering source --instances 10k --kernels kernels --db again.db cuda:SB+fencesc >out 2>&1 || echo "exit $?"
ask again.db "SELECT lowering, state, marks FROM v_job"
rm kernels/*source*
run --lowering source --instances 10k --kernels kernels --db gone.db cuda:SB+fencesc >out 2>&1 || echo "exit $?"
ask gone.db "SELECT state FROM v_job"

echo "--- resumed"
ask both.db "SELECT number, lowering FROM planned_job ORDER BY number"
ask both.db "DELETE FROM outcome_count WHERE batch_id IN (SELECT id FROM batch WHERE job_id = 2)" "DELETE FROM batch WHERE job_id = 2" \
    "DELETE FROM build WHERE job_id = 2" "UPDATE job SET state = 'not-run' WHERE id = 2" "UPDATE run SET state = 'interrupted'"
"$ORCHIL" run --resume last --builders 0 --db both.db >out 2>&1 || echo "exit $?"
ask both.db "SELECT lowering, state, instances > 0 FROM v_job ORDER BY job" "SELECT count(DISTINCT kernel_hash) FROM v_job WHERE dialect = 'CUDA'"

echo "--- wrong"
run --lowering asm cuda:SB+fencesc 2>&1 | head -1
run --resume 1 --lowering source 2>&1 | head -1
