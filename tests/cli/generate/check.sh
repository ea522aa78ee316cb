# SPDX-License-Identifier: Apache-2.0
# A generated test's claims agree with `orchil check`; its control is forbidden and its mutants are
# allowed.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
"$ORCHIL" generate --critical --threads 2 --dialect ptx,opencl,cuda,c --tags relaxed,ra,fencesc -o made 2>/dev/null
"$ORCHIL" list --json ./made >tests.json
cat >compare.py <<'PYTHON'
import json, subprocess, sys
def witness(words):
    out = subprocess.run([sys.argv[1], "check", "--json", *words], capture_output=True, text=True, check=True).stdout
    return [(t["dialect"], t["test"], "allowed" if any(o["witness"] and o["verdict"] in ("sc", "weak") for o in t["outcomes"])
             else "forbidden") for t in map(json.loads, out.splitlines())]
tests = json.load(open("tests.json"))
said = {(t["dialect"], t["name"]): t["expect"] for t in tests}
judged = {(d, n): e for d, n, e in witness(["./made"])}
print("equal" if said == judged else {k: (said[k], judged.get(k)) for k in said if said[k] != judged.get(k)})
beside = sorted({(t["dialect"], name, "forbidden") for t in tests for name in t["controls"]} |
                {(t["dialect"], name, "allowed") for t in tests for name in t["mutants"]})
wrong = sorted(set(beside) ^ set(witness([d.lower() + ":" + n for d, n, _ in beside])))
print("as they are meant" if beside and not wrong else wrong)
PYTHON
python3 compare.py "$ORCHIL"
