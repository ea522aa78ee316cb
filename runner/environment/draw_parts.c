// SPDX-License-Identifier: Apache-2.0
/* What the parts of a draw compute with: streams of random numbers, words of the draw buffer, reciprocals; and the
 * draws of tests of several agents and of several launches. */
#include "runner/environment/draw_parts.h"

enum {
    MAXIMUM_MEETING_POINTS = 1 << 23, /* per launch: words */
    /* With a lock, the threads of an instance run one after the other: a batch of 1000 rounds took 18 s with 512
     * threads on an H200. So tests of many threads have fewer rounds. */
    MANY_THREADS = 32,
    MANY_THREADS_ROUNDS = 1 << 14, /* times threads */
    /* Of a progress test, because each may take as long as a thread is given before it is considered stuck, and
     * finished groups wait for the others. */
    PROGRESS_ROUNDS = 1
};

struct random drawing_stream(const struct unfinished_draw *drawing, enum purpose purpose)
{
    return random_start(drawing->seed, drawing->key, drawing->batch, purpose);
}

uint32_t drawing_minimum(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

uint32_t drawing_maximum(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t drawing_cluster_of(const struct kernel *kernel)
{
    return kernel->cluster_groups > 1 ? kernel->cluster_groups : 1;
}

uint32_t drawing_common_multiple(uint32_t a, uint32_t b)
{
    uint32_t multiple = a;
    while (multiple % b != 0)
        multiple += a;
    return multiple;
}

uint32_t drawing_limit_rounds(const struct unfinished_draw *drawing, uint32_t testing)
{
    const uint64_t of_round = (uint64_t)testing * drawing->instances * drawing->repeats;
    const uint64_t wanted = drawing->limits->batch_instances, remaining = drawing->limits->remaining_instances;
    const uint32_t points = testing / (drawing->kernel->agents > 1 ? 1 : drawing->kernel->slots);
    const uint32_t threads = drawing->kernel->width * drawing->kernel->slots;
    uint32_t rounds = drawing_minimum(drawing->values.rounds, MAXIMUM_MEETING_POINTS / 2 / points);
    rounds = drawing_minimum(rounds, INT32_MAX / of_round);
    if (threads > MANY_THREADS)
        rounds = drawing_minimum(rounds, drawing_maximum(MANY_THREADS_ROUNDS / threads, 1));
    if (drawing->kernel->progress)
        rounds = drawing_minimum(rounds, PROGRESS_ROUNDS);
    if (wanted > 0)
        rounds = drawing_minimum(rounds, wanted / of_round);
    return remaining > 0 ? drawing_minimum(rounds, (remaining + of_round - 1) / of_round) : rounds;
}

uint32_t drawing_reserve(struct unfinished_draw *drawing, size_t words)
{
    const size_t position = drawing->used;
    drawing->used += words;
    return (uint32_t)position;
}

/* Returns the greatest common divisor; if it is 1, *inverse is a's inverse modulo n (extended Euclid). */
static uint32_t divisor(uint32_t a, uint32_t n, uint32_t *inverse)
{
    int64_t r0 = n, r1 = a % n, t0 = 0, t1 = 1;
    while (r1 != 0) {
        const int64_t quotient = r0 / r1;
        const int64_t r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
        r0 = r1, r1 = r2;
        t0 = t1, t1 = t2;
    }
    *inverse = (uint32_t)(t0 < 0 ? t0 + n : t0);
    return (uint32_t)r0;
}

uint32_t drawing_coprime(struct random *random, uint32_t n, uint32_t *inverse)
{
    uint32_t multiplier;
    do
        multiplier = n == 1 ? 0 : random_below(random, n);
    while (divisor(multiplier, n, inverse) != 1 && n > 1);
    if (n == 1)
        *inverse = 0;
    return multiplier;
}

uint32_t drawing_reciprocal(uint32_t n)
{
    return UINT32_MAX / n;
}

/* The size of clusters: the test's own, else as drawn, cut to the device and until whole teams of `testing` groups fill
 * them. */
void drawing_size_clusters(struct unfinished_draw *drawing, uint32_t testing)
{
    const uint32_t slots = drawing->kernel->slots, own = drawing_cluster_of(drawing->kernel);
    const bool meets = drawing->kernel->cluster_barriers; /* a barrier of the test is for its own groups */
    const bool drawn = own == 1 && !meets && drawing->kernel->agents < 2 && !kernel_has_launches(drawing->kernel) &&
                       drawing->values.cluster_chance;
    uint32_t size =
        drawn ? drawing_minimum(drawing->values.cluster_groups, drawing_maximum(drawing->limits->max_cluster_groups, 1))
              : own;
    const bool together = drawn && drawing->values.cluster_partners_chance && slots > 1 && size >= slots;
    if (together)
        size = size / slots * slots;
    while (drawn && size > 1 && drawing_common_multiple(slots, size) > testing)
        size = together ? size - slots : size - 1;
    drawing->draw->cluster_groups = drawing_maximum(size, 1);
    drawing->draw->neighbours = together || own > 1 ? drawing->draw->cluster_groups : 1;
    drawing->values.cluster_chance = drawn && size > 1;
    if (drawing->values.cluster_chance)
        drawing->values.cluster_groups = size;
    drawing->values.cluster_partners_chance = together && size > 1;
}

/* The Fisher-Yates shuffle, of whole runs of neighbours. */
void drawing_shuffle(const struct unfinished_draw *drawing, struct random *random, uint32_t *table, uint32_t groups)
{
    for (uint32_t i = 0; i < groups; i++)
        table[i] = i;
    const uint32_t size = drawing->draw->neighbours;
    for (uint32_t i = groups / size; drawing->values.shuffle_chance && i > 1; i--) {
        const uint32_t k = random_below(random, i);
        for (uint32_t member = 0; member < size; member++) {
            const uint32_t swapped = table[(i - 1) * size + member];
            table[(i - 1) * size + member] = table[k * size + member];
            table[k * size + member] = swapped;
        }
    }
}

/* ---- several agents ---- */

/* Draws for tests that several agents play: their groups and teams, their shared memory, and the locations' homes. */

enum {
    /* Agents start at different times: a driver may have to prepare one launch while another runs. About a second on a
     * CPU; a few on a GPU, whose polls may cross a link. */
    AGENT_POLLS_CPU = 1 << 28,
    AGENT_POLLS = 1 << 22,
    /* Upper bound for a batch, for two large GPUs: memory across a link is slow, and a job of a second or two should
     * still have a batch for each placement of the locations. */
    AGENT_INSTANCES = 1 << 26,
    /* If GPUs reach locations in memory of the host, they play 4e7 to 3e8 instances a second (two H200, PCIe), not 5e9.
     * Then a batch of that many would take up to two seconds. */
    AGENT_HOST_INSTANCES = 1 << 23
};

static enum status refuse_home(const char *name, int said, const char *why, struct error *error)
{
    return said == ENVIRONMENT_HOME_HOST
               ? error_set(error, STATUS_UNSUPPORTED, "%s cannot lie on the host: %s", name, why)
               : error_set(error, STATUS_UNSUPPORTED, "%s cannot lie on member %d: %s", name, said, why);
}

/* Takes the home that the environment gives. */
static enum status take_home(const struct unfinished_draw *drawing, const char *name, unsigned homes, int said,
                             uint32_t *home, struct error *error)
{
    const unsigned host = drawing->kernel->agents;
    *home = said == ENVIRONMENT_HOME_HOST ? host : (uint32_t)said;
    if (*home > host || (said != ENVIRONMENT_HOME_HOST && *home == host))
        return error_set(error, STATUS_UNSUPPORTED, "%s cannot lie on member %d: the device has %u members", name, said,
                         host);
    return homes >> *home & 1 ? STATUS_OK
           : drawing->limits->homes >> *home & 1
               ? refuse_home(name, said,
                             "a link to it lacks native atomics, and devices access it with read-modify-writes", error)
               : refuse_home(name, said, "not all members of the device can access its memory", error);
}

/* Chooses the number of a location's home: the environment's, or one that all members reach and where the location's
 * read-modify-writes are atomic. */
static enum status choose_home(const struct unfinished_draw *drawing, unsigned location, struct random *random,
                               uint32_t *home, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    const bool atomic = kernel->atomic_locations && kernel->atomic_locations[location];
    const unsigned homes =
        drawing->limits->homes & ((2u << kernel->agents) - 1) & (atomic ? drawing->limits->atomic_homes : ~0u);
    const int said = environment_home_of(drawing->environment, kernel->location_names[location]);
    if (homes == 0)
        return error_set(error, STATUS_UNSUPPORTED, "no memory is accessible to all members of the device%s",
                         atomic ? " with native atomics" : "");
    uint32_t chance =
        random_below(random, (uint32_t)__builtin_popcount(homes)); /* drawn even if the environment decides */
    for (*home = 0; !(homes >> *home & 1) || chance > 0; ++*home)
        chance -= homes >> *home & 1;
    return said == ENVIRONMENT_HOME_DRAWN
               ? STATUS_OK
               : take_home(drawing, kernel->location_names[location], homes, said, home, error);
}

/* Chooses the homes of all shared locations, always the same for one batch; table: receives them, or NULL. */
static enum status choose_homes(struct unfinished_draw *drawing, uint32_t *table, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    struct random random = drawing_stream(drawing, PURPOSE_HOMES);
    uint32_t home = 0;
    for (unsigned location = 0; location < kernel->locations; location++) {
        if (!kernel->location_names[location])
            continue;
        TRY(choose_home(drawing, location, &random, &home, error));
        drawing->draw->homes |= 1u << home;
        if (table)
            table[location] = home;
    }
    return STATUS_OK;
}

/* Slots of an instance that an agent plays. */
static uint32_t slots_of(const struct kernel *kernel, unsigned agent)
{
    return SUM_OF(uint32_t, one, kernel->agent_of_slot, kernel->slots, *one == agent);
}

static uint32_t agent_resident(const struct unfinished_draw *drawing, unsigned agent)
{
    return drawing_minimum(drawing->limits->member_groups[agent], DRAWING_MAXIMUM_GROUPS);
}

/* The number of teams for which every agent has members. Teams of several launches need not run at once. */
static enum status count_teams(const struct unfinished_draw *drawing, uint32_t *teams, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    const uint64_t wanted = drawing->limits->batch_instances / drawing->instances / kernel->slots;
    *teams = DRAWING_MAXIMUM_GROUPS / kernel->slots;
    for (unsigned agent = 0; agent < kernel->agents; agent++) {
        const uint32_t slots = slots_of(kernel, agent), resident = agent_resident(drawing, agent);
        if (resident < slots && !kernel_has_launches(kernel))
            return error_set(error, STATUS_UNSUPPORTED,
                             "the test needs %u work-groups at once on member %u, which holds only %u: several "
                             "devices must run all of a test at the same time",
                             slots, agent, resident);
        *teams = drawing_minimum(*teams, (uint64_t)resident * drawing->values.testing_percent / 100 / slots);
    }
    if (drawing->limits->batch_instances > 0)
        *teams = drawing_minimum(*teams, wanted);
    *teams = drawing_maximum(*teams, 1);
    return STATUS_OK;
}

size_t agents_table_words(const struct kernel *kernel)
{
    return AGENT_WORDS * (size_t)kernel->agents + kernel->locations + BACKEND_HOME_WORDS(kernel->agents);
}

/* Every team meets, and each agent has its own groups. */
enum status agents_size(struct unfinished_draw *drawing, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    uint32_t teams;
    TRY(choose_homes(drawing, NULL, error));
    TRY(count_teams(drawing, &teams, error));
    drawing->values.no_meeting_chance = drawing->values.meet_all_chance = drawing->values.stress_copy_chance = 0;
    draw->testing_groups = teams * kernel->slots;
    drawing_size_clusters(drawing, draw->testing_groups);
    draw->detached = kernel_has_launches(kernel);
    const bool gpus_reach_host =
        draw->homes >> kernel->agents & 1 && drawing->limits->cpus != (1U << kernel->agents) - 1;
    const uint64_t of_round = (uint64_t)draw->testing_groups * drawing->instances;
    const uint64_t most = draw->detached ? 1 : (gpus_reach_host ? AGENT_HOST_INSTANCES : AGENT_INSTANCES) / of_round;
    draw->rounds = drawing_maximum(drawing_minimum(drawing_limit_rounds(drawing, draw->testing_groups), most), 1);
    draw->instances = (uint64_t)draw->testing_groups * drawing->instances * draw->rounds;
    for (unsigned agent = 0; agent < kernel->agents; agent++) {
        const uint32_t testing = teams * slots_of(kernel, agent), resident = agent_resident(drawing, agent);
        const uint32_t left = resident > testing ? resident - testing : 0;
        draw->member_groups[agent] =
            testing + drawing_minimum((uint64_t)resident * drawing->values.stress_percent / 100, left);
        draw->groups += draw->member_groups[agent];
    }
    return STATUS_OK;
}

/* Fills the words of each agent: its groups, and the position of its shuffle, after those of earlier agents. */
static void fill_agents(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    const union drawn_values *values = &drawing->values;
    const bool all_cpus = drawing->limits->cpus == (1U << kernel->agents) - 1;
    uint32_t first = 0, shuffle_place = draw->words[DRAW_SHUFFLE];
    uint32_t *table =
        draw->words + (draw->words[DRAW_AGENTS] = drawing_reserve(drawing, AGENT_WORDS * (size_t)kernel->agents));
    for (unsigned agent = 0; agent < kernel->agents; agent++, table += AGENT_WORDS) {
        const bool cpu = drawing->limits->cpus >> agent & 1;
        table[AGENT_GROUPS] = draw->member_groups[agent];
        table[AGENT_TESTING_GROUPS] = draw->testing_groups / kernel->slots * slots_of(kernel, agent);
        table[AGENT_TESTING_RECIPROCAL] = drawing_reciprocal(table[AGENT_TESTING_GROUPS]);
        table[AGENT_FIRST] = first;
        table[AGENT_SHUFFLE] = shuffle_place;
        table[AGENT_MEET_POLLS] = drawing_maximum(values->meet_polls, cpu ? AGENT_POLLS_CPU : AGENT_POLLS);
        /* With a CPU and a GPU, only the GPU's items, which start together, idle; the CPU's come one after another. */
        table[AGENT_JITTER_STEPS] = !values->jitter_chance || (cpu && !all_cpus) ? 0 : values->jitter_steps;
        first += table[AGENT_TESTING_GROUPS];
        shuffle_place += table[AGENT_GROUPS];
    }
}

/* Fills the shuffles of the agents, which follow each other. */
void agents_fill_shuffle(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_SHUFFLE);
    uint32_t *table = draw->words + (draw->words[DRAW_SHUFFLE] = drawing_reserve(drawing, draw->groups));
    for (unsigned agent = 0; agent < kernel->agents; agent++) {
        drawing_shuffle(drawing, &random, table, draw->member_groups[agent]);
        table += draw->member_groups[agent];
    }
    fill_agents(drawing);
}

/* Fills each location's home; the backend fills its distance. */
void agents_fill_homes(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    uint32_t *table = draw->words + (draw->words[DRAW_HOMES] = drawing_reserve(drawing, kernel->locations));
    draw->homes_place = draw->words[DRAW_DISTANCES] = drawing_reserve(drawing, BACKEND_HOME_WORDS(kernel->agents));
    (void)choose_homes(drawing, table, NULL);
}

/* Each agent has a map of its own groups. */
void agents_fill_teams(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_TEAMS);
    const uint32_t count = drawing->values.teams * kernel->agents;
    uint32_t *table = draw->words + (draw->words[DRAW_TEAM_MAPS] = drawing_reserve(drawing, 3 * (size_t)count));
    for (uint32_t i = 0; i < count; i++, table += 3) {
        const uint32_t testing = draw->testing_groups / kernel->slots * slots_of(kernel, i % kernel->agents);
        table[0] = drawing_coprime(&random, testing, &table[2]);
        table[1] = random_below(&random, testing);
    }
}

