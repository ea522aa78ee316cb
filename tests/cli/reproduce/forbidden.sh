# SPDX-License-Identifier: Apache-2.0
# An outcome that a model forbids: the test is also minimised, and the README has the result.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 1M --no-controls --db a.db ptx:CoRR+relaxed >run.log 2>&1 || :
"$ORCHIL" reproduce a.db --job 1 --time 20s -o corr 2>steps | grep 'left\|lines' | cut -d. -f1
sed -n '/^    PTX/,/^    exists/p' corr/README.md
# Where the model of the emitted code has no verdict, the source's decides: so the outcome is the forbidden one, not the witness.
echo '{"tests": {"own": {"outcomes": {"0:r0=1;": 0.5, "0:r0=2;": 0.49, "0:r0=0;": 0.01}}}}' >script.json
cat >own.litmus <<'L'
PTX own
{ x=0; P0:r0=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.relaxed.gpu x, 1  | st.relaxed.gpu x, 2  ;
 ld.relaxed.gpu r0, x |                      ;
exists (0:r0=2)
L
export ORCHIL_SIMULATED=script.json
"$ORCHIL" run --device simulated --seed 1 --instances 100k --no-controls --db b.db own.litmus >run.log 2>&1 || :
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" >&2; exit 77; }
sqlite3 -batch b.db "INSERT INTO judgement (job_id, role, model, model_hash, mapping, unjudged, cut, racy)
    VALUES (1, 'target', 'ptx', '', 0, 'too large', '', 0)"
"$ORCHIL" reproduce b.db --job 1 --as-it-is -o again >steps 2>&1 || cat steps
head -n 1 again/README.md
