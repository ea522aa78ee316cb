# SPDX-License-Identifier: Apache-2.0
# Without ptxas a test is not inspected, and the reason says what to install; nothing is compiled.
[ ! -x /usr/local/cuda/bin/ptxas ] || { echo "skipped: this machine has ptxas in /usr/local/cuda/bin" >&2; exit 77; }
mkdir empty
PATH=$PWD/empty CUDA_HOME=$PWD/empty CUDA_PATH=$PWD/empty "$ORCHIL" inspect ptx:MP+rel+acq cuda:MP+rel+acq
