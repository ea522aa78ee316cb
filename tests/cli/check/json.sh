# SPDX-License-Identifier: Apache-2.0
# One object per line, test and model; another reader of JSON takes it.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
"$ORCHIL" check --json --explain --model opencl,sc opencl:SB+sc opencl:SB+relaxed 'opencl:lock-counter+fenced+wg+1x512' opencl:lock-spin+fenced "$TEST_DIR/racy.litmus" >lines
python3 -c '
import json
for line in open("lines"):
    object = json.loads(line)
    print(object["test"], object["dialect"], object["model"])
    if "unjudged" in object:
        print("  unjudged:", object["unjudged"], sorted(object))
        continue
    print(" ", object["condition"], "holds", object["holds"], "racy", object["racy"], "complete", object["complete"], "cut", object.get("cut"))
    for outcome in object["outcomes"]:
        print("   ", outcome["outcome"], outcome["verdict"], outcome["witness"], outcome.get("axiom"), "cycle" in outcome)'
