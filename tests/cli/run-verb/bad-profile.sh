# SPDX-License-Identifier: Apache-2.0
# A slip in a profile: its place, and no database.
printf '[environment]\ngroup_size = 64\nstrides = 3\n' >mine.ini
"$ORCHIL" run --device simulated --instances 10k --profile mine.ini "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
exit "$code"
