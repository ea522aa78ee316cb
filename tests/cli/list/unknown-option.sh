# SPDX-License-Identifier: Apache-2.0
# A wrong option is a usage error.
"$ORCHIL" list --frobnicate
