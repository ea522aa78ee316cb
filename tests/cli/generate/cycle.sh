# SPDX-License-Identifier: Apache-2.0
# A cycle in diy's words, with orders.
"$ORCHIL" generate "PodWW Rel Rfe Acq DpAddrdR Fre" --dialect ptx
