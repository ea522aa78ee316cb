# SPDX-License-Identifier: Apache-2.0
# A shell that there is no script for.
"$ORCHIL" completion csh
