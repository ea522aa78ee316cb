# SPDX-License-Identifier: Apache-2.0
# Tests without a match are listed with the reason: another environment, another driver of one
# device among several, a test that one side lacks. Where nothing could be compared, the exit code
# says so.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >old.json
script 2.0 c 2e-5 >new.json
printf '[environment]\ngroup_size = 32\n' >other.ini
run old.json a.db 1 --no-controls --device simulated:0 opencl:MP+relaxed
run new.json a.db 1 --no-controls --device simulated:0 opencl:MP+relaxed opencl:SB+relaxed
run new.json b.db 1 --no-controls --device simulated:0 --profile other.ini opencl:SB+relaxed
run new.json b.db 1 --no-controls --device simulated:0 opencl:MP+relaxed opencl:LB+relaxed
"$ORCHIL" compare a.db b.db | sed '/^Outcomes/,/^$/d'
run new.json c.db 1 --no-controls --device simulated:1 opencl:LB+relaxed
run new.json c.db 1 --no-controls --device simulated:0 --profile other.ini opencl:MP+relaxed
"$ORCHIL" compare 1 c.db a.db | sed -n '1p; /^Without/,$p'
"$ORCHIL" compare 1 c.db a.db >/dev/null
