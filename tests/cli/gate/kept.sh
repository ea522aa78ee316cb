# SPDX-License-Identifier: Apache-2.0
# Protects: a compiler that no more keeps a test fails the gate, in every report, with what it lost; one that never kept it is a note;
# a disassembler that is gone is a doubt; a test that is kept now is reported; what is known is excused. The script's `kept` says what
# inspections find: of MP+relaxed in the first word, of SB+relaxed in the second.
. "$TEST_DIR/common"
kept() {
    case $1 in
    kept) echo '"kept": "kept"' ;;
    not-kept) echo '"kept": "not-kept", "kept_reason": "P1 line 9: the load of x is missing"' ;;
    *) echo '"kept": "not-inspected", "kept_reason": "nvdisasm is not on PATH"' ;;
    esac
}
compiled() { # compiled MP SB DRIVER
    script "$3" 0.001
    sed "s/\"MP+relaxed\": {/&$(kept "$1"), /; s/\"SB+relaxed\": {/&$(kept "$2"), /" script.json >script.new
    mv script.new script.json
}
base() { # base MP SB
    compiled "$1" "$2" 1.0
    rm -f base.db whole.db
    "$ORCHIL" gate baseline --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 8 \
        --db whole.db --out base.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1 || echo "baseline: exit $?"
}
base kept kept
compiled not-kept not-inspected 2.0
gate --junit junit.xml --markdown summary.md >out || echo "exit $?"
cat out
grep 'kept\|inspected' junit.xml summary.md
gate --json >out || echo "exit $?"
tr -d ' \n' <out | grep -o '"kind":"[a-z-]*","class":"[a-z]*"'
GITHUB_ACTIONS=true "$ORCHIL" gate --baseline base.db --instances 300k --db run.db >out 2>messages || echo "exit $?"
grep '^::[ew]' out
printf '[MP+relaxed]\nknown.not-kept = reported to the vendor\n[SB+relaxed]\nknown.not-inspected = no disassembler here\n' >known.ini
gate --expect known.ini >out && sed 1q out
echo "== the baseline was not kept, or not inspected"
base not-kept not-inspected
compiled not-kept not-kept 2.0
gate >out || echo "exit $?"
grep 'kept' out
echo "== kept now"
compiled kept kept 2.0
gate >out && grep 'kept' out
echo "== not kept, now not inspected"
compiled not-inspected kept 2.0
gate >out || echo "exit $?"
grep 'inspected' out
