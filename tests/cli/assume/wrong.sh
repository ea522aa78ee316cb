# SPDX-License-Identifier: Apache-2.0
# Every misuse is an error of exit code 2, and nothing runs.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
try() {
    "$ORCHIL" assume "$@" 2>&1 && echo "exit code 0" || echo "exit code $?"
}
try --device simulated:0 ptx:MP+relaxed
try --device simulated assume-lock+onefence --html orchil.db
try --device all assume-lock+onefence
try --json --html - assume-lock+onefence
sed 's/^Planted=.*/Planted=nowhere/; s/^PTX .*/PTX mine/' >mine.litmus <<'TEXT'
PTX mine
Planted=nowhere
{ x=0; }
 P0 ;
 ld.weak r0, x ;
exists (0:r0=0)
TEXT
try --device simulated:0 mine.litmus
sed 's/nowhere/assume-lock+fenced/' mine.litmus >promised.litmus
try --device simulated:0 promised.litmus
sed 's/Planted=nowhere/Expect=perhaps/' mine.litmus >perhaps.litmus
"$ORCHIL" run --device simulated:0 perhaps.litmus 2>&1 || echo "exit code $?"
ls