/* Shared memory has the meeting words and then the results; each home has room for all cells. Results may be where an
 * earlier batch had other data, whose stamps and counts never equal a stamp of this batch. */
void agents_fill_memory(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    uint32_t *words = draw->words;
    const size_t instances = (size_t)draw->testing_groups * drawing->instances;
    words[DRAW_MEETING_POINTS] = MEETING_LINE * kernel->agents;
    draw->meeting_words = words[DRAW_MEETING_POINTS] + 2 * (size_t)draw->rounds * draw->testing_groups;
    words[DRAW_RESULTS] = (uint32_t)((draw->meeting_words + MEETING_LINE - 1) / MEETING_LINE * MEETING_LINE);
    words[DRAW_CELLS] = 0; /* ZERO_WORD of kernel/results.c */
    draw->memory_words = words[DRAW_RESULTS] + instances * kernel->result_words;
    draw->home_words = draw->homes != 0 ? instances * kernel->cell_words * drawing->values.stride : 0;
    draw->counter_words = kernel->counter_words;
}

/* ,"homes":{"x":"1","y":"host"} */
void agents_print_homes(const struct unfinished_draw *drawing, struct text *text)
{
    const struct kernel *kernel = drawing->kernel;
    const struct draw *draw = drawing->draw;
    const char *comma = "";
    if (draw->homes == 0)
        return;
    text_add(text, ",\"homes\":{");
    for (unsigned location = 0; location < kernel->locations; location++) {
        const uint32_t home = draw->words[draw->words[DRAW_HOMES] + location];
        if (!kernel->location_names[location])
            continue;
        text_add(text, "%s\"%s\":", comma, kernel->location_names[location]);
        if (home == kernel->agents)
            text_add(text, "\"host\"");
        else
            text_add(text, "\"%u\"", home);
        comma = ",";
    }
    text_add(text, "}");
}

