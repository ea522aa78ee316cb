# SPDX-License-Identifier: Apache-2.0
# A file that does not parse: its place, exit code 2, nothing run, no database.
printf 'OPENCL broken\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) { *x = ; }\nexists (x=1)\n' >broken.litmus
"$ORCHIL" run --device simulated --instances 1k "$TEST_DIR/one.litmus" broken.litmus || code=$?
[ ! -e orchil.db ]
exit "$code"
