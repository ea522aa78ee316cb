# SPDX-License-Identifier: Apache-2.0
# Texts of drivers stay text: there is one script, no element or attribute of theirs, no mark that turns text around.
for device in 0 1; do
    ORCHIL_SIMULATED="$TEST_DIR/hostile.json" "$ORCHIL" run --device simulated:$device --instances 10k --seed 7 ptx:MP+relaxed ptx:SB+relaxed >stdout 2>stderr || [ $? -eq 1 ]
done
"$ORCHIL" report --out page.html >stdout
grep -c '<script' page.html
grep -c '<style' page.html
grep -cE '<(img|!--)|<[^>]* on[a-z]+=' page.html || :
LC_ALL=C grep -cP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]' page.html || :
sed -n '/<section id=devices>/,/<\/section>/p; /<pre id="log-/,/<\/pre>/p' page.html
