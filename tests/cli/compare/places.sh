# SPDX-License-Identifier: Apache-2.0
# A side may be runs of a file or a folder of databases, as in orchil gate; runs of a folder count
# like runs of one file.
. "$TEST_DIR/../gate/common"
script 1.0 0.001
measure() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 5 --db "$1" opencl:SB+relaxed >/dev/null 2>&1
}
mkdir nights
for file in all.db all.db all.db nights/1.db nights/2.db nights/3.db; do measure $file; done
SB_RATE=0.05
script 2.0 0.001
measure all.db
measure new.db
answer() { "$ORCHIL" compare "$@" | sed -n '1p; /^[AB]: /p; /^CHANGED/p' | sed 's/ rate .*//'; }
answer all.db:1-3 all.db:4
answer 1-3 4 all.db
answer nights new.db
"$ORCHIL" compare all.db:9 new.db 2>&1 || echo "exit $?"
mkdir empty
"$ORCHIL" compare empty new.db 2>&1 || echo "exit $?"
