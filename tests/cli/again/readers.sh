# SPDX-License-Identifier: Apache-2.0
# Verdicts by a model that has changed since are not shown and not decided by: every reader judges the tests again and says so.
. "$TEST_DIR/database"
cp old.db before.db
chmod a-w old.db
show() { echo "== $1"; cat stderr; }

"$ORCHIL" report --out page.html old.db >/dev/null 2>stderr
show report
sed -n '/^<section id=models>/,/<\/section>/p' page.html | sed 's/is <code>[0-9a-f]*/is <code>HASH/'
grep -c Older-axiom page.html || :

"$ORCHIL" export --format csv --what outcomes old.db 2>stderr | awk -F, '/SB.relaxed/ {print $11, $17, $20}'
show export
"$ORCHIL" export --format csv --what judgements old.db 2>/dev/null | grep -c "$older_hash" || :

"$ORCHIL" compare old.db new.db >report 2>stderr || echo "$?"
show compare
grep -e Older-axiom -e "judged again" report || :
"$ORCHIL" compare --json old.db new.db 2>/dev/null | sed -n '/"models_changed"/,/^  }/p' |
    sed 's/"hash": "[0-9a-f]*"/"hash": "HASH"/' || :

"$ORCHIL" gate --stored old.db old.db >report 2>stderr || echo "$?"
show gate
grep -c Older-axiom report || :
"$ORCHIL" gate --json --stored new.db old.db 2>/dev/null | sed -n '/"models_changed"/,/^  }/p' |
    sed 's/"hash": "[0-9a-f]*"/"hash": "HASH"/' || :
cmp old.db before.db && echo "the database is as it was"

echo "== a database of today"
"$ORCHIL" report --out page.html new.db | sed 's/[0-9.]* kB/N kB/'
grep -c 'id=models' page.html || :
