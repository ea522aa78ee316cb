# SPDX-License-Identifier: Apache-2.0
# Copies, mbarriers, clusters and proxies need more around a round than a reproducer writes: it says so and writes nothing.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 20k --no-controls --db a.db async-ca-own+nowait async-g2s-own+nofence \
    async-cluster-bar+relaxed async-mbar-mp+rel+acq+01 alias-own+nofence >run.log 2>&1 || :
for job in 1 2 3 4 5; do
    code=0
    "$ORCHIL" reproduce a.db --job $job --as-it-is -o $job 2>&1 | fold -s -w 80 || code=$?
    [ -e $job/reproduce.cu ] && echo "a program was written for job $job"
done
exit 0
