# SPDX-License-Identifier: Apache-2.0
# A test whose witness a model forbids is not blind where it stays away, nor gated where it was seen: one line counts them.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
script 1.0 0.001
tests="opencl:MP+relaxed opencl:MP+rel+acq opencl:SB+sc"
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 4 --seed 5 --db cal.db $tests >report 2>/dev/null
sed -n '1p; /^test /,/^$/p; /forbidden/p' report
"$ORCHIL" gate calibrate --from cal.db --json | python3 -c '
import json, sys
for t in json.load(sys.stdin)["tests"]:
    print(t["test"], t["controls"], t["standing"])'
echo "-- seen:"
script 1.0 0.001 "$(rates MP+rel+acq '1:r0=1; 1:r1=0;' 0.1)"
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 4 --seed 5 --db seen.db opencl:MP+rel+acq >report 2>/dev/null || echo "exit code $?"
sed -n '1,2p; /forbidden witness/p' report
