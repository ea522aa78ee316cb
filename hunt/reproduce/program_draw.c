// SPDX-License-Identifier: Apache-2.0
/* The draw in a reproducer's kernel: its numbers, and the mechanisms that it uses. */
#include "hunt/reproduce/program.h"

static uint32_t word_of(const struct program *program, enum draw_word word)
{
    return program->draw.words[word];
}

/* A row of a table of the draw. */
static const uint32_t *row_of(const struct program *program, enum draw_word position, unsigned width, unsigned row)
{
    return program->draw.words + word_of(program, position) + (size_t)width * row;
}

/* ---- maps ---- */

/* Appends "(x * 5 + 3) % n", simplified if possible. */
static void print_linear(uint32_t multiplier, uint32_t offset, const char *x, const char *n, struct text *text)
{
    if (multiplier <= 1 && offset == 0)
        text_add(text, "%s", x);
    else if (multiplier <= 1)
        text_add(text, "(%s + %u) %% %s", x, offset, n);
    else if (offset == 0)
        text_add(text, "%s * %u %% %s", x, multiplier, n);
    else
        text_add(text, "(%s * %u + %u) %% %s", x, multiplier, offset, n);
}

void program_print_place(const struct program *program, unsigned location, const char *owner, const char *instance,
                         struct text *text)
{
    const uint32_t *map = row_of(program, DRAW_CELL_MAPS, 3, location);
    print_linear(1, map[2], owner, "GROUPS", text);
    text_add(text, ", ");
    print_linear(map[0], map[1], instance, "INSTANCES", text);
}

void program_print_lane(const struct program *program, unsigned body, const char *lane, struct text *text)
{
    const uint32_t *map = row_of(program, DRAW_LANE_MAPS, LANE_MAP_WORDS, body);
    if (map[2] == program->draw.group_size) {
        print_linear(map[0], map[1], lane, "GROUP_SIZE", text);
        return;
    }
    text_add(text, "(%s - %s %% %u + ", lane, lane, map[2]);
    text_add(text, "(%s %% %u * %u + %u) %% %u + %u) %% GROUP_SIZE", lane, map[2], map[0], map[1], map[2], map[4]);
}

/* Adds the partners of a round: a group's position, and the group with a position. If there is only one arrangement,
 * its offset does not matter. */
