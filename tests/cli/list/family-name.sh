# SPDX-License-Identifier: Apache-2.0
# A family needs no slash, in every verb that takes a TEST; a folder of that name is noted, and can be meant.
"$ORCHIL" list SB --json | grep -c '"family": "SB"'
"$ORCHIL" list ptx:MP --json | grep '"dialect"' | sort -u
"$ORCHIL" show ptx:lock | grep -c '^PTX '
[ "$("$ORCHIL" list textbook)" = "$("$ORCHIL" list textbook/)" ]
"$ORCHIL" check 'opencl:CoWW' | grep -c 'under opencl'
mkdir lock mine
printf 'PTX own\n{ x=0; }\nP0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)\n' >lock/own.litmus
cp lock/own.litmus mine/
for word in lock ./lock lock/ mine; do
    "$ORCHIL" list "$word" --json | grep -c '"name"'
done
# In another case it is a hint.
"$ORCHIL" list sb 2>&1 | cut -c 1-90
