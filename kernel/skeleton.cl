// SPDX-License-Identifier: Apache-2.0
//
// The kernel skeleton: everything in a kernel that does not depend on the test. A kernel's text is the backend's prelude,
// the numbers generated from the test, this file, and the functions generated from the test.
//
// How instances are played. Work-groups that test form teams of SLOTS members, other teams each round. A team has as many
// subsets of instances as members, and plays one subset after the other: member m plays slot (m + s) mod SLOTS of subset s.
// So every group plays every slot of the test, and all threads of an instance run at the same time. Member s is the owner of
// subset s: it initialises the instances' locations before the round and counts their outcomes after it.
//
// Why an outcome may be counted. A team meets before a round, when each owner has initialised its instances, and again after
// the round, when each member has played. At a meeting an item releases after a group barrier, and acquires before another.
// So when an owner counts, all threads of its instances are known to have finished, and no other group touches these
// instances until the owner has met its next team. A group that misses a meeting leaves: it plays no more in this launch and
// counts the rest of its instances as void. Each stored result carries the stamp of its round; a result with another stamp
// makes its instance void.
//
// Several launches. If the host orders some threads of the test by the ends of launches, the test is initialised, played and
// counted by separate launches, and played by as many as it has. The groups do not meet. Every group takes part in every
// launch, with the same team, and plays the slots of that launch, so the ends of launches order all instances of a batch at
// once. A group adds 1 to a counter when it begins to play and to another when it has played. Both additions are relaxed,
// because the test asks what the end of a launch orders. A launch before those that play warms caches, because the test asks
// whether the ends of launches remove lines that have become stale.
//
// Several agents. Each agent launches a kernel, which agents on equal devices share. The agents share `memory` and have equal
// draws, but for the agent's own number and its addresses of homes; each has its own counters. Testing groups are numbered over
// all agents, the first agent's first. A team has as many members of an agent as the agent has slots. These members play the
// agent's slots in turn, so that all slots of a subset are played. Agents share only loads and stores of system scope: for each
// meeting a member has a word of its own, into which it stores the stamp of the round (release), and it loads the words of the
// others (acquire).
//
// The words of this file.
//
// 1. Words of the prelude, which mean the same in all kernels. The head of backends/opencl/prelude.cl defines them.
//
//   types and conversions   u32 u64 LONG INDEX bool STRUCT OUT; TO_U32 TO_U64 TO_LONG TO_INDEX
//   functions               FUNCTION ENTRY ENTRY_OF_ONE_DRAW MEMORY_PARAMETERS MEMORY_ARGUMENTS
//   arithmetic              high_product
//   loops                   ROLLED
//   memory                  AT stress_load stress_load_cached stress_store
//   atomic operations       arrive arrived peek add add_local claim publish; with several agents signal signalled
//   the launch              GROUP LANE GROUP_SIZE group_barrier agreed cluster_groups unranged; if IN_CLUSTERS cluster_barrier;
//                           if DELAYS rest; if SHARED_CLOCK shared_clock; if TRIGGERS launch_dependents
//   if BULK_COPIES          copy_begin copy_in copy_out copy_end
//
//   Memory is an array and an index. The arrays are draw, memory, scratch, counters and local_memory: a function of this file
//   receives all of them as MEMORY_PARAMETERS. There are no pointers, no casts and no numbers as conditions here, because
//   a prelude may be of a language that has none of these.
//
// 2. Numbers generated from the test, which mean the same in all kernels.
//
//   SLOTS                   work-groups of an instance; a slot is the part of an instance that one of them plays
//   WIDTH                   items of a group that play one instance in a slot; if 1, each item plays all threads of the slot
//   WORDS                   32-bit words of an outcome's values
//   OUTCOMES                bins of the dense histogram
//   HISTOGRAM_WORDS         words of the dense histogram, at least 2
//   LOCAL_HISTOGRAM         its position in local memory
//   TABLE_ENTRIES           entries of the hash table for outcomes outside the dense histogram
//   SPINS                   1 if a thread of the test can spin, else 0
//   REPEATS                 instances that an item plays one after the other in a round
//   KERNEL_ENTRY            ENTRY_OF_ONE_DRAW if all groups that run at one time have the same draw, else ENTRY
//   CELL_WORDS LOCAL_CELLS  words of an instance's global and local locations, before the stride
//   DRAW_* COUNTER_*        positions in draw and in counters (layout.h)
//   STEP_*                  bits of draw[DRAW_STEPS]: what this launch does (layout.h)
//   IN_CLUSTERS             defined if a team is a cluster whose groups access each other's local memory
//   SEPARATE                defined if only the end of a launch orders initialising, playing and counting: these are launches
//                           of their own
//   WARMS                   defined if the test reads cells by an alias or through a proxy: separate launches then
//                           initialise, play and count
//   DELAYS                  defined if threads may rest before their instructions
//
// 3. Words that differ. Those with a star are defined below, the others are generated. If a test has several launches and
// several agents, it has the words of both columns, and no meetings.
//
//                            one launch                several launches              several agents
//   AGENTS, AGENT            1, 0                      1, 0                          number of agents; the launch's agent
//   SEVERAL_AGENTS           not defined               not defined                   defined
//   SLOTS_OF(agent)          SLOTS                     SLOTS                         slots that the agent plays
//   MEMBERS_BEFORE(agent)    0                         0                             members of a team before the agent's
//   AGENT_OF(member)         0                         0                             the member's agent
//   AGENT_*, AGENT_WORDS     not defined               not defined                   positions among an agent's words in draw
//   MEETING_LINE             not defined               not defined                   distance of the words in which agents
//                                                                                    report that a group has left
// * GROUPS                   groups of the launch      groups of each launch         groups of the agent's launch
// * TESTING_GROUPS(agent)    groups that test          groups that test              the agent's groups that test
// * TESTING_RECIPROCAL(agent)  its reciprocal          its reciprocal                its reciprocal
// * FIRST_GROUP(agent)       0                         0                             the agent's first testing group
// * SHUFFLE, JITTER_STEPS    words of the draw         words of the draw             words of the agent
// * HOME(location)           0                         0                             distance of its home from `memory`
//   LAUNCHES                 not defined               number of launches            not defined
//   LAUNCH_OF(slot)          not defined               the launch that plays it      not defined
//   AFTER_OF(launch)         not defined               launches that end before it   not defined
//                                                      begins: bit k for launch k
//   TRIGGERS                 not defined               defined if a launch may begin not defined
//                                                      before another has ended that
//                                                      it comes after
//   CONTENDS_OF(launch)      not defined               launches that may run at the  not defined
//                                                      same time and share a location
//                                                      that one of both writes
// * MEETING_WORDS            1                         not used                      SLOTS
// * MEET_ALL                 not 0 if all testing      not used                      0
//                            groups meet before a round
// * PLAYED_SLOT(slot)        the slot                  the slot, or SLOTS if this    the slot
//                                                      launch does not play it
// * FINISHED                 groups that are done      groups that have played       groups that are done
//                            (COUNTER_FINISHED)        this launch (COUNTER_ENDED_)  (COUNTER_FINISHED)
// * STEP_WARMS               STEP_PLAY                 STEP_WARM                     STEP_PLAY (no such test has WARMS)
// * ARRIVE, ARRIVED          a release and an acquire, not used                      not used: signal and signalled
//                            relaxed if WARMS
//   STEP_MEET                set if all groups of      never set                     set
//                            the test run at once

