# SPDX-License-Identifier: Apache-2.0
# A test beyond what a model can judge: the reason, and exit code 0.
"$ORCHIL" check 'opencl:lock-counter+fenced+wg+1x512'
