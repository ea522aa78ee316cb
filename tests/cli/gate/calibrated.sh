# SPDX-License-Identifier: Apache-2.0
# A gate goes by what its baseline has learned of the machine: the rates of a test whose runs differ by far decide nothing and are
# listed all the same; other tests are gated as ever.
. "$TEST_DIR/common"
for rate in 0.001 0.05 0.002 0.0002 0.02 0.004 0.03 0.0005; do
    script 1.0 "$rate"
    "$ORCHIL" run --device simulated --instances 300k --seed 5 --db cal.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
done
"$ORCHIL" gate calibrate --from cal.db --out base.db >/dev/null 2>&1
script 2.0 0.3
"$ORCHIL" gate --baseline base.db --instances 300k --db run.db 2>/dev/null && echo "exit code $?"
SB_RATE=0.05
script 2.0 0.3
"$ORCHIL" gate --baseline base.db --instances 300k --db other.db 2>/dev/null || echo "exit code $?"
