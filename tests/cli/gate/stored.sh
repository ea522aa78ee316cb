# SPDX-License-Identifier: Apache-2.0
# --stored judges what is there: two files, runs of a file, runs of --db; nothing runs.
. "$TEST_DIR/common"
baseline
script 2.0 0.004
gate >/dev/null || :
script 2.0 0.001
gate >/dev/null
unset ORCHIL_SIMULATED
judge() { "$ORCHIL" gate --stored "$@" >report && code=0 || code=$?; echo "$code $(sed -n 2,3p report | tr '\n' ' ')"; }
judge base.db run.db:1
judge base.db run.db:2
judge run.db:2 run.db:1
judge --db run.db 2 2
judge --db run.db 1 base.db:3
