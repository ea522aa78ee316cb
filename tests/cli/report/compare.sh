# SPDX-License-Identifier: Apache-2.0
# The page of a comparison says what the text says, and `-` prints it alone.
export ORCHIL_SIMULATED="$TEST_DIR/exact.json"
"$ORCHIL" run --device simulated:0 --instances 100k --seed 7 ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" run --device simulated:1 --instances 100k --seed 7 ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" compare --page page.html 1 2 orchil.db >text
sed -n '/<p class="lead/p; /<ul class=tiles>/,/<\/ul>/p; /<section/,/<\/section>/{/^<h2>/p; /^<li>/p; /^<tr><th/p; /^<p>/p}' page.html
"$ORCHIL" compare --page - 1 2 orchil.db | cmp - page.html
