// SPDX-License-Identifier: Apache-2.0
//
// The kernel skeleton: everything of a kernel that does not depend on the test. It is written in the words of the
// backend's prelude. A kernel's text is the prelude, numbers generated from the test, this file, and functions generated
// from the test. The numbers:
//
//   SLOTS               work-groups of one instance; a slot is what one of them plays
//   WIDTH               items of a group that one instance takes in a slot (1: each item plays every thread of the slot)
//   WORDS               32-bit words of an outcome's values
//   OUTCOMES            bins of the dense histogram
//   HISTOGRAM_WORDS     its room, at least 2
//   TABLE_ENTRIES       of the hash table for outcomes outside the dense histogram
//   SPINS               1 if a thread of the test can spin, else 0
//   IN_CLUSTERS         defined if a team is a cluster whose groups reach each other's local memory
//   CELL_WORDS LOCAL_CELLS   words that the global and the local locations of one instance take, before the stride
//   WARMS               defined where the test reads cells by an alias or through a proxy: what is initialised, played and
//                       counted has a launch each then, and their ends order it
//   LAUNCHES            defined where the host puts edges between launches of the test: how many; then also
//   LAUNCH_OF(slot)     the launch that plays a slot
//   AFTER_OF(launch)    the launches that end before this one begins, bit k for launch k
//   CONTENDS_OF(launch) those that may run at the same time and meet this one in a location that one of them writes
//   DELAYS              defined where threads may rest before their instructions
//   DRAW_* COUNTER_*    positions in the draw and counters buffers
//   AGENTS AGENT        defined where several agents play the test: how many, and which one this kernel is for; then also
//   AGENT_*             positions among the words that the draw has for each agent
//   SLOTS_OF(agent) MEMBERS_BEFORE(agent) AGENT_OF(member)   slots that an agent plays; members of a team before its own;
//                       and whose a member is
//   MEETING_LINE        words between those by which agents say that a group of them has left
//
// How instances are played. Testing groups form teams of SLOTS, other teams each round. A team works on SLOTS subsets of
// instances one after the other, and member m plays slot (m + s) mod SLOTS of subset s, so that every group is busy with
// every thread of the test and all threads of an instance run at the same moment. Subset s belongs to member s, its
// owner: the owner initialises the instances' locations before the round, and counts their outcomes after it.
//
// Why an outcome may be counted. A team meets before a round, when every owner has initialised its instances, and again
// after it, when every member has played: release by one item after a group barrier, acquire before another. So an
// owner counts when all threads of its instances are known to have finished, and nobody touches them until it has met
// its next team. If a meeting is missed, the group leaves: it plays no more in this launch and counts what is left of
// its instances as void. Each stored result carries the stamp of its round; one of another round makes its instance void.
//
// Several launches. What is initialised, played and counted has a launch each, and nobody meets; what is played has as many as
// the test has. Each group comes to all of them, with the same team, and plays the slots of that launch. So all instances of a
// batch go through the edges together. A group adds itself to its launch's groups that have begun, and when it has played, to
// those that have ended: by relaxed operations, because a launch's end is what orders its writes, and is what is tested. What is
// warmed has a launch of its own before those that play: lines that have become stale when the last launch reads are what the
// ends of launches must remove.
//
// Several agents. Each launches a kernel of its own, and they share memory: the draw is the same for all, the counters are
// each one's own. Testing groups are numbered over all agents, those of one after the other. A team has as many members of
// an agent as that has slots, and these play them in turn, so each subset has all its slots. Between agents nothing is known
// but loads and stores of system scope: each member has a word of its own for each meeting, writes the round's stamp there,
// release, and reads those of the others, acquire.

// Outcome bins that classify may return beside 0 .. OUTCOMES - 1.
#define BIN_GAVE_UP 0xfffffff0u
#define BIN_STALE 0xfffffff1u
#define BIN_OUTSIDE 0xfffffff2u

// Bits of DRAW_STEPS.
#define STEP_INITIALISE 1u
#define STEP_PLAY 2u
#define STEP_MEET 4u
#define STEP_COUNT 8u
#define STEP_PROBE 16u
#define STEP_WARM 32u

