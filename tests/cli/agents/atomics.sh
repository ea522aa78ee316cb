# SPDX-License-Identifier: Apache-2.0
# Devices that count in one location together do it only in memory where both are atomic: homes are drawn from those, and where links have
# no native atomics the test is unsupported. What the devices do in other locations is drawn as ever.
cat >count.litmus <<'END'
PTX count
{ x=0; y=0; }
 P0@cta 0,gpu 0                 | P1@cta 0,gpu 1                 ;
 atom.relaxed.sys.add r0, x, 1  | atom.relaxed.sys.add r0, x, 1  ;
 st.relaxed.sys y, 1            | ld.relaxed.sys r1, y           ;
exists (x=1)
END
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED=script.json
# try NATIVE-ATOMICS-OF-A OF-B OPTION...: the homes of x and of y that were drawn, and the job.
try() {
    echo "== $*"
    echo "{\"devices\": [{\"name\": \"A\", \"native_atomics\": $1}, {\"name\": \"B\", \"native_atomics\": $2}]}" >script.json
    shift 2
    rm -f orchil.db*
    "$ORCHIL" run --device simulated:0+simulated:1 --instances 100k --seed 1 "$@" count.litmus >/dev/null 2>messages || : # counts are lost
    ask orchil.db "SELECT state, reason FROM v_job" \
        "SELECT DISTINCT 'x', json_extract(draw, '\$.homes.x') FROM v_batch ORDER BY 2" \
        "SELECT DISTINCT 'y', json_extract(draw, '\$.homes.y') FROM v_batch ORDER BY 2"
}
try true true
try true false
try true false --home x=host
try false false
"$ORCHIL" run --device simulated:0+simulated:1 --dry-run count.litmus | sed -n '/unsupported: /p'
