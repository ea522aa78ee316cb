# SPDX-License-Identifier: Apache-2.0
# The HTML page has each assumption, with its answer and its facts; alone it goes to standard output.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:1 --time 0.2 --seed 7 --html page.html assume-lock+onefence assume-tma-store+read >text 2>messages || :
sed -n '/<h1>/,/<script>/p' page.html | sed '/<script>/,$d'
head -n 1 text
"$ORCHIL" assume --device simulated:0 --time 0.1 --html - assume-lock+onefence 2>messages | head -n 1
