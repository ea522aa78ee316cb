// SPDX-License-Identifier: Apache-2.0
/* Draws one batch's launch from an environment. */
#include "runner/environment/draw_parts.h"

enum {
    MAXIMUM_DETACHED_GROUPS = 1024,
    STRESS_LIMIT = 1 << 24,
    /* A thread of a progress test is considered stuck after this many iterations: about a second on a GPU; some tenths
     * of a second on a CPU, where other programs may hold up its partner for several time slices. */
    PROGRESS_SPINS = 1 << 20,
    PROGRESS_SPINS_CPU = 1 << 28,
    PROGRESS_POLLS = 1 << 28
};

static void draw_values(struct unfinished_draw *drawing, const struct environment *environment)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        struct random random = random_start(drawing->seed, drawing->key, drawing->batch, PURPOSE_VALUES + i);
        uint32_t *value = &drawing->values.of[i];
        *value = random_between(&random, environment->ranges[i].low, environment->ranges[i].high);
        if (environment_parameters[i].kind == PARAMETER_KIND_CHANCE)
            *value = random_below(&random, 100) < *value;
    }
}

/* Stress by copies keeps its mbarrier and its bytes after the test's local memory. */
enum { COPY_UNIT = 16, COPY_HEAD = 4 }; /* bytes; words before the bytes that are copied */

static size_t copy_place(const struct kernel *kernel, uint32_t group_size, uint32_t stride)
{
    return (kernel_local_words(kernel, group_size, stride) + 3) / 4 * 4;
}

size_t draw_local_bytes(const struct kernel *kernel, uint32_t group_size, uint32_t stride, uint32_t copy_bytes)
{
    if (copy_bytes == 0)
        return 4 * kernel_local_words(kernel, group_size, stride);
    return 4 * (copy_place(kernel, group_size, stride) + COPY_HEAD) + copy_bytes;
}

bool draw_device_copies(const struct backend_device *device)
{
    return (device->paths & BACKEND_PATH_ASYNC) && device->max_cluster_groups > 0;
}

/* A group consists of whole units: an instance's threads, or the sub-groups that they need. */
static uint32_t group_unit(const struct kernel *kernel, const struct draw_limits *limits)
{
    uint32_t unit = kernel->sub_groups > 0 ? kernel->sub_groups * limits->sub_group_size : kernel->width;
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (kernel->sub_group_of[body] >= 0 && kernel->sub_groups == 0)
            unit = drawing_maximum(unit, ((uint32_t)kernel->sub_group_of[body] + 1) * limits->sub_group_size);
    return unit;
}

/* The number of instances for which the constant bank has room. */
static uint32_t bank_instances(const struct unfinished_draw *drawing)
{
    const unsigned words = drawing->kernel->bank_words * drawing->values.stride;
    return words > 0 ? BACKEND_BANK_WORDS / words : UINT32_MAX;
}

/* Makes one team fit into the constant bank: by a smaller stride, then by smaller groups. */
static enum status fit_bank(struct unfinished_draw *drawing, uint32_t unit, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    uint32_t *size = &drawing->draw->group_size;
    while (drawing->values.stride > 1 && bank_instances(drawing) / kernel->slots < *size / kernel->width)
        drawing->values.stride--;
    while (*size > unit && bank_instances(drawing) / kernel->slots < *size / kernel->width)
        *size = (*size / 2 + unit - 1) / unit * unit;
    if (bank_instances(drawing) / kernel->slots < *size / kernel->width)
        return error_set(error, STATUS_UNSUPPORTED, "the constant bank has %d words, but a round needs %u words",
                         BACKEND_BANK_WORDS, kernel->bank_words * kernel->slots * (*size / kernel->width));
    return STATUS_OK;
}

/* The size of a group: as drawn, cut to the device and to the number of instances requested. */
static enum status size_group(struct unfinished_draw *drawing, struct error *error)
{
    const struct kernel *kernel = drawing->kernel;
    const struct draw_limits *limits = drawing->limits;
    uint32_t *stride = &drawing->values.local_stride;
    const bool of_pairs = kernel_is_pair(kernel) && drawing->values.pair_group_size > 0;
    uint32_t size = drawing_minimum(of_pairs ? drawing->values.pair_group_size : drawing->values.group_size,
                                    limits->max_group_size);

