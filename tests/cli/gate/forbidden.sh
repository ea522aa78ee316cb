# SPDX-License-Identifier: Apache-2.0
# A forbidden outcome fails, and so does a control's witness. Here both are one sighting.
. "$TEST_DIR/common"
baseline
CONTROL_RATE=0.0001
script 2.0 0.001
gate
