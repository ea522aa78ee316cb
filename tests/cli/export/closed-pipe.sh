# SPDX-License-Identifier: Apache-2.0
# A reader that has seen enough ends it, without a word.
"$ORCHIL" run --device simulated --instances 1M --no-controls --db a.db 'opencl:MP+*' >/dev/null 2>&1 || :
"$ORCHIL" export --format csv --what batches a.db | head -n 1 | cut -c1-40
"$ORCHIL" export --format jsonl --what batches a.db | head -c 0
