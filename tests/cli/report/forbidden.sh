# SPDX-License-Identifier: Apache-2.0
# Forbidden outcomes come first, with count and interval, and the first sentence reports them.
ORCHIL_SIMULATED="$TEST_DIR/hostile.json" "$ORCHIL" run --device simulated:1 --instances 10k --seed 7 ptx:MP+relaxed >stdout 2>stderr || [ $? -eq 1 ]
"$ORCHIL" report --out page.html --title 'A <title>'
sed -n '/^<title>/p; /<p class="lead/p; /<section id=findings>/,/<\/section>/p' page.html
