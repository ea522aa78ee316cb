# SPDX-License-Identifier: Apache-2.0
# The catalogue is in the binary: families with their tests of every dialect.
"$ORCHIL" list MP+relaxed
