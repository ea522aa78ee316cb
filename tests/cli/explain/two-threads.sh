# SPDX-License-Identifier: Apache-2.0
# A weak outcome of two threads: drawn in ASCII, its reorderings, the two changes that forbid it.
"$ORCHIL" explain ptx:MP+relaxed
