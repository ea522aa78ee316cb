# SPDX-License-Identifier: Apache-2.0
# Single runs: what differs between them is unconfirmed, and three runs of A tell; where nothing differs, that is said, too. Every
# line fits into 80 columns.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >old.json
script 2.0 c 6e-5 >new.json
for driver in old new; do
    run $driver.json $driver.db 1 --no-controls --device simulated:0 opencl:MP+relaxed
done
"$ORCHIL" compare old.db new.db
echo "-- verbose"
"$ORCHIL" compare --verbose old.db new.db | sed -n '/^UNCONFIRMED/,/^$/p'
"$ORCHIL" compare --verbose old.db new.db | awk 'length > 80'
echo "-- alike"
cp old.db same.db
"$ORCHIL" compare old.db same.db | sed -n '1p; /^A has/,/^$/p'
"$ORCHIL" compare --page page.html old.db new.db >/dev/null
grep -o '<p class="lead [a-z]*"><b>[^<]*' page.html
grep -o '<li class="prow pdoubt"><span class=plabel><a href="#f0">[^<]*' page.html
