# SPDX-License-Identifier: Apache-2.0
# A C test is judged by rc11, on one device.
"$ORCHIL" check --explain "$TEST_DIR/herd-c.litmus"
