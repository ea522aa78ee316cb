# SPDX-License-Identifier: Apache-2.0
# A folder of files and an index; a second time nothing is written; what says something else is kept.
"$ORCHIL" generate --family MP,SB --dialect ptx --tags relaxed,ra -o made/tests
find made -type f | LC_ALL=C sort
cat made/tests/@all
"$ORCHIL" list made/tests/@all
"$ORCHIL" generate --family MP,SB --dialect ptx --tags relaxed,ra -o made/tests
echo mine >made/tests/MP/ptx/MP+ra.litmus
"$ORCHIL" generate --family MP,SB --dialect ptx --tags relaxed,ra -o made/tests || echo "exit code $?"
cat made/tests/MP/ptx/MP+ra.litmus
"$ORCHIL" generate --family MP,SB --dialect ptx --tags relaxed,ra -o made/tests --force
head -n 1 made/tests/MP/ptx/MP+ra.litmus
"$ORCHIL" generate --family MP --dialect ptx -o made/tests || echo "exit code $?"
find made -name '.*'
