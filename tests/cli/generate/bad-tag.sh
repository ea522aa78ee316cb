# SPDX-License-Identifier: Apache-2.0
# A word that no axis has is refused.
"$ORCHIL" generate --family MP --tags relaxd
