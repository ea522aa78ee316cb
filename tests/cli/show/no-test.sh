# SPDX-License-Identifier: Apache-2.0
# Without a test there is nothing to show.
"$ORCHIL" show