// Outcome bins that classify may return, besides 0 .. OUTCOMES - 1.
#define BIN_GAVE_UP 0xfffffff0u
#define BIN_STALE 0xfffffff1u
#define BIN_OUTSIDE 0xfffffff2u

// Words of local memory before the histogram. The first item keeps here what changes from round to round and must outlive a
// barrier, so that compilers that run items one after the other (PoCL) need not carry variables over a barrier.
#define LOCAL_PRESENT 0u // 1: the group has met its team in every round so far; else 0
#define LOCAL_PLAYED 1u  // rounds that the group has completed
#define LOCAL_SPINS 2u   // iterations that a thread's loops may take in this round
#define LOCAL_GAVE_UP 3u // 1: a thread used up these iterations in this round
#ifdef DELAYS
#define LOCAL_DELAYED 4u        // 1: a thread rested in this round
#define LOCAL_DELAYED_ROUNDS 5u // rounds in which a thread rested
#endif
#define LOCAL_FIRST_CELL (LOCAL_HISTOGRAM + HISTOGRAM_WORDS)

#ifdef SEVERAL_AGENTS
#define AGENT_WORD(agent, word) draw[draw[DRAW_AGENTS] + AGENT_WORDS * (agent) + word]
#define GROUPS AGENT_WORD(AGENT, AGENT_GROUPS)
#define TESTING_GROUPS(agent) AGENT_WORD(agent, AGENT_TESTING_GROUPS)
#define TESTING_RECIPROCAL(agent) AGENT_WORD(agent, AGENT_TESTING_RECIPROCAL)
#define FIRST_GROUP(agent) AGENT_WORD(agent, AGENT_FIRST)
#define SHUFFLE AGENT_WORD(AGENT, AGENT_SHUFFLE)
#define JITTER_STEPS AGENT_WORD(AGENT, AGENT_JITTER_STEPS)
#define HOME(location) home(MEMORY_ARGUMENTS, location)
#define MEETING_WORDS SLOTS
#define MEET_ALL 0u
#else
#define GROUPS draw[DRAW_GROUPS]
#define TESTING_GROUPS(agent) draw[DRAW_TESTING_GROUPS]
#define TESTING_RECIPROCAL(agent) draw[DRAW_TESTING_RECIPROCAL]
#define FIRST_GROUP(agent) 0u
#define SHUFFLE draw[DRAW_SHUFFLE]
#define JITTER_STEPS draw[DRAW_JITTER_STEPS]
#define HOME(location) TO_INDEX(0u)
#define MEETING_WORDS 1u
#define MEET_ALL draw[DRAW_MEET_ALL]
#endif

#ifdef LAUNCHES
#define PLAYED_SLOT(slot) (LAUNCH_OF(slot) == draw[DRAW_LAUNCH] ? slot : SLOTS)
#define FINISHED (COUNTER_ENDED_0 + draw[DRAW_LAUNCH])
#define STEP_WARMS STEP_WARM
#else
#define PLAYED_SLOT(slot) slot
#define FINISHED COUNTER_FINISHED
#define STEP_WARMS STEP_PLAY
#endif

