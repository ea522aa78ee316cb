# SPDX-License-Identifier: Apache-2.0
# SB on a CPU through OpenCL: the program is built with a C compiler and OpenCL's headers alone, and sees the outcome.
# Its control, which is forbidden, does not: the same program with sequentially consistent accesses.
# It finds reproduce.cl next to itself, from whatever folder it is run.
"$ORCHIL" devices --json 2>/dev/null | grep -q 'Portable Computing Language' || { echo "no PoCL here" >&2; exit 77; }
echo '#include <CL/cl.h>' | cc -E - >/dev/null 2>&1 || { echo "no OpenCL headers here" >&2; exit 77; }
[ "$(nproc)" -ge 2 ] || { echo "one core: two work-groups never run at once" >&2; exit 77; }
"$ORCHIL" run --device opencl --seed 1 --until witness --time 20 --no-controls --db a.db opencl:SB+relaxed >run.log 2>&1
"$ORCHIL" reproduce a.db --job 1 --as-it-is -o sb >written
cat sb/reproduce.cl sb/reproduce.c | wc -l | awk '{ print ($1 <= 200 ? "at most 200 lines" : "too long") }'
make -s -C sb reproduce
code=0
sb/reproduce --seconds 9 >seen || code=$?
echo "exit $code"
tail -n 1 seen | sed 's/[0-9]* of [0-9]*, [123] /K of N, R /'
sed -i 's/memory_order_relaxed, memory_scope/memory_order_seq_cst, memory_scope/' sb/reproduce.cl
cd sb
code=0
./reproduce --seconds 3 >seen || code=$?
echo "exit $code"
tail -n 1 seen | sed 's/ of [0-9]*,/ of N,/'
