# SPDX-License-Identifier: Apache-2.0
# Kernels are kept in the cache of the user, one file each, and found there again; --no-cache leaves it alone. Builders
# that compile ahead change nothing in what is printed.
export TMPDIR="$PWD"
run() { "$ORCHIL" run --device simulated --seed 1 --instances 10000 --json "$@" ptx:MP+relaxed ptx:SB+relaxed ptx:LB+relaxed |
    sed 's/"seconds": *[^,]*//; s/"run": *[0-9]*//'; }
kept() { ls "$HOME/.cache/orchil/kernels" 2>/dev/null | grep -c '^[0-9a-f]*\.code$' || true; }
run --builders 0 --no-cache >none
kept
run --builders 2 >two
kept
touch -d '2001-01-01' "$HOME"/.cache/orchil/kernels/*
run --builders 2 >again
kept
find "$HOME/.cache/orchil/kernels" -name '*.code' ! -newermt '2002-01-01' | wc -l
cmp none two
cmp two again
ls | grep -c orchil-kernels || true
