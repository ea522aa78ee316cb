# SPDX-License-Identifier: Apache-2.0
# A product without any test is an error with a reason.
"$ORCHIL" generate --family MP --dialect ptx --tags sc
