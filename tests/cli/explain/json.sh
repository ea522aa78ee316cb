# SPDX-License-Identifier: Apache-2.0
# The same as an object.
"$ORCHIL" explain --json ptx:SB+relaxed
