# SPDX-License-Identifier: Apache-2.0
# An option before the verb is not taken for a verb.
"$ORCHIL" --frobnicate
