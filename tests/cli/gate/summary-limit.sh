# SPDX-License-Identifier: Apache-2.0
# A summary that is nearly full is not pushed over GitHub's limit of 1 MiB, which would drop all of it.
. "$TEST_DIR/common"
baseline
script 2.0 0.004
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$PWD/summary"
head -c 1047900 /dev/zero | tr '\0' '\n' >summary
gate >/dev/null || :
[ "$(wc -c <summary)" -le 1048576 ] && tail -c +1047901 summary
head -c 1048570 /dev/zero | tr '\0' '\n' >summary
gate >/dev/null || :
wc -c <summary
