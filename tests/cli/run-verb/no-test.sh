# SPDX-License-Identifier: Apache-2.0
# A run of nothing.
"$ORCHIL" run --device simulated
