# SPDX-License-Identifier: Apache-2.0
# Without nvdisasm a test is not inspected, and the reason says what to install; nothing is compiled.
[ ! -x /usr/local/cuda/bin/nvdisasm ] || { echo "skipped: this machine has nvdisasm in /usr/local/cuda/bin" >&2; exit 77; }
mkdir -p toolkit/bin
printf '#!/bin/sh\nexit 1\n' > toolkit/bin/ptxas
chmod +x toolkit/bin/ptxas
PATH=/nowhere CUDA_PATH= CUDA_HOME=$PWD/toolkit "$ORCHIL" inspect ptx:MP+rel+acq cuda:MP+rel+acq
