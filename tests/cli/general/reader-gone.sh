# SPDX-License-Identifier: Apache-2.0
# A reader that has seen enough, like head, ends the program without a message, as it does other filters.
{
    sleep 0.2
    code=0
    "$ORCHIL" --help || code=$?
    echo "$code" >&2
} | :
