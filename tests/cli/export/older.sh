# SPDX-License-Identifier: Apache-2.0
# A database of an older schema: what it has, and how to get the rest.
. "$TEST_DIR/../faults/store"
ask old.db ".read $ORCHIL_SOURCE_DIR/tests/results/version1.sql" >/dev/null
"$ORCHIL" export --format csv old.db | cut -d, -f1,5,20 | tr -d '\r'
"$ORCHIL" merge --into new.db --unfinished old.db
"$ORCHIL" export --format csv --what runs new.db | wc -l
"$ORCHIL" export --format csv --what runs old.db
