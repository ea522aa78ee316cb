# SPDX-License-Identifier: Apache-2.0
# An unreadable file of a folder leaves a worse exit code as it is (1, 4), and takes the place of a weaker one (3).
mkdir folder
cp "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" folder
printf 'no test\n' >folder/head.litmus
run() {
    echo "$1" >script.json
    code=0
    ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 1k --seed 1 ./folder >out 2>err || code=$?
    grep 'jobs:\|could not' out
    echo "$code"
}
run '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "two": {"outcomes": {"0:r0=0; 1:r0=0;": 1}}}}'
run '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "two": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}},
    "faults": [{"test": "one", "phase": "batch", "batch": 2, "do": "stderr", "how": "segv", "lines": ["gone"]}]}'
run '{"tests": {"one": {"voids": {"gave_up": 1}}, "two": {"voids": {"gave_up": 1}}}}'
