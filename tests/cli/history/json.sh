# SPDX-License-Identifier: Apache-2.0
# The JSON of a step, of what came with it and of a series: numbers are numbers.
. "$TEST_DIR/nights"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
n=1
while [ $n -le 8 ]; do
    night nights $n "$([ $n -lt 6 ] && echo 560.1 || echo 570.2)" "$([ $n -lt 6 ] && echo 1 || echo 4)"
    n=$((n + 1))
done
"$ORCHIL" history --json --test 'SB*' nights >history.json
python3 - <<'END'
import json

document = json.load(open("history.json"))
print(document["answer"])
device = document["devices"][0]
step = device["steps"][0]
print(sorted(step))
print(step["run"], step["first_run"], step["last_run"], step["cause"], step["changes"][0]["what"], step["changes"][0]["before"], step["changes"][0]["after"])
print(0.9 < step["probability"] <= 1, abs(sum(row["probability"] for row in step["posterior"]) - 1) < 1e-3)
move = step["moves"][0]
print(move["test"], move["outcome"], move["interval"][0] < 4 < move["interval"][1], move["count"][0] < move["count"][1])
series = next(row for row in device["series"] if row["test"] == "SB+relaxed" and row["witness"])
print([part["first_run"] for part in series["parts"]], [point["outside"] for point in series["points"]])
for part in series["parts"]:
    print(part["band"][0] < part["rate"] < part["band"][1])
for point in series["points"]:
    assert point["interval"][0] < point["rate"] == point["count"] / point["counted"] < point["interval"][1] or \
        abs(point["rate"] - point["count"] / point["counted"]) < 1e-9, point
print([row["sm_clock_mhz"] for row in device["runs"]][:2], device["runs"][0]["driver"])
END
