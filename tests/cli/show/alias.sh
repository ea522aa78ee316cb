# SPDX-License-Identifier: Apache-2.0
# An alias is the test that it names, and a note says so.
"$ORCHIL" show cuda:mp+rel-acq | head -2
"$ORCHIL" show ptx:MP-L1-L2+unfenced | grep '^Control'
"$ORCHIL" list --pairs ptx:CoRR-L1-L2+unfenced | tail -1
