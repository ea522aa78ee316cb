# SPDX-License-Identifier: Apache-2.0
# The function for zsh, with words as zsh has them, and a stand-in for each function of zsh that takes the answers.
command -v zsh >/dev/null || {
    echo "no zsh, install it" >&2
    exit 77
}
mkdir bin
ln -s "$ORCHIL" bin/orchil
cat >script <<'END'
path=($PWD/bin $path)
compdef() { echo "compdef $*" }
compset() { echo "    compset $*" }
_files() { echo "    _files $*" }
_describe() { echo "    _describe ${@[1,2]} ${@[5,-1]}"; printf '        %s\n' "${(@P)4}" }
source <(orchil completion zsh)
try()
{
    words=("$@") CURRENT=$# PREFIX=${@[-1]}
    echo "$*|"
    _orchil
}
try orchil ru
try orchil run --dev
try orchil run --until=
try orchil run --device cuda:
try orchil run ptx:MP+rel+ctr
try orchil report ''
try orchil run --log=on
try orchil generate -o f
try orchil frobnicate ''
END
orchil() { "$ORCHIL" "$@"; }
orchil completion zsh | head -1
orchil completion zsh >_orchil
zsh -n _orchil
zsh -f script
