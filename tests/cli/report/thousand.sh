# SPDX-License-Identifier: Apache-2.0
# A page of a thousand tests stays below 5 MB, and is there within 2 s where a browser is.
"$ORCHIL" run --device simulated --no-controls --builders 0 --instances 1k 'ptx:[SLWIR2]*' >stdout 2>stderr || [ $? -eq 1 ]
"$ORCHIL" report --out page.html >stdout
tests=$(sed 's/.*: \([0-9,]*\) tests.*/\1/; s/,//g' stdout)
size=$(wc -c <page.html)
[ "$tests" -ge 1000 ] || echo "only $tests tests"
[ "$((size / tests))" -lt 5000 ] || echo "$size bytes for $tests tests"
command -v python3 >/dev/null || exit 0
"$TEST_DIR/browser" --seconds 2 --fast page.html 2>stderr || [ $? -eq 77 ]
