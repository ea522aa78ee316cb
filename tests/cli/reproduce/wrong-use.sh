# SPDX-License-Identifier: Apache-2.0
# Outcomes that cannot be reproduced give a message with advice, and nothing is written.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
refuse() {
    "$ORCHIL" reproduce "$@" 2>&1 && echo "exit 0" || echo "exit $?"
}
"$ORCHIL" run --device simulated --seed 1 --instances 100k --no-controls --db a.db ptx:SB+fencesc ptx:progress-chain ptx:MP+relaxed >run.log 2>&1 || :
refuse a.db --job 1
refuse a.db -o x --job 0
refuse a.db a.db --job 1 -o x
refuse -o x
refuse ptx:SB+fencesc --as-it-is -o x
refuse a.db --job 1 --device cuda -o x
refuse a.db --job 9 -o x --as-it-is
refuse none.db --job 1 -o x --as-it-is
refuse a.db --job 1 -o x --as-it-is
refuse a.db --job 1 --outcome '0:r0=7; 1:r0=0;' -o x --as-it-is
refuse a.db --job 2 -o x --as-it-is
refuse --device simulated MP+relaxed -o x
refuse --device simulated ptx:MP+relaxed --outcome 'nonsense' -o x
mkdir there
echo mine >there/Makefile
refuse a.db --job 3 -o there --as-it-is
cat there/Makefile
ls
