# SPDX-License-Identifier: Apache-2.0
# On a terminal no line is wider than it.
command -v script >/dev/null || { echo "script is not installed" >&2; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 || { echo "there is no pseudo-terminal, see /dev/pts" >&2; exit 77; }
cd "$TEST_DIR"
for width in 60 80; do
    script -qec "stty cols $width; TERM=xterm NO_COLOR=1 '$ORCHIL' list ./family ./templates" /dev/null | tr -d '\r' | sed 's/…/./g' |
        awk -v width="$width" 'length($0) > width { print "too wide: " $0 }'
done
script -qec "stty cols 60; TERM=xterm NO_COLOR=1 '$ORCHIL' list ./family" /dev/null | tr -d '\r'
