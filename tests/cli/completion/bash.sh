# SPDX-License-Identifier: Apache-2.0
# The function for bash, called as bash calls it: with the line, and what it takes for the word after ':' and '='.
command -v bash >/dev/null || {
    echo "no bash, install it" >&2
    exit 77
}
mkdir bin folder
ln -s "$ORCHIL" bin/orchil
touch one.db one.litmus 'with blank.db' folder/two.litmus 'zz $(touch ran).litmus' 'zz`touch ran`;touch ran.litmus'
cat >script <<'END'
PATH=$PWD/bin:$PATH
source <(orchil completion bash)
complete -p orchil
try()
{
    COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
    _orchil orchil "$2" "$3"
    echo "$1|"
    [[ ${#COMPREPLY[@]} -eq 0 ]] || printf "    %s\n" "${COMPREPLY[@]}" | sort
}
try 'orchil ru' ru
try 'orchil run --dev' --dev
try 'orchil run --until=' ''
try 'orchil run --until=w' w
try 'orchil run --until ' ''
try 'orchil run --device cuda:' ''
try 'orchil run ptx:MP+rel+ctr' MP+rel+ctr
try "orchil run 'ptx:MP+rel+ctr" ptx:MP+rel+ctr
try 'orchil run fol' fol
try 'orchil run one' one
try 'orchil run zz' zz
try 'orchil report w' w
try 'orchil gate fol' fol
try 'orchil run --log=on' on
try 'orchil generate -o f' f
try 'orchil gate calibrate --run' --run
try 'orchil frobnicate ' ''
try 'VARIABLE=1 orchil ru' ru
COMP_LINE='orchil run --devMP' COMP_POINT=16
_orchil orchil --dev
echo "${COMPREPLY[@]}"
END
bash script
