# SPDX-License-Identifier: Apache-2.0
# The page in a browser, with plots of steps: nothing on the console, no request, nothing wider than the window, enough contrast.
. "$TEST_DIR/nights"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
n=1
while [ $n -le 8 ]; do
    night nights $n "$([ $n -lt 6 ] && echo 560.1 || echo 570.2)" "$([ $n -lt 6 ] && echo 1 || echo 4)"
    n=$((n + 1))
done
"$ORCHIL" history --page page.html nights >stdout
"$TEST_DIR/../report/browser" --plots page.html
"$ORCHIL" report --out report.html nights/*.db >stdout
"$TEST_DIR/../report/browser" report.html
