# SPDX-License-Identifier: Apache-2.0
# The words of 128 bits are events of one access; a cycle goes from one to the other.
cat >whole.litmus <<END
PTX whole
{ u64 x[2]={0,0}; }
 P0@cta 0,gpu 0                   | P1@cta 1,gpu 0                    ;
 st.relaxed.gpu.b128 [x], {1, 1}  | ld.relaxed.gpu.b128 {r0, r1}, [x] ;
exists (1:r0=1 /\ 1:r1=0)
END
"$ORCHIL" explain whole.litmus
