# SPDX-License-Identifier: Apache-2.0
# The variables that doctor shows are those that a run stores: what changes a driver is one list.
. "$TEST_DIR/../faults/store"
export OCL_ICD_VENDORS=/nowhere OPENCL_VENDOR_PATH=/nowhere CUDA_VISIBLE_DEVICES= ORCHIL_SIMULATED=
export HSA_SAMPLE=1 LP_SAMPLE=2 ONEAPI_SAMPLE=3 OTHER_SAMPLE=4
"$ORCHIL" doctor 2>/dev/null | grep _SAMPLE | LC_ALL=C sort
"$ORCHIL" run --device simulated --instances 1 --no-controls SB+relaxed >/dev/null 2>&1
"$ORCHIL" export --format jsonl --what runs >runs.json
ask :memory: "SELECT json_group_object(key, value) FROM json_each(readfile('runs.json'), '\$.environment_variables') WHERE key LIKE '%\_SAMPLE' ESCAPE '\'"
