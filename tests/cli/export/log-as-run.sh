# SPDX-License-Identifier: Apache-2.0
# The blocks of `run --log`, line for line. Here they are in order of the tests' names, there in order of the jobs.
. "$TEST_DIR/database"
"$ORCHIL" export --format litmus7 --run 1 --out export.log results.db
sort run.log >told
sort export.log | cmp told -
grep ^Test export.log
