#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: nightly.sh FOLDER [DEVICE]
# A night of a machine without CI, for cron:
#   17 3 * * * orchil /opt/orchil/nightly.sh /var/lib/orchil cuda || mail -s "orchil: $(hostname)" gpu-team
# Runs the suite into FOLDER/nights/DATE.db. From the fourth night on, the night is judged against the nights before it.
# Exit codes: as of orchil gate; 0 in the first three nights, unless an outcome was seen that must never appear.
set -eu
folder=$1 device=${2:-cuda}
tests=${TESTS:-@ci}
night=${NIGHT:-$(date +%F)}.db
mkdir -p "$folder/nights"
cd "$folder"

# A fixed seed: every night has the same draws, so that they do not look like a difference between nights.
code=0
# shellcheck disable=SC2086
orchil run --device "$device" --seed 5 --db "today-$night" $tests >"run-$night.log" 2>&1 || code=$?
if [ "$(find nights -name '*.db' | wc -l)" -ge 3 ]; then
    code=0
    orchil gate --stored nights "today-$night" --markdown gate.md >gate.txt 2>&1 || code=$?
    cat gate.txt
elif [ $code -ne 0 ]; then
    cat "run-$night.log"
fi

# A night with a forbidden outcome, a fault or a change is kept apart: the baseline is the nights that passed.
case $code in
0 | 3) mv "today-$night" "nights/$night" ;;
esac
orchil report --page report.html nights >/dev/null
orchil history --page history.html nights >history.txt
exit $code