// ---- functions generated from the test ----

// Writes the initial values of an instance's global locations.
FUNCTION void initialise(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances);

// Plays this item's threads of one slot, for the instances of one owner. Slots are numbered in the order of their agents; team
// is the group's, whose partners start together (START_AT_TICK).
FUNCTION void play(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances, u32 stamp, u32 team);

#ifdef WARMS
// Reads the cells that this item's threads of one slot will read by an alias or through a proxy, in the same way, so that the
// caches on that way hold what the cells contained before the round. Returns how many cells of an instance it reads.
FUNCTION u32 warm(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances);
#endif

// Returns the bin of an instance's outcome, or BIN_*. If BIN_OUTSIDE, it also sets the words of the outcome's values.
FUNCTION u32 classify(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances, u32 stamp, OUT u32 words[WORDS]);

// ---- functions that the generated functions call ----

// n modulo a divisor whose reciprocal is known: 2^32 - 1 divided by it. For a division by a number that the compiler does not
// know, a GPU has some twenty instructions, which would stand between the accesses of a test.
FUNCTION u32 reduce(u32 n, u32 divisor, u32 reciprocal)
{
    const u32 left = n - high_product(n, reciprocal) * divisor; // the quotient is right, or too small by 1
    return left >= divisor ? left - divisor : left;
}

#ifdef SEVERAL_AGENTS
// How far the home of a location is from the start of `memory`, in words.
FUNCTION INDEX home(MEMORY_PARAMETERS, u32 location)
{
    const u32 distance = draw[DRAW_DISTANCES] + 1u + 2u * draw[draw[DRAW_HOMES] + location];
    return TO_INDEX(TO_U64(AT(draw, distance, 0u)) | TO_U64(AT(draw, distance, 1u)) << 32);
}
#endif

// The position in `memory` of a location of an instance. Each location has an index map of its own, so that the locations of
// one instance are neighbours in one draw and far apart in another.
FUNCTION INDEX cell(MEMORY_PARAMETERS, u32 location, u32 offset, u32 owner, u32 instance, u32 instances)
{
    const u32 maps = draw[DRAW_CELL_MAPS];
    const u32 map = 3u * location;
    const u32 regions = draw[DRAW_REGIONS];
    const u32 shifted = owner + AT(draw, maps, map + 2u);
    const u32 region = shifted >= regions ? shifted - regions : shifted;
    const u32 product = instance * AT(draw, maps, map) + AT(draw, maps, map + 1u);
    const u32 position = reduce(product, instances, draw[DRAW_INSTANCES_RECIPROCAL]);
    const u32 word = (region * instances + position) * CELL_WORDS + offset;
    return HOME(location) + TO_INDEX(draw[DRAW_CELLS]) + TO_INDEX(word) * TO_INDEX(draw[DRAW_STRIDE]);
}

// The position in local memory of a local location of an instance.
FUNCTION u32 local_cell(MEMORY_PARAMETERS, u32 offset, u32 instance)
{
    return LOCAL_FIRST_CELL + (instance * LOCAL_CELLS + offset) * draw[DRAW_LOCAL_STRIDE];
}

// The position in `memory` of the first result word of an instance. Between its result words lie those of all other instances
// of the launch.
FUNCTION u32 result_of(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances)
{
    return draw[DRAW_RESULTS] + owner * instances + instance;
}

// The instance that a lane plays under the index map of a body: a permutation within blocks of lanes, then a shift of all
// blocks.
FUNCTION u32 permuted(MEMORY_PARAMETERS, u32 body, u32 lane)
{
    const u32 maps = draw[DRAW_LANE_MAPS];
    const u32 map = LANE_MAP_WORDS * body;
    const u32 width = AT(draw, maps, map + 2u);
    const u32 reciprocal = AT(draw, maps, map + 3u);
    const u32 within = reduce(lane, width, reciprocal);
    const u32 product = within * AT(draw, maps, map) + AT(draw, maps, map + 1u);
    const u32 shifted = lane - within + reduce(product, width, reciprocal) + AT(draw, maps, map + 4u);
    return shifted >= GROUP_SIZE ? shifted - GROUP_SIZE : shifted;
}

// An array's index, or 0 if the test computes one outside the array.
FUNCTION u32 element(LONG index, u32 elements)
{
    return index >= TO_LONG(0) && index < TO_LONG(elements) ? TO_U32(index) : 0u;
}

// Division that never traps: by 0 it gives 0. For signed and for unsigned numbers.
FUNCTION LONG divide(LONG a, LONG b)
{
    return b == TO_LONG(0) ? TO_LONG(0) : b == TO_LONG(-1) ? TO_LONG(TO_U64(0) - TO_U64(a)) : a / b;
}

FUNCTION LONG remainder_of(LONG a, LONG b)
{
    return b == TO_LONG(0) || b == TO_LONG(-1) ? TO_LONG(0) : a % b;
}

FUNCTION u64 divide_unsigned(u64 a, u64 b)
{
    return b == TO_U64(0) ? TO_U64(0) : a / b;
}

FUNCTION u64 remainder_unsigned(u64 a, u64 b)
{
    return b == TO_U64(0) ? TO_U64(0) : a % b;
}

