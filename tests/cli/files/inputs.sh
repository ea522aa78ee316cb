# SPDX-License-Identifier: Apache-2.0
# Protects: a pipe may be named where a file is expected, and is read to its end; what has no end is refused.
"$ORCHIL" show opencl:SB+relaxed >t.litmus
"$ORCHIL" check /dev/stdin <t.litmus | head -n 1
"$ORCHIL" show opencl:SB+relaxed | "$ORCHIL" check /dev/stdin | head -n 1
mkfifo pipe m.cat
(sleep 0.2 && cat t.litmus) >pipe &
"$ORCHIL" check ./pipe | head -n 1
echo 'acyclic po' >m.cat &
"$ORCHIL" check --model m.cat t.litmus | head -n 1
printf '[environment]\ngroup_size=32\n' >pipe &
"$ORCHIL" run --device simulated --profile pipe --instances 1k --no-controls --db a.db ./t.litmus 2>/dev/null | grep -c "1 completed"
echo "== no end"
"$ORCHIL" check /dev/zero || echo "exit $?"
ln -s /dev/zero zero.cat
"$ORCHIL" check --model zero.cat t.litmus || echo "exit $?"
"$ORCHIL" run --device simulated --profile /dev/zero --db a.db t.litmus || echo "exit $?"
"$ORCHIL" gate --stored a.db a.db --expect /dev/zero || echo "exit $?"
ORCHIL_SIMULATED=pipe "$ORCHIL" devices 2>&1 | grep Simulated
ORCHIL_SIMULATED=/dev/zero "$ORCHIL" devices 2>&1 | grep Simulated
mkfifo @pipe
"$ORCHIL" list ./@pipe || echo "exit $?"
