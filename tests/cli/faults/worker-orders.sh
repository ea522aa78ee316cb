# SPDX-License-Identifier: Apache-2.0
# A worker refuses an order that it cannot read or that would never end, whatever it is, and takes the next one.
. "$TEST_DIR/store" # which needs the same programs
order() {
    printf '{"order":"%s","test":"OPENCL t\\n{ x=0; }\\nP0@wg 0, dev 0 (global int* x) { int r0 = *x; }\\nexists (0:r0=0)\\n","file":"t","environment":%s,"lowering":"","seed":"7","key":"9","resident_limit":"0","instances":"%s","seconds":%s,"deadline":0,"done_batches":"0","done_instances":"0","done_seconds":0}\n' "$@"
}
environment=$(ORCHIL_SIMULATED= "$ORCHIL" run --device simulated --instances 10 --db one.db "$TEST_DIR/one.litmus" >/dev/null 2>&1; ask one.db "SELECT text FROM environment" | sed 's/"/\\"/g')
{
    echo
    echo 'no order'
    echo '{}'
    echo '[[[[['
    printf '{"order":"1"}\0\n'
    printf '"\377"\n'
    printf '%20000s\n' '' | tr ' ' '['
    head -c 17000000 /dev/zero | tr '\0' x
    echo
    order 1 '"{}"' 100 0
    order 2 "\"$environment\"" 0 0
    order 3 "\"$environment\"" 0 -1
    order 4 "\"$environment\"" 18446744073709551616 0
    order 5 "\"$environment\"" 100 0
} >orders
ORCHIL_SIMULATED= "$ORCHIL" worker --serve simulated 0 <orders | sed 's/.*"event":"batch".*"order":"\([0-9]*\)".*/batch of order \1/; s/.*"event":"built","order":"\([0-9]*\)".*/built for order \1/; s/"circumstances":.*//' | uniq
"$ORCHIL" worker --serve simulated x </dev/null || echo "exit $?"
