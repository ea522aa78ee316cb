# SPDX-License-Identifier: Apache-2.0
# Only the functions of the threads and of their accesses, in OpenCL C and in PTX; of a PTX test in PTX alone.
"$ORCHIL" show --body opencl:MP+rel+acq
"$ORCHIL" show --body ptx:MP+rel+acq >ptx
head -n 3 ptx
"$ORCHIL" show --kernel cuda ptx:MP+rel+acq >whole
# It is a part of the whole kernel, line by line.
tail -n +3 ptx >body
python3 - <<'PY'
print("a part of the kernel:", open("body").read() in open("whole").read())
PY
"$ORCHIL" show --body --kernel cuda opencl:MP+rel+acq | grep -c 'asm volatile'
