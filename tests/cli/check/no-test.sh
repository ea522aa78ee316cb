# SPDX-License-Identifier: Apache-2.0
# Without a test.
"$ORCHIL" check
