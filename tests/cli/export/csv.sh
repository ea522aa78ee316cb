# SPDX-License-Identifier: Apache-2.0
# The columns of the views, as RFC 4180 has it: CR LF, quotes where they are needed, NULL and the empty text distinguished.
. "$TEST_DIR/fixed"
for what in jobs outcomes batches voids judgements runs; do
    echo "== $what"
    "$ORCHIL" export --format csv --what $what results.db | tr '\r' '~'
done
"$ORCHIL" export --format csv --what outcomes --run 1 results.db >one
"$ORCHIL" export --format csv --what outcomes results.db | cmp one -
