# SPDX-License-Identifier: Apache-2.0
# What ptx and ptx-strengthened say of each test of @cuda-litmus is what was written down when the model was found.
"$ORCHIL" check --json --model ptx,ptx-strengthened @cuda-litmus >said
awk -F'"' '
    { test = $4; model = $12; holds[test, model] = ($0 ~ /"holds":true/) ? "allowed" : "forbidden" }
    model == "ptx-strengthened" { print test "," holds[test, "ptx"] "," holds[test, model] }' said >now
grep -v '^#' "$ORCHIL_SOURCE_DIR/tests/models/ptx-strengthened.predictions" | diff - now
cut -d, -f2- now | sort | uniq -c
