// SPDX-License-Identifier: Apache-2.0
//
// Measures how far the clocks of work-groups lie apart (clock.c), in the words of the preludes. Group 0 exchanges readings with
// each other group in turn: a group reads its clock, asks, gets a reading of group 0, and reads its clock again. If the clocks
// agree, the answer is between both readings. How far it is outside is proven, however long the messages took.

// Words of draw
#define POLLS 0u
#define EXCHANGES 1u
#define OTHERS 2u // groups without group 0
// Words of counters
#define ASKED 0u    // exchanges that were begun
#define ANSWERED 1u // exchanges to which group 0 replied
#define STEP 2u     // the smallest change of the clock that group 0 saw; 0 if it missed an exchange
#define ENDED 3u    // group 0's last reading
#define SPREADS 4u  // of each group: what was proven, or 2^32 - 1 if it missed an exchange; then a reading for each exchange

FUNCTION bool reached(MEMORY_PARAMETERS, u32 word, u32 number)
{
    bool met = false; // what was seen decides, not how the loop ended (wait_for_groups in skeleton.cl)
    for (u32 polls = draw[POLLS]; !met && polls != 0u; polls--)
        met = arrived(counters, word) >= number;
    return met;
}

FUNCTION void answer(MEMORY_PARAMETERS)
{
    const u32 readings = SPREADS + 1u + draw[OTHERS];
    bool all = true;
    for (u32 k = 1u; all && k <= draw[EXCHANGES]; k++) {
        all = reached(MEMORY_ARGUMENTS, ASKED, k);
        AT(counters, readings, k - 1u) = shared_clock();
        publish(counters, ANSWERED, k);
    }
    u32 step = 0xffffffffu, last = shared_clock();
    for (u32 reads = 0u; reads < 2048u; reads++) {
        const u32 now = shared_clock();
        if (now != last && now - last < step)
            step = now - last;
        last = now;
    }
    counters[STEP] = all ? step : 0u;
    counters[ENDED] = last;
}

FUNCTION void ask(MEMORY_PARAMETERS)
{
    const u32 readings = SPREADS + 1u + draw[OTHERS];
    u32 spread = 0u;
    AT(counters, SPREADS, GROUP) = 0xffffffffu;
    for (u32 k = GROUP; k <= draw[EXCHANGES]; k += draw[OTHERS]) {
        if (!reached(MEMORY_ARGUMENTS, ANSWERED, k - 1u))
            return;
        const u32 before = shared_clock();
        AT(counters, readings, k - 1u) = before; // so that no message is on its way before the clock was read
        publish(counters, ASKED, k);
        if (!reached(MEMORY_ARGUMENTS, ANSWERED, k))
            return;
        const u32 after = shared_clock();
        const u32 there = AT(counters, readings, k - 1u);
        const u32 early = before - there, late = there - after; // as signed numbers, negative if the answer is within
        if (early < 0x80000000u && early > spread)
            spread = early;
        if (late < 0x80000000u && late > spread)
            spread = late;
    }
    AT(counters, SPREADS, GROUP) = spread;
}

ENTRY(draw, memory, scratch, counters, local_memory)
{
    if (GROUP == 0u && LANE == 0u)
        answer(MEMORY_ARGUMENTS);
    else if (LANE == 0u)
        ask(MEMORY_ARGUMENTS);
}
