# SPDX-License-Identifier: Apache-2.0
# A full disk: a clear error, exit code 4, and a file that can be read.
. "$TEST_DIR/store"
[ "$(id -u)" -eq 0 ] || { echo "mounting a small file system needs root" >&2; exit 77; }
mkdir small
mount -t tmpfs -o size=800k none small 2>/dev/null || { echo "no file system can be mounted here" >&2; exit 77; }
trap 'umount small' EXIT
"$ORCHIL" run --device simulated --time 20 --db small/orchil.db "$TEST_DIR/one.litmus" >stdout || code=$?
cp small/orchil.db* .
ask orchil.db "SELECT test, state FROM v_job" "SELECT state FROM run" "SELECT count(*) > 0 FROM batch"
check_store orchil.db
exit "$code"
