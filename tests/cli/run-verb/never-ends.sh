# SPDX-License-Identifier: Apache-2.0
# A thread that waits for what nobody writes takes its bound of iterations once, not in each of 64 rounds of a launch: such
# a launch takes a few times as long as one of a single round. Instances that gave up are void, and all are counted.
batch_time() {
    sed "s/^rounds.*/rounds = $1/" "$TEST_DIR/never.ini" >rounds.ini
    "$ORCHIL" run --device opencl --profile rounds.ini --time 0.5 --json "$TEST_DIR/never.litmus" >job.json 2>stderr || code=$?
    [ "${code:-0}" -ne 4 ] || { echo "there is no OpenCL device" >&2; exit 77; }
    grep -c '"state":"completed"' job.json
    python3 -c '
import json
job = json.load(open("job.json"))
print("all gave up:", 0 < job["instances"] == job["void_by"]["gave_up"])
open("seconds", "w").write(str(job["seconds"] / job["batches"]))'
}
batch_time 1
mv seconds one
batch_time 64
python3 -c '
one, many = float(open("one").read()), float(open("seconds").read())
print("64 rounds take as long as 20:", many > 20 * one)'
