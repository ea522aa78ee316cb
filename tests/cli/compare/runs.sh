# SPDX-License-Identifier: Apache-2.0
# Two runs of a machine with several devices, before and after its driver changed, compare the drivers, device by device.
# A comparison says the same of equal content, byte for byte, in whatever order it was stored.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >old.json
script 2.0 c 2e-5 >new.json
for driver in old new; do
    run $driver.json results.db 1 --device simulated:0 opencl:MP+relaxed
    run $driver.json results.db 1 --device simulated:1 opencl:MP+relaxed
    run $driver.json $driver.db 1 --device simulated:1 opencl:MP+relaxed
    run $driver.json $driver.db 1 --device simulated:0 opencl:MP+relaxed
done
"$ORCHIL" compare old.db new.db
"$ORCHIL" compare old.db new.db >again
"$ORCHIL" compare --driver 1.0 2.0 results.db >drivers
sed '/^A: /,/^Compared/d' again >here
sed '/^A: /,/^Compared/d' drivers | cmp - here
"$ORCHIL" compare --json old.db new.db >first.json
"$ORCHIL" compare --json old.db new.db | cmp - first.json
"$ORCHIL" compare --json --driver 1.0 2.0 results.db | sed 1,3d >second.json
sed 1,3d first.json | cmp - second.json
