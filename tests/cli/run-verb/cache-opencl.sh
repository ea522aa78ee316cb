# SPDX-License-Identifier: Apache-2.0
# What an OpenCL driver compiled is kept, too: a second run writes no file of the cache anew.
export XDG_CACHE_HOME=$PWD/cache
for run in 1 2; do
    "$ORCHIL" run --device opencl --time 0.1 --no-controls opencl:MP+relaxed >stdout 2>stderr || code=$?
    [ "${code:-0}" -ne 4 ] || { echo "there is no OpenCL device" >&2; exit 77; }
    ls -i cache/orchil/kernels >"kept.$run"
    grep -c . <"kept.$run" >/dev/null || echo "nothing was kept"
done
cmp kept.1 kept.2 && echo "the second run compiled nothing"
