# SPDX-License-Identifier: Apache-2.0
# A folder that cannot be made is told.
echo file >taken
"$ORCHIL" generate --family MP -o taken/below
