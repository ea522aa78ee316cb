# SPDX-License-Identifier: Apache-2.0
# --stored judges stored runs: files, runs of a file, runs of --db, folders; nothing runs. With
# three runs of A a change ends in 5, with fewer it is unconfirmed, with the command that makes a
# baseline of enough runs.
. "$TEST_DIR/common"
baseline
for rate in 0.004 0.004 0.004 0.001; do
    script 2.0 $rate
    gate --confirm-budget 0 >/dev/null || :
done
unset ORCHIL_SIMULATED
judge() { "$ORCHIL" gate --stored "$@" >report && code=0 || code=$?; echo "$code $(sed -n 's/;.*//; /^[AB], /p' report | tr '\n' ' ')"; }
judge base.db run.db:1
judge base.db run.db:1-3
judge base.db run.db:1,3
judge base.db run.db:4
judge base.db:1-2 run.db:1-3
sed -n '1p; /^Runs/p; /^Doubts/,$p' report
judge --db run.db 1 1-3
judge --db run.db 1-3 base.db:3
mkdir nights
for run in 3 2 1; do "$ORCHIL" gate baseline --from base.db:$run --out nights/night-$run.db >/dev/null; done
"$ORCHIL" gate baseline --from base.db:1,3 --out two.db | cut -d , -f 1
echo "not a database" >nights/README
judge nights run.db:1
judge run.db:1-3 nights
echo "-- nothing there"
mkdir empty
"$ORCHIL" gate --stored empty run.db 2>&1 || echo "exit $?"
"$ORCHIL" gate --stored nights:1 run.db 2>&1 || echo "exit $?"
"$ORCHIL" gate --stored base.db:7-9 run.db 2>&1 || echo "exit $?"
