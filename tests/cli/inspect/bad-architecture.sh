# SPDX-License-Identifier: Apache-2.0
# An architecture that is none, or that is older than PTX's memory model.
for architecture in 90 sm_ sm_60 sm_90x ''; do
    code=0
    "$ORCHIL" inspect --architecture "$architecture" ptx:MP+rel+acq || code=$?
    [ "$code" -eq 2 ]
done
