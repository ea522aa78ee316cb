# SPDX-License-Identifier: Apache-2.0
# The time is kept to: a search that is free to go on ends, and what remains is for measuring again.
. "$TEST_DIR/../faults/store"
start=$(date +%s)
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --time 4 --seed 1 opencl:SB+relaxed >found 2>messages
seconds=$(($(date +%s) - start))
[ "$seconds" -ge 2 ] && [ "$seconds" -le 12 ] || echo "$seconds seconds"
ask orchil.db "SELECT count(DISTINCT profile) > 2, max(replicate) > 100 FROM v_job"
