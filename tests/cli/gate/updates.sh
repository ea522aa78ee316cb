# SPDX-License-Identifier: Apache-2.0
# What a gate says of each kind of driver update, and of a machine that lost its device: the exit code and the first line.
. "$TEST_DIR/../faults/store"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
export ORCHIL_SIMULATED=script.json
SHORT="--instances 200k --batch-limit 1 --build-limit 1"
LOCK=lock-counter+fenced+wg+1x512

# Sets the device to the trusted one; a row of the table changes some of this.
trusted() {
    name="ACME X1" driver=2.0 more= faults= mp=0.001 mp_control=0 sb=0.01 sb_more= lb=0 lock=0 stop=
}
write_script() {
    cat >script.json <<JSON
{"devices": [{"name": "$name", "driver": "$driver"$more}], "state": "state.json",
 "tests": {"MP+relaxed": {"outcomes": {"1:r0=1; 1:r1=0;": $mp}}, "MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": $mp_control}},
           "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": $sb}$sb_more}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}},
           "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": $lb}}, "LB+ra": {"outcomes": {"0:r0=1; 1:r0=1;": 0}},
           "$LOCK": {"outcomes": {"[c]=1;": $lock, "[c]=512;": $((1 - lock))}},
           "canary": {"outcomes": {"0:r0=42;": 1}}}, "faults": [$faults]}
JSON
}
fault() { faults='{"test": "'$1'", "phase": "'$2'", "do": "'$3'"'${4:+, $4}'}'; }

# make_baseline FILE TEST...: of driver 1.0.
make_baseline() {
    out=$1
    shift
    write_script
    "$ORCHIL" gate baseline --device simulated $SHORT --seed 8 --db whole-$out --out "$out" "$@" >"$out.txt" 2>&1
}
trusted
driver=1.0
make_baseline base.db opencl:MP+relaxed opencl:SB+relaxed opencl:LB+relaxed
make_baseline lock.db opencl:SB+relaxed opencl:$LOCK
mp=0 sb=0
make_baseline blind.db opencl:MP+relaxed opencl:SB+relaxed
grep 'cannot pass' blind.db.txt

# row CHANGE EXIT FIRST-LINE [OPTION...]: the first line is a pattern of the shell; every report must give the same verdict. $stop
# is a signal that the gate gets in its first job.
row() {
    change=$1 expected=$2 pattern=$3 code=0
    shift 3
    rm -f state.json gate.xml gate.md orchil.db*
    write_script
    "$ORCHIL" gate --baseline base.db --db orchil.db $SHORT --junit gate.xml --markdown gate.md "$@" >out 2>messages &
    gate=$!
    [ -z "$stop" ] || { wait_for "SELECT count(*) FROM v_job WHERE state = 'started'"; kill -$stop $gate; }
    wait $gate || code=$?
    first=$(head -n 1 out)
    good=yes
    [ $code -eq $expected ] || good=no
    case $first in $pattern) ;; *) good=no ;; esac
    verdict=$(echo "${first%%:*}" | tr A-Z a-z)
    grep -q "<testsuites name=\"orchil gate: $verdict\"" gate.xml || good="no: gate.xml"
    head -n 1 gate.md | grep -q "^## orchil gate: ${first%%:*}" || good="no: gate.md"
    [ "$good" = yes ] && echo "$change: exit $code, ${first%%:*}" || { echo "$change: WRONG ($good): exit $code, expected $expected: $first"; cat out messages; }
    trusted
}

trusted
row "the driver's version" 0 "PASSED: 0 soundness, 0 behaviour (1 blind)"
driver=1.0; row "the same driver" 0 "PASSED*"
tr '\n' ' ' <out | grep -o 'Both sides have the same driver'
lock=1; row "a lock that never excludes" 1 "FAILED: 1 soundness*" --baseline lock.db
lock=1; row "a lock that never excludes, no reruns" 1 "FAILED: 1 soundness*" --baseline lock.db --confirm-budget 0
mp_control=0.0001; row "a forbidden outcome" 1 "FAILED: 1 soundness, *"
sb=0.02; row "a rate times 2" 5 "CHANGED: 0 soundness, 1 behaviour*"
lb=0.0001; row "a new outcome" 5 "CHANGED: 0 soundness, 1 behaviour*"
mp=0; row "a lost outcome" 5 "CHANGED: 0 soundness, 1 behaviour, 1 doubt*"
fault SB+relaxed batch hang '"batch": 3'; row "a hang in a batch" 1 "FAILED: 1 soundness*"
fault SB+relaxed build hang; row "a hang in a build" 1 "FAILED: 1 soundness*"
faults='{"phase": "open", "do": "hang"}'; row "a hang on opening" 1 "FAILED: 1 soundness*"
tr '\n' ' ' <out | grep -o '1 s while opening' | sort -u
fault SB+relaxed batch crash '"batch": 3'; row "a crash" 1 "FAILED: 1 soundness*"
fault SB+relaxed build build-error '"text": "error: internal compiler error"'; row "a failed build" 1 "FAILED: 1 soundness*"
fault LB+relaxed batch device-lost '"batch": 2'; row "a lost device" 1 "FAILED: 1 soundness*"
fault LB+relaxed batch crash '"batch": 2, "times": 1, "wedged": true'; row "a crash, then a wrong canary" 1 "FAILED: 1 soundness*"
fault SB+relaxed batch wrong '"how": "sum"'; row "wrong counters" 3 "INCONCLUSIVE*"
sb_more=', "kept": "not-kept", "kept_reason": "the loads were merged"'; row "code not kept" 3 "INCONCLUSIVE: 0 soundness, 0 behaviour, 1 doubt*"
more=', "takes": ["ptx"]'; row "another way to compile the tests" 3 "INCONCLUSIVE: 0 soundness, 0 behaviour, 7 doubts*"
sed -n 's/^\(Tests: .* compared\)\..* \(Runs: .*\)/\1. \2/p' out
name="ACME X2"; row "another device instead" 4 "FAILED: no device of the baseline is here: it has ACME X1 (simulated); here: *ACME X2*"
name="ACME X2"; row "another device, named" 0 "PASSED*" --device simulated
more=', "uuid": "b"'; row "the device, with a UUID" 0 "PASSED*"
faults='{"phase": "list", "do": "crash"}'; row "a listing that crashes" 4 "FAILED: no device of the baseline is here*SIGSEGV*"
faults='{"phase": "list", "do": "crash"}'; row "a listing that crashes, the device named" 4 "FAILED: *SIGSEGV*" --device simulated
row "no device of that name" 4 "FAILED: no device matches*" --device X3
cat >known.ini <<'INI'
[SB+relaxed]
known.rate = x2 since the clocks are capped
INI
sb=0.02; row "a known rate" 0 "PASSED*(*1 expected)" --expect known.ini
sb=0.3; row "a known rate, and far more" 5 "CHANGED*" --expect known.ini
grep -o "known.ini:2 expects x2" out | sort -u
row "a known rate that is gone" 0 "PASSED*" --expect known.ini
grep -c "take them out" out
mp=0 sb=0; row "no mutant is seen, as in the baseline" 3 "INCONCLUSIVE: 0 soundness, 0 behaviour, 1 doubt (2 blind)" --baseline blind.db
fault "*+relaxed" batch slow '"milliseconds": 300'; stop=TERM; row "SIGTERM in the middle" 143 "INTERRUPTED: nothing is decided"
