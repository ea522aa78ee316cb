# SPDX-License-Identifier: Apache-2.0
# Runs that are none are a slip in the runs, not a file that is not there; a file of that name is that file.
: >all.db
for place in all.db:3-1 all.db:0 all.db:1, all.db:99999999999999999999 3-1; do
    "$ORCHIL" compare "$place" all.db 2>&1 || echo "exit $?"
done
: >all.db:3-1
"$ORCHIL" compare all.db:3-1 all.db 2>&1 || echo "exit $?"