/* ---- several launches ---- */

/* Draws for tests of several launches: how many groups each has, and in which order the driver gets them. */

enum {
    /* There are no meetings, so a launch may have more groups than the device holds at once, at little extra cost. */
    MAXIMUM_WAVES_POWER = 6,      /* 64 times what the device holds */
    MAXIMUM_INSTANCES = 1 << 20,  /* of a batch */
    MAXIMUM_CELL_WORDS = 1 << 26, /* 256 MiB of cells */
};

/* A launch's share of the groups that the device holds at once, if launches may run at the same time. */
static uint32_t share_of(const struct unfinished_draw *drawing, uint32_t resident)
{
    const unsigned beside = kernel_beside_count(drawing->kernel);
    return beside > 0 ? resident / beside : resident;
}

uint32_t launches_room(const struct unfinished_draw *drawing, uint32_t resident)
{
    const struct kernel *kernel = drawing->kernel;
    struct random random = drawing_stream(drawing, PURPOSE_WAVES);
    const bool fits = random_below(&random, 2) == 0;
    const uint32_t waves = 1U << random_below(&random, MAXIMUM_WAVES_POWER + 1);
    const uint64_t cells = (uint64_t)kernel->cell_words * drawing->values.stride * drawing->instances;
    uint64_t room = kernel_beside_count(kernel) > 0 && fits ? share_of(drawing, resident) : (uint64_t)resident * waves;
    room = drawing_minimum(room, DRAWING_MAXIMUM_GROUPS);
    room = drawing_minimum(room, MAXIMUM_INSTANCES / drawing->instances);
    if (cells > 0)
        room = drawing_minimum(room, MAXIMUM_CELL_WORDS / cells);
    return (uint32_t)room;
}

