# SPDX-License-Identifier: Apache-2.0
# The completions of a word, by the words before it. Of the suites and families, which change, one is listed.
answer() {
    echo "-- $*"
    "$ORCHIL" completion --answer -- "$@" | grep -v -e '^[^@]*	a family$' -e '^@[^q]' || :
}
answer frobnicate ''
answer ru
answer help ga
answer help gate ''
answer he
answer gate cal
answer gate baseline --ru
answer run --until ''
answer run --until=w
answer run --frobnicate ''
answer run --seed ''
answer run --device cuda:0,op
answer check --model ptx,rc
answer run --profile h
answer generate --dialect ''
answer generate -o ''
answer gate --stored ''
answer gate --baseline ''
answer show --kernel ''
answer show --lowering ''
answer merge --into all.db ''
answer devices ''
answer completion ''
answer run @quic
answer run ptx:MP+rel+ctr
answer list ptx:textb
"$ORCHIL" completion --answer -- run M | grep -e 'family' -e '^MP+relaxed+acq	' | sort -u
answer history ''
answer doctor ''
answer completion --answer
