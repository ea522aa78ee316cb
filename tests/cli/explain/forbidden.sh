# SPDX-License-Identifier: Apache-2.0
# A forbidden outcome: its axiom in a sentence, the release and the acquire that it takes.
"$ORCHIL" explain ptx:MP+rel+acq
