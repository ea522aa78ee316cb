# SPDX-License-Identifier: Apache-2.0
# Several databases are shown side by side, and one run is shown alone.
export ORCHIL_SIMULATED="$TEST_DIR/exact.json"
"$ORCHIL" run --device simulated:0 --no-controls --instances 10k --seed 7 --db old.db ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" run --device simulated:1 --no-controls --instances 10k --seed 8 --db new.db ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" run --device simulated:1 --no-controls --instances 10k --seed 9 --db new.db ptx:SB+relaxed >stdout 2>stderr
"$ORCHIL" report --out page.html old.db new.db
sed -n 's/.*<thead><tr>\(<th data-f=Family>.*\)/\1/p; /^<tr><th scope=row><a/p; /^<h3 id="run-/p' page.html
"$ORCHIL" report --out page.html --run 2 new.db
sed -n '/^<tr><th scope=row><a/p; /^<h3 id="run-/p' page.html
