# SPDX-License-Identifier: Apache-2.0
# Every verb that selects tests reads what can be read of a folder, lists what cannot, and ends with 2; on standard output is
# only what it is asked for.
mkdir folder
for name in A B; do
    printf 'OPENCL %s\n{ x=0; }\nP0@wg 0, dev 0 (global atomic_int* x) { int r0 = atomic_load(x); }\nexists (0:r0=0)\n' \
        $name >folder/$name.litmus
done
printf 'no test\n' >folder/head.litmus
verb() {
    code=0
    "$ORCHIL" "$@" >out 2>err || code=$?
    echo "$1 $2: $code"
    grep head.litmus err || :
}
verb list --json folder/
tr -d ' \n' <out | grep -o '"name":"[^"]*"'
verb list --pairs folder/
verb check --json folder/
grep -o '"test":"[^"]*"' out
verb show folder/
grep OPENCL out
verb show --json folder/
verb tune --device simulated --time 1 --trials 1 --seed 1 --no-controls folder/
head -1 out | cut -d" " -f1,2
verb gate baseline --out base.db --runs 1 --device simulated --instances 1k --seed 1 folder/
ls base.db
verb gate --baseline base.db --db gate.db --device simulated --instances 1k folder/
head -1 out
verb gate calibrate --runs 4 --db calibrate.db --device simulated --instances 1k --seed 1 folder/
head -1 out
