# SPDX-License-Identifier: Apache-2.0
# The machine code of a kernel needs ptxas and nvdisasm: the error says which one is missing.
[ ! -x /usr/local/cuda/bin/nvdisasm ] || { echo "skipped: this machine has nvdisasm in /usr/local/cuda/bin" >&2; exit 77; }
PATH=/nowhere CUDA_PATH= CUDA_HOME=$PWD "$ORCHIL" show --kernel sass ptx:MP+rel+acq
