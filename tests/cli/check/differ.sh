# SPDX-License-Identifier: Apache-2.0
# Only the tests on which the models differ, with both verdicts; one that a model cannot judge is not compared.
"$ORCHIL" check --model ptx,ptx-strengthened --differ '2+2W+rel*' ptx:Z6.3+ra cuda:2+2W+rel+fencear cuda:2+2W+rel+cta ptx:MP+ra 'opencl:lock-counter+fenced+wg+1x512'
