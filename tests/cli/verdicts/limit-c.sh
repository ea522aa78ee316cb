# SPDX-License-Identifier: Apache-2.0
# rc11 forbids load buffering, and what a C test is emitted as does not, in OpenCL C or in PTX: a device that shows it is
# right. What both models forbid is still a violation.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
export ORCHIL_SIMULATED="$TEST_DIR/limit-c.json"
for device in simulated:0 simulated:1; do
    "$ORCHIL" run --device "$device" --instances 10k --seed 7 --db "$device.db" --json "$TEST_DIR/limit-c.litmus" "$TEST_DIR/forbidden-c.litmus" 2>/dev/null | python3 -c '
import json, sys
for line in sys.stdin:
    job = json.loads(line)
    if "test" not in job:
        continue
    print(job["device"], job["test"], "violated" if job["violated"] else "not violated", job["source_model"], job["model"])
    for outcome in sorted(job["outcomes"], key=lambda outcome: outcome["outcome"]):
        print(" ", outcome["outcome"], outcome["verdict"], outcome["source_verdict"], outcome.get("mapping_limit", False))'
    "$ORCHIL" run --device "$device" --instances 10k --seed 7 --db again.db "$TEST_DIR/limit-c.litmus" >limit.txt 2>/dev/null && echo "exit 0"
    grep "known limit" limit.txt | sed 's/: .* instances/: N instances/'
done
