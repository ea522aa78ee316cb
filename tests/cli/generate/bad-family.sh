# SPDX-License-Identifier: Apache-2.0
# An unknown family is refused.
"$ORCHIL" generate --family MQ
