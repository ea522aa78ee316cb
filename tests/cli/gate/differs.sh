# SPDX-License-Identifier: Apache-2.0
# Other differences that may explain a rate are named in one line: here the compiler.
. "$TEST_DIR/common"
compiler() { sed -i "s/\"uuid\"/\"compiler\": \"$1\", \"uuid\"/" script.json; }
script 1.0 0.001
compiler "cc 1.0"
"$ORCHIL" gate baseline --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --out base.db \
    opencl:MP+relaxed >/dev/null 2>&1
script 2.0 0.001
compiler "cc 2.0"
gate
gate --json | python3 -c 'import json, sys; print([r for r in json.load(sys.stdin)["differs"] if r["what"] != "driver"])'
