# SPDX-License-Identifier: Apache-2.0
# The page in a browser: nothing on the console, no request, filter, sort and links work, hostile texts stay text.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
for device in 0 1; do
    ORCHIL_SIMULATED="$TEST_DIR/hostile.json" "$ORCHIL" run --device simulated:$device --instances 10k --seed 7 ptx:MP+relaxed ptx:SB+relaxed 'ptx:LB+fence*' >stdout 2>stderr || [ $? -eq 1 ]
done
"$ORCHIL" report --out page.html >stdout
"$TEST_DIR/browser" page.html
