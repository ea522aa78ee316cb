# SPDX-License-Identifier: Apache-2.0
# No device, and a database that fails: infrastructure, whatever the tests would say.
. "$TEST_DIR/common"
baseline
code() { "$@" >/dev/null 2>messages || echo "$? $(tail -n 1 messages)"; }
code "$ORCHIL" gate --baseline base.db --device no-such-device
code "$ORCHIL" gate --baseline base.db --db script.json
code "$ORCHIL" gate --stored base.db script.json
gate --device no-such-device --junit gate.xml --markdown gate.md | cut -c 1-45
grep -c '<error message="FAILED: no device matches' gate.xml
grep -c '^## orchil gate: FAILED: no device matches' gate.md
exit 4
