# SPDX-License-Identifier: Apache-2.0
# --dry-run prints the plan with what devices do not support and why, and leaves nothing behind: no database, no kernels, no
# log. Wrong input ends it as it ends a run.
export ORCHIL_SIMULATED=opencl.json
echo '{"devices": [{"name": "No PTX", "takes": ["c11"]}]}' >opencl.json
dry() { "$ORCHIL" run --device simulated --dry-run "$@"; }
dry --time 0.5 --log log --save-kernels kernels SB+relaxed
echo "== as JSON"
dry --instances 10k --json opencl:SB+relaxed ptx:MP+weak | tee json | grep -v '"file"'
python3 -c 'import json; json.load(open("json"))'
echo "== left behind"
find . "$HOME" -type f ! -name json ! -name opencl.json
echo "== devices that share"
echo '{"devices": [{"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"}]}' >opencl.json
dry --device simulated:all --time 5 opencl:SB+relaxed
echo "== wrong input"
mkdir folder
printf 'no test\n' >folder/head.litmus
cp "$TEST_DIR/one.litmus" folder
code=0
dry folder/head.litmus 2>/dev/null || echo "a file: $?"
dry ./folder >/dev/null 2>&1 || echo "a folder: $?"
dry SB+relaxd 2>/dev/null || echo "a name: $?"
dry --device simulated:7 SB+relaxed 2>/dev/null || echo "a device: $?"
dry --resume last 2>&1 | head -n 1
