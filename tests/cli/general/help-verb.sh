# SPDX-License-Identifier: Apache-2.0
# `help VERB` is VERB --help, also of a verb below another.
"$ORCHIL" help list >one
"$ORCHIL" list --help >two
cmp one two
"$ORCHIL" help gate baseline >one
"$ORCHIL" gate baseline --help >two
cmp one two