    if (limits->batch_instances > 0) {
        const uint64_t wanted = (limits->batch_instances + kernel->slots - 1) / kernel->slots * kernel->width;
        const uint32_t least = drawing_minimum(size, 32);
        size = wanted < least ? least : drawing_minimum(size, wanted / 32 * 32 + (wanted < 32 ? 32 : 0));
    }
    const uint32_t unit = group_unit(kernel, limits);
    /* If items run one after another, items of other instances would run between the threads of one. */
    if (kernel->progress && limits->sub_group_size < 2)
        size = unit;
    size = size < unit ? unit : size / unit * unit;
    if (size > limits->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u threads; the device allows %u",
                         size, limits->max_group_size);
    while (*stride > 1 && 4 * kernel_local_words(kernel, size, *stride) > limits->local_bytes)
        --*stride;
    while (size > unit && 4 * kernel_local_words(kernel, size, *stride) > limits->local_bytes)
        size = (size / 2 + unit - 1) / unit * unit;
    if (4 * kernel_local_words(kernel, size, *stride) > limits->local_bytes)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs %zu bytes of local memory, but a work-group has "
                         "%llu",
                         4 * kernel_local_words(kernel, size, *stride), (unsigned long long)limits->local_bytes);
    drawing->draw->group_size = size;
    TRY(fit_bank(drawing, unit, error));
    drawing->instances = drawing->draw->group_size / kernel->width;
    return STATUS_OK;
}

/* How many instances an item plays in a round: as drawn, if as many are wanted. */
static void size_repeats(struct unfinished_draw *drawing, uint32_t testing)
{
    const uint64_t of_round = (uint64_t)testing * drawing->instances;
    const uint64_t wanted = drawing->limits->batch_instances;
    uint32_t repeats = drawing->draw->detached ? 1 : drawing->values.item_instances;
    if (wanted > 0)
        repeats = drawing_minimum(repeats, wanted / of_round);
    drawing->values.item_instances = drawing->repeats = drawing_maximum(repeats, 1);
}

/* How many groups test and how many rounds they play. */
static void size_batch(struct unfinished_draw *drawing)
{
    const unsigned slots = drawing->kernel->slots;
    const uint64_t wanted = drawing->limits->batch_instances;
    struct draw *draw = drawing->draw;
    const uint32_t resident = drawing_minimum(drawing->limits->resident_groups, DRAWING_MAXIMUM_GROUPS);

    const bool launches = kernel_has_launches(drawing->kernel);
    draw->detached =
        slots > resident || launches || (drawing->values.no_meeting_chance && slots > 1 && !drawing->kernel->progress);
    const uint32_t room = launches           ? launches_room(drawing, resident)
                          : slots > resident ? MAXIMUM_DETACHED_GROUPS
                                             : resident;
    uint32_t testing =
        draw->detached && !launches ? room : (uint32_t)((uint64_t)room * drawing->values.testing_percent / 100);
    if (wanted > 0)
        testing = drawing_minimum(testing, wanted / drawing->instances);
    testing = drawing_minimum(testing, bank_instances(drawing) / drawing->instances);
    testing = drawing_maximum(testing / slots * slots, slots);
    drawing_size_clusters(drawing, testing);
    const uint32_t whole = drawing_common_multiple(slots, draw->cluster_groups);
    testing = testing / whole * whole;
    size_repeats(drawing, testing);
    uint32_t rounds = drawing_limit_rounds(drawing, testing);
    draw->separate = drawing->kernel->separate && !draw->detached;
    if (rounds == 0 || draw->detached || draw->separate)
        rounds = 1;
    draw->testing_groups = testing;
    draw->rounds = rounds;
    draw->instances = (uint64_t)testing * drawing->instances * drawing->repeats * rounds;
    draw->groups = testing;
    if (launches)
        draw->groups += launches_stress(drawing, resident, testing);
    else if (!draw->detached)
        draw->groups += drawing_minimum((uint64_t)room * drawing->values.stress_percent / 100, room - testing) /
                        draw->cluster_groups * draw->cluster_groups;
}

