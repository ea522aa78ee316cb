# SPDX-License-Identifier: Apache-2.0
# The pipelines of examples/gate parse as YAML, and their commands do what they are for: each script is run as it is, with a
# simulated device, two tests and two seconds.
. "$TEST_DIR/common"
python3 -c 'import yaml' 2>/dev/null || { echo "python3 with yaml (python3-yaml) is not installed" >&2; exit 77; }
python3 - "$ORCHIL_SOURCE_DIR/examples/gate" <<'PYTHON'
import sys, yaml
folder = sys.argv[1]
github = yaml.safe_load(open(folder + "/github-actions.yml"))
gitlab = yaml.safe_load(open(folder + "/gitlab-ci.yml"))
scripts = {
    "github-baseline": (github["env"], [s["run"] for s in github["jobs"]["baseline"]["steps"] if "run" in s]),
    "github-gate": (github["env"], [s["run"] for s in github["jobs"]["gate"]["steps"] if "run" in s]),
    "gitlab-baseline": (gitlab["variables"], gitlab["orchil-baseline"]["script"]),
    "gitlab-gate": (gitlab["variables"], gitlab["orchil-gate"]["script"]),
}
own = {"DEVICE": "simulated", "TESTS": "opencl:MP+relaxed opencl:SB+relaxed", "BUDGET": "2", "CONFIRM_BUDGET": "2",
       "FAIL_ON": "behaviour"}
for name, (variables, lines) in scripts.items():
    assert set(variables) == set(own), variables
    with open(name, "w") as file:
        file.write("set -e\nset -o pipefail\n" + "".join(f"{key}='{own[key]}'\n" for key in variables) + "\n".join(lines) + "\n")
# The pipelines also say what the hosts do with the results.
assert gitlab["orchil-gate"]["allow_failure"]["exit_codes"] == [3]
assert gitlab["orchil-gate"]["artifacts"]["reports"]["junit"] == "gate.xml"
assert github[True].keys() >= {"pull_request", "workflow_dispatch"}
PYTHON
mkdir bin ci
ln -s "$ORCHIL" bin/orchil
PATH="$PWD/bin:$PATH"
rates='"faults": [{"phase": "batch", "do": "slow", "milliseconds": 2}]'
for host in github gitlab; do
    echo "-- $host"
    cp "$ORCHIL_SOURCE_DIR/examples/gate/expect.ini" ci/
    script 1.0 0.001 "$rates"
    bash $host-baseline >report 2>&1 || cat report
    script 2.0 0.001 "$rates"
    bash $host-gate >report 2>&1 || cat report
    sed -n '/^Gate/p; /^Tests/p' report
    script 2.0 0.02 "$rates"
    bash $host-gate >report 2>&1 || echo "exit $?"
    printf '[SB+relaxed]\nknown.lost = on purpose\n' >ci/expect.ini
    SB_RATE=0
    script 2.0 0.001 "$rates"
    bash $host-gate >report 2>&1 || echo "exit $?"
    grep -c '^::warning' report || :
    SB_RATE=0.01
    ls gate.xml gate.md run.db
done