#ifdef SHARED_CLOCK
// Waits for the next tick of the team, at which all its groups start. Partners see at different times that they have met, up to
// a microsecond apart, which is longer than an instance takes. Each team's ticks are shifted by a time of its own, so that
// the accesses of all teams do not collide. The group starts `lag` nanoseconds after the tick. If the clock stood still, the
// polls would end the wait.
FUNCTION void wait_for_tick(MEMORY_PARAMETERS, u32 team, u32 lag)
{
    const u32 tick = draw[DRAW_TICK_NANOSECONDS];
    const u32 start = shared_clock();
    const u32 wait = tick - reduce(start + team * 2654435761u, tick, draw[DRAW_TICK_RECIPROCAL]) + lag;
    for (u32 polls = tick + lag; polls != 0u && shared_clock() - start < wait; polls--)
        ;
}
#define START_AT_TICK(team, lag)                                                                                       \
    if (draw[DRAW_TICK_NANOSECONDS] != 0u)                                                                             \
        wait_for_tick(MEMORY_ARGUMENTS, team, lag)
#else
#define START_AT_TICK(team, lag)
#endif

#ifdef DELAYS
// Lets a thread rest before an instruction of the test, if the draw chose its site. delays: draw[DRAW_DELAY_SITES].
FUNCTION void delay(MEMORY_PARAMETERS, u32 delays, u32 site)
{
    if ((delays >> site & 1u) != 0u) {
        rest(draw[DRAW_DELAY_NANOSECONDS]);
        local_memory[LOCAL_DELAYED] = 1u;
    }
}

// The first item calls it when all items have played a round.
FUNCTION void note_delays(MEMORY_PARAMETERS)
{
    local_memory[LOCAL_DELAYED_ROUNDS] += local_memory[LOCAL_DELAYED];
    local_memory[LOCAL_DELAYED] = 0u;
}
#endif

// ---- teams ----

// The place of a group in one round.
struct team_place {
    u32 team, member;
    u32 maps;            // position in draw of the agents' team maps of this round
    u32 offset, inverse; // two numbers of this agent's map
};

FUNCTION STRUCT(team_place) find_place(MEMORY_PARAMETERS, u32 group, u32 round)
{
    STRUCT(team_place) place;
    place.maps = draw[DRAW_TEAM_MAPS] + 3u * AGENTS * (round % draw[DRAW_TEAM_MAP_COUNT]);
    const u32 map = place.maps + 3u * AGENT;
    place.offset = AT(draw, map, 1u);
    place.inverse = AT(draw, map, 2u);
    // 32 bits hold the product, because there are fewer than 2^16 testing groups.
    const u32 product = (group - FIRST_GROUP(AGENT)) * AT(draw, map, 0u) + place.offset;
    const u32 position = reduce(product, TESTING_GROUPS(AGENT), TESTING_RECIPROCAL(AGENT));
    place.team = position / SLOTS_OF(AGENT);
    place.member = MEMBERS_BEFORE(AGENT) + position % SLOTS_OF(AGENT);
    return place;
}

// The group that is this member of the place's team.
FUNCTION u32 group_of(MEMORY_PARAMETERS, STRUCT(team_place) place, u32 member)
{
    const u32 agent = AGENT_OF(member);
    const u32 map = place.maps + 3u * agent;
    const u32 testing = TESTING_GROUPS(agent);
    const u32 offset = agent == AGENT ? place.offset : AT(draw, map, 1u);
    const u32 inverse = agent == AGENT ? place.inverse : AT(draw, map, 2u);
    const u32 position = place.team * SLOTS_OF(agent) + member - MEMBERS_BEFORE(agent);
    const u32 distance = position >= offset ? position - offset : position + testing - offset;
    return FIRST_GROUP(agent) + reduce(distance * inverse, testing, TESTING_RECIPROCAL(agent));
}

// ---- stress ----

// Makes `length` accesses to a word of scratch memory: if bit k of pattern is 1, access k is a store.
FUNCTION u32 stress_once(MEMORY_PARAMETERS, u32 word, u32 pattern, u32 length, u32 value)
{
    u32 sum = 0u;
    for (u32 k = 0u; k < length; k++)
        if ((pattern >> k & 1u) != 0u)
            stress_store(scratch, word, value + sum);
        else if (draw[DRAW_STRESS_CACHED] != 0u)
            sum += stress_load_cached(scratch, word);
        else
            sum += stress_load(scratch, word);
    return sum;
}

// The position in scratch memory of a group's line.
FUNCTION u32 line_of(MEMORY_PARAMETERS, u32 group)
{
    const u32 lines = draw[DRAW_STRESS_LINE_COUNT];
    const u32 line = draw[DRAW_STRESS_CHUNKED] != 0u ? TO_U32(TO_U64(group) * lines / GROUPS) : group % lines;
    return draw[draw[DRAW_STRESS_LINES] + line];
}

// The word that this item accesses. The items of a group are spread over the words of its line.
FUNCTION u32 stress_word(MEMORY_PARAMETERS, u32 group)
{
    return line_of(MEMORY_ARGUMENTS, group) + LANE % draw[DRAW_STRESS_LINE_WORDS];
}

