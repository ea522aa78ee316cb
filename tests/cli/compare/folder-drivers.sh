# SPDX-License-Identifier: Apache-2.0
# A baseline of several drivers is said to be one: how far its runs differ is not how far runs of one driver do.
. "$TEST_DIR/../gate/common"
measure() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 5 --db "$1" opencl:SB+relaxed >/dev/null 2>&1
}
mkdir nights
script 1.0 0.001
for file in nights/1.db nights/2.db; do measure $file; done
script 2.0 0.001
measure nights/3.db
script 3.0 0.001
measure new.db
"$ORCHIL" gate --stored nights new.db | grep -A1 'drivers' || :
"$ORCHIL" compare nights new.db | grep -A1 'drivers' || :
rm nights/3.db
"$ORCHIL" gate --stored nights new.db | grep 'drivers' || echo "one driver"
