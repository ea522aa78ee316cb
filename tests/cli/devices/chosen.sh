# SPDX-License-Identifier: Apache-2.0
# The profile that a device gets by default, and the reason, is shown with the device and at the
# head of a run: what was measured for its name, or a rule from its attributes, which `--profile
# rule` asks for whatever the name is.
cat >script.json <<'TEXT'
{"devices": [{"name": "NVIDIA H200", "vendor": "NVIDIA Corporation", "architecture": "sm_90", "compute_units": 132},
    {"name": "NVIDIA X9", "vendor": "NVIDIA Corporation", "architecture": "sm_89", "compute_units": 24, "l2_bytes": 2097152},
    {"name": "A GPU"}]}
TEXT
export ORCHIL_SIMULATED=script.json
"$ORCHIL" devices simulated | grep '^  profile'
"$ORCHIL" devices simulated --json | grep -A 2 '"profile"'
for device in 0 1 2; do
    "$ORCHIL" run --device simulated:$device --instances 100k --seed 1 --db $device.db "$TEST_DIR/../run-verb/one.litmus" 2>&1 >/dev/null | grep profile || echo "nothing of $device"
    "$ORCHIL" export --format csv --what jobs $device.db | grep -o ',\(gpu\|hopper\|rule\),'
done
"$ORCHIL" run --device simulated:0 --profile rule --instances 1k --dry-run "$TEST_DIR/../run-verb/one.litmus" 2>&1 | grep profile