#ifdef BULK_COPIES
// What the first item of a group that does not test does in place of stress, as long as any group tests: it copies the group's
// line to local memory, and from there to the next group's line.
FUNCTION void copy_lines(MEMORY_PARAMETERS, u32 group)
{
    const u32 next = group + 1u < GROUPS ? group + 1u : 0u;
    const u32 from = line_of(MEMORY_ARGUMENTS, group) & ~3u;
    const u32 to = line_of(MEMORY_ARGUMENTS, next) & ~3u;
    const u32 mbarrier = draw[DRAW_COPY_PLACE];
    const u32 copied = mbarrier + 4u;
    const u32 bytes = draw[DRAW_COPY_BYTES];
    const u32 limit = draw[DRAW_STRESS_LIMIT] / 64u; // a copy takes far longer than a load
    u32 copies = 0u;
    copy_begin(local_memory, mbarrier);
    while (copies < limit && peek(counters, FINISHED) < TESTING_GROUPS(AGENT)) {
        copy_in(local_memory, mbarrier, copied, scratch, from, bytes, copies & 1u);
        copy_out(scratch, to, local_memory, copied, bytes);
        copies++;
    }
    copy_end();
    add(counters, COUNTER_COPIES, copies);
    add(counters, COUNTER_STRESS_ROUNDS, copies);
}
#endif

// What a group that does not test does: it accesses scratch memory as long as any group tests.
FUNCTION void stress(MEMORY_PARAMETERS, u32 group)
{
    const u32 word = stress_word(MEMORY_ARGUMENTS, group);
    const u32 testing = TESTING_GROUPS(AGENT);
    u32 rounds = 0u;
    u32 sum = 0u;
    while (rounds < draw[DRAW_STRESS_LIMIT] && peek(counters, FINISHED) < testing)
        for (u32 k = 0u; k < 16u; k++, rounds++)
            sum += stress_once(MEMORY_ARGUMENTS, word, draw[DRAW_STRESS_PATTERN], draw[DRAW_STRESS_LENGTH], rounds);
    if (sum == 0xdeadbeefu) // almost never true, but the compiler cannot know this
        stress_store(scratch, word, 0u);
    if (LANE == 0u)
        add(counters, COUNTER_STRESS_ROUNDS, rounds < 1u << 19 ? rounds : 1u << 19); // so that the sum cannot overflow
}

FUNCTION void pre_stress(MEMORY_PARAMETERS, u32 group, u32 rounds)
{
    const u32 word = stress_word(MEMORY_ARGUMENTS, group);
    u32 sum = 0u;
    for (u32 k = 0u; k < rounds; k++)
        sum += stress_once(MEMORY_ARGUMENTS, word, draw[DRAW_PRE_STRESS_PATTERN], draw[DRAW_PRE_STRESS_LENGTH], k);
    if (sum == 0xdeadbeefu) // almost never
        stress_store(scratch, word, 0u);
}

// Lets the items of a wavefront idle for a time of their own, so that the threads of an instance start apart.
FUNCTION void idle(MEMORY_PARAMETERS, u32 group, u32 stamp, u32 subset)
{
    const u32 map = draw[DRAW_TEAM_MAPS]; // its words are used as random numbers of this draw
    u32 hash = (group * 64u + LANE / 32u) * 2654435761u ^ stamp * 2246822519u ^ subset * 3266489917u;
    hash ^= (AT(draw, map, 0u) * 65536u + AT(draw, map, 1u)) * 668265263u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    const u32 steps = (hash ^ hash >> 13) % (JITTER_STEPS + 1u);
    for (u32 k = 0u; k < steps; k++)
        hash = hash * 1664525u + 1013904223u;
    if (hash == 0xdeadbeefu) // almost never
        stress_store(scratch, 0u, 0u);
    if (LANE == 0u) // for any number of steps: with few groups, all may happen to draw 0
        add(counters, COUNTER_JITTER_PAUSES, 1u);
}

// ---- meetings ----

#ifdef SEVERAL_AGENTS
// Whether a group of any agent has left this launch.
FUNCTION bool somebody_left(MEMORY_PARAMETERS)
{
    bool left = false;
    for (u32 agent = 0u; agent < AGENTS; agent++)
        if (signalled(memory, MEETING_LINE * agent) == draw[DRAW_FIRST_STAMP])
            left = true;
    return left;
}

// The first item waits here until all members of its team have signalled that they are at this meeting, whose words begin at
// `word`. It leaves if the number of polls is used up, or if a group of any agent has left.
FUNCTION void wait_for_groups(MEMORY_PARAMETERS, u32 word, u32 groups, u32 member, u32 stamp)
{
    u32 met = 0u;
    signal(memory, word + member, stamp);
    for (u32 polls = AGENT_WORD(AGENT, AGENT_MEET_POLLS); met < groups && polls != 0u; polls--) {
        if (met == member || signalled(memory, word + met) == stamp)
            met++;
        if ((polls & 1023u) == 1u && somebody_left(MEMORY_ARGUMENTS))
            polls = 1u;
    }
    if (met < groups) {
        signal(memory, MEETING_LINE * AGENT, draw[DRAW_FIRST_STAMP]);
        add(counters, COUNTER_LEFT, 1u);
        local_memory[LOCAL_PRESENT] = 0u;
    }
}
#else
// An acquire would empty the caches that were warmed. A launch that only plays needs none.
#ifdef WARMS
#define ARRIVE(word) add(counters, word, 1u)
#define ARRIVED(word) peek(counters, word)
#else
#define ARRIVE(word) arrive(counters, word)
#define ARRIVED(word) arrived(counters, word)
#endif

