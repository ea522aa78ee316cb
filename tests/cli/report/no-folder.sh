# SPDX-License-Identifier: Apache-2.0
# A page that cannot be written, and one whose old version has to stay: the disk is full.
"$ORCHIL" run --device simulated --no-controls --instances 1k ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" report --out /dev/full || echo "exit code $?"
mkdir folder
"$ORCHIL" report --out folder || echo "exit code $?"
"$ORCHIL" report --out missing/page.html
