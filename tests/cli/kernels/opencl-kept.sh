# SPDX-License-Identifier: Apache-2.0
# PoCL's code for a test is read back: kept, and not inspected if there is no disassembler or the
# kernel is replayed.
"$ORCHIL" devices --json opencl 2>/dev/null | grep -q 'Portable Computing' || { echo "no PoCL" >&2; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "no x86-64" >&2; exit 77; }
command -v objdump >/dev/null || { echo "no objdump" >&2; exit 77; }
run() { "$ORCHIL" run --device opencl --seed 1 --instances 2000 --json --no-controls "$@" opencl:SB+sc 2>/dev/null | grep -o '"kept[_a-z]*":"[^"]*"'; }
run
mkdir bin
ln -s /usr/bin/* bin # PoCL runs a linker
rm bin/objdump
(PATH=$PWD/bin; run)
run --save-kernels k
run --kernels k
