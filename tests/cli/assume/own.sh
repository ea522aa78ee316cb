# SPDX-License-Identifier: Apache-2.0
# A user's file is an assumption like those of the catalogue; if the specification promises it, the
# report says so.
cat >own.litmus <<'TEXT'
PTX own+$tag
vary (tag, first, second, expect, planted) =
  (release, "st.relaxed.gpu x, 1", "st.release.gpu f, 1", forbidden, "Planted=own+planted"),
  (planted, "st.relaxed.gpu f, 1", "st.relaxed.gpu x, 1", allowed, "")
Promises=Release and acquire synchronise
Expect=$expect
$planted
{ x=0; f=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0       ;
 $first         | ld.acquire.gpu r0, f ;
 $second        | ld.relaxed.gpu r1, x ;
exists (1:r0=1 /\ 1:r1=0)
TEXT
echo '{"tests": {"own+release": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}}}' >clean.json
ORCHIL_SIMULATED=clean.json "$ORCHIL" assume --device simulated --time 0.1 own.litmus >page 2>messages || code=$?
sed -n '/^own/,/Promised/p' page | sed '/Found/d; /Planted/d'
exit "${code-0}"