// Words of local memory before the histogram. What changes from round to round and must outlive a barrier is kept here by
// the first item: compilers that run items one after the other (PoCL) then have no variable to carry over a barrier.
#define LOCAL_PRESENT 0 // the group has met its team in every round so far
#define LOCAL_PLAYED 1  // rounds that it has played to their end
#define LOCAL_SPINS 2   // iterations that a thread's loops may take in this round
#define LOCAL_GAVE_UP 3 // a thread of this round took them all
#ifdef DELAYS
#define LOCAL_DELAYED 4        // a thread of this round rested
#define LOCAL_DELAYED_ROUNDS 5 // rounds in which one did
#define LOCAL_HISTOGRAM 8
#else
#define LOCAL_HISTOGRAM 4
#endif

// What a group knows of those of its own launch; the slots that they play; and its number among them, of that among all agents'.
#ifdef AGENTS
#define OF_AGENT(draw, agent, word) draw[draw[DRAW_AGENTS] + AGENT_WORDS * (agent) + word]
#define LAUNCHED(draw) OF_AGENT(draw, AGENT, AGENT_GROUPS)
#define TESTING(draw) OF_AGENT(draw, AGENT, AGENT_TESTING_GROUPS)
#define SHUFFLED(draw) OF_AGENT(draw, AGENT, AGENT_SHUFFLE)
#define JITTER(draw) OF_AGENT(draw, AGENT, AGENT_JITTER_STEPS)
#define OWN_SLOTS SLOTS_OF(AGENT)
#define OWN_GROUP(draw, group) (group - OF_AGENT(draw, AGENT, AGENT_FIRST))
#else
#define LAUNCHED(draw) draw[DRAW_GROUPS]
#define TESTING(draw) draw[DRAW_TESTING_GROUPS]
#define SHUFFLED(draw) draw[DRAW_SHUFFLE]
#define JITTER(draw) draw[DRAW_JITTER_STEPS]
#define OWN_SLOTS SLOTS
#define OWN_GROUP(draw, group) group
#endif

#ifdef LAUNCHES
#define PLAYED(draw, slot) (LAUNCH_OF(slot) == draw[DRAW_LAUNCH] ? slot : SLOTS) // which none is
#define FINISHED(draw) (COUNTER_ENDED_0 + draw[DRAW_LAUNCH])
#define WARMING STEP_WARM
#else
#define PLAYED(draw, slot) slot
#define FINISHED(draw) COUNTER_FINISHED
#define WARMING STEP_PLAY
#endif

// Generated from the test. A slot's number is that among the agent's own.
// Writes the initial values of an instance's global locations.
FUNCTION void initialise(GLOBAL const u32 *draw, GLOBAL u32 *memory, u32 owner, u32 instance, u32 instances);
// Lets this item play its threads of one slot, for the instances of one owner. spins: LOCAL_SPINS and LOCAL_GAVE_UP.
FUNCTION void play(GLOBAL const u32 *draw, GLOBAL u32 *memory, LOCAL u32 *spins, LOCAL u32 *cells, u32 slot, u32 owner,
                   u32 lane, u32 instances, u32 stamp);
#ifdef WARMS
// Reads what this item's threads of one slot will read by an alias or through a proxy, by the same way, so that caches of these
// ways have it as it was before the round. How many cells that is of an instance.
FUNCTION u32 warm(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, u32 slot, u32 owner, u32 lane,
                  u32 instances);
#endif
// The bin of an instance's outcome, or BIN_*; for BIN_OUTSIDE also the values.
FUNCTION u32 classify(GLOBAL const u32 *draw, GLOBAL u32 *memory, u32 owner, u32 instance, u32 instances, u32 stamp,
                      u32 *words);

// ---- words of the generated functions ----

// Where a location of an instance lies. Each location has an index map of its own, so that those of one instance are
// neighbours in one draw and far apart in another.
FUNCTION GLOBAL u32 *cell(GLOBAL const u32 *draw, GLOBAL u32 *memory, u32 location, u32 offset, u32 owner, u32 instance,
                          u32 instances)
{
    GLOBAL const u32 *map = draw + draw[DRAW_CELL_MAPS] + 3 * location;
    const u32 testing = draw[DRAW_TESTING_GROUPS];
    const u32 shifted = owner + map[2];
    const u32 region = shifted >= testing ? shifted - testing : shifted;
    const u32 position = (instance * map[0] + map[1]) % instances;
#ifdef AGENTS
    GLOBAL const u32 *distance = draw + draw[DRAW_DISTANCES] + 2 * draw[draw[DRAW_HOMES] + location];
    memory += (LONG)(distance[0] | (u64)distance[1] << 32);
#endif
    return memory + draw[DRAW_CELLS] + (u64)((region * instances + position) * CELL_WORDS + offset) * draw[DRAW_STRIDE];
}

