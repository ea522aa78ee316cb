# SPDX-License-Identifier: Apache-2.0
# Without a cycle there is nothing to make.
"$ORCHIL" generate
