# SPDX-License-Identifier: Apache-2.0
# A CUDA test is judged as PTX, and its instructions are shown as its own text has them.
"$ORCHIL" check --explain cuda:MP+ra
