# SPDX-License-Identifier: Apache-2.0
# A fault of an instance is reported at the place in the template, with the name of the instance.
sed 's/ld.relaxed.gpu r0, x/ld.relaxed.gpu r0, nowhere $tag/' "$TEST_DIR/templates/SB.litmus" >SB.litmus
"$ORCHIL" list SB.litmus
