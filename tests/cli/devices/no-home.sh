# SPDX-License-Identifier: Apache-2.0
# PoCL has no device where it cannot write to a folder of its own. A user without a home gets one from orchil, which leaves no
# trace: neither the folder nor a variable in the database.
. "$TEST_DIR/../faults/store"
export CUDA_VISIBLE_DEVICES= XDG_CACHE_HOME= TMPDIR="$PWD/tmp"
unset POCL_CACHE_DIR
mkdir tmp
"$ORCHIL" devices opencl | grep -q pthread || { echo "PoCL is not installed" >&2; exit 77; }
HOME=/dev/null "$ORCHIL" devices opencl | grep -c pthread
HOME=/dev/null "$ORCHIL" doctor | grep -o 'PoCL cannot write to its folder [^ ]* .*'
HOME=/dev/null "$ORCHIL" run --device pthread --seed 1 --instances 1k --no-controls opencl:SB+relaxed 2>/dev/null | grep -c '^SB+relaxed'
ask orchil.db "SELECT count(*) FROM run WHERE environment_variables LIKE '%ORCHIL_DRIVER%' OR environment_variables LIKE '%POCL_CACHE%'"
ls tmp
# The user's own choice stays, and is named where it is the reason.
POCL_CACHE_DIR=/dev/null/mine "$ORCHIL" devices opencl 2>&1 | grep -o 'PoCL cannot write to its folder [^:]*'
