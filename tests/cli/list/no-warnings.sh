# SPDX-License-Identifier: Apache-2.0
# No test of the catalogue has a warning.
"$ORCHIL" list '*' >/dev/null