static void allocate_words(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    drawing->lines = drawing->values.stress_lines;
    draw->word_count = DRAW_FIXED_WORDS + draw->groups +
                       3 * (size_t)drawing->values.teams * drawing_maximum(kernel->agents, 1) +
                       LANE_MAP_WORDS * (size_t)kernel->bodies + 3 * (size_t)kernel->locations + drawing->lines;
    if (kernel->agents > 1)
        draw->word_count += agents_table_words(kernel);
    draw->words = memory_take(draw->word_count, sizeof *draw->words);
    drawing->used = DRAW_FIXED_WORDS;
}

static void fill_shuffle(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_SHUFFLE);
    uint32_t *table = draw->words + (draw->words[DRAW_SHUFFLE] = drawing_reserve(drawing, draw->groups));
    drawing_shuffle(drawing, &random, table, draw->groups);
}

static void fill_teams(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_TEAMS);
    const uint32_t count = drawing->values.teams;
    uint32_t *table = draw->words + (draw->words[DRAW_TEAM_MAPS] = drawing_reserve(drawing, 3 * (size_t)count));
    for (uint32_t i = 0; i < count; i++) {
        table[3 * i] = drawing_coprime(&random, draw->testing_groups, &table[3 * i + 2]);
        table[3 * i + 1] = random_below(&random, draw->testing_groups);
        if (draw->neighbours > 1) /* a team's groups are adjacent */
            table[3 * i] = table[3 * i + 2] = 1 % draw->testing_groups;
        if (drawing_cluster_of(drawing->kernel) > 1) /* and form a cluster; its number matters little */
            table[3 * i + 1] -= table[3 * i + 1] % draw->cluster_groups;
    }
}

/* Fills the map of a body's lanes to instances: {multiplier, offset} of a permutation of blocks, their width with its
 * reciprocal, and a shift. Bodies of one slot share the multiplier and differ in the offset, so that no item plays two
 * threads of one instance. Between slots the permutation is drawn, because equal lanes of two groups run at the same
 * moment. Bodies that are placed in sub-groups remain in blocks of that size, and different sub-groups are shifted
 * apart. */
static void fill_lane(struct unfinished_draw *drawing, unsigned body, struct random *random, uint32_t *table)
{
    const struct kernel *kernel = drawing->kernel;
    const uint32_t size = drawing->draw->group_size;
    /* If sub-groups are laid out in rows, the rows separate them, and items remain in theirs. */
    const int sub_group = kernel->sub_groups > 0 ? 0 : kernel->sub_group_of[body];
    const uint32_t width = sub_group == LITMUS_NONE ? size : drawing->limits->sub_group_size;
    uint32_t *map = table + LANE_MAP_WORDS * (size_t)body;
    uint32_t ignored;
    unsigned first = 0, rank = 0;
    while (kernel->slot_of[first] != kernel->slot_of[body])
        first++;
    for (unsigned other = first; other < body; other++)
        rank += kernel->slot_of[other] == kernel->slot_of[body];
    const uint32_t multiplier = drawing_coprime(random, width, &ignored);
    const uint32_t offset = random_below(random, width);
    map[0] = drawing->values.lane_chance ? multiplier : 1 % width;
    map[1] = drawing->values.lane_chance ? offset : body > 0 ? drawing->values.lane_offset % width : 0;
    map[2] = width;
    map[3] = drawing_reciprocal(width);
    map[4] = sub_group == LITMUS_NONE ? 0 : (uint32_t)sub_group * width % size;
    if (rank > 0 && table[LANE_MAP_WORDS * first + 2] == width) {
        const uint32_t gap = kernel->bodies < width ? width / kernel->bodies : 1;
        map[0] = table[LANE_MAP_WORDS * first];
        map[1] = (table[LANE_MAP_WORDS * first + 1] + rank * gap - random_below(random, gap)) % width;
    }
}

static void fill_lanes(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_LANES);
    uint32_t *table =
        draw->words + (draw->words[DRAW_LANE_MAPS] = drawing_reserve(drawing, LANE_MAP_WORDS * (size_t)kernel->bodies));
    for (unsigned body = 0; body < kernel->bodies; body++)
        fill_lane(drawing, body, &random, table);
}

