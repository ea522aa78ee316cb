# SPDX-License-Identifier: Apache-2.0
# Files that were changed, cut, exchanged, or saved by another layout of arguments: each is reported, and nothing is run.
export ORCHIL_SIMULATED=$PWD/script.json
echo '{"devices": [{"name": "Old", "driver": "1.0", "compiler": "Compiler 7"}]}' >script.json
run() { "$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls "$@" 2>/dev/null; }
try() { echo "== $1"; run --kernels k ptx:MP+relaxed | sed -n 's/^  build-failed: //p'; rm -r k; cp -r good k; }
run --save-kernels good ptx:MP+relaxed ptx:SB+relaxed >/dev/null
cp -r good k
name=$(basename "$(ls good/*-MP+relaxed-*.code)" .code)
echo '// more' >>"k/$name.code"; try 'changed code'
head -c 100 good/*-MP+relaxed-*.code >x; cp x k/*-MP+relaxed-*.code; try 'cut code'
cp good/*-SB+relaxed-*.code k/*-MP+relaxed-*.code; try 'code of another test'
cp good/*-SB+relaxed-*.json k/*-MP+relaxed-*.json; try 'head of another test'
sed -i 's/"version": [0-9]*/"version": 1/' k/*-MP+relaxed-*.json; try 'another layout'
echo 'not JSON' >"k/$name.json"; try 'no head'
rm k/*-MP+relaxed-*.code; try 'no code'
