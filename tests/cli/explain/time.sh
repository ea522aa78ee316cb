# SPDX-License-Identifier: Apache-2.0
# A search whose time is up says so.
"$ORCHIL" explain --time 0.001s ptx:IRIW+weak | sed -n "/smallest/,/Nearest/p" | grep -o "the search was cut"
