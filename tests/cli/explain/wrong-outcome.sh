# SPDX-License-Identifier: Apache-2.0
# An outcome that the test does not have.
"$ORCHIL" explain --outcome '0:r9=1;' ptx:MP+relaxed
