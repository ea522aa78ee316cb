# SPDX-License-Identifier: Apache-2.0
# Without a TEST, a line for each family: how many tests it has in each dialect, what they ask, and the sum of all.
"$ORCHIL" list
