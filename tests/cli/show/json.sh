# SPDX-License-Identifier: Apache-2.0
# The text and the kernel are members.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
"$ORCHIL" show --json --kernel cuda "$TEST_DIR/MP.litmus" >test.json
python3 - <<"END"
import json
test, = json.load(open("test.json"))
print(sorted(test))
print(test["text"])
print(test["condition"], test["backend"], test["lowering"], "st.relaxed" in test["kernel"])
END
