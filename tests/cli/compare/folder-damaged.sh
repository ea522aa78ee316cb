# SPDX-License-Identifier: Apache-2.0
# One damaged or foreign file of a folder costs itself: compare, gate, report and history read the others, name the file, count
# it in summary and JSON, and end with 2 (history: 4) where nothing is worse. A folder of nothing else is an error.
. "$TEST_DIR/../gate/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
script 1.0 0.001
measure() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 5 --db "$1" opencl:SB+relaxed >/dev/null 2>&1
}
mkdir nights damaged
for file in nights/1.db nights/2.db nights/3.db new.db; do measure $file; done
head -c 20000 new.db >nights/cut.db
echo "no database" >nights/foreign.db
unread() { python3 -c 'import json, sys
unread = json.load(sys.stdin)["unread"]
print([one["file"] for one in (unread["a"] if isinstance(unread, dict) else unread)])'; }

"$ORCHIL" compare nights new.db 2>messages | sed -n '1p; /^[AB]: /,/^$/p' || :
cat messages
"$ORCHIL" compare nights new.db >/dev/null 2>&1 || echo "exit $?"
"$ORCHIL" compare --json nights new.db 2>/dev/null | unread
echo "--- gate"
"$ORCHIL" gate --stored nights new.db 2>/dev/null | sed -n '1,3p' || :
"$ORCHIL" gate --stored nights new.db >/dev/null 2>&1 || echo "exit $?"
"$ORCHIL" gate --json --stored nights new.db 2>/dev/null | unread
"$ORCHIL" gate --baseline nights --instances 100k --confirm-budget 0 --db run.db >report 2>messages || echo "exit $?"
sed -n '1,3p' report
grep -c nights messages
echo "--- report"
"$ORCHIL" report nights 2>/dev/null | sed 's/, [0-9.]* kB/, SIZE/' || :
"$ORCHIL" report nights >/dev/null 2>&1 || echo "exit $?"
grep -c 'nights/cut.db' orchil-report.html
echo "--- history"
"$ORCHIL" history nights 2>/dev/null | grep 'not be read' || :
"$ORCHIL" history nights >/dev/null 2>&1 || echo "exit $?"
"$ORCHIL" history --json nights 2>/dev/null | unread
echo "--- nothing else"
mv nights/cut.db damaged
for verb in report "compare new.db" "gate --stored new.db"; do "$ORCHIL" $verb damaged 2>&1 || echo "exit $?"; done
