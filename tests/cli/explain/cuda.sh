# SPDX-License-Identifier: Apache-2.0
# A CUDA test is judged as the PTX that is emitted for it, and changed as CUDA.
"$ORCHIL" explain cuda:SB+relaxed
