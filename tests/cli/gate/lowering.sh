# SPDX-License-Identifier: Apache-2.0
# A baseline that has both lowerings of a CUDA test is repeated with both, and each is compared with its own kind.
. "$TEST_DIR/common"
unset ORCHIL_SIMULATED
for seed in 1 2 3; do
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --lowering both --no-controls --builders 0 \
        --instances 20k --seed $seed --db base.db cuda:SB+relaxed >/dev/null 2>&1
done
"$ORCHIL" gate --baseline base.db --device simulated --instances 20k --confirm-budget 0 --json --db now.db >gate.json 2>messages || true
ask now.db "SELECT DISTINCT lowering FROM v_job WHERE test = 'SB+relaxed' ORDER BY 1"
grep -o '"missing": *[0-9]*' gate.json
