# SPDX-License-Identifier: Apache-2.0
# The page has the answer and a plot of what moved. So has the page of the databases, from three runs on.
. "$TEST_DIR/nights"
n=1
while [ $n -le 6 ]; do
    night nights $n "$([ $n -lt 5 ] && echo 560.1 || echo 570.2)" "$([ $n -lt 5 ] && echo 1 || echo 8)"
    n=$((n + 1))
done
"$ORCHIL" history --page - nights | grep -o -e '<b>1 step[^<]*' -e 'It is between[^<]*' -e 'class=plot[^>]*' | sort -u | head -5
"$ORCHIL" report --out - nights/01.db nights/02.db | grep -c 'id=history' || :
"$ORCHIL" report --out - nights/0[1-3].db | grep -o -e 'id=history' -e '<a href="#history">[^<]*' -e '<b>Cannot say[^<]*'
