# SPDX-License-Identifier: Apache-2.0
# If both sides ran different kernels, a changed orchil may explain different rates: they are not
# compared, and the report says so. An outcome of one side alone and a forbidden one are listed all
# the same. Exit code 3: nothing could be compared. A replayed kernel was chosen, and is compared.
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" >&2; exit 77; }
. "$TEST_DIR/plant"
script 1.0 c 2e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 1e-5}}' >old.json
script 2.0 c 6e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}' | sed '/CoRR/s/: 0}/: 1e-6}/' >new.json
for _ in 1 2 3; do
    run old.json old.db 1 --no-controls --device simulated:0 opencl:MP+relaxed opencl:SB+relaxed opencl:CoRR+relaxed
    run new.json new.db 1 --no-controls --device simulated:0 opencl:MP+relaxed opencl:SB+relaxed opencl:CoRR+relaxed || true
done
show() {
    "$ORCHIL" compare old.db new.db | sed '/^[AB]: /d; /^Compared/d; /^Similarity/,$d'
}
cp old.db same.db
sqlite3 same.db "UPDATE build SET kernel_hash = substr(hex(zeroblob(32)), 1, 64)"
"$ORCHIL" compare old.db same.db | sed 1q
"$ORCHIL" compare old.db same.db >/dev/null || echo "exit $?"
sqlite3 new.db "UPDATE build SET kernel_hash = substr(hex(zeroblob(32)), 1, 64)"
show
echo "-- replayed"
sqlite3 new.db "UPDATE build SET marks = '[\"frozen\"]'"
show
