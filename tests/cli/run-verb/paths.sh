# SPDX-License-Identifier: Apache-2.0
# What a device's memory is not reached by is unsupported, with what it lacks. A test of an alias plays one round a batch, and warms
# caches where the environment says so; a test that has no such way to memory never does.
cat >alias.json <<'END'
{"devices": [{"name": "Two addresses", "paths": ["alias"]}]}
END
cat >warm.ini <<'END'
[environment]
warm_chance = 100
END
cat >alias.litmus <<'END'
PTX alias
{ x=0; y @ generic aliases x; P0:r0=0; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1   ;
 ld.weak r0, y  ;
exists (0:r0=0)
END
cat >texture.litmus <<'END'
PTX texture
{ x=0; t @ texture aliases x; P0:r0=0; }
 P0@cta 0,gpu 0 ;
 st.weak x, 1   ;
 tld.weak r0, t ;
exists (0:r0=0)
END
sed 's/texture/surface/g; s/tld/suld/' texture.litmus >surface.litmus
sed 's/texture/constant/g; s/tld/cold/' texture.litmus >constant.litmus
export ORCHIL_SIMULATED=alias.json
run() { "$ORCHIL" run --device simulated --seed 1 --instances 10k --profile warm.ini --json "$@" 2>/dev/null || echo "exit $?"; }
run texture.litmus surface.litmus constant.litmus | grep -o '"reason":"[^"]*"\|^exit.*'
run --db p.db alias.litmus ptx:SB+weak | grep -o '"state":"[^"]*"'
draws() { "$ORCHIL" export --format jsonl --what batches p.db | grep "\"job\":$1," | grep -o "\"$2\":[0-9]*" | sort -u; }
draws 1 played_rounds
draws 1 warm_chance
draws 2 warm_chance
