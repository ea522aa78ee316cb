# SPDX-License-Identifier: Apache-2.0
# Without a standard output nothing that is opened later takes its place.
"$ORCHIL" --version >&-
