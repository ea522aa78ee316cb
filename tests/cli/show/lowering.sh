# SPDX-License-Identifier: Apache-2.0
# --lowering source prints CUDA C++ as the test writes it, with the header that it needs and no other; what has no such form is
# refused with the reason.
kernel() { "$ORCHIL" show --kernel cuda --lowering source "$1" | grep -E '^#include|cuda::|atomicExch|__threadfence'; }
echo "--- with libcu++"
kernel cuda:MP+rel+acq
echo "--- built-in functions alone"
"$ORCHIL" show --body --kernel cuda --lowering source cuda:RMW-add+relaxed | sed -n '1,/play_0/p'
"$ORCHIL" show --kernel cuda --lowering source cuda:RMW-add+relaxed | grep -c '#include' || :
echo "--- the usual one has neither"
"$ORCHIL" show --kernel cuda cuda:MP+rel+acq | grep -cE '#include|cuda::' || :
"$ORCHIL" show --json --kernel cuda --lowering source cuda:RMW-add+relaxed | grep '"lowering"'
echo "--- refused"
for wrong in "--lowering source ptx:MP+relaxed" "--lowering source --kernel opencl cuda:MP+rel+acq" "--lowering c cuda:MP+rel+acq"; do
    "$ORCHIL" show --kernel cuda $wrong 2>&1 || echo "exit $?"
done
