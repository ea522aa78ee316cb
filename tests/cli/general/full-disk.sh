# SPDX-License-Identifier: Apache-2.0
# Results that could not be written are a failure, help too: with argp's options, and of each kind.
[ -c /dev/full ] || { echo "there is no /dev/full" >&2; exit 77; }
for words in 'help run' 'run --help' 'run -?' 'run --usage' 'gate baseline --help' '--version'; do
    # shellcheck disable=SC2086
    "$ORCHIL" $words >/dev/full 2>message || echo "$words: exit $?"
    grep -c 'standard output cannot be written' message
done
"$ORCHIL" --help >/dev/full
