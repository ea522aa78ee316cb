# SPDX-License-Identifier: Apache-2.0
# A device that fails whatever it is given ends the search.
echo '{"faults": [{"phase": "batch", "do": "crash"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" tune --device simulated --time 20 --seed 1 opencl:SB+relaxed 2>messages || code=$?
ls
exit "$code"
