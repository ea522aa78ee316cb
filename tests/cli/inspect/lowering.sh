# SPDX-License-Identifier: Apache-2.0
# --lowering source compiles what a CUDA test writes and reads the PTX back: a message with release and acquire is kept, of two weak
# loads of one location the compiler leaves one.
"$ORCHIL" doctor 2>/dev/null | grep -q 'headers: .*libcu++' || { echo "there is no NVRTC with libcu++ here" >&2; exit 77; }
PATH=/usr/bin:/bin
unset CUDA_HOME CUDA_PATH
"$ORCHIL" inspect --lowering source cuda:MP+rel+acq 2>/dev/null | tail -1 | sed 's/; NVRTC.*//'
"$ORCHIL" inspect --lowering source --json cuda:CoRR+weak 2>/dev/null >out || echo "exit $?"
grep -oE '"kept": ?"[a-z-]*"' out
grep -oE '"fault": ?"[a-z]*"' out
"$ORCHIL" inspect --lowering source ptx:MP+relaxed 2>/dev/null | grep 'not inspected:'
"$ORCHIL" inspect --lowering sass cuda:MP+rel+acq 2>&1 | head -1
