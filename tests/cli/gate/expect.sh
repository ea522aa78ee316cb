# SPDX-License-Identifier: Apache-2.0
# An expectations file: known reasons do not count, entries whose reason is gone are reported as
# stale with their line, and a skip leaves a test out.
. "$TEST_DIR/common"
baseline
cat >expect.ini <<'INI'
[MP+relaxed]
known.rate = x4 since the clocks are capped, https://tracker/123

[SB+relaxed]
known.rate = x2 was fixed in 1.9
flaky.lost = comes and goes

[SB+sc]
skip = the fence costs too much here

[CoRR*]
known.any = renamed long ago
INI
script 2.0 0.004
gate --expect expect.ini
