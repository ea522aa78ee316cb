# SPDX-License-Identifier: Apache-2.0
# Devices, by a part of their names or by UUID: sizes that follow from the device are reported, and keep nothing apart.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >script.json
run script.json results.db 1 --device simulated:0 opencl:MP+relaxed
run script.json results.db 1 --device simulated:1 opencl:MP+relaxed
"$ORCHIL" compare --verbose --device first second results.db
"$ORCHIL" compare --device GPU-1 GPU-2 results.db | sed -n '2,/^Outcomes/p'
"$ORCHIL" compare 1 2 results.db | sed 1q
