# SPDX-License-Identifier: Apache-2.0
# Its own help: what is written, for what, with examples and exit codes.
"$ORCHIL" reproduce --help
