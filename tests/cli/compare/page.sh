# SPDX-License-Identifier: Apache-2.0
# The page is green where three runs a side show no change, and amber where one side alone has seen an outcome, however rarely.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 ', "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 0}}' >old.json
script 2.0 c 2e-5 ', "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 0}}' >same.json
script 2.0 c 2e-5 ', "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 3e-8}}' >rare.json
for _ in 1 2 3; do
    for driver in old same rare; do
        run $driver.json $driver.db 1 --no-controls --device simulated:0 opencl:MP+relaxed opencl:LB+relaxed
    done
done
for driver in same rare; do
    "$ORCHIL" compare --page $driver.html old.db $driver.db >/dev/null
    grep -o '<p class="lead [a-z]*"><b>[^<]*' $driver.html
    grep -o '<span class=pfigures>[a-z]*: x' $driver.html || echo "no interval"
done
