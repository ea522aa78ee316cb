# SPDX-License-Identifier: Apache-2.0
# A folder that is not there.
"$ORCHIL" run --device simulated --instances 1k --db none/orchil.db "$TEST_DIR/one.litmus"
