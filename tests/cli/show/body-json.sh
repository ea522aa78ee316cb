# SPDX-License-Identifier: Apache-2.0
# As JSON, each with its backend and lowering.
"$ORCHIL" show --body --json opencl:MP+rel+acq >shown
python3 - <<'PY'
import json
for body in json.load(open("shown"))[0]["bodies"]:
    print(body["backend"], body["lowering"], "play_0" in body["body"], "FUNCTION void play(" in body["body"])
PY
