# SPDX-License-Identifier: Apache-2.0
# A model's file that is not there.
"$ORCHIL" check --model no-such-file.cat SB+relaxed
