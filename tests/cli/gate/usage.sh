# SPDX-License-Identifier: Apache-2.0
# Wrong usage and files that cannot be read end with 2 and name the problem.
. "$TEST_DIR/common"
baseline
printf '[MP+relaxed]\nknown.rat = misspelt\n' >wrong.ini
refused() { echo "$ORCHIL" >/dev/null; "$ORCHIL" gate "$@" >/dev/null 2>messages && echo passed || echo "$? $(head -n 1 messages)"; }
refused
refused --baseline base.db --stored a.db b.db
refused --stored a.db
refused --baseline base.db --tolerance 1
refused --baseline base.db --budget soon
refused --baseline base.db --confidence 1
refused --baseline missing.db
refused --baseline base.db:99
refused --baseline base.db no-such-test
refused --baseline base.db --expect missing.ini
refused --baseline base.db --expect wrong.ini
refused --baseline base.db --junit no/such/folder.xml
refused --baseline base.db --db base.db
refused --stored base.db missing.db
refused baseline
refused baseline --out base.db
refused baseline --out other.db --runs 0
refused baseline --out other.db --from base.db MP+relaxed
refused baseline --out other.db --from base.db:99
ls other.db* 2>/dev/null || echo "nothing is left behind"
refused calibrate --runs 1
refused calibrate --from base.db MP+relaxed
refused calibrate --from missing.db
