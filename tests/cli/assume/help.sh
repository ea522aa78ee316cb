# SPDX-License-Identifier: Apache-2.0
# The options, the meaning of the answers, and the exit codes.
"$ORCHIL" assume --help
