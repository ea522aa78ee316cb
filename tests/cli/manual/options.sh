# SPDX-License-Identifier: Apache-2.0
# There is a page for each verb of --help and each below it; it has the options that the verb's --help has, with their values,
# and its examples and exit codes.
"$ORCHIL" manual --output pages/man1
"$ORCHIL" --help | sed -n 's/^  \([a-z]*\)  .*/orchil-\1.1/p' | grep -v '^orchil-orchil' | sort >verbs
ls pages/man1 | grep '^orchil-[a-z]*\.1$' | diff verbs -
for page in pages/man1/orchil-*.1; do
    verb=$(basename "$page" .1 | sed 's/^orchil-//; s/-/ /g')
    # shellcheck disable=SC2086
    "$ORCHIL" $verb --help >help
    sed 's/\\f[BIR]//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ti/~/g; s/\\&//g; s/\\e/\\/g' "$page" >plain
    sed -n 's/^  \(-.,\|   \) \(--[^ ]*\).*/\1 \2/p' help | sed 's/^ *//' | sort >wanted
    grep -x -e '\(-., \)\{0,1\}--[^ ]*' plain | sort >found
    test -s wanted
    diff wanted found || echo "$verb: options differ"
    # argp wraps long examples.
    sed -n '/^Examples:$/,/^$/s/^  //p' help | while read -r example; do
        grep -q -F -e "$example" plain || echo "$verb: no '$example'"
    done
    sed -n '/^Exit codes:$/,$s/^  \([0-9][0-9, ]*\)  \([^ ]*\).*/\1 \2/p' help | tr -s ' ' | sed 's/ \([^ ]*\)$/|\1/' >codes
    test -s codes || echo "$verb: no exit codes"
    while IFS='|' read -r code word; do
        grep -q -x "$code" plain && grep -q "^$word" plain || echo "$verb: no exit code $code"
    done <codes
    "$ORCHIL" manual $verb | cmp - "$page"
done
