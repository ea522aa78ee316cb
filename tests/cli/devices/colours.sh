# SPDX-License-Identifier: Apache-2.0
# CLICOLOR_FORCE asks for colours on a file, NO_COLOR forbids them all the same.
export ORCHIL_SIMULATED="$TEST_DIR/three.json"
CLICOLOR_FORCE=1 "$ORCHIL" devices simulated | grep -c "$(printf "\033")"
CLICOLOR_FORCE=1 NO_COLOR=1 "$ORCHIL" devices simulated | grep -c "$(printf "\033")" || :
