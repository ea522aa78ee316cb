# SPDX-License-Identifier: Apache-2.0
# A suite's budget is shared by all its jobs, controls too, and said once; --time and --instances go before it.
printf 'budget = 0.3\nopencl:MP+relaxed\nopencl:SB+sc\n' >@suite
"$ORCHIL" run --device simulated ./@suite >/dev/null
"$ORCHIL" run --device simulated --time 0.1 ./@suite >/dev/null
"$ORCHIL" run --device simulated --instances 1000 --json ./@suite | grep -c '"state": *"completed"'
