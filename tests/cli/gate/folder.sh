# SPDX-License-Identifier: Apache-2.0
# A folder of nightly databases is a baseline: all of their runs count.
. "$TEST_DIR/common"
script 1.0 0.001
mkdir nights
for night in 1 2 3; do
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 \
        --db "nights/2026-01-0$night.db" opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
done
echo "what a reader left here" >nights/notes.txt
script 2.0 0.004
"$ORCHIL" gate --baseline nights --instances 300k --db run.db 2>messages || echo "exit $?"
