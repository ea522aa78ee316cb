# SPDX-License-Identifier: Apache-2.0
# docs/reference/json.md names every member that --json prints, in the section of its verb.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
run() { "$ORCHIL" "$@" 2>/dev/null || :; }
script 1.0 0.001
run devices --json >devices
run list --json opencl:MP+relaxed >list
run list --pairs --json opencl:MP+relaxed >>list
run show --json --kernel opencl opencl:MP+relaxed >>list
run show --json --body opencl:MP+relaxed >>list
run check --json --explain opencl:MP+relaxed opencl:CoRR+relaxed >check
run check --json --differ --model opencl,sc opencl:MP+relaxed >>check
run inspect --json --lowering ptx ptx:MP+relaxed >inspect
run explain --json ptx:MP+rel+acq >explain
run explain --json --time 1 ptx:MP+relaxed >>explain
run run --json --device simulated --instances 30k --seed 5 --db one.db opencl:MP+relaxed opencl:CoRR+relaxed >run
run run --json --dry-run --device simulated opencl:MP+relaxed >>run
run assume --device simulated --time 0.1 --json --db assume.db >assume
run gate calibrate --json --device simulated --instances 30k --runs 4 --seed 5 --db cal.db opencl:MP+relaxed >gate-calibrate
run gate baseline --json --from cal.db --out base.db >gate-baseline
script 1.0 0.004
run gate --json --baseline base.db --device simulated --instances 30k --db gate.db opencl:MP+relaxed >gate
run compare --json base.db gate.db >compare
run history --json base.db gate.db >history
run merge --json --into all.db one.db gate.db >merge
python3 - <<'END'
import json, os, re
page = open(os.environ["ORCHIL_SOURCE_DIR"] + "/docs/reference/json.md").read()
shared = ("models_changed and unread",)
FREE = {"void_by", "metadata", "verdicts", "kinds", "answers"}  # objects with names as keys
sections = {}
for part in re.split(r"\n## ", page)[1:]:
    title, text = part.split("\n", 1)
    for verb in title.split(" and "):
        sections[verb.replace("orchil ", "")] = text
def members(value):
    if isinstance(value, list):
        for item in value:
            yield from members(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in FREE:
                yield from members(item)
def names(text):
    # the first cells of tables, and code
    cells = " ".join(row.split("|")[1] for row in text.splitlines() if row.startswith("| "))
    return set(re.findall(r"[a-z0-9_]+", cells)) | set(re.findall(r"`([a-z0-9_]+)`", text))
for verb, text in sections.items():
    output = open(verb.replace(" ", "-")).read() if verb != "show" else ""
    decoder, at, found = json.JSONDecoder(), 0, set()
    while output[at:].strip():
        at += len(output[at:]) - len(output[at:].lstrip())
        value, at = decoder.raw_decode(output, at)
        found |= set(members(value))
    known = names(text)
    if verb in ("gate", "assume", "gate calibrate"):
        known |= names(sections["compare"]) | names(sections["gate baseline"])
    assert found or verb == "show", verb + ": no output"
    for name in sorted(found - known):
        print(f"orchil {verb}: no member {name} in docs/reference/json.md")
END
