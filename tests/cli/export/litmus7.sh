# SPDX-License-Identifier: Apache-2.0
# The blocks of litmus7's logs: one for all jobs of a test on a device.
. "$TEST_DIR/fixed"
"$ORCHIL" export --format litmus7 results.db
"$ORCHIL" export --format litmus7 --device nothing results.db
"$ORCHIL" export --format litmus7 results.db >all.log
"$ORCHIL" export --format litmus7 --device "simulated gpu" --dialect opencl --run 1 results.db | cmp all.log -
"$ORCHIL" export --format litmus7 --device 00000000-0000-0000-0000-00000000000A results.db | cmp all.log -
ask results.db "INSERT INTO device SELECT 2, uuid, 'another', vendor, architecture, gpu, compute_units FROM device" \
    "INSERT INTO driver SELECT 2, 2, backend, platform, version, compiler, capabilities FROM driver" \
    "UPDATE job SET driver_id = 2 WHERE id = 2"
"$ORCHIL" export --format litmus7 results.db | grep -E '^(Test|Witness|Positive)'
