# SPDX-License-Identifier: Apache-2.0
# The kernel of each member is kept in the cache of the user and found there again; --no-cache leaves it alone. Builders compile ahead for
# ensembles, too, and change nothing in what is printed.
export ORCHIL_SIMULATED=$PWD/script.json
echo '{"devices": [{"name": "A"}, {"name": "B"}]}' >script.json
cp "$TEST_DIR/sb.litmus" "$TEST_DIR/two.litmus" . # the same kernels
sed "s/SB+agents/both/; s/order_relaxed/order_seq_cst/" sb.litmus >both.litmus
sed "s/SB+agents/last/; s/_load_explicit(x, memory_order_relaxed/_load_explicit(x, memory_order_seq_cst/" sb.litmus >last.litmus
run() { "$ORCHIL" run --device simulated:0+simulated:1 --seed 1 --instances 10000 --json "$@" ./*.litmus 2>/dev/null | sed 's/"seconds": *[^,]*//; s/"run": *[0-9]*//'; }
kept() { ls "$HOME/.cache/orchil/kernels" 2>/dev/null | grep -c '^[0-9a-f]*\.code$' || true; }
run --builders 0 --no-cache >none
kept
run --builders 0 >one
kept
touch -d '2001-01-01' "$HOME"/.cache/orchil/kernels/*
run --builders 0 >again
kept
find "$HOME/.cache/orchil/kernels" -name '*.code' ! -newermt '2002-01-01' | wc -l
rm -r "$HOME/.cache/orchil/kernels"
run --builders 2 >two
kept
cmp none one
cmp one again
cmp again two
