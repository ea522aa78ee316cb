# SPDX-License-Identifier: Apache-2.0
# Two tests of one name cannot be in one log.
"$ORCHIL" run --device simulated --instances 1k --no-controls opencl:SB+relaxed ptx:SB+relaxed >/dev/null 2>&1 || :
"$ORCHIL" export --format litmus7 --dialect ptx | grep -c ^Test
"$ORCHIL" export --format litmus7
