# SPDX-License-Identifier: Apache-2.0
# A mistyped verb gets the closest one.
"$ORCHIL" devcies
