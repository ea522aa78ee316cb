# SPDX-License-Identifier: Apache-2.0
# Three devices with long names, and tests that none of them supports: the map fits at 1280 pixels, at 400 it has all
# devices next to the names, results come before explanations, what is unsupported is folded.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
for device in 0 1 2; do
    ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" run --device simulated:$device --instances 10k --seed 7 ptx:MP+relaxed ptx:SB+relaxed ptx:LB+relaxed opencl:MP+relaxed opencl:SB+relaxed opencl:book-B6-fetch-or-long+relaxed >stdout 2>stderr || [ $? -eq 1 ]
done
"$ORCHIL" report --out page.html >stdout
"$TEST_DIR/browser" page.html
grep -c '<details class=fold>' page.html
