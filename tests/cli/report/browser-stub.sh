# SPDX-License-Identifier: Apache-2.0
# What is called chromium may not be one: Ubuntu's package holds a script that asks for a snap. Then the pages are not checked, and
# the test is skipped by name; it does not fail, whichever end closes the pipe first.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
printf '#!/bin/sh\necho "requires the chromium snap to be installed" >&2\nexit 1\n' >stub
chmod +x stub
echo '<!doctype html>' >page.html
for attempt in 1 2 3 4; do
    code=0
    ORCHIL_BROWSER=./stub "$TEST_DIR/browser" page.html 2>messages || code=$?
    echo "$code $(cat messages)"
done
