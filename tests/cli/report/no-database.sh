# SPDX-License-Identifier: Apache-2.0
# A database that is not there.
"$ORCHIL" report missing.db
