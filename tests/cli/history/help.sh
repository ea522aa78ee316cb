# SPDX-License-Identifier: Apache-2.0
# The output of `orchil history --help`.
"$ORCHIL" history --help
