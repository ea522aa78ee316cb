# SPDX-License-Identifier: Apache-2.0
# A test whose runs differ by far is named and not gated, the other one keeps the usual tolerance; and a baseline that is made
# of the file afterwards has that, too.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
for rate in 0.001 0.05 0.002 0.0002 0.02 0.004 0.03 0.0005; do
    script 1.0 "$rate"
    "$ORCHIL" run --device simulated --instances 300k --seed 5 --db cal.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
done
"$ORCHIL" gate calibrate --from cal.db --out base.db 2>/dev/null | sed -n '1p; /cannot be gated/,$p'
ask base.db "SELECT json_extract(note, '$.gated'), json_extract(note, '$.tolerance'), count(*) FROM v_calibration GROUP BY 1, 2"
"$ORCHIL" gate baseline --from base.db --out other.db | sed 's/, [0-9,]* bytes/, SIZE/'
