# SPDX-License-Identifier: Apache-2.0
# With a UTF-8 locale the lines are drawn with box characters.
LC_ALL=C.UTF-8 "$ORCHIL" explain ptx:SB+relaxed | sed -n "/Execution/,/Why/p"
