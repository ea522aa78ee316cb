# SPDX-License-Identifier: Apache-2.0
# An answer that cannot be, of the process that asks a driver, costs this driver's devices alone.
"$ORCHIL" devices simulated --json >good.json
cat >script.json <<'EOF'
{"faults": [{"phase": "list", "do": "exec", "command": ["cat", "answer"]}]}
EOF
try() {
    ORCHIL_SIMULATED=script.json "$ORCHIL" devices simulated || echo "exit $?"
}
device=$(tr -d '\n' <good.json | sed 's/^[^[]*\[//; s/\][^]]*$//')
printf '{"devices": [%s]}\n' "$(printf %s "$device" | sed 's/"backend": *"simulated"/"backend":"cuda"/')" >answer
try
printf '{"devices": [%s, %s]}\n' "$device" "$device" >answer
try
printf '{"devices": [{"backend": "simulated", "index": -1}]}\n' >answer
try
head -c 17000000 /dev/zero | tr '\0' x >answer
try
printf '{"devices": []}\0\n' >answer
try
