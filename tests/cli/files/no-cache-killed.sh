# SPDX-License-Identifier: Apache-2.0
# Protects: the temporary folder of a run that was killed is removed by the next run that makes one, and nothing else is.
mkdir tmp
export TMPDIR="$PWD/tmp"
mkdir tmp/orchil-kernels-notour
cat >slow.json <<'END'
{"state": "state.json", "faults": [{"phase": "batch", "do": "slow", "milliseconds": 200}]}
END
ORCHIL_SIMULATED=$PWD/slow.json "$ORCHIL" run --device simulated --no-cache --instances 1G --db a.db opencl:SB+relaxed >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1000); do
    [ "$(echo tmp/orchil-kernels-*/*.code)" = 'tmp/orchil-kernels-*/*.code' ] || break
    sleep 0.02
done
kill -9 $pid
wait $pid 2>/dev/null || echo "killed: $?"
find tmp -name '*.code' | wc -l
"$ORCHIL" run --device simulated --no-cache --instances 1k --no-controls --db b.db opencl:SB+relaxed >/dev/null 2>&1
ls -A tmp
