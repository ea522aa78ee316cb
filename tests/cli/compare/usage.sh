# SPDX-License-Identifier: Apache-2.0
# Errors in the arguments name the problem and the available choices.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >script.json
run script.json results.db 1 --no-controls --device simulated:0 opencl:MP+relaxed
try() {
    code=0
    "$ORCHIL" compare "$@" || code=$?
    echo "exit $code" >&2
}
try results.db 2>&1 | head -n 1 >&2
try --driver --device 1 2 results.db 2>&1 | head -n 1 >&2
try --alpha 1 1 1 results.db 2>&1 | head -n 1 >&2
try --run 1 first results.db
try results.db results.db results.db
try 1 2 results.db
try --driver 1.0 3.0 results.db
try --device first third results.db
try results.db missing.db
try script.json results.db
