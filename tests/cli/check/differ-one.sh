# SPDX-License-Identifier: Apache-2.0
# There is nothing to compare.
"$ORCHIL" check --model ptx, --differ ptx:SB+relaxed
