# SPDX-License-Identifier: Apache-2.0
# The verbs, examples, and where to read on.
"$ORCHIL" --help
