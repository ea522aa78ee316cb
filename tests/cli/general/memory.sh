# SPDX-License-Identifier: Apache-2.0
# Without memory, orchil says so and ends with 4.
if grep -q __asan_init "$ORCHIL"; then
    echo "the sanitizer has its own word on memory" >&2
    exit 77
fi
ulimit -d 6000
"$ORCHIL" list --json >list 2>words || code=$?
sed 's/allocate [0-9]* bytes/allocate N bytes/' words >&2
exit "$code"
