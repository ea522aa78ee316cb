# SPDX-License-Identifier: Apache-2.0
# The verdicts that were published for a stronger PTX, as far as they are at hand: ptx and ptx-strengthened say the same of
# these tests, and forbid nothing that a GPU showed.
published=${ORCHIL_VALIDATION_DIR:-/nonexistent}/pldi26/strengthened.csv
[ -r "$published" ] || { echo "no pldi26/strengthened.csv under ORCHIL_VALIDATION_DIR" >&2; exit 77; }
awk -F, '
    NR == FNR { if ($0 !~ /^#/) said[$1] = $2 "," $3; next }
    /^#/ || $1 == "test" { next }
    { rows++ }
    said[$1] != $2 "," $3 { print $1 ": published " $2 "," $3 ", here " said[$1]; wrong++ }
    $4 == "yes" && said[$1] ~ /forbidden$/ { print $1 ": seen, and forbidden here"; wrong++ }
    END { if (rows == 0) print "no rows"; exit rows == 0 || wrong > 0 }
' "$ORCHIL_SOURCE_DIR/tests/models/ptx-strengthened.predictions" "$published"
