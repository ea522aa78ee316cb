# SPDX-License-Identifier: Apache-2.0
# More than the limit is refused before anything is made.
"$ORCHIL" generate --critical --threads 4 --placements all --limit 100 -o made || echo "exit code $?"
ls