static void fill_cells(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_CELLS);
    uint32_t *table =
        draw->words + (draw->words[DRAW_CELL_MAPS] = drawing_reserve(drawing, 3 * (size_t)kernel->locations));
    for (unsigned location = 0; location < kernel->locations; location++) {
        uint32_t ignored;
        const uint32_t multiplier = drawing_coprime(&random, drawing->instances, &ignored);
        const uint32_t offset = random_below(&random, drawing->instances);
        const uint32_t shift = random_below(&random, draw->testing_groups * drawing->repeats);
        const bool apart = drawing->values.cell_chance && location > 0;
        table[3 * location] = apart ? multiplier : 1 % drawing->instances;
        table[3 * location + 1] = apart ? offset : 0;
        table[3 * location + 2] = apart ? shift : 0;
    }
}

/* Each line is drawn in its own part of scratch memory, so no two coincide. */
static void fill_lines(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    struct random random = drawing_stream(drawing, PURPOSE_LINES);
    const uint32_t stretch = 4 * drawing->values.stress_line_words;
    uint32_t *table = draw->words + (draw->words[DRAW_STRESS_LINES] = drawing_reserve(drawing, drawing->lines));
    for (uint32_t line = 0; line < drawing->lines; line++)
        table[line] = line * stretch + random_below(&random, 4) * drawing->values.stress_line_words;
    draw->scratch_words = (size_t)drawing->lines * stretch;
}

static void fill_words(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    const union drawn_values *values = &drawing->values;
    struct draw *draw = drawing->draw;
    uint32_t *words = draw->words;

    words[DRAW_GROUPS] = draw->groups;
    words[DRAW_TESTING_GROUPS] = draw->testing_groups;
    words[DRAW_TESTING_RECIPROCAL] = drawing_reciprocal(draw->testing_groups);
    words[DRAW_REGIONS] = draw->testing_groups * drawing->repeats;
    words[DRAW_INSTANCES_RECIPROCAL] = drawing_reciprocal(drawing->instances);
    words[DRAW_ROUNDS] = draw->rounds;
    /* Never 0, because a batch has fewer than 2^16 rounds. Stamps repeat after 2^16 batches, each of which has
     * rewritten every result. */
    words[DRAW_FIRST_STAMP] = (uint32_t)(drawing->batch << 16) + 1;
    environment_pattern(values->pre_stress_pattern, &words[DRAW_PRE_STRESS_PATTERN], &words[DRAW_PRE_STRESS_LENGTH]);
    environment_pattern(values->stress_pattern, &words[DRAW_STRESS_PATTERN], &words[DRAW_STRESS_LENGTH]);
    words[DRAW_STRESS_LIMIT] = STRESS_LIMIT;
    words[DRAW_MEETING_POINTS] = kernel->counter_words;
    words[DRAW_CLUSTER_GROUPS] = draw->cluster_groups > 1 ? draw->cluster_groups : 0;
    draw->counter_words = kernel->counter_words + 2 * (size_t)draw->rounds * (draw->testing_groups / kernel->slots);
    draw->local_bytes = draw_local_bytes(kernel, draw->group_size, values->local_stride, 0);
    if (kernel->agents > 1) {
        agents_fill_memory(drawing);
        return;
    }

    /* Results come first, with room for every batch of the job, so that a later batch never looks for a stamp where an
     * earlier batch had a cell. */
    const size_t resident = drawing->limits->resident_groups;
    const size_t groups = kernel_has_launches(kernel) ? launches_result_groups(drawing)
                          : kernel->slots > resident  ? MAXIMUM_DETACHED_GROUPS
                                                      : resident;
    const size_t repeats = kernel->repeats ? environment_highest(drawing->portfolio, PARAMETER_item_instances) : 1;
    const size_t room = (groups + KERNEL_MAXIMUM_SLOTS) * (drawing->limits->max_group_size / kernel->width) * repeats;
    words[DRAW_RESULTS] = 0; /* ZERO_WORD of kernel/results.c */
    const size_t alignment = kernel->alignment > 2 ? kernel->alignment : 2;
    const size_t cells = (room * kernel->result_words + alignment - 1) / alignment * alignment;
    words[DRAW_CELLS] = (uint32_t)cells; /* check_size refuses draws that do not fit */
    draw->memory_words = cells + (size_t)words[DRAW_REGIONS] * drawing->instances * kernel->cell_words * values->stride;
}

