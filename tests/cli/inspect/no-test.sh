# SPDX-License-Identifier: Apache-2.0
# No test is named.
"$ORCHIL" inspect
