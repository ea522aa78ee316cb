# SPDX-License-Identifier: Apache-2.0
# A device that takes none of the tests can pass nothing.
. "$TEST_DIR/common"
baseline
script 2.0 0.001
sed 's/"uuid": "a"/"uuid": "a", "takes": []/' script.json >none.json
ORCHIL_SIMULATED=none.json
printf '[*]\nknown.refused = an older chip\n' >expect.ini
gate --expect expect.ini
