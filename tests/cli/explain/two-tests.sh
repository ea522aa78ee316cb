# SPDX-License-Identifier: Apache-2.0
# One test at a time.
"$ORCHIL" explain 'ptx:MP*'
