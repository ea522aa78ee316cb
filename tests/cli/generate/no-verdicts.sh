# SPDX-License-Identifier: Apache-2.0
# Without verdicts nothing is expected.
"$ORCHIL" generate --family SB --dialect ptx --no-verdicts
