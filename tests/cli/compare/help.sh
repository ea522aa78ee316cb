# SPDX-License-Identifier: Apache-2.0
# The help has the examples and the exit codes.
"$ORCHIL" compare --help
