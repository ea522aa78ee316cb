# SPDX-License-Identifier: Apache-2.0
# A control: its witness is forbidden, and the axiom is named.
"$ORCHIL" check opencl:SB+sc
