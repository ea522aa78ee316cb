# SPDX-License-Identifier: Apache-2.0
# A test that no model can judge has no Expect, and a note says why.
"$ORCHIL" generate --family MP --tags plain | grep -c Expect || true
