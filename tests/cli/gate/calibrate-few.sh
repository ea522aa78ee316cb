# SPDX-License-Identifier: Apache-2.0
# Three runs cannot be dealt into a baseline of three and a candidate; nor can runs of two drivers.
. "$TEST_DIR/common"
baseline
"$ORCHIL" gate calibrate --from base.db 2>&1 || echo "exit code $?"
script 2.0 0.001
"$ORCHIL" run --device simulated --instances 300k --seed 5 --profile "$TEST_DIR/../run-verb/fixed.ini" --db whole.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
"$ORCHIL" gate calibrate --from whole.db 2>&1 || echo "exit code $?"
