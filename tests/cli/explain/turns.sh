# SPDX-License-Identifier: Apache-2.0
# An outcome of sequential consistency: the turns that give it.
"$ORCHIL" explain --outcome '1:r0=0; 1:r1=1;' c:MP+relaxed
