# SPDX-License-Identifier: Apache-2.0
# compare --lowering sets the two lowerings of one run side by side, although their kernels differ; elsewhere they stay apart.
. "$TEST_DIR/../gate/common"
unset ORCHIL_SIMULATED
"$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --no-controls --builders 0 --lowering both \
    --instances 10k --seed 5 --db both.db cuda:MP+relaxed cuda:SB+relaxed >/dev/null 2>&1
"$ORCHIL" compare --lowering ptx source both.db | sed -n '1,/^$/p'
echo "--- the file with itself: each with its own kind"
cp both.db other.db
"$ORCHIL" compare both.db other.db | sed -n '1,/^$/p'
echo "--- wrong"
"$ORCHIL" compare --lowering ptx asm both.db 2>&1 || echo "exit $?"
