#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: [BASELINE=FILE] [DEVICE=SPEC] judge.sh PARTS
# Makes one run of part-1.db to part-PARTS.db of the working folder, and judges it: what looks changed is run again here, on a
# device of the same model. Exits with the exit code of the gate, and with 2 if a part is missing.
set -eu
rm -f all.db all.db-journal all.db-wal all.db-shm # of a judge that another GPU began
# shellcheck disable=SC2046
orchil merge --into all.db --as-one-run $(seq -f part-%g.db "$1")
exec orchil gate --baseline "${BASELINE:-base.db}" --device "${DEVICE:-cuda}" --resume 1 --db all.db \
    --junit gate.xml --markdown gate.md --page gate.html
