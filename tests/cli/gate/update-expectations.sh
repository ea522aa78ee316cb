# SPDX-License-Identifier: Apache-2.0
# --update-expectations writes what was seen, once, with the reasons left to fill in; --expect refuses the file, with its line,
# until somebody has; then the gate passes.
. "$TEST_DIR/common"
baseline
CONTROL_RATE=0.0001
script 2.0 0.004
gate --update-expectations expect.ini >/dev/null || echo "exit $?"
cat expect.ini
grep '^expect.ini' messages
echo "-- once"
gate --update-expectations expect.ini >/dev/null || echo "exit $?"
grep -c '^known' expect.ini
grep '^expect.ini' messages
echo "-- without reasons"
gate --expect expect.ini || echo "exit $?"
cat messages
echo "-- with reasons"
sed -i 's/WHY?$/the clocks are capped/' expect.ini
gate --expect expect.ini --update-expectations expect.ini | sed -n '1p; /^Expected/,$p'
grep '^expect.ini' messages
echo "-- no expectations"
echo "known.rate = nowhere" >expect.ini
gate --update-expectations expect.ini || echo "exit $?"
cat messages
