# SPDX-License-Identifier: Apache-2.0
# Completions by fish itself.
command -v fish >/dev/null || {
    echo "no fish, install it" >&2
    exit 77
}
mkdir bin folder
ln -s "$ORCHIL" bin/orchil
touch one.db one.litmus
cat >script <<'END'
set -x PATH $PWD/bin $PATH
orchil completion fish | source
for line in 'orchil ru' 'orchil run --dev' 'orchil run --until=' 'orchil run --device cuda:' 'orchil run ptx:MP+rel+ctr' \
    'orchil report on' 'orchil run --log=on' 'orchil generate -o f' 'orchil gate calibrate --run'
    echo "$line|"
    complete -C "$line" | string replace -r '^' '    '
end
END
fish --no-config script
