# SPDX-License-Identifier: Apache-2.0
# A variant has a name and needs no file: with its dialect, the name is enough.
"$ORCHIL" list ptx:ISA2+ra+sys+01-2
"$ORCHIL" list --pairs ptx:ISA2+ra+sys+01-2 | tail -n 1
