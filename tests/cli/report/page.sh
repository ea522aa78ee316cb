# SPDX-License-Identifier: Apache-2.0
# A clean page: the sentence, a weak rate with its interval, zero as a bound, the control next to it, no text of a clock.
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --instances 10k --seed 7 ptx:MP+relaxed ptx:SB+relaxed >stdout 2>stderr
"$ORCHIL" report
sed -n '/<p class="lead/p; /<ul class=tiles>/,/<\/ul>/p; /^<tr><th scope=row><a/p; /^<tr class="[a-z]*"><td>/p; /^<p>Not seen, each/p; /^<p>Witness/p; /<dt>Jobs/p' orchil-report.html
"$ORCHIL" report --out again.html orchil.db >stdout
cmp orchil-report.html again.html
"$ORCHIL" report --out - | cmp - again.html
