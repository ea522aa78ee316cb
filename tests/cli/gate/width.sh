# SPDX-License-Identifier: Apache-2.0
# On a terminal of 80 columns every line of the text fits, except commands, which are for pasting:
# with every section in it, short and verbose.
. "$TEST_DIR/common"
baseline
CONTROL_RATE=0.0001
SB_RATE=0
two='{"test": "SB+sc", "phase": "batch", "batch": 3, "do": "wrong", "how": "zero"}'
script 2.0 0.004 "\"faults\": [$two]"
printf '[MP+rel+acq]\nknown.forbidden = the compiler drops the fence, as everybody on this long line has known for years\n' >expect.ini
for options in "" --verbose "--verbose --expect expect.ini" --confirm-budget=0; do
    gate $options >report || echo "exit $?"
    sed -n '/^[A-Z].*:$/p' report | tr '\n' ' '
    echo
    grep -v 'orchil gate' report | awk 'length($0) > 80'
done