/* Testing groups have at least half of the launch's share, so that they do not wait for groups that wait for them. */
uint32_t launches_stress(const struct unfinished_draw *drawing, uint32_t resident, uint32_t testing)
{
    const uint32_t share = share_of(drawing, resident);
    const uint32_t left = share > testing ? share - testing : 0;
    return drawing_minimum((uint64_t)share * drawing->values.stress_percent / 100, drawing_maximum(share / 2, left));
}

size_t launches_result_groups(const struct unfinished_draw *drawing)
{
    return MAXIMUM_INSTANCES / (drawing->limits->max_group_size / drawing->kernel->width) + 1;
}

/* The order is drawn: the next launch is any of those whose predecessors are in it. */
void launches_order(struct unfinished_draw *drawing)
{
    const struct litmus_launches *launches = &drawing->kernel->launches;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_ORDER);
    unsigned placed = 0;
    for (draw->launches = 0; draw->launches < launches->count; draw->launches++) {
        unsigned ready[LITMUS_MAXIMUM_LAUNCHES] = {0}, count = 0;
        for (unsigned launch = 0; launch < launches->count; launch++)
            if (!(placed >> launch & 1) && (launches->launches[launch].after & ~placed) == 0)
                ready[count++] = launch;
        const unsigned next = ready[random_below(&random, count)];
        draw->order[draw->launches] = next;
        placed |= 1U << next;
    }
}

void launches_print(const struct draw *draw, struct text *text)
{
    text_add(text, ",\"order\":[");
    for (unsigned i = 0; i < draw->launches; i++)
        text_add(text, "%s%u", i > 0 ? "," : "", draw->order[i]);
    text_add(text, "]");
}
