# SPDX-License-Identifier: Apache-2.0
# A test without a file is numbered by the lines that `orchil show` prints.
"$ORCHIL" check --explain ptx:ISA2+fencear+fencesc+acq+sys >explained || exit
"$ORCHIL" show ptx:ISA2+fencear+fencesc+acq+sys >text
grep -o 'P[012] line [0-9]*: [a-z]*\..*' explained | sort -u | while IFS= read -r line; do
    number=${line#P? line }
    sed -n "${number%%:*}p" text | grep -qF "${line#*: }" && echo "as in the text: $line"
done