// The first item waits here until this many groups have arrived at the meeting word. It leaves if the number of polls is used
// up, or if a group of the launch has left. What it saw decides, not how its loop ended: llvmpipe of Mesa 22.3 leaves every loop
// of a launch when an item has made 65,535 iterations.
FUNCTION void wait_for_groups(MEMORY_PARAMETERS, u32 word, u32 groups, u32 member, u32 stamp)
{
    bool met = false;
    ARRIVE(word);
    for (u32 polls = draw[DRAW_MEET_POLLS]; !met && polls != 0u; polls--) {
        met = ARRIVED(word) >= groups;
        if ((polls & 1023u) == 0u && peek(counters, COUNTER_LEFT) != 0u)
            polls = 1u;
    }
    if (!met) {
        add(counters, COUNTER_LEFT, 1u);
        local_memory[LOCAL_PRESENT] = 0u;
    } else if (groups > SLOTS)
        add(counters, COUNTER_MET_ALL, 1u);
}
#endif

// All items of the group come here, before a round and after it. word: position of the meeting's first word; groups: how many
// meet there; member, stamp: this group's number in its team, and the round's stamp.
FUNCTION void meet(MEMORY_PARAMETERS, u32 word, u32 groups, u32 member, u32 stamp)
{
#ifdef IN_CLUSTERS
    // The members access each other's local memory, so no group may leave alone. A cluster runs as a whole or not at all.
    cluster_barrier();
#else
    group_barrier();
    if (SLOTS > 1u) {
        // Every item reads what the first item may then write, but only the first item's result matters.
        const u32 waits = TO_U32(LANE == 0u) & local_memory[LOCAL_PRESENT] & draw[DRAW_STEPS] / STEP_MEET;
        if (waits != 0u)
            wait_for_groups(MEMORY_ARGUMENTS, word, groups, member, stamp);
        group_barrier();
    }
#endif
}

// ---- counting ----

// Adds 1 to the table's entry for these words. Returns false if no entry was free. Two entries may hold the same words, if two
// items claimed entries at the same time; the reader of the table adds them up.
FUNCTION bool table_add(MEMORY_PARAMETERS, u32 words[WORDS])
{
    u32 hash = 2166136261u;
    for (u32 k = 0u; k < WORDS; k++)
        hash = (hash ^ words[k]) * 16777619u ^ (hash >> 15);
    for (u32 probed = 0u; probed < 256u && probed < TABLE_ENTRIES; probed++) {
        const u32 entry = COUNTER_TABLE + (hash + probed) % TABLE_ENTRIES * (WORDS + 2u);
        const u32 state = claim(counters, entry, 0u, 1u);
        bool equal = state == 2u;
        if (state == 0u) {
            for (u32 k = 0u; k < WORDS; k++)
                AT(counters, entry, 2u + k) = words[k];
            publish(counters, entry, 2u);
            equal = true;
        } else if (state == 2u) {
            for (u32 k = 0u; k < WORDS; k++)
                if (AT(counters, entry, 2u + k) != words[k])
                    equal = false;
        }
        if (equal) {
            add(counters, entry + 1u, 1u);
            return true;
        }
    }
    return false;
}

// Counts the outcome of one instance, or why the instance is void.
FUNCTION void count(MEMORY_PARAMETERS, u32 group, u32 instance, u32 instances, u32 stamp)
{
    u32 words[WORDS];
    const u32 bin = classify(MEMORY_ARGUMENTS, group, instance, instances, stamp, words);
    if (bin < OUTCOMES)
        add_local(local_memory, LOCAL_HISTOGRAM + bin, 1u);
    else if (bin == BIN_GAVE_UP)
        add(counters, COUNTER_GAVE_UP, 1u);
    else if (bin == BIN_STALE)
        add(counters, COUNTER_STALE, 1u);
    else if (!table_add(MEMORY_ARGUMENTS, words))
        add(counters, COUNTER_UNRECORDED, 1u);
}

// ---- rounds ----

// Measures how many groups run at once. Groups join while the poll is open, and stay until it closes. A group that has used up
// its polls, or has seen as many groups as are sought, closes it. So all that joined ran at the same time (Sorensen et al.,
// OOPSLA 2016; a number of polls replaces their second lock).
FUNCTION void probe(MEMORY_PARAMETERS)
{
    if (LANE == 0u) {
        if (peek(counters, COUNTER_PROBE_CLOSED) == 0u) {
            add(counters, COUNTER_PROBE_JOINED, 1u);
            u32 polls = draw[DRAW_MEET_POLLS];
            while (polls != 0u && peek(counters, COUNTER_PROBE_CLOSED) == 0u &&
                   peek(counters, COUNTER_PROBE_JOINED) < TESTING_GROUPS(AGENT))
                polls--;
        }
        publish(counters, COUNTER_PROBE_CLOSED, 1u);
    }
}

