#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: shard.sh SETTINGS, as a task of the array job that `submit` makes
# Runs one shard into a database of its own on the shared file system. A task that Slurm starts again, on this node or
# another, goes on where the shard was. Exits 0 if the shard has run to its end, whatever it saw: the gate judges that.
set -euf # f: RUN may have globs, which are for orchil
. "$1"
shard=$SLURM_ARRAY_TASK_ID
database=$FOLDER/shard-$shard.db
task=${SLURM_ARRAY_JOB_ID}_$shard
echo "shard $shard of $SHARDS: job $task on ${SLURMD_NODENAME:-$(hostname)}, start $((${SLURM_RESTART_COUNT:-0} + 1))"

# Whether the shard's run has come to its end.
is_complete() {
    [ -s "$database" ] || return 1
    case $("$ORCHIL" export --what runs --format jsonl "$database" | tail -n 1) in *'"state":"completed"'*) return 0 ;; esac
    return 1
}

# Slurm sends USR1 two minutes before the time limit (--signal): orchil stores what it has, and the task is queued again.
limit=false
trap 'limit=true; kill -TERM "$run" 2>/dev/null || :' USR1

run_shard() {
    code=0
    # shellcheck disable=SC2086
    "$ORCHIL" run --resume auto --shard "$shard/$SHARDS" --seed "$SEED" --db "$database" $RUN &
    run=$!
    wait "$run" || code=$?
    if $limit; then # the signal ended the first wait
        wait "$run" || :
        scontrol requeue "$task"
        exit 0
    fi
}

if is_complete; then
    exit 0
fi
run_shard
# Another GPU began the run, so it cannot be taken up on this one. The shard starts over; what was there is kept under another
# name, and is not merged.
if [ "$code" -eq 4 ] && [ -s "$database" ] && ! is_complete; then
    for file in "$database" "$database-journal" "$database-wal" "$database-shm"; do
        [ ! -e "$file" ] || mv "$file" "$file.left-$SLURM_JOB_ID-${SLURM_RESTART_COUNT:-0}"
    done
    run_shard
fi
case $code in
0 | 1 | 3) exit 0 ;;
esac
exit "$code"
