# SPDX-License-Identifier: Apache-2.0
# Messages if the devices are not what a test needs, if an ensemble cannot be made, and if it is
# named wrongly.
echo '{"devices": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}' >script.json
cp "$TEST_DIR/sb.litmus" .
export ORCHIL_SIMULATED=script.json
try() {
    echo "== $*"
    "$ORCHIL" "$@" >out 2>&1 || echo "exit code $?"
    sed '/^job 1 of/d; /^Stored as/d; /^Try /d' out
}
reason() {
    echo "== $*"
    "$ORCHIL" "$@" --json 2>messages | grep -o '"state":"[a-z-]*","reason":"[^"]*"'
}
run="run --instances 1k --seed 1"
reason $run --device simulated:0 sb.litmus
reason $run --device simulated:0+simulated:1+simulated:2 sb.litmus
reason $run --device simulated:0+simulated:1 --no-controls opencl:SB+relaxed
reason $run --device simulated:1+simulated:0 --home x=2 sb.litmus
try $run --device simulated:0+simulated:7 sb.litmus
try $run --device simulated:0+simulated:0 sb.litmus
try $run --device simulated:0+simulated sb.litmus
try $run --device host+simulated:0 sb.litmus
try $run --device simulated:0+host sb.litmus
try $run --device simulated:0 --home x=1 sb.litmus
try $run --device simulated:0+simulated:1 --home x=there sb.litmus
try $run --device simulated:0+simulated:1 --kernels kernels sb.litmus
try $run --device simulated:0+simulated:1 --save-kernels kernels sb.litmus
try devices ensemble
try run --instances 1k --dry-run --seed 1 --device simulated:0+simulated:1,simulated:2 sb.litmus
rm orchil.db
"$ORCHIL" $run --device simulated:0+simulated:1 sb.litmus >/dev/null 2>&1
try reproduce --job 1 -o program
try reproduce -o program --device simulated:0+simulated:1 sb.litmus
