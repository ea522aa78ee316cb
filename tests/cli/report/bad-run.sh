# SPDX-License-Identifier: Apache-2.0
# --run takes a number.
"$ORCHIL" report --run last
