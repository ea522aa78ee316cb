# SPDX-License-Identifier: Apache-2.0
# Rows with the names of the views, and with more types than CSV has; jobs with their outcomes.
. "$TEST_DIR/fixed"
for what in jobs outcomes batches voids judgements runs; do
    echo "== $what"
    "$ORCHIL" export --format jsonl --what $what results.db
done
