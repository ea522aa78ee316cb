# SPDX-License-Identifier: Apache-2.0
# A test that observes nothing has one outcome, "-", wherever outcomes are shown or stored; in a litmus7 log its state is
# empty, as litmus7 writes it, because mcompare7 stops at a "-".
cat >nothing.litmus <<'TEXT'
PTX nothing
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 LC00:          | st.relaxed.gpu x, 1 ;
 ld.relaxed.gpu r0, x | ;
 bne r0, 1, LC00 | ;
exists (0=0)
TEXT
"$ORCHIL" run --device simulated --instances 10k --seed 7 --log out.log nothing.litmus 2>err | grep -A1 'per instance     outcome' | sed 's/  */ /g'
"$ORCHIL" run --device simulated --instances 10k --seed 7 --json nothing.litmus 2>err | grep -o '"state":"[a-z]*"\|"outcomes":\[[^]]*\]' | sed 's/"count":[0-9]*/"count":N/'
command -v sqlite3 >/dev/null || { echo 'no sqlite3' >&2; exit 77; }
sqlite3 orchil.db 'select distinct outcome, witness from v_outcome' 'select distinct label, verdict from verdict'
grep -A1 Histogram out.log | sed 's/^[0-9]* */N /' | cat -A
"$ORCHIL" export --format litmus7 --run 1 orchil.db | cmp - out.log
"$ORCHIL" check --json nothing.litmus
"$ORCHIL" report --out page.html orchil.db >report.out 2>&1
grep -o '<tr class="sc"><td>[^<]*' page.html
