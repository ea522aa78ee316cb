# SPDX-License-Identifier: Apache-2.0
# A program that takes smaller work-groups than its device: groups are cut to it, and a test that needs larger ones is
# unsupported with the reason.
. "$TEST_DIR/../faults/store"
echo '{"devices": [{"max_group_size": 1024, "group_limit": 48}]}' >small.json
cat >range.litmus <<'TEXT'
OPENCL range
{ x=0; }
P0..P99@wg 0, dev 0 (global atomic_int* x) { atomic_fetch_add(x, 1); }
exists (x=100)
TEXT
ORCHIL_SIMULATED=small.json "$ORCHIL" run --device simulated --instances 100k --db orchil.db "$TEST_DIR/one.litmus" range.litmus >stdout 2>stderr
grep -o 'the test needs.*' stdout | head -1
ask orchil.db "SELECT max(json_extract(draw, '$.items')) FROM v_batch"
