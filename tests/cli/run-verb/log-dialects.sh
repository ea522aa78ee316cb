# SPDX-License-Identifier: Apache-2.0
# Tests of one name in several dialects have distinct names in a log, where mcompare7 would stop at the second: the first that
# the log has keeps its name, also the log of an earlier run.
run() {
    "$ORCHIL" run --device simulated --instances 1k --no-controls --log "$@" >/dev/null 2>&1 || :
}
names() {
    awk '/^Test / { name = $2 } /^Hash=/ { print substr($0, 6, 8), name } /^(Observation|Time) / && $2 != name { print "other", $2 }' "$1"
}
run once.log SB+relaxed
names once.log
run twice.log ptx:SB+relaxed
run twice.log opencl:SB+relaxed ptx:SB+relaxed
names twice.log
