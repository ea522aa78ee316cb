# SPDX-License-Identifier: Apache-2.0
# The options and arguments.
"$ORCHIL" tune --help
