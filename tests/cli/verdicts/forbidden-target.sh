# SPDX-License-Identifier: Apache-2.0
# On a device that gets PTX, the PTX model decides, and the source model is with it.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
code=0
ORCHIL_SIMULATED="$TEST_DIR/planted-ptx.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --json opencl:MP+rel+acq >line || code=$?
python3 -c '
import json
job = json.loads(open("line").read())
print(job["test"], job["model"], "violated", job["violated"], "source_model", job.get("source_model"), job.get("unjudged"))
for outcome in sorted(job["outcomes"], key=lambda outcome: outcome["outcome"]):
    print(outcome["outcome"], outcome["verdict"], outcome["source_verdict"], outcome["witness"], outcome.get("axiom"))'
exit "$code"
