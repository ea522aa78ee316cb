# SPDX-License-Identifier: Apache-2.0
# A folder that cannot be made.
touch file
"$ORCHIL" manual --output file/pages
