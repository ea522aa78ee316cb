# SPDX-License-Identifier: Apache-2.0
# The machine code of a kernel needs ptxas and nvdisasm: the error says that the second is missing.
[ ! -x /usr/local/cuda/bin/nvdisasm ] || { echo "skipped: this machine has nvdisasm in /usr/local/cuda/bin" >&2; exit 77; }
mkdir -p toolkit/bin
printf '#!/bin/sh\nexit 1\n' >toolkit/bin/ptxas
chmod +x toolkit/bin/ptxas
PATH=/nowhere CUDA_PATH= CUDA_HOME=$PWD/toolkit "$ORCHIL" show --kernel sass ptx:MP+rel+acq
