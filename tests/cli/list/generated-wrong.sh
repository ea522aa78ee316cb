# SPDX-License-Identifier: Apache-2.0
# A name that could be a variant's and is none: the message says which part is wrong.
"$ORCHIL" list ptx:ISA2+cq