/* Stress by copies: places them in local memory and extends scratch memory for them. */
static void fill_copies(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    union drawn_values *values = &drawing->values;
    const size_t place = copy_place(drawing->kernel, draw->group_size, values->local_stride);
    const uint64_t taken = 4 * (place + COPY_HEAD), local = drawing->limits->local_bytes;
    const uint64_t room = local > taken ? local - taken : 0;
    const uint32_t bytes = drawing_minimum(values->stress_copy_bytes, room) / COPY_UNIT * COPY_UNIT;
    values->stress_copy_chance &= draw->groups > draw->testing_groups && drawing->limits->copies && bytes > 0;
    if (!values->stress_copy_chance)
        return;
    values->stress_copy_bytes = bytes;
    draw->words[DRAW_COPY_PLACE] = (uint32_t)place;
    draw->scratch_words += bytes / 4; /* the last line may be shorter than a copy */
    draw->local_bytes = draw_local_bytes(drawing->kernel, draw->group_size, values->local_stride, bytes);
}

/* A programmatic launch begins microseconds after the trigger, when the rest of a thread of the earlier launch is long
 * done, unless it rests. Three of four draws have delays therefore, of 1 to 32 us, even if the profile has none. */
static void programmatic_delays(struct unfinished_draw *drawing)
{
    union drawn_values *values = &drawing->values;
    struct random random = drawing_stream(drawing, PURPOSE_PROGRAMMATIC);
    if (!drawing->kernel->programmatic || environment_highest(drawing->environment, PARAMETER_delay_chance) > 0)
        return;
    values->delay_chance = random_below(&random, 4) > 0;
    values->delay_sites = random_between(&random, 1, 4);
    values->delay_nanoseconds = 1000U << random_below(&random, 6);
}

/* Draws the sites at which threads rest; all sets of that size are equally likely. */
static void fill_delays(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    union drawn_values *values = &drawing->values;
    const uint32_t sites = drawing->kernel->delays ? drawing->kernel->delay_sites : 0;
    struct random random = drawing_stream(drawing, PURPOSE_DELAYS);
    uint32_t chosen = 0;
    values->delay_chance &= sites > 0;
    if (!values->delay_chance)
        return;
    values->delay_sites = drawing_minimum(values->delay_sites, sites);
    for (uint32_t site = 0, left = values->delay_sites; left > 0; site++)
        if (random_below(&random, sites - site) < left) {
            chosen |= 1u << site;
            left--;
        }
    draw->words[DRAW_DELAY_SITES] = chosen;
}

enum { TICK_GRAINS = 4 }; /* a tick has at least so many times what a reading of the clock may be wrong */

/* Ticks are for groups that meet. Jitter comes before the wait for a tick, which would undo it. */
static void fill_ticks(struct unfinished_draw *drawing)
{
    union drawn_values *values = &drawing->values;
    values->tick_chance &=
        drawing->limits->shared_clock && drawing->limits->clock_grain <= values->tick_nanoseconds / TICK_GRAINS &&
        kernel_starts_at_ticks(drawing->kernel) && !drawing->draw->detached && !values->jitter_chance;
    if (values->tick_chance)
        drawing->draw->words[DRAW_TICK_RECIPROCAL] = drawing_reciprocal(values->tick_nanoseconds);
}

/* Whether all that the parameter needs are chances, of which none was drawn. */
static bool is_switched_off(const struct unfinished_draw *drawing, enum parameter parameter)
{
    const parameter_set needs = environment_parameters[parameter].needs;
    bool off = needs != 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (needs >> i & 1)
            off &= environment_parameters[i].kind == PARAMETER_KIND_CHANCE && drawing->values.of[i] == 0;
    return off;
}

/* Fills the words that are values of parameters: 0 for what is switched off. */
static void fill_parameters(struct unfinished_draw *drawing)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (environment_parameters[i].word != 0)
            drawing->draw->words[environment_parameters[i].word] =
                is_switched_off(drawing, i) ? 0 : drawing->values.of[i];
}

