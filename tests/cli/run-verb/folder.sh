# SPDX-License-Identifier: Apache-2.0
# A file of a folder or an index that cannot be read is listed with its place and costs only itself; the exit code is 2 where
# nothing is worse. A file named by itself still stops everything, and so does a folder in which no file can be read.
mkdir -p mixed/deep unread
cp "$TEST_DIR/one.litmus" mixed/deep/one.litmus
cp "$TEST_DIR/two.litmus" mixed/two.litmus
printf 'OPENCL broken\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) { *x = ; }\nexists (x=1)\n' >mixed/broken.litmus
printf 'no test\n' >unread/head.litmus
ln -s nowhere mixed/lost.litmus
head -c 600000 /dev/zero | tr '\0' ' ' >mixed/large.litmus
printf 'mixed/two.litmus\nmixed/broken.litmus\nabsent.litmus\n' >@index

export ORCHIL_SIMULATED="$TEST_DIR/exact.json"
run() {
    code=0
    "$ORCHIL" run --device simulated --instances 1k --seed 1 --db "$db" "$@" >out 2>err || code=$?
    echo "$*: $code"
    grep -v '^budget\|^job' err || :
}
db=text.db
run ./mixed
grep 'jobs:\|could not' out
db=json.db
run --json mixed/
wc -l <out
grep -o '"test":"[^"]*"\|"state":"[^"]*"' out
run @index
grep 'job:\|could not' out
run ./mixed unread/ opencl:SB+relaxed
grep 'jobs:\|could not' out

echo "nothing runs:"
db=none.db
run unread/
run mixed/two.litmus mixed/broken.litmus
run @index nowhere/
[ ! -e none.db ]