// The first result word of an instance; the others follow at distances of all instances of the launch.
FUNCTION GLOBAL u32 *result_of(GLOBAL const u32 *draw, GLOBAL u32 *memory, u32 owner, u32 instance, u32 instances)
{
    return memory + draw[DRAW_RESULTS] + owner * instances + instance;
}

// The lane's number under the index map of a body: a permutation within blocks of lanes, then a shift of all blocks.
FUNCTION u32 permuted(GLOBAL const u32 *draw, u32 body, u32 lane)
{
    GLOBAL const u32 *map = draw + draw[DRAW_LANE_MAPS] + 4 * body;
    const u32 width = map[2];
    const u32 within = lane % width;
    return (lane - within + (within * map[0] + map[1]) % width + map[3]) % GROUP_SIZE;
}

// An array's index, kept inside it whatever the test computes.
FUNCTION u32 element(LONG index, u32 elements)
{
    return index >= 0 && index < (LONG)elements ? (u32)index : 0;
}

// Division that never traps: 0 for a divisor of 0. For signed numbers, and for unsigned ones.
FUNCTION LONG divide(LONG a, LONG b)
{
    return b == 0 ? 0 : b == -1 ? (LONG)(0 - (u64)a) : a / b;
}

FUNCTION LONG remainder_of(LONG a, LONG b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

FUNCTION u64 divide_unsigned(u64 a, u64 b)
{
    return b == 0 ? 0 : a / b;
}

FUNCTION u64 remainder_unsigned(u64 a, u64 b)
{
    return b == 0 ? 0 : a % b;
}

#ifdef DELAYS
// Lets a thread rest before an instruction of the test, if the draw chose this one. delays: DRAW_DELAY_SITES; spins: as in play.
FUNCTION void delay(GLOBAL const u32 *draw, u32 delays, LOCAL u32 *spins, u32 site)
{
    if (delays >> site & 1u) {
        rest(draw[DRAW_DELAY_NANOSECONDS]);
        spins[LOCAL_DELAYED - LOCAL_SPINS] = 1;
    }
}

// The first item's, when all items have played a round.
FUNCTION void note_delays(LOCAL u32 *local_memory)
{
    local_memory[LOCAL_DELAYED_ROUNDS] += local_memory[LOCAL_DELAYED];
    local_memory[LOCAL_DELAYED] = 0;
}
#endif

// ---- the rounds ----

// One round's place of a group: who is in its team.
#ifdef AGENTS
struct place {
    u32 team, member;
    u32 maps; // position in the draw of the agents' team maps of this round
};

// The logical group that is member `member` of the team in this round.
FUNCTION u32 group_of(GLOBAL const u32 *draw, const struct place *place, u32 member, u32 all)
{
    const u32 agent = AGENT_OF(member);
    const u32 testing = all / SLOTS * SLOTS_OF(agent);
    GLOBAL const u32 *map = draw + place->maps + 3 * agent;
    const u32 position = place->team * SLOTS_OF(agent) + member - MEMBERS_BEFORE(agent);
    return OF_AGENT(draw, agent, AGENT_FIRST) + (position + testing - map[1]) % testing * map[2] % testing;
}
#define GROUP_OF(draw, place, member, testing) group_of(draw, place, member, testing)

FUNCTION struct place find_place(GLOBAL const u32 *draw, u32 group, u32 round, u32 testing)
{
    const u32 own = testing / SLOTS * OWN_SLOTS;
    const u32 first = OF_AGENT(draw, AGENT, AGENT_FIRST);
    struct place place;
    place.maps = draw[DRAW_TEAM_MAPS] + 3 * AGENTS * (round % draw[DRAW_TEAM_MAP_COUNT]);
    GLOBAL const u32 *map = draw + place.maps + 3 * AGENT;
    const u32 position = ((group - first) * map[0] + map[1]) % own; // 32 bits hold it: `own` is below 2^16
    place.team = position / OWN_SLOTS;
    place.member = MEMBERS_BEFORE(AGENT) + position % OWN_SLOTS;
    return place;
}
#else
struct place {
    u32 team, member;
    u32 multiplier_inverse, offset;
};

// The logical group that is member `member` of the team in this round.
FUNCTION u32 group_of(const struct place *place, u32 member, u32 testing)
{
    const u32 position = place->team * SLOTS + member;
    return (position + testing - place->offset) % testing * place->multiplier_inverse % testing;
}

FUNCTION struct place find_place(GLOBAL const u32 *draw, u32 group, u32 round, u32 testing)
{
    GLOBAL const u32 *map = draw + draw[DRAW_TEAM_MAPS] + 3 * (round % draw[DRAW_TEAM_MAP_COUNT]);
    const u32 position = (group * map[0] + map[1]) % testing; // 32 bits hold it: TESTING_GROUPS is below 2^16
    struct place place;
    place.team = position / SLOTS;
    place.member = position % SLOTS;
    place.multiplier_inverse = map[2];
    place.offset = map[1];
    return place;
}
#define GROUP_OF(draw, place, member, testing) group_of(place, member, testing)
#endif

// `length` accesses of scratch memory: bit k of pattern is 1 for a store.
FUNCTION u32 stress_once(GLOBAL const u32 *draw, GLOBAL u32 *line, u32 pattern, u32 length, u32 value)
{
    u32 sum = 0;
    for (u32 k = 0; k < length; k++)
        if (pattern >> k & 1u)
            stress_store(line, value + sum);
        else if (draw[DRAW_STRESS_CACHED])
            sum += stress_load_cached(line);
        else
            sum += stress_load(line);
    return sum;
}

// The position of a group's line in scratch memory.
FUNCTION u32 line_of(GLOBAL const u32 *draw, u32 group)
{
    const u32 lines = draw[DRAW_STRESS_LINE_COUNT];
    const u32 line = draw[DRAW_STRESS_CHUNKED] ? (u32)((u64)group * lines / LAUNCHED(draw)) : group % lines;
    return draw[draw[DRAW_STRESS_LINES] + line];
}

// The word that this item hits: its group's line, spread over the line's words by lane.
FUNCTION GLOBAL u32 *stress_line(GLOBAL const u32 *draw, GLOBAL u32 *scratch, u32 group)
{
    return scratch + line_of(draw, group) + LANE % draw[DRAW_STRESS_LINE_WORDS];
}

#ifdef BULK_COPIES
// What the first item of a group that does not test does in place of stress: it moves its group's line through local memory to
// the next group's line, as long as any group tests.
FUNCTION void copy_lines(GLOBAL const u32 *draw, GLOBAL u32 *scratch, GLOBAL u32 *counters, LOCAL u32 *local_memory,
                         u32 group)
{
    const u32 next = group + 1 < LAUNCHED(draw) ? group + 1 : 0;
    GLOBAL u32 *from = scratch + (line_of(draw, group) & ~3u), *to = scratch + (line_of(draw, next) & ~3u);
    LOCAL u32 *mbarrier = local_memory + draw[DRAW_COPY_PLACE], *buffer = mbarrier + 4;
    const u32 bytes = draw[DRAW_COPY_BYTES], limit = draw[DRAW_STRESS_LIMIT] / 64; // a copy takes far longer than a load
    u32 copies = 0;
    copy_begin(mbarrier);
    while (copies < limit && peek(counters + FINISHED(draw)) < TESTING(draw)) {
        copy_in(mbarrier, buffer, from, bytes, copies & 1u);
        copy_out(to, buffer, bytes);
        copies++;
    }
    copy_end();
    add(counters + COUNTER_COPIES, copies);
    add(counters + COUNTER_STRESS_ROUNDS, copies);
}
#endif

// What a group that does not test does: it hits memory as long as any group tests.
FUNCTION void stress(GLOBAL const u32 *draw, GLOBAL u32 *scratch, GLOBAL u32 *counters, u32 group)
{
    GLOBAL u32 *line = stress_line(draw, scratch, group);
    const u32 testing = TESTING(draw);
    u32 rounds = 0;
    u32 sum = 0;
    while (rounds < draw[DRAW_STRESS_LIMIT] && peek(counters + FINISHED(draw)) < testing)
        for (u32 k = 0; k < 16; k++, rounds++)
            sum += stress_once(draw, line, draw[DRAW_STRESS_PATTERN], draw[DRAW_STRESS_LENGTH], rounds);
    if (sum == 0xdeadbeefu) // almost never, and the compiler cannot know
        stress_store(line, 0);
    if (LANE == 0)
        add(counters + COUNTER_STRESS_ROUNDS, rounds < 1u << 19 ? rounds : 1u << 19); // so that no sum overflows
}

FUNCTION void pre_stress(GLOBAL const u32 *draw, GLOBAL u32 *scratch, u32 group, u32 rounds)
{
    GLOBAL u32 *line = stress_line(draw, scratch, group);
    u32 sum = 0;
    for (u32 k = 0; k < rounds; k++)
        sum += stress_once(draw, line, draw[DRAW_PRE_STRESS_PATTERN], draw[DRAW_PRE_STRESS_LENGTH], k);
    if (sum == 0xdeadbeefu)
        stress_store(line, 0);
}

// Lets the items of a wavefront idle for a while that nothing else shares, so that the threads of an instance start apart.
FUNCTION void idle(GLOBAL const u32 *draw, GLOBAL u32 *scratch, GLOBAL u32 *counters, u32 group, u32 stamp, u32 subset)
{
    GLOBAL const u32 *map = draw + draw[DRAW_TEAM_MAPS]; // random numbers of this draw
    u32 hash = (group * 64u + LANE / 32u) * 2654435761u ^ stamp * 2246822519u ^ subset * 3266489917u;
    hash ^= (map[0] * 65536u + map[1]) * 668265263u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    const u32 steps = (hash ^ hash >> 13) % (JITTER(draw) + 1u);
    for (u32 k = 0; k < steps; k++)
        hash = hash * 1664525u + 1013904223u;
    if (hash == 0xdeadbeefu) // almost never, and the compiler cannot know
        stress_store(scratch, 0);
    if (LANE == 0) // whatever its steps: where few draw, all may draw none
        add(counters + COUNTER_JITTER_PAUSES, 1);
}

#ifdef AGENTS
// Whether a group of any agent has left this launch.
FUNCTION u32 somebody_left(GLOBAL const u32 *draw, GLOBAL u32 *memory)
{
    u32 left = 0;
    for (u32 agent = 0; agent < AGENTS; agent++)
        left |= signalled(memory + MEETING_LINE * agent) == draw[DRAW_FIRST_STAMP];
    return left;
}

// The first item waits here for its team, whose words start at meeting_point. If the bound on polls comes first, or some group
// of any agent has left, the group leaves.
FUNCTION void wait_for_members(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *counters,
                               LOCAL u32 *local_memory, GLOBAL u32 *meeting_point, u32 member, u32 stamp)
{
    u32 met = 0;
    signal(meeting_point + member, stamp);
    for (u32 polls = OF_AGENT(draw, AGENT, AGENT_MEET_POLLS); met < SLOTS && polls != 0; polls--) {
        met += met == member || signalled(meeting_point + met) == stamp;
        if ((polls & 1023u) == 1 && somebody_left(draw, memory))
            polls = 1;
    }
    if (met < SLOTS) {
        signal(memory + MEETING_LINE * AGENT, draw[DRAW_FIRST_STAMP]);
        add(counters + COUNTER_LEFT, 1);
        local_memory[LOCAL_PRESENT] = 0;
    }
}

// All items of the group come here.
FUNCTION void meet(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *counters, LOCAL u32 *local_memory,
                   GLOBAL u32 *meeting_point, u32 member, u32 stamp)
{
    group_barrier();
    const u32 waits = (LANE == 0) & local_memory[LOCAL_PRESENT] & (draw[DRAW_STEPS] / STEP_MEET);
    if (waits)
        wait_for_members(draw, memory, counters, local_memory, meeting_point, member, stamp);
    group_barrier();
}
#else
// An acquire would empty the caches that are warmed, and a launch that only plays needs none.
#ifdef WARMS
#define ARRIVE(meeting_point) add(meeting_point, 1)
#define ARRIVED(meeting_point) peek(meeting_point)
#else
#define ARRIVE(meeting_point) arrive(meeting_point)
#define ARRIVED(meeting_point) arrived(meeting_point)
#endif

// The first item waits here for its group until `members` groups have arrived at meeting_point. If the bound on
// polls comes first, or some group of the launch has left, the group leaves. What was seen decides, not how the loop ended:
// llvmpipe of Mesa 22.3 leaves every loop of a launch when an item has made 65,535 iterations.
FUNCTION void wait_for_members(GLOBAL const u32 *draw, GLOBAL u32 *counters, LOCAL u32 *local_memory,
                               GLOBAL u32 *meeting_point, u32 members)
{
    u32 met = 0;
    ARRIVE(meeting_point);
    for (u32 polls = draw[DRAW_MEET_POLLS]; met == 0 && polls != 0; polls--) {
        met = ARRIVED(meeting_point) >= members;
        if ((polls & 1023u) == 0 && peek(counters + COUNTER_LEFT) != 0)
            polls = 1;
    }
    if (met == 0) {
        add(counters + COUNTER_LEFT, 1);
        local_memory[LOCAL_PRESENT] = 0;
    } else if (members > SLOTS)
        add(counters + COUNTER_MET_ALL, 1);
}

// All items of the group come here.
FUNCTION void meet(GLOBAL const u32 *draw, GLOBAL u32 *counters, LOCAL u32 *local_memory, GLOBAL u32 *meeting_point,
                   u32 members)
{
#ifdef IN_CLUSTERS
    // Its members reach each other's local memory, so no group may leave alone; and a cluster runs as a whole or not at all.
    cluster_barrier();
#else
    group_barrier();
    if (SLOTS > 1) {
        // All items read what the first one may then write; only for that one does it matter.
        const u32 waits = (LANE == 0) & local_memory[LOCAL_PRESENT] & (draw[DRAW_STEPS] / STEP_MEET);
        if (waits)
            wait_for_members(draw, counters, local_memory, meeting_point, members);
        group_barrier();
    }
#endif
}
#endif

// Adds one to the table's entry for these words. Entries that hold the same words may exist twice (two items claimed at
// the same moment): the reader of the table adds them up. False if no entry was free.
FUNCTION u32 table_add(GLOBAL u32 *table, const u32 *words)
{
    u32 hash = 2166136261u;
    for (u32 k = 0; k < WORDS; k++)
        hash = (hash ^ words[k]) * 16777619u ^ (hash >> 15);
    for (u32 probe = 0; probe < 256 && probe < TABLE_ENTRIES; probe++) {
        GLOBAL u32 *entry = table + (hash + probe) % TABLE_ENTRIES * (WORDS + 2);
        const u32 state = claim(entry, 0, 1);
        u32 equal = state == 2;
        if (state == 0) {
            for (u32 k = 0; k < WORDS; k++)
                entry[2 + k] = words[k];
            publish(entry, 2);
            equal = 1;
        } else if (state == 2) {
            for (u32 k = 0; k < WORDS; k++)
                equal &= entry[2 + k] == words[k];
        }
        if (equal) {
            add(entry + 1, 1);
            return 1;
        }
    }
    return 0;
}

// Counts the outcome of one instance, or why it is void.
FUNCTION void count(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *counters, LOCAL u32 *histogram, u32 group,
                    u32 instance, u32 instances, u32 stamp)
{
    u32 words[WORDS];
    const u32 bin = classify(draw, memory, group, instance, instances, stamp, words);
    if (bin < OUTCOMES)
        add_local(histogram + bin, 1);
    else if (bin == BIN_GAVE_UP)
        add(counters + COUNTER_GAVE_UP, 1);
    else if (bin == BIN_STALE)
        add(counters + COUNTER_STALE, 1);
    else if (!table_add(counters + COUNTER_TABLE, words))
        add(counters + COUNTER_UNRECORDED, 1);
}

// How many groups run at once: groups join while the poll is open, and stay until it closes. The first group that waited
// for its bound, or saw as many as are sought, closes it, so all that joined were there together (Sorensen et al.,
// OOPSLA 2016, with a bound in place of their second lock).
FUNCTION void probe(GLOBAL const u32 *draw, GLOBAL u32 *counters)
{
    if (LANE == 0) {
        if (peek(counters + COUNTER_PROBE_CLOSED) == 0) {
            add(counters + COUNTER_PROBE_JOINED, 1);
            u32 polls = draw[DRAW_MEET_POLLS];
            while (polls != 0 && peek(counters + COUNTER_PROBE_CLOSED) == 0 &&
                   peek(counters + COUNTER_PROBE_JOINED) < TESTING(draw))
                polls--;
        }
        publish(counters + COUNTER_PROBE_CLOSED, 1);
    }
}

// One round of this item's threads: the subsets one after the other, all members of the team at the same one.
FUNCTION void play_round(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, GLOBAL u32 *counters,
                         LOCAL u32 *local_memory, const struct place *place, u32 group, u32 instances, u32 stamp)
{
    LOCAL u32 *cells = local_memory + LOCAL_HISTOGRAM + HISTOGRAM_WORDS;
    const u32 testing = draw[DRAW_TESTING_GROUPS];
    for (u32 subset = 0; subset < SLOTS; subset++) {
        const u32 slot = unranged((place->member + subset) % OWN_SLOTS);
        if (JITTER(draw))
            idle(draw, scratch, counters, group, stamp, subset);
        play(draw, memory, local_memory + LOCAL_SPINS, cells, PLAYED(draw, slot), GROUP_OF(draw, place, subset, testing), LANE,
             instances, stamp);
    }
}

#ifdef WARMS
// Brings what this item's threads will read in this round into the caches by which they will read it.
FUNCTION void warm_round(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, GLOBAL u32 *counters,
                         const struct place *place, u32 instances)
{
    const u32 testing = draw[DRAW_TESTING_GROUPS];
    u32 cells = 0;
    for (u32 subset = 0; subset < SLOTS; subset++) {
        const u32 slot = unranged((place->member + subset) % SLOTS);
        cells += warm(draw, memory, scratch, slot, GROUP_OF(draw, place, subset, testing), LANE, instances);
    }
    if (LANE == 0)
        add(counters + COUNTER_WARMED, cells);
}
#endif

// Lets each round in which a thread gave up take a quarter from the bound of later rounds. So threads that wait for
// each other forever hold a launch up for four bounds at most, and one thread's bad luck voids little.
FUNCTION void shorten_spins(LOCAL u32 *local_memory)
{
    if (local_memory[LOCAL_GAVE_UP]) {
        local_memory[LOCAL_SPINS] -= (local_memory[LOCAL_SPINS] + 3) / 4;
        local_memory[LOCAL_GAVE_UP] = 0;
    }
}

#ifdef LAUNCHES
// The first item's, before its group plays: whether launches that come before this one, or contend with it, are at work.
FUNCTION void begin_launch(GLOBAL const u32 *draw, GLOBAL u32 *counters)
{
    const u32 launch = draw[DRAW_LAUNCH];
    u32 early = 0, overlapped = 0;
    for (u32 other = 0; other < LAUNCHES; other++) {
        const u32 begun = peek(counters + COUNTER_BEGUN_0 + other) != 0;
        const u32 lasts = peek(counters + COUNTER_ENDED_0 + other) < TESTING(draw);
        early |= AFTER_OF(launch) >> other & lasts;
        overlapped |= CONTENDS_OF(launch) >> other & lasts & begun;
    }
    add(counters + COUNTER_BEGUN_0 + launch, 1);
    if (early)
        add(counters + COUNTER_EARLY, 1);
    if (overlapped)
        add(counters + COUNTER_OVERLAPPED, 1);
}
#endif

// What the group adds to the counters at its end.
FUNCTION void finish(GLOBAL const u32 *draw, GLOBAL u32 *counters, u32 played, u32 instances)
{
    if (draw[DRAW_STEPS] & STEP_COUNT)
        add(counters + COUNTER_UNMET, (draw[DRAW_ROUNDS] - played) * instances);
    if (draw[DRAW_STEPS] & STEP_PLAY) {
        add(counters + COUNTER_ROUNDS, played);
        if (draw[DRAW_PRE_STRESS_ROUNDS] != 0)
            add(counters + COUNTER_PRE_STRESS_ROUNDS, played);
        if (cluster_groups() > 1 && cluster_groups() == draw[DRAW_CLUSTER_GROUPS])
            add(counters + COUNTER_CLUSTERED, 1);
    }
#ifdef LAUNCHES
    add(counters + FINISHED(draw), 1);
#else
    arrive(counters + COUNTER_FINISHED);
#endif
}

// PoCL wants no condition about the barriers that a test of one work-group may have. Where every launch plays, none is needed.
#ifdef WARMS
#define PLAYS_UNASKED 0
#else
#define PLAYS_UNASKED (SLOTS == 1)
#endif

// All rounds of a group; none of one that does not test. PoCL cuts the code at barriers, and wants simple paths to them:
// every group comes through here, each condition is one number, and none has a barrier in it unless a test of several
// work-groups brings one.
FUNCTION void test(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, GLOBAL u32 *counters,
                   LOCAL u32 *local_memory, u32 group, u32 rounds)
{
    const u32 testing = draw[DRAW_TESTING_GROUPS];
    const u32 steps = draw[DRAW_STEPS];
    const u32 instances = GROUP_SIZE / WIDTH;
    LOCAL u32 *histogram = local_memory + LOCAL_HISTOGRAM;

    // Over its room, not its bins: PoCL 3.1 gives up on what becomes of a loop to 1.
    for (u32 bin = LANE; bin < HISTOGRAM_WORDS; bin += GROUP_SIZE)
        histogram[bin] = 0;
    if (LANE == 0) {
        local_memory[LOCAL_PRESENT] = 1;
        local_memory[LOCAL_PLAYED] = 0;
        local_memory[LOCAL_SPINS] = draw[DRAW_SPIN_BOUND];
        local_memory[LOCAL_GAVE_UP] = 0;
#ifdef DELAYS
        local_memory[LOCAL_DELAYED] = 0;
        local_memory[LOCAL_DELAYED_ROUNDS] = 0;
#endif
    }
#ifdef LAUNCHES
    const u32 begins = (LANE == 0) & (rounds != 0) & (steps / STEP_PLAY);
    if (begins)
        begin_launch(draw, counters);
#endif
    group_barrier();
    for (u32 round = 0; round < rounds; round++) {
        const u32 stamp = draw[DRAW_FIRST_STAMP] + round;
        const struct place place = find_place(draw, group, round, testing);
#ifdef AGENTS
        GLOBAL u32 *team_points = memory + draw[DRAW_MEETING_POINTS] + 2 * (round * testing + place.team * SLOTS);
#else
        GLOBAL u32 *round_points = counters + draw[DRAW_MEETING_POINTS] + 2 * round * (testing / SLOTS);
        GLOBAL u32 *team_points = round_points + 2 * place.team;
        const u32 all = draw[DRAW_MEET_ALL];
#endif
        const u32 initialises = local_memory[LOCAL_PRESENT] & (LANE < instances) & (steps / STEP_INITIALISE);
        if (initialises)
            initialise(draw, memory, group, LANE, instances);
        const u32 stress_rounds = draw[DRAW_PRE_STRESS_ROUNDS] * (steps / STEP_PLAY & 1u);
        if (stress_rounds)
            pre_stress(draw, scratch, OWN_GROUP(draw, group), stress_rounds);
#ifdef WARMS
        const u32 warms = draw[DRAW_WARM] & (steps / WARMING);
        if (warms)
            warm_round(draw, memory, scratch, counters, &place, instances);
#endif
#ifdef AGENTS
        meet(draw, memory, counters, local_memory, team_points, place.member, stamp);
#else
        meet(draw, counters, local_memory, all ? round_points : team_points, all ? testing : SLOTS);
#endif
        const u32 plays = local_memory[LOCAL_PRESENT] & (steps / STEP_PLAY);
        if (PLAYS_UNASKED || plays)
            play_round(draw, memory, scratch, counters, local_memory, &place, group, instances, stamp);
#ifdef AGENTS
        meet(draw, memory, counters, local_memory, team_points + SLOTS, place.member, stamp);
#else
        meet(draw, counters, local_memory, team_points + 1, SLOTS);
#endif
        const u32 counts = local_memory[LOCAL_PRESENT] & (LANE < instances) & (steps / STEP_COUNT);
        if (counts)
            count(draw, memory, counters, histogram, group, LANE, instances, stamp);
        if (LANE == 0)
            local_memory[LOCAL_PLAYED] += local_memory[LOCAL_PRESENT];
        if (SPINS & (LANE == 0))
            shorten_spins(local_memory);
#ifdef DELAYS
        if (LANE == 0)
            note_delays(local_memory);
#endif
    }
    group_barrier();
    for (u32 bin = LANE; bin < HISTOGRAM_WORDS; bin += GROUP_SIZE)
        if (histogram[bin] != 0)
            add(counters + COUNTER_HISTOGRAM + bin, histogram[bin]);
    const u32 finishes = (LANE == 0) & (rounds != 0);
#ifdef DELAYS
    if (finishes)
        add(counters + COUNTER_DELAYED, local_memory[LOCAL_DELAYED_ROUNDS]);
#endif
    if (finishes)
        finish(draw, counters, local_memory[LOCAL_PLAYED], instances);
}

ENTRY(draw, memory, scratch, counters, local_memory)
{
    const u32 group = draw[SHUFFLED(draw) + GROUP];
    const u32 probes = draw[DRAW_STEPS] & STEP_PROBE;
    const u32 tests = (probes == 0) & (group < TESTING(draw));
    if (probes)
        probe(draw, counters);
#ifdef BULK_COPIES
    else if (!tests && draw[DRAW_COPY_BYTES] != 0) {
        if (LANE == 0)
            copy_lines(draw, scratch, counters, local_memory, group);
    }
#endif
    else if (!tests)
        stress(draw, scratch, counters, group);
#ifdef AGENTS
    test(draw, memory, scratch, counters, local_memory, OF_AGENT(draw, AGENT, AGENT_FIRST) + group,
         tests ? draw[DRAW_ROUNDS] : 0);
#else
    test(draw, memory, scratch, counters, local_memory, group, tests ? draw[DRAW_ROUNDS] : 0);
#endif
}
