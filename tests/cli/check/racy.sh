# SPDX-License-Identifier: Apache-2.0
# OpenCL gives a racy test no meaning: every outcome is undefined.
"$ORCHIL" check "$TEST_DIR/racy.litmus"
