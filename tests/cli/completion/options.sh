# SPDX-License-Identifier: Apache-2.0
# Completion offers what --help lists: verbs, their subordinate verbs, and the options of each.
"$ORCHIL" completion --answer -- '' | cut -f1 | grep -v -x help | sort >found
"$ORCHIL" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v -x orchil | sort | diff - found
"$ORCHIL" manual --output pages
for page in pages/orchil-*.1; do
    verb=$(basename "$page" .1 | sed 's/^orchil-//; s/-/ /g')
    # shellcheck disable=SC2086
    {
        "$ORCHIL" $verb --help | sed -n 's/^  \(-.\|  \)[, ] \(--[^ =]*=\{0,1\}\).*/\1 \2/p' | tr ' ' '\n' | grep . | sort >wanted
        "$ORCHIL" completion --answer -- $verb - | cut -f1 | sort >found
        test -s wanted
        diff wanted found || echo "$verb: options differ"
        grep -e -- wanted >long
        "$ORCHIL" completion --answer -- $verb -- | cut -f1 | sort | diff long - || echo "$verb: long options differ"
    }
done