static void add_teams(struct program *program)
{
    static const uint32_t alone[] = {1, 0, 1};
    const bool one_team =
        program->draw.testing_groups == program->pieces.laid.slots; /* arrangements are all the same */
    const uint32_t rows = one_team ? 1 : word_of(program, DRAW_TEAM_MAP_COUNT);
    const uint32_t *map = row_of(program, DRAW_TEAM_MAPS, 3, 0);
    struct text *text = values_add(&program->values, "team_maps");
    if (rows > 1 && program->pieces.laid.slots > 1) {
        text_add(text, "// Which groups play together in a round: {multiplier, offset, inverse} of positions.\n");
        text_add(text, "TABLE u32 team_maps[][3] = {");
        for (uint32_t row = 0; row < rows; row++)
            text_add(text, "%s{%u, %u, %u}",
                     row == 0       ? ""
                     : row % 6 == 0 ? ",\n    "
                                    : ", ",
                     map[3 * row], map[3 * row + 1], map[3 * row + 2]);
        text_add(text, "};\n\n");
        values_set(&program->values, "team_count", "%u", rows);
        values_set(&program->values, "position", "(group * map[0] + map[1]) %% GROUPS");
        values_set(&program->values, "owner", "(team * SLOTS + subset + GROUPS - map[1]) %% GROUPS * map[2] %% GROUPS");
        return;
    }
    if (one_team)
        map = alone;
    print_linear(map[0], 0, "group", "GROUPS", values_add(&program->values, "position"));
    values_set(&program->values, "owner",
               map[2] > 1 ? "(team * SLOTS + subset) * %u %% GROUPS" : "team * SLOTS + subset", map[2]);
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

/* Adds the logical number of a group. A draw's shuffle is a table; a multiplication that scatters as well replaces it
 * here. */
static void add_group_number(struct program *program)
{
    const uint32_t *table = row_of(program, DRAW_SHUFFLE, 1, 0);
    const uint32_t cluster = program->draw.neighbours, units = program->draw.groups / cluster;
    struct text *text = values_add(&program->values, "group_number");
    bool shuffled = false;
    for (uint32_t i = 0; i < program->draw.groups; i++)
        shuffled |= table[i] != i;
    uint32_t step = (uint32_t)(units * 0.618) | 1u;
    while (divisor(step, units) != 1)
        step += 2;
    if (!shuffled || units < 3)
        text_add(text, "GROUP");
    else if (cluster > 1)
        text_add(text, "GROUP / %u * %u %% %u * %u + GROUP %% %u", cluster, step, units, cluster, cluster);
    else
        text_add(text, "GROUP * %u %% %u", step, units);
}

/* ---- mechanisms ---- */

/* Appends the accesses of one round of stress, as statements. */
static void add_accesses(struct program *program, const char *name, enum draw_word pattern, enum draw_word length)
{
    struct text *text = values_add(&program->values, name);
    const bool cached = program->cuda && word_of(program, DRAW_STRESS_CACHED);
    for (uint32_t i = 0; i < word_of(program, length); i++)
        if (program->glsl)
            text_add(text,
                     word_of(program, pattern) >> i & 1u ? "scratch[line] = k + sum;\n" : "sum += scratch[line];\n");
        else if (word_of(program, pattern) >> i & 1u)
            text_add(text, "*(volatile GLOBAL u32 *)line = k + sum;\n");
        else
            text_add(text, cached ? "sum += load_cached(line);\n" : "sum += *(volatile GLOBAL u32 *)line;\n");
}

/* Appends the position of a group's line in scratch memory. */
static void print_line(const struct program *program, const char *group, struct text *text)
{
    const uint32_t lines = word_of(program, DRAW_STRESS_LINE_COUNT),
                   stretch = 4 * word_of(program, DRAW_STRESS_LINE_WORDS);
    if (word_of(program, DRAW_STRESS_CHUNKED))
        text_add(text, "%s * %u / %u * %u", group, lines, program->draw.groups, stretch);
    else
        text_add(text, "%s %% %u * %u", group, lines, stretch);
}

/* Adds stress by copies, from a group's line to the next group's, or by accesses. */
static void add_copies(struct program *program, bool stress)
{
    struct template_values *values = &program->values;
    LOCAL(text) next = {0};
    const uint32_t bytes = word_of(program, DRAW_COPY_BYTES);
    values_note(values, "copies", bytes > 0);
    values_note(values, "accesses", stress && bytes == 0);
    values_set(values, "copy_words", "%u", bytes / 4);
    text_add(&next, "(group + 1) %% %u", program->draw.groups);
    print_line(program, "group", values_add(values, "copy_from"));
    print_line(program, text_string(&next), values_add(values, "copy_to"));
}

static void add_mechanisms(struct program *program)
{
    struct template_values *values = &program->values;
    values_note(values, "delays", word_of(program, DRAW_DELAY_SITES) != 0);
    values_set(values, "delay_steps", "%u", word_of(program, DRAW_DELAY_NANOSECONDS) / 4);
    const uint32_t pre_stress = word_of(program, DRAW_PRE_STRESS_ROUNDS), jitter = word_of(program, DRAW_JITTER_STEPS);
    const bool stress = program->draw.groups > program->draw.testing_groups;
    if (stress)
        add_accesses(program, "stress_accesses", DRAW_STRESS_PATTERN, DRAW_STRESS_LENGTH);
    if (pre_stress > 0)
        add_accesses(program, "pre_stress_accesses", DRAW_PRE_STRESS_PATTERN, DRAW_PRE_STRESS_LENGTH);
    struct text *line = values_add(values, "stress_line");
    print_line(program, "group", line);
    text_add(line, " + LANE %% %u", word_of(program, DRAW_STRESS_LINE_WORDS));
    add_copies(program, stress);
    values_set(values, "jitter_choices", "%u", jitter + 1);
    values_note(values, "stress", stress);
    values_note(values, "pre_stress", pre_stress > 0);
    values_note(values, "jitter", jitter > 0);
    values_note(values, "cycle_counter", !program->cuda && !program->facts->device->gpu);
    values_set(values, "launches_variable", "%s", jitter > 0 || program->glsl ? ", launches = 0" : "");
    values_set(values, "launches_argument", "%s", jitter > 0 || program->glsl ? "launches++, " : "");
    values_set(values, "launches_parameter", "%s", jitter > 0 ? "unsigned number, " : "");
    values_note(values, "scratch", stress || pre_stress > 0 || jitter > 0);
    values_note(values, "cached", program->cuda && (stress || pre_stress > 0) && word_of(program, DRAW_STRESS_CACHED));
}

/* ---- the parameters of the kernel ---- */

static bool has_scratch(const struct program *program)
{
    return program->draw.groups > program->draw.testing_groups || word_of(program, DRAW_PRE_STRESS_ROUNDS) > 0 ||
           word_of(program, DRAW_JITTER_STEPS) > 0 || (program->glsl && word_of(program, DRAW_DELAY_SITES) > 0);
}

/* X(name, type, condition): in order. */
#define PARAMETER_LIST(X)                                                                                              \
    X(memory, "GLOBAL u32 *memory", program->has_cells)                                                                \
    X(results, "GLOBAL u32 *results", program->has_results)                                                            \
    X(scratch, "GLOBAL u32 *scratch", has_scratch(program))                                                            \
    X(counters, "GLOBAL u32 *counters", true)                                                                          \
    X(launch, "u32 launch", word_of(program, DRAW_JITTER_STEPS) > 0)

/* The buffers of a kernel in GLSL, in the order of buffer_words. Test memory has the names that the test's accesses
 * use. */
static void add_buffers(struct program *program)
{
    static const struct {
        const char *name, *words, *type;
    } names[] = {
        {"memory", "nonprivate", "uint"},
        {"memory_private", "", "uint"},
        {"memory_volatile", "volatile nonprivate", "uint"},
        {"memory_signed", "nonprivate", "int"},
        {"memory_sg", "subgroupcoherent", "uint"},
        {"memory_wg", "workgroupcoherent", "uint"},
        {"memory_qf", "queuefamilycoherent", "uint"},
        {"memory_dv", "devicecoherent", "uint"},
    };
    static const char form[] = "layout(set = 0, binding = %u) %s buffer B_%s { %s %s[]; };\n";
    struct text *text = values_add(&program->values, "buffers");
    const char *code = text_string(values_add(&program->values, "instructions"));
    unsigned count = 0;
    for (size_t i = 0; program->has_cells && i < COUNT(names); i++)
        if (i == 0 || words_have(code, names[i].name))
            text_add(text, form, 0U, names[i].words, names[i].name, names[i].type, names[i].name);
    count += program->has_cells;
    if (program->has_results)
        text_add(text, form, count++, "nonprivate", "results", "uint", "results");
    if (has_scratch(program))
        text_add(text, form, count++, "volatile nonprivate", "scratch", "uint", "scratch");
    text_add(text, form, count++, "nonprivate", "counters", "uint", "counters");
    if (word_of(program, DRAW_JITTER_STEPS) > 0)
        text_add(text, "layout(push_constant) uniform Push { uint launch; };\n");
    values_set(&program->values, "buffer_count", "%u", count);
}

static void program_draw_add_parameters(struct program *program)
{
    struct text *declared = values_add(&program->values, "parameters");
    struct text *given = values_add(&program->values, "arguments");
    struct text *buffers = values_add(&program->values, "buffer_words");
    unsigned count = 0;
#define ADD_PARAMETER(name, type, condition)                                                                           \
    if (condition) {                                                                                                   \
        text_add(declared, "%s" type, count > 0 ? ", " : "");                                                          \
        text_add(given, "%s%s", count > 0 ? ", " : "", strcmp(#name, "launch") == 0 ? "number" : #name);               \
        values_set(&program->values, #name "_number", "%u", count++);                                                  \
    }
    PARAMETER_LIST(ADD_PARAMETER)
    const struct draw *draw = &program->draw;
    const unsigned long long all =
        (unsigned long long)draw->testing_groups * (draw->group_size / program->pieces.laid.width);
    if (program->has_cells)
        text_add(buffers, "%llu, ", all * program->pieces.laid.cell_words * word_of(program, DRAW_STRIDE));
    if (program->has_results)
        text_add(buffers, "%llu, ", all * program->result_words);
    if (has_scratch(program))
        text_add(buffers, "%zu, ", draw->scratch_words);
    text_add(buffers, "COUNTER_WORDS");
    add_buffers(program);
    values_set(&program->values, "buffer_pointers", "%s%s%s*counters", program->has_cells ? "*memory, " : "",
               program->has_results ? "*results, " : "", has_scratch(program) ? "*scratch, " : "");
    values_set(&program->values, "instances_of_a_launch", "%lluull", all * draw->rounds);
}

/* ---- sizes ---- */

static void add_size(const struct program *program, struct text *text, bool wanted, const char *name, uint64_t value,
                     const char *meaning)
{
    LOCAL(text) line = {0};
    if (!wanted)
        return;
    text_add(&line, program->glsl ? "const uint " : "    ");
    program_reword(program, name, &line);
    text_add(&line, program->glsl ? " = %lluu;" : " = %llu,", (unsigned long long)value);
    text_add(text, "%-28s // %s\n", text_string(&line), meaning);
}

/* A launch counts only if all its meetings take place, so on a CPU, where another program may hold a core, they wait
 * long. */
static uint32_t polls_of(const struct program *program)
{
    enum { POLLS_OF_CPU = 1 << 30 };
    const uint32_t polls = word_of(program, DRAW_MEET_POLLS);
    return !program->facts->device->gpu && polls < POLLS_OF_CPU ? POLLS_OF_CPU : polls;
}

static void add_sizes(struct program *program)
{
    const struct kernel *kernel = &program->pieces.laid;
    const struct draw *draw = &program->draw;
    const bool meets = kernel->slots > 1;
    struct text *text = values_add(&program->values, "sizes");
    const uint64_t instances = draw->group_size / kernel->width;
    add_size(program, text, true, "GROUPS", draw->testing_groups,
             meets ? "that play; all of them have to run at the same time" : "that play");
    add_size(program, text, draw->groups > draw->testing_groups, "STRESS_GROUPS", draw->groups - draw->testing_groups,
             "that hit memory meanwhile");
    add_size(program, text, true, "GROUP_SIZE", draw->group_size, "of a @group@");
    add_size(program, text, true, "INSTANCES", instances, "of the test, that a @group@ owns");
    add_size(program, text, true, "ALL", instances * draw->testing_groups, "instances of a round");
    add_size(program, text, true, "ROUNDS", draw->rounds, "of a launch");
    add_size(program, text, meets, "SLOTS", kernel->slots, "@group@s that play an instance together");
    add_size(program, text, program->has_cells, "CELL_WORDS", kernel->cell_words, "of an instance's memory");
    add_size(program, text, program->has_cells, "STRIDE", word_of(program, DRAW_STRIDE), "words between two of these");
    add_size(program, text, program->has_locals, "LOCAL_CELLS", kernel->local_cells,
             "words of an instance's @local@ memory");
    add_size(program, text, program->has_locals, "LOCAL_STRIDE", word_of(program, DRAW_LOCAL_STRIDE),
             "words between two of these");
    add_size(program, text, program->has_results && program->cuda, "RESULT_WORDS", program->result_words,
             "of an instance");
    add_size(program, text, program->spins, "GAVE_UP_WORD", program->result_words - 1,
             "of an instance's results: a loop has reached its bound");
    add_size(program, text, program->spins, "SPIN_BOUND", word_of(program, DRAW_SPIN_BOUND),
             "iterations; an instance that reaches it does not count");
    add_size(program, text, meets, "POLLS", polls_of(program), "bound on those of a meeting");
    if (has_scratch(program))
        add_size(program, text, true, "SCRATCH_WORDS", draw->scratch_words, "of memory that is hit");
    text_add(
        text,
        program->glsl
            ? "const uint SEEN = 0u, GAVE_UP = 1u, MISSED = 2u, FINISHED = 3u, COUNTERS = 4u; // what a launch counts\n"
            : "    SEEN = 0, GAVE_UP, MISSED, FINISHED, COUNTERS, // what a launch counts\n");
    const uint64_t counters = 4 + (meets ? 2 * (uint64_t)draw->rounds * (draw->testing_groups / kernel->slots) : 0);
    add_size(program, text, program->cuda, "COUNTER_WORDS", counters,
             meets ? "and where they meet: two for each round and team" : "of them");
    values_set(&program->values, "all_groups_number", "%u", draw->groups);
    values_set(&program->values, "group_size_number", "%u", draw->group_size);
    values_set(&program->values, "counter_words_number", "%llu", (unsigned long long)counters);
}

void program_add_draw(struct program *program)
{
    const unsigned slots = program->pieces.laid.slots;
    const bool stress = program->draw.groups > program->draw.testing_groups;
    struct template_values *values = &program->values;
    /* Each parameter that the kernel knows. For 0 there is no value: the template asks for it (`//% if stride`). */
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *row = &environment_parameters[i];
        if (row->word != 0 && word_of(program, row->word) != 0)
            values_set(&program->values, row->name, "%u", word_of(program, row->word));
    }
    const uint32_t lag = word_of(program, DRAW_LOAD_LAG);
    if (lag != 0)
        values_set(values, "lag", " + (0x%xu >> part & 1u) * %uu", program->pieces.laid.loading_slots, lag);
    else
        values_set(values, "lag", "%s", "");
    add_teams(program);
    add_group_number(program);
    add_mechanisms(program);
    program_draw_add_parameters(program);
    add_sizes(program);
    values_note(values, "meets", slots > 1);
    values_note(values, "clusters", program->draw.cluster_groups > 1);
    values_set(values, "cluster_groups", "%u", program->draw.cluster_groups);
    values_set(values, "all_groups", stress ? "BLOCKS + STRESS_BLOCKS" : "BLOCKS");
    const bool atomic = !program->cuda && program->facts->device->takes & BACKEND_TAKES_C11;
    values_set(values, "point_type", "%s", atomic ? "volatile __global atomic_uint *" : "GLOBAL u32 *");
    values_set(values, "point_base", "%s",
               atomic ? "(volatile __global atomic_uint *)(counters + COUNTERS)" : "counters + COUNTERS");
    values_set(values, "first_point", "%s",
               word_of(program, DRAW_MEET_ALL) ? "points - 2 * team, GROUPS" : "points, SLOTS");
}
