# SPDX-License-Identifier: Apache-2.0
# 40 columns: the drawing, the page and the help adapt; a drawing that cannot says so. 78: one long name in the table of nearest
# tests gives no line of its own to the others.
COLUMNS=40
export COLUMNS
"$ORCHIL" explain ptx:SB+fencear | sed -n '/^Execution/,/heavy lines/p'
"$ORCHIL" explain ptx:IRIW+relaxed | sed -n '/^Execution/,/^  a /p'
for verb in explain check gate; do
    "$ORCHIL" $verb --help
done | awk 'length > 40 { print "too long: " $0 }'
COLUMNS=78 "$ORCHIL" explain ptx:SB+fencear | sed -n '/name  /,$p'
