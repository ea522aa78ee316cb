# SPDX-License-Identifier: Apache-2.0
# The help tells options, examples and exit codes.
"$ORCHIL" gate baseline --help
