# SPDX-License-Identifier: Apache-2.0
# Also here a wrong word is a usage error.
"$ORCHIL" help lst
