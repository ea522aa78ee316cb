# SPDX-License-Identifier: Apache-2.0
# A model that is not there.
"$ORCHIL" check --model nonsense SB+relaxed
