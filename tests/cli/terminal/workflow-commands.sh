# SPDX-License-Identifier: Apache-2.0
# Protects: where GitHub Actions reads the output, no verb prints a text of a test, a device or a file so that it is a
# command: "::" at the start of a line, "##[" anywhere. Values in JSON stay as they are. Elsewhere nothing changes.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY CLICOLOR_FORCE COLUMNS
command='::error title=forged::by a test ##[add-mask]x'
cat >script.json <<END
{"devices": [{"name": "$command", "driver": "$command", "platform": "$command"}], "tests": {"*": {}},
 "faults": [{"phase": "batch", "do": "stderr", "lines": ["$command"], "test": "$command"}]}
END
export ORCHIL_SIMULATED=script.json
"$ORCHIL" show opencl:SB+relaxed | sed "1s/ .*/ $command/; 2s/^\"/\"$command /; /^Expect/s/^/Text=$command\n/; /^Control/d" >t.litmus
printf '%s\n' "$command" >@index
"$ORCHIL" run --device simulated --instances 1k --no-controls --db a.db t.litmus >plain 2>&1 || true
grep -q '^ *::error' plain && echo "elsewhere it stays"
# safe WORD...: what the program prints has no command.
safe() {
    GITHUB_ACTIONS=true "$ORCHIL" "$@" >out 2>messages || true
    cat out messages >>all
    if grep -nE '^[[:space:]]*::|##\[' out messages; then
        echo "in: orchil $*"
    fi
}
for verb in list show check explain; do
    safe $verb t.litmus
    safe $verb --json t.litmus
    safe $verb "$command"
    safe $verb @index
done
safe show --kernel=opencl t.litmus
safe run --device simulated --instances 1k --no-controls --db b.db t.litmus
safe run --device simulated --instances 1k --no-controls --json --db b.db t.litmus
safe run --device "$command" t.litmus
safe devices simulated
safe devices --json simulated
safe doctor
safe compare a.db b.db
safe compare --json a.db b.db
safe history a.db b.db
safe merge --into c.db a.db b.db
safe report a.db -o -
safe reproduce a.db --job 1 --as-it-is -o rep
for form in csv json litmus7; do
    safe export --format $form a.db
done
safe gate --baseline a.db --device simulated --instances 1k
safe "$command"
safe list "--$command"
grep -c ': :error' all >count && echo "shown"
GITHUB_ACTIONS=true "$ORCHIL" list --json t.litmus | python3 -c 'import json, sys; print(sys.stdin.read().count("##["))'
GITHUB_ACTIONS=true "$ORCHIL" list --json t.litmus | python3 -c 'import json, sys; print(str(json.load(sys.stdin)).count("##[") > 0)'
