# SPDX-License-Identifier: Apache-2.0
# A run counts once, however many databases have it; runs are in order of time, whatever the files are called; and where
# kernels changed, runs before and after are not compared.
. "$TEST_DIR/nights"
n=1
while [ $n -le 8 ]; do
    night nights $n 560.1 "$([ $n -lt 6 ] && echo 1 || echo 4)"
    n=$((n + 1))
done
"$ORCHIL" merge --into all.db nights/*.db >/dev/null
mv nights/08.db nights/00.db
"$ORCHIL" history nights all.db | grep -e step -e databases

echo "== one device, one test"
"$ORCHIL" history --device simulated --test 'SB*' all.db | sed -n '1p;/^Sim/p'

echo "== other kernels"
change all.db "UPDATE build SET kernel_hash = printf('%064d', 1) WHERE job_id IN
                   (SELECT job.id FROM job JOIN run ON run.id = run_id WHERE run.started_at > '2026-11-06')"
"$ORCHIL" history all.db | sed -n '1p;/cannot say/,$p'
