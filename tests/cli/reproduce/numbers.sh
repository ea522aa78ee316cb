# SPDX-License-Identifier: Apache-2.0
# A register that starts with its thread's number in its range does so in the program too.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
cat >own.litmus <<'END'
PTX own
{ u32 x[4]; u32 P0:i=%tid; u32 P2:i=%tid; }
 P0..P1@cta 0,gpu 0            | P2..P3@cta 0,gpu 0          ;
 st.relaxed.gpu.u32 [x[i]], 1  | ld.relaxed.gpu.u32 r0, x[i] ;
exists (2:r0=1 /\ 3:r0=0)
END
"$ORCHIL" run --device simulated --seed 1 --instances 100k --no-controls --db a.db own.litmus >run.log 2>&1
"$ORCHIL" reproduce a.db --job 1 --as-it-is -o own >written
grep 'thread - ' own/reproduce.cu
