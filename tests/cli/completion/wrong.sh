# SPDX-License-Identifier: Apache-2.0
# A shell without a script.
"$ORCHIL" completion csh
