// SPDX-License-Identifier: Apache-2.0
/* Draws for tests that several agents play: their groups and teams, their shared memory, and the
 * locations' homes. */
#include "runner/environment/drawing.h"

enum {
    /* Agents start at different times: a driver may have to prepare one launch while another runs.
     * About a second on a CPU; a few on a GPU, whose polls may cross a link. */
    AGENT_POLLS_CPU = 1 << 28,
    AGENT_POLLS = 1 << 22,
    /* Upper bound for a batch, for two large GPUs: memory across a link is slow, and a job of a
     * second or two should still have a batch for each placement of the locations. */
    AGENT_INSTANCES = 1 << 26
};

/* Slots of an instance that an agent plays. */
static uint32_t slots_of(const struct kernel *kernel, unsigned agent)
{
    uint32_t slots = 0;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        slots += kernel->agent_of_slot[slot] == agent;
    return slots;
}

static uint32_t agent_resident(const struct unfinished_draw *drawing, unsigned agent)
{
    return drawing_minimum(drawing->limits->member_groups[agent], DRAWING_MAXIMUM_GROUPS);
}

/* The number of teams for which every agent has members. Teams of several launches need not run at
 * once. */
static enum status count_teams(const struct unfinished_draw *drawing, uint32_t *teams, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    const uint64_t wanted = drawing->limits->batch_instances / drawing->instances / kernel->slots;
    *teams = DRAWING_MAXIMUM_GROUPS / kernel->slots;
    for (unsigned agent = 0; agent < kernel->agents; agent++) {
        const uint32_t slots = slots_of(kernel, agent), resident = agent_resident(drawing, agent);
        if (resident < slots && !kernel_has_launches(kernel))
            return error_set(error, STATUS_UNSUPPORTED,
                             "the test needs %u work-groups at once on member %u, which holds %u: several devices must "
                             "run all of a test at the same time",
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
    return AGENT_WORDS * (size_t)kernel->agents + kernel->locations + 2 * ((size_t)kernel->agents + 1);
}

/* Every team meets, and each agent has its own groups. */
enum status agents_size(struct unfinished_draw *drawing, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    uint32_t teams;
    TRY(count_teams(drawing, &teams, error));
    drawing->values.no_meeting_chance = drawing->values.meet_all_chance = drawing->values.stress_copy_chance = 0;
    draw->testing_groups = teams * kernel->slots;
    drawing_size_clusters(drawing, draw->testing_groups);
    draw->detached = kernel_has_launches(kernel);
    const uint64_t most = draw->detached ? 1 : AGENT_INSTANCES / ((uint64_t)draw->testing_groups * drawing->instances);
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

/* Fills the words of each agent: its groups, and the position of its shuffle, after those of
 * earlier agents. */
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
        /* With a CPU and a GPU, only the GPU's items, which start together, idle; the CPU's come
         * one after another. */
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
                             "a link to it lacks native atomics, and devices change it by read-modify-writes", error)
               : refuse_home(name, said, "not all members of the device can access its memory", error);
}

/* Chooses the number of a location's home: the environment's, or one that all members reach and
 * where the location's read-modify-writes are atomic. */
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

/* Fills each location's home; the backend fills its distance. */
enum status agents_fill_homes(struct unfinished_draw *drawing, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_HOMES);
    uint32_t *table = draw->words + (draw->words[DRAW_HOMES] = drawing_reserve(drawing, kernel->locations));
    draw->homes_place = draw->words[DRAW_DISTANCES] = drawing_reserve(drawing, 2 * ((size_t)kernel->agents + 1));
    for (unsigned location = 0; location < kernel->locations; location++) {
        if (!kernel->location_names[location])
            continue;
        TRY(choose_home(drawing, location, &random, &table[location], error));
        draw->homes |= 1u << table[location];
    }
    return STATUS_OK;
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

/* Shared memory has the meeting words and then the results; each home has room for all cells.
 * Results may be where an earlier batch had other data, whose stamps and counts never equal a stamp
 * of this batch. */
void agents_fill_memory(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    uint32_t *words = draw->words;
    const size_t instances = (size_t)draw->testing_groups * drawing->instances;
    words[DRAW_MEETING_POINTS] = MEETING_LINE * kernel->agents;
    draw->meeting_words = words[DRAW_MEETING_POINTS] + 2 * (size_t)draw->rounds * draw->testing_groups;
    words[DRAW_RESULTS] = (uint32_t)((draw->meeting_words + MEETING_LINE - 1) / MEETING_LINE * MEETING_LINE);
    words[DRAW_CELLS] = 0;
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
