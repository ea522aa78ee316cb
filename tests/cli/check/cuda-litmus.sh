# SPDX-License-Identifier: Apache-2.0
# The suite is the table of cuda-litmus's published results: as many rows, and as many of them forbidden by PTX.
"$ORCHIL" check --json --model ptx @cuda-litmus >judged
echo "$(wc -l <judged) tests, $(cut -d'"' -f4 judged | sort -u | wc -l) names, $(grep -c '"holds":false' judged) forbidden"
