# SPDX-License-Identifier: Apache-2.0
# A signal ends the minimising: nothing is written, and the exit code names the signal.
mkdir cache
export XDG_CACHE_HOME="$PWD/cache"
export ORCHIL_SIMULATED="$TEST_DIR/slow.json"
"$ORCHIL" reproduce --device simulated --seed 7 --time 60s ptx:SB+fencesc -o sb >messages 2>&1 &
process=$!
until [ -d cache/orchil ] || ! kill -0 $process; do sleep 0.1; done # from then on it catches signals
kill -TERM $process
code=0
wait $process || code=$?
tail -n 1 messages
[ ! -e sb ] && echo "nothing was written"
exit $code