// Plays one round of this item's threads: one subset after the other, all members of the team at the same one.
FUNCTION void play_round(MEMORY_PARAMETERS, STRUCT(team_place) place, u32 group, u32 instances, u32 stamp)
{
#ifdef SHARED_CLOCK
    const u32 before = SLOTS > 1u ? shared_clock() : 0u; // a test of one work-group has no ticks
#endif
    for (u32 subset = 0u; subset < SLOTS; subset++) {
        const u32 slot = unranged(MEMBERS_BEFORE(AGENT) + (place.member + subset) % SLOTS_OF(AGENT));
        const u32 owner = group_of(MEMORY_ARGUMENTS, place, subset);
        if (JITTER_STEPS != 0u)
            idle(MEMORY_ARGUMENTS, group, stamp, subset);
        ROLLED for (u32 k = 0u; k < REPEATS; k++)
            play(MEMORY_ARGUMENTS, PLAYED_SLOT(slot), owner + k * draw[DRAW_TESTING_GROUPS], LANE, instances, stamp,
                 place.team);
    }
#ifdef SHARED_CLOCK
    // Counted here and not at each tick, because a compiler could place the count between the accesses of the test.
    if (SLOTS > 1u && LANE == 0u && draw[DRAW_TICK_NANOSECONDS] != 0u && shared_clock() != before)
        add(counters, COUNTER_TICKED, 1u);
#endif
}

#ifdef WARMS
// Loads what this item's threads will read in this round into the caches through which they will read it.
FUNCTION void warm_round(MEMORY_PARAMETERS, STRUCT(team_place) place, u32 instances)
{
    u32 cells = 0u;
    for (u32 subset = 0u; subset < SLOTS; subset++) {
        const u32 slot = unranged(MEMBERS_BEFORE(AGENT) + (place.member + subset) % SLOTS_OF(AGENT));
        const u32 owner = group_of(MEMORY_ARGUMENTS, place, subset);
        cells += warm(MEMORY_ARGUMENTS, slot, owner, LANE, instances);
    }
    if (LANE == 0u)
        add(counters, COUNTER_WARMED, cells);
}
#endif

// Each round in which a thread gave up takes a quarter from the later rounds' bound on iterations. So threads that wait for
// each other for ever delay a launch by at most four bounds, and one unlucky thread makes few instances void.
FUNCTION void shorten_spins(MEMORY_PARAMETERS)
{
    if (local_memory[LOCAL_GAVE_UP] != 0u) {
        local_memory[LOCAL_SPINS] -= (local_memory[LOCAL_SPINS] + 3u) / 4u;
        local_memory[LOCAL_GAVE_UP] = 0u;
    }
}

#ifdef LAUNCHES
// The first item calls it before its group plays. Counts the group if a launch that must end before this one is still at work,
// and if a launch that contends with this one is at work.
FUNCTION void begin_launch(MEMORY_PARAMETERS)
{
    const u32 launch = draw[DRAW_LAUNCH];
    u32 early = 0u, overlapped = 0u;
    for (u32 other = 0u; other < LAUNCHES; other++) {
        const u32 begun = TO_U32(peek(counters, COUNTER_BEGUN_0 + other) != 0u);
        const u32 lasts = TO_U32(peek(counters, COUNTER_ENDED_0 + other) < TESTING_GROUPS(AGENT));
        early |= AFTER_OF(launch) >> other & lasts;
        overlapped |= CONTENDS_OF(launch) >> other & lasts & begun;
    }
    add(counters, COUNTER_BEGUN_0 + launch, 1u);
    if (early != 0u)
        add(counters, COUNTER_EARLY, 1u);
    if (overlapped != 0u)
        add(counters, COUNTER_OVERLAPPED, 1u);
}
#endif

// What a group adds to the counters at its end.
FUNCTION void finish(MEMORY_PARAMETERS, u32 instances)
{
    const u32 played = local_memory[LOCAL_PLAYED];
#ifdef DELAYS
    add(counters, COUNTER_DELAYED, local_memory[LOCAL_DELAYED_ROUNDS]);
#endif
    if ((draw[DRAW_STEPS] & STEP_COUNT) != 0u)
        add(counters, COUNTER_UNMET, (draw[DRAW_ROUNDS] - played) * instances * REPEATS);
    if ((draw[DRAW_STEPS] & STEP_PLAY) != 0u) {
        add(counters, COUNTER_ROUNDS, played);
        if (draw[DRAW_PRE_STRESS_ROUNDS] != 0u)
            add(counters, COUNTER_PRE_STRESS_ROUNDS, played);
        if (cluster_groups() > 1u && cluster_groups() == draw[DRAW_CLUSTER_GROUPS])
            add(counters, COUNTER_CLUSTERED, 1u);
    }
#ifdef LAUNCHES
    add(counters, FINISHED, 1u);
#else
    arrive(counters, FINISHED);
#endif
}

// A test of one work-group may have barriers in its threads, and PoCL needs the path to these to be free of conditions. If
// every launch plays, no condition is needed.
#ifdef SEPARATE
#define PLAYS_UNASKED false
#else
#define PLAYS_UNASKED (SLOTS == 1u)
#endif

