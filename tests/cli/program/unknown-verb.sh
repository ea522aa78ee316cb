# SPDX-License-Identifier: Apache-2.0
# A wrong word is a usage error: exit code 2, nothing on stdout, and the message names the word.
"$ORCHIL" frobnicate
