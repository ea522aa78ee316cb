# SPDX-License-Identifier: Apache-2.0
# Other readers of CSV get back what the views hold: every row of every view, value for value.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
. "$TEST_DIR/database"
for shard in 1 2; do
    "$ORCHIL" run --device simulated --instances 1k --seed 3 --shard $shard/2 --db $shard.db --json \
        "$TEST_DIR/../run-verb/one.litmus" "$TEST_DIR/../run-verb/two.litmus" >/dev/null 2>&1 || [ $? -eq 3 ]
done
"$ORCHIL" merge --into merged.db results.db >/dev/null
"$ORCHIL" merge --into merged.db --as-one-run 1.db 2.db >/dev/null
for what in run job outcome batche void judgement part resumption merge; do
    "$ORCHIL" export --format csv --what ${what}s --out ${what}s.csv merged.db
done
cat >compare.py <<'PY'
import csv, sqlite3
db = sqlite3.connect("file:merged.db?mode=ro", uri=True)
for view in "run job outcome batch void judgement part resumption merge".split():
    cursor = db.execute("SELECT * FROM v_" + view)
    stored = cursor.fetchall()
    numeric = [any(isinstance(row[i], (int, float)) for row in stored) for i in range(len(cursor.description))]
    with open("batches.csv" if view == "batch" else view + "s.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file, strict=True)
    assert head == [column[0] for column in cursor.description], head
    read = [[float(text) if number and text else text for text, number in zip(row, numeric)] for row in rows]
    wanted = [["" if value is None else float(value) if number else value for value, number in zip(row, numeric)]
              for row in stored]
    print(view, len(read), sorted(read, key=str) == sorted(wanted, key=str))
PY
python3 compare.py
# sqlite3's own reader, too.
ask copy.db ".mode csv" ".import jobs.csv jobs" ".import outcomes.csv outcomes"
ask copy.db "ATTACH 'merged.db' AS m" \
    "SELECT count(*) FROM jobs c JOIN m.v_job v ON v.job = CAST(c.job AS INTEGER) AND v.profile = c.profile AND
        v.condition = c.condition AND v.seconds = CAST(c.seconds AS REAL) AND v.marks = c.marks AND v.reason = c.reason" \
    "SELECT count(*) FROM outcomes c JOIN m.v_outcome v ON v.job = CAST(c.job AS INTEGER) AND v.outcome = c.outcome AND
        v.rate = CAST(c.rate AS REAL)"