static void request_mechanisms(struct unfinished_draw *drawing)
{
    const struct kernel *kernel = drawing->kernel;
    struct draw *draw = drawing->draw;
#define REQUEST(name, counter, parameter, title, label)                                                                \
    draw->requested[DRAW_##name##_REQUESTED] = drawing->values.parameter != 0;
    MECHANISM_LIST(REQUEST)
    draw->requested[DRAW_STRESS_REQUESTED] = draw->groups > draw->testing_groups;
    draw->requested[DRAW_MEET_ALL_REQUESTED] &=
        kernel->slots > 1 && draw->testing_groups > kernel->slots && !draw->detached && !kernel->in_clusters;
    draw->requested[DRAW_DELAYS_REQUESTED] = (draw->words[DRAW_DELAY_SITES] & kernel->certain_sites) != 0;
    draw->words[DRAW_MEET_ALL] = draw->requested[DRAW_MEET_ALL_REQUESTED];
}

static void print_draw(struct unfinished_draw *drawing)
{
    struct draw *draw = drawing->draw;
    char hex[HASH_HEX_SIZE];
    hash_hex(draw->words, draw->word_count * sizeof *draw->words, hex);
    text_add(&draw->json, "{\"groups\":%u,\"testing_groups\":%u,\"items\":%u,\"played_rounds\":%u,\"detached\":%s",
             draw->groups, draw->testing_groups, draw->group_size, draw->rounds, draw->detached ? "true" : "false");
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        text_add(&draw->json, ",\"%s\":%u", environment_parameters[i].name, drawing->values.of[i]);
    if (draw->homes != 0)
        agents_print_homes(drawing, &draw->json);
    if (draw->launches > 0)
        launches_print(draw, &draw->json);
    text_add(&draw->json, ",\"arguments_hash\":\"%s\"}", hex);
}

static enum status check_size(const struct draw *draw, struct error *error)
{
    const size_t words = draw->memory_words > draw->home_words ? draw->memory_words : draw->home_words;
    if (words > (size_t)1 << 30)
        return error_set(error, STATUS_LIMIT,
                         "a batch would need %zu MiB of test memory, more than 4096; choose a smaller stride",
                         words >> 18);
    return STATUS_OK;
}

enum status draw_make(const struct environment *environment, const struct kernel *kernel,
                      const struct draw_limits *limits, uint64_t seed, uint64_t job_key, uint64_t batch,
                      struct draw *draw, struct error *error)
{
    struct unfinished_draw drawing = {
        .kernel = kernel, .limits = limits, .seed = seed, .key = job_key, .batch = batch, .draw = draw};
    *draw = (struct draw){0};
    const struct environment member = environment_of_batch(environment, batch);
    drawing.environment = &member;
    drawing.portfolio = environment;
    drawing.repeats = 1;
    draw_values(&drawing, &member);
    if (!kernel->repeats)
        drawing.values.item_instances = 1;
    if (kernel->warm_cells == 0)
        drawing.values.warm_chance = 0; /* no caches to warm */
    if (kernel->progress) {
        drawing.values.spin_bound = drawing_maximum(drawing.values.spin_bound,
                                                    limits->sub_group_size < 2 ? PROGRESS_SPINS_CPU : PROGRESS_SPINS);
        drawing.values.meet_polls = drawing_maximum(drawing.values.meet_polls, PROGRESS_POLLS);
    }
    programmatic_delays(&drawing);
    TRY(size_group(&drawing, error));
    if (kernel->agents > 1)
        TRY(agents_size(&drawing, error));
    else
        size_batch(&drawing);
    if (kernel_has_launches(kernel))
        launches_order(&drawing);
    allocate_words(&drawing);
    (kernel->agents > 1 ? agents_fill_shuffle : fill_shuffle)(&drawing);
    (kernel->agents > 1 ? agents_fill_teams : fill_teams)(&drawing);
    fill_lanes(&drawing);
    fill_cells(&drawing);
    fill_lines(&drawing);
    if (kernel->agents > 1)
        agents_fill_homes(&drawing);
    fill_words(&drawing);
    fill_copies(&drawing);
    fill_delays(&drawing);
    fill_ticks(&drawing);
    fill_parameters(&drawing);
    request_mechanisms(&drawing);
    print_draw(&drawing);
    const enum status status = check_size(draw, error);
    if (status != STATUS_OK)
        draw_release(draw);
    return status;
}

void draw_release(struct draw *draw)
{
    free(draw->words);
    text_release(&draw->json);
    *draw = (struct draw){0};
}

/* Begins a launch of `groups` groups that measures how many run at once. */
static void begin_probe(const struct kernel *kernel, uint32_t groups, uint32_t group_size, uint32_t polls,
                        struct draw *draw)
{
    *draw = (struct draw){.groups = groups,
                          .group_size = group_size,
                          .cluster_groups = drawing_cluster_of(kernel),
                          .neighbours = drawing_cluster_of(kernel)};
    /* A probe plays nothing, but some compilers (llvmpipe) execute loads of a loop that is not entered. So every
     * position that the kernel could read is inside the buffer, in a table of zeros after the shuffle. */
    const size_t zeros = DRAW_FIXED_WORDS + (size_t)draw->groups;
    const size_t agents = kernel->agents > 1 ? kernel->agents : 0;
    const size_t tables =
        zeros + 3 + 3 * agents + LANE_MAP_WORDS * (size_t)kernel->bodies + 3 * (size_t)kernel->locations;
    draw->word_count = tables + AGENT_WORDS * agents + (agents > 0 ? BACKEND_HOME_WORDS(agents) : 0);
    draw->words = memory_take(draw->word_count, sizeof *draw->words);
    draw->words[DRAW_SHUFFLE] = DRAW_FIXED_WORDS;
    draw->words[DRAW_TEAM_MAPS] = draw->words[DRAW_LANE_MAPS] = draw->words[DRAW_CELL_MAPS] =
        draw->words[DRAW_STRESS_LINES] = draw->words[DRAW_HOMES] = (uint32_t)zeros;
    draw->words[DRAW_AGENTS] = (uint32_t)tables;
    draw->homes_place = draw->words[DRAW_DISTANCES] = (uint32_t)(tables + AGENT_WORDS * agents);
    draw->words[DRAW_TEAM_MAP_COUNT] = draw->words[DRAW_STRESS_LINE_COUNT] = draw->words[DRAW_STRESS_LINE_WORDS] = 1;
    draw->words[DRAW_GROUPS] = draw->groups;
    draw->words[DRAW_STEPS] = STEP_PROBE;
    draw->words[DRAW_MEET_POLLS] = polls;
    draw->local_bytes = 4 * kernel_local_words(kernel, group_size, 1);
    draw->memory_words = 2;
    draw->scratch_words = 1;
    draw->counter_words = kernel->counter_words;
}

void draw_probe(const struct kernel *kernel, uint32_t groups, uint32_t sought, uint32_t group_size, uint32_t polls,
                struct draw *draw)
{
    begin_probe(kernel, groups / drawing_cluster_of(kernel) * drawing_cluster_of(kernel), group_size, polls, draw);
    draw->words[DRAW_TESTING_GROUPS] = sought;
}

void draw_probe_members(const struct kernel *kernel, const uint32_t groups[BACKEND_MAXIMUM_MEMBERS],
                        const uint32_t sought[BACKEND_MAXIMUM_MEMBERS], uint32_t group_size, uint32_t polls,
                        struct draw *draw)
{
    uint32_t most = 0;
    for (unsigned agent = 0; agent < kernel->agents; agent++)
        most = drawing_maximum(most, groups[agent]);
    begin_probe(kernel, most, group_size, polls, draw);
    draw->meeting_words = draw->memory_words = MEETING_LINE * (size_t)kernel->agents;
    for (unsigned agent = 0; agent < kernel->agents; agent++) {
        uint32_t *words = draw->words + draw->words[DRAW_AGENTS] + AGENT_WORDS * (size_t)agent;
        words[AGENT_GROUPS] = draw->member_groups[agent] = groups[agent];
        words[AGENT_TESTING_GROUPS] = sought[agent];
        words[AGENT_SHUFFLE] = DRAW_FIXED_WORDS; /* whose contents a probe does not use */
    }
}
