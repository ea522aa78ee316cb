# SPDX-License-Identifier: Apache-2.0
# A baseline holds the counts of every batch and what identifies jobs, and no kernels, logs or launch arguments; every verb
# reads it, and a part of a database can become one.
. "$TEST_DIR/common"
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated --instances 300k --seed 5 --db whole.db --out base.db opencl:MP+relaxed 2>messages |
    sed 's/, [0-9,]* bytes/, SIZE/'
grep '^run' messages
ask base.db "SELECT run, test, controls, state, seed, instances = (SELECT sum(instances) FROM v_batch WHERE job = v.job) FROM v_job v"
ask base.db "SELECT DISTINCT draw FROM v_batch"
ask base.db "SELECT sum(length(text)) < 2500 FROM content"
ask base.db "ATTACH 'whole.db' AS whole; SELECT count(*) FROM (SELECT outcome, count FROM v_outcome EXCEPT SELECT outcome, count FROM whole.v_outcome)"
check_store base.db
[ "$(wc -c <base.db)" -lt "$(wc -c <whole.db)" ] && echo smaller
"$ORCHIL" compare whole.db base.db >/dev/null && echo comparable
"$ORCHIL" gate baseline --from whole.db:2 --out one.db --json | sed 's/"bytes": [0-9]*/"bytes": SIZE/'
"$ORCHIL" gate --stored base.db one.db | sed -n 1p
mkdir shelf && cp base.db shelf && chmod a-w shelf shelf/base.db
"$ORCHIL" gate --stored shelf/base.db one.db | sed -n 1p
chmod u+w shelf
