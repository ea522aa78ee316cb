# SPDX-License-Identifier: Apache-2.0
# --kernels replays saved kernels, in the first run and in the reruns, so that two drivers are judged by the same ones; a
# folder without them, and --stored, are refused.
. "$TEST_DIR/common"
baseline
"$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 30k --save-kernels kept --db kept.db \
    opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
script 2.0 0.004
gate --kernels kept | sed -n '1p; /repeat/p'
ls kept | wc -l
echo "-- one is not there"
rm kept/*SB+sc*
gate --kernels kept opencl:SB+relaxed | sed -n '1p; /^Soundness/,$p'
echo "-- refused"
mkdir none
gate --kernels none || echo "exit $?"
tail -n 1 messages
"$ORCHIL" gate --stored base.db run.db --kernels kept 2>&1 | head -n 1
