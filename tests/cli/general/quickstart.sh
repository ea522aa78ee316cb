# SPDX-License-Identifier: Apache-2.0
# What scripts/quickstart says at its end, with a build and a device that take no time: where the database is, if there is
# one; why no weak outcome may have been seen, with the load of the machine; that nothing could be run.
mkdir -p copy/scripts copy/build/release tools here
cp "$ORCHIL_SOURCE_DIR/scripts/quickstart" copy/scripts
printf '#!/bin/sh\n' | tee copy/scripts/install-packages >tools/cmake
printf '#!/bin/sh\nshift\nexec "%s" run --device simulated --time 0.1 "$@" >/dev/null\n' "$ORCHIL" >copy/build/release/orchil
sed -i 's/run --time 1 /run /' copy/scripts/quickstart
chmod +x copy/scripts/install-packages tools/cmake copy/build/release/orchil
PATH=$PWD/tools:$PATH
root=$PWD
# quickstart SCRIPT: what it says after the run, and what it leaves behind.
quickstart() {
    echo "$1" >script.json
    (cd here && rm -f ./* && ORCHIL_SIMULATED=$root/script.json TMPDIR=$PWD ../copy/scripts/quickstart >../out 2>../messages) || echo "exit $?"
    sed "1,/^is the same test/d; s|$root|ROOT|g; s/seen in [0-9]* inst/seen in N inst/" out
    ls here
}
none='"MP*": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}},
      "LB*": {"outcomes": {"0:r0=1; 1:r0=1;": 0}}, "lock-oneshot*": {"outcomes": {"1:r1=1; 1:r2=1;": 1}},
      "lock-spin*": {"outcomes": {"0:r1=0; 1:r1=1;": 1}}, "lock-counter*": {"outcomes": {"[c]=512;": 1}},
      "canary": {"outcomes": {"0:r0=42;": 1}}'
echo "== weak outcomes"
quickstart "{\"tests\": {$none}}"
echo "== none; why depends on this machine"
quickstart "{\"tests\": {$none, \"SB+relaxed\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": 0}}}}" >none
sed '/^No weak/,/^$/{/^No weak/!{/^$/!d}}' none
grep -Ec 'keep( only)? [0-9]+[.][0-9] of [0-9]+ cores busy|This machine has one core' none
echo "== no device"
quickstart '{"devices": []}'
echo "== every job fails"
quickstart '{"faults": [{"phase": "open", "do": "crash"}]}'
