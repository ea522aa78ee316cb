# SPDX-License-Identifier: Apache-2.0
# An environment from a file; its name and its values are kept.
. "$TEST_DIR/../faults/store"
printf '[environment]\ngroup_size = 64\nstride = 3\n' >mine.ini
"$ORCHIL" run --device simulated --instances 10k --profile mine.ini --json "$TEST_DIR/one.litmus" | grep -o '"profile":[^,]*'
ask orchil.db "SELECT DISTINCT json_extract(draw, '$.items'), json_extract(draw, '$.stride') FROM v_batch"
