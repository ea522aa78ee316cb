# SPDX-License-Identifier: Apache-2.0
# The folded list counts every test once: its sum equals the whole list's, and each family has a question.
"$ORCHIL" list >folded
count=$("$ORCHIL" list --json | grep -c '^    "hash"')
awk -v count="$count" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Tests") column = i; next }
    /^all / { gsub(",", ""); found = $column == count }
    END { if (!found) print "the sum is not " count }' folded
