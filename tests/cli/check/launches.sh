# SPDX-License-Identifier: Apache-2.0
# A CUDA test whose launches the host orders is judged as the PTX that is emitted, in the same launches; run at the same time, they
# order nothing; and a model that has no launches says so.
"$ORCHIL" check "$TEST_DIR/launches.litmus"
sed 's/after P0 by graph/beside P0/' "$TEST_DIR/launches.litmus" >beside.litmus
"$ORCHIL" check beside.litmus
"$ORCHIL" check --model hsa "$TEST_DIR/../explain/launches.litmus"
