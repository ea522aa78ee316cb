#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: [BASELINE=FILE] [DEVICE=SPEC] shard.sh INDEX PARTS
# Plays a part of a gate into part-N.db of the working folder. INDEX counts from 0, as schedulers do, and N from 1. Started
# again, it goes on. Exits 0 if the part has come to its end, whatever it saw, because judge.sh judges that.
set -eu
part=$(($1 + 1)) parts=$2 database=part-$(($1 + 1)).db

play() {
    code=0
    orchil gate --baseline "${BASELINE:-base.db}" --device "${DEVICE:-cuda}" --shard "$part/$parts" --resume auto \
        --db "$database" || code=$?
}

is_complete() {
    [ -s "$database" ] || return 1
    case $(orchil export --what runs --format jsonl "$database" | tail -n 1) in *'"state":"completed"'*) return 0 ;; esac
    return 1
}

play
# 4: another GPU began the part, and it cannot be taken up on this one.
if [ "$code" -eq 4 ] && [ -s "$database" ] && ! is_complete; then
    rm -f "$database" "$database-journal" "$database-wal" "$database-shm"
    play
fi
is_complete || exit "$code"
