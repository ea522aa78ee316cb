# SPDX-License-Identifier: Apache-2.0
# The verb's help.
"$ORCHIL" report --help
