# SPDX-License-Identifier: Apache-2.0
# No shell.
"$ORCHIL" completion
