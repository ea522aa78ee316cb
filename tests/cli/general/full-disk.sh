# SPDX-License-Identifier: Apache-2.0
# Results that could not be written are a failure.
[ -c /dev/full ] || { echo "there is no /dev/full" >&2; exit 77; }
"$ORCHIL" --help >/dev/full
