# SPDX-License-Identifier: Apache-2.0
# What `orchil history --help` says.
"$ORCHIL" history --help
