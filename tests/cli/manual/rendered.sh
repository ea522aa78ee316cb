# SPDX-License-Identifier: Apache-2.0
# groff finds nothing to warn of in any page, and the page has its sections.
command -v groff >/dev/null || {
    echo "no groff, install it" >&2
    exit 77
}
"$ORCHIL" manual --output pages
for page in pages/*; do
    groff -man -ww -Tascii -P-cbou "$page" >rendered
    [ "$page" = pages/orchil.1 ] || grep -x -e NAME -e SYNOPSIS -e DESCRIPTION -e OPTIONS -e EXAMPLES -e 'EXIT STATUS' -e 'SEE ALSO' rendered |
        tr '\n' ' ' | grep -q -x 'NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES EXIT STATUS SEE ALSO ' || echo "$page lacks a section"
    awk -v page="$page" '/EXAMPLES/ { exit } length > 80 { print page ": " $0 }' rendered
done