// Plays all rounds of a group; a group that does not test has none. PoCL cuts the code at barriers and needs simple paths to
// them. So every group comes through here, each condition is one number, and no condition has a barrier inside it unless a
// test of several work-groups brings one.
FUNCTION void test(MEMORY_PARAMETERS, u32 group, u32 rounds)
{
    const u32 steps = draw[DRAW_STEPS];
    const u32 instances = GROUP_SIZE / WIDTH;

    // Over all words, not only the bins: PoCL 3.1 fails on what a loop to 1 becomes.
    for (u32 bin = LANE; bin < HISTOGRAM_WORDS; bin += GROUP_SIZE)
        local_memory[LOCAL_HISTOGRAM + bin] = 0u;
    if (LANE == 0u) {
        local_memory[LOCAL_PRESENT] = 1u;
        local_memory[LOCAL_PLAYED] = 0u;
        local_memory[LOCAL_SPINS] = draw[DRAW_SPIN_BOUND];
        local_memory[LOCAL_GAVE_UP] = 0u;
#ifdef DELAYS
        local_memory[LOCAL_DELAYED] = 0u;
        local_memory[LOCAL_DELAYED_ROUNDS] = 0u;
#endif
    }
#ifdef LAUNCHES
    const u32 begins = TO_U32(LANE == 0u) & TO_U32(rounds != 0u) & steps / STEP_PLAY;
    if (begins != 0u)
        begin_launch(MEMORY_ARGUMENTS);
#endif
    group_barrier();
    for (u32 round = 0u; round < rounds; round++) {
        const u32 stamp = draw[DRAW_FIRST_STAMP] + round;
        const STRUCT(team_place) place = find_place(MEMORY_ARGUMENTS, group, round);
        const u32 round_word = draw[DRAW_MEETING_POINTS] + 2u * MEETING_WORDS * round * (draw[DRAW_TESTING_GROUPS] / SLOTS);
        const u32 team_word = round_word + 2u * MEETING_WORDS * place.team;
        const bool all = MEET_ALL != 0u; // then they meet at the first team's word
        const u32 initialises = local_memory[LOCAL_PRESENT] & TO_U32(LANE < instances) & steps / STEP_INITIALISE;
        if (initialises != 0u)
            for (u32 k = 0u; k < REPEATS; k++)
                initialise(MEMORY_ARGUMENTS, group + k * draw[DRAW_TESTING_GROUPS], LANE, instances);
        const u32 stress_rounds = draw[DRAW_PRE_STRESS_ROUNDS] * (steps / STEP_PLAY & 1u);
        if (stress_rounds != 0u)
            pre_stress(MEMORY_ARGUMENTS, group - FIRST_GROUP(AGENT), stress_rounds);
#ifdef WARMS
        const u32 warms = draw[DRAW_WARM] & steps / STEP_WARMS;
        if (warms != 0u)
            warm_round(MEMORY_ARGUMENTS, place, instances);
#endif
        meet(MEMORY_ARGUMENTS, all ? round_word : team_word, all ? TESTING_GROUPS(AGENT) : SLOTS, place.member, stamp);
        const u32 plays = agreed(local_memory[LOCAL_PRESENT] & steps / STEP_PLAY);
        if (PLAYS_UNASKED || plays != 0u)
            play_round(MEMORY_ARGUMENTS, place, group, instances, stamp);
        meet(MEMORY_ARGUMENTS, team_word + MEETING_WORDS, SLOTS, place.member, stamp);
        const u32 counts = local_memory[LOCAL_PRESENT] & TO_U32(LANE < instances) & steps / STEP_COUNT;
        if (counts != 0u)
            for (u32 k = 0u; k < REPEATS; k++)
                count(MEMORY_ARGUMENTS, group + k * draw[DRAW_TESTING_GROUPS], LANE, instances, stamp);
        if (LANE == 0u)
            local_memory[LOCAL_PLAYED] += local_memory[LOCAL_PRESENT];
        if (SPINS != 0u && LANE == 0u)
            shorten_spins(MEMORY_ARGUMENTS);
#ifdef DELAYS
        if (LANE == 0u)
            note_delays(MEMORY_ARGUMENTS);
#endif
    }
    group_barrier();
    for (u32 bin = LANE; bin < HISTOGRAM_WORDS; bin += GROUP_SIZE)
        if (local_memory[LOCAL_HISTOGRAM + bin] != 0u)
            add(counters, COUNTER_HISTOGRAM + bin, local_memory[LOCAL_HISTOGRAM + bin]);
    const u32 finishes = TO_U32(LANE == 0u) & TO_U32(rounds != 0u);
    if (finishes != 0u)
        finish(MEMORY_ARGUMENTS, instances);
}

KERNEL_ENTRY(draw, memory, scratch, counters, local_memory)
{
    const u32 group = draw[SHUFFLE + GROUP];
    const u32 probes = draw[DRAW_STEPS] & STEP_PROBE;
    const u32 tests = TO_U32(probes == 0u) & TO_U32(group < TESTING_GROUPS(AGENT));
#ifdef TRIGGERS
    if (tests == 0u) // groups that test do so where the test says it
        launch_dependents();
#endif
    if (probes != 0u)
        probe(MEMORY_ARGUMENTS);
#ifdef BULK_COPIES
    else if (tests == 0u && draw[DRAW_COPY_BYTES] != 0u) {
        if (LANE == 0u)
            copy_lines(MEMORY_ARGUMENTS, group);
    }
#endif
    else if (tests == 0u)
        stress(MEMORY_ARGUMENTS, group);
    test(MEMORY_ARGUMENTS, FIRST_GROUP(AGENT) + group, tests != 0u ? draw[DRAW_ROUNDS] : 0u);
}
