# SPDX-License-Identifier: Apache-2.0
# The profile for tests of progress is part of the program: it needs no file of the checkout.
echo '{}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --seed 1 --instances 1k --profile progress --json opencl:SB+relaxed 2>err |
    grep -o '"profile": *"[^"]*"' | sort -u
