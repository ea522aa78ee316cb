# SPDX-License-Identifier: Apache-2.0
# `help VERB` is VERB --help.
"$ORCHIL" help list >one
"$ORCHIL" list --help >two
cmp one two
