# SPDX-License-Identifier: Apache-2.0
# A word that selects nothing is an error, never an empty list.
"$ORCHIL" list no-such-test-anywhere
