# SPDX-License-Identifier: Apache-2.0
# A folder that cannot be made is reported.
echo file >taken
"$ORCHIL" generate --family MP -o taken/below
