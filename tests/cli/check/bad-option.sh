# SPDX-License-Identifier: Apache-2.0
# An option that check does not have.
"$ORCHIL" check --device simulated SB+relaxed
