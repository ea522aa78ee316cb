# SPDX-License-Identifier: Apache-2.0
# Without its dialect, the message says how to write it.
"$ORCHIL" list ISA2+ra+sys+01-2
