#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: merge.sh SETTINGS, as the job that `submit` makes
# Makes one run of all shards in all.db, writes report.html, and compares it with the baseline if there is one. Exits with
# the exit code of the gate, and with 1 if a shard is missing or has not run to its end.
set -eu
. "$1"
cd "$FOLDER"
set --
shard=1
while [ "$shard" -le "$SHARDS" ]; do
    if [ ! -s "shard-$shard.db" ]; then
        echo "merge: shard $shard has not run: see logs/$shard.log" >&2
        exit 1
    fi
    set -- "$@" "shard-$shard.db"
    shard=$((shard + 1))
done
"$ORCHIL" merge --into all.db --as-one-run "$@"
case $("$ORCHIL" export --what runs --format jsonl all.db) in
*'"state":"completed"'*) ;;
*)
    echo "merge: a shard has not run to its end: submit the same settings again" >&2
    exit 1
    ;;
esac
"$ORCHIL" report --page report.html all.db
[ -z "$BASELINE" ] || exec "$ORCHIL" gate --stored --markdown gate.md --junit gate.xml "$BASELINE" all.db
