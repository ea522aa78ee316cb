# SPDX-License-Identifier: Apache-2.0
# Folders that cannot be replayed from, or saved in, end the run before it begins; so do both options together.
run() { echo "== $*" >&2; "$ORCHIL" run --device simulated --instances 10000 "$@" ptx:MP+relaxed && code=0 || code=$?; echo "exit $code" >&2; }
run --kernels nowhere
mkdir empty
run --kernels empty
touch file
run --kernels file
run --save-kernels file
run --save-kernels file/below
run --kernels empty --save-kernels empty
run --kernels ''
ls ./*.db 2>/dev/null || true
