// SPDX-License-Identifier: Apache-2.0
/* The parameters of an environment for the minimiser. */
#include "runner/hunt/minimise/minimise_parameter.h"

/* The minimiser's data of a parameter. */
struct row {
    enum mechanism_group group;
    uint32_t neutral;       /* the value without effect, or the simplest */
    parameter_set needs;    /* no effect if all of these are neutral; 0: always has one */
    const char *name;       /* for lists: "stride" */
    const char *with_value; /* text with its value as %s; NULL for a chance */
};

#define BIT(name) ((parameter_set)1 << PARAMETER_##name)

/* clang-format off */
static const struct row rows[PARAMETER_COUNT] = {
    [PARAMETER_group_size] = {MECHANISM_GROUP_SIZE, 0, 0, "group size", "groups of %s"},
    [PARAMETER_rounds] = {MECHANISM_GROUP_SIZE, 0, 0, "rounds", "%s rounds"},
    [PARAMETER_meet_polls] = {MECHANISM_GROUP_SIZE, 0, 0, "polls of a meeting", "%s polls of a meeting"},
    [PARAMETER_spin_bound] = {MECHANISM_GROUP_SIZE, 0, 0, "bound on spins", "%s spins"},
    [PARAMETER_testing_percent] = {MECHANISM_GROUP_OCCUPANCY, 100, 0, "idle groups", "testing groups on %s %% of the device"},
    [PARAMETER_stress_percent] = {MECHANISM_GROUP_STRESS, 0, 0, "stress", "stress by %s %% of the groups"},
    [PARAMETER_stress_pattern] = {MECHANISM_GROUP_STRESS, 0, BIT(stress_percent), "its pattern", "stress pattern %s"},
    [PARAMETER_stress_lines] = {MECHANISM_GROUP_STRESS, 1, BIT(stress_percent), "its lines", "%s stressed lines"},
    [PARAMETER_stress_line_words] = {MECHANISM_GROUP_STRESS, 32, BIT(stress_percent), "its line size", "lines of %s words"},
    [PARAMETER_stress_chunked_chance] = {MECHANISM_GROUP_STRESS, 0, BIT(stress_percent), "shared stress lines", NULL},
    [PARAMETER_stress_cached_chance] = {MECHANISM_GROUP_STRESS, 0, BIT(stress_percent) | BIT(pre_stress_chance), "cached stress loads", NULL},
    [PARAMETER_stress_copy_chance] = {MECHANISM_GROUP_STRESS, 0, BIT(stress_percent), "stress by bulk copies", NULL},
    [PARAMETER_stress_copy_bytes] = {MECHANISM_GROUP_STRESS, 16, BIT(stress_copy_chance), "their bytes", "copies of %s bytes"},
    [PARAMETER_pre_stress_chance] = {MECHANISM_GROUP_PRE_STRESS, 0, 0, "pre-stress", NULL},
    [PARAMETER_pre_stress_rounds] = {MECHANISM_GROUP_PRE_STRESS, 1, BIT(pre_stress_chance), "its rounds", "%s rounds of it"},
    [PARAMETER_pre_stress_pattern] = {MECHANISM_GROUP_PRE_STRESS, 0, BIT(pre_stress_chance), "its pattern", "pre-stress pattern %s"},
    [PARAMETER_jitter_chance] = {MECHANISM_GROUP_JITTER, 0, 0, "jitter", NULL},
    [PARAMETER_jitter_steps] = {MECHANISM_GROUP_JITTER, 1, BIT(jitter_chance), "its steps", "up to %s steps of it"},
    [PARAMETER_delay_chance] = {MECHANISM_GROUP_DELAYS, 0, 0, "delays before instructions", NULL},
    [PARAMETER_delay_sites] = {MECHANISM_GROUP_DELAYS, 1, BIT(delay_chance), "their number", "delays before %s instructions"},
    [PARAMETER_delay_nanoseconds] = {MECHANISM_GROUP_DELAYS, 1, BIT(delay_chance), "their time", "delays of %s ns"},
    [PARAMETER_warm_chance] = {MECHANISM_GROUP_WARM, 0, 0, "warmed caches", NULL},
    [PARAMETER_meet_all_chance] = {MECHANISM_GROUP_MEETING, 0, 0, "meetings of all groups", NULL},
    [PARAMETER_no_meeting_chance] = {MECHANISM_GROUP_MEETING, 0, 0, "no meetings", NULL},
    [PARAMETER_cluster_chance] = {MECHANISM_GROUP_CLUSTERS, 0, 0, "clusters", NULL},
    [PARAMETER_cluster_groups] = {MECHANISM_GROUP_CLUSTERS, 2, BIT(cluster_chance), "their size", "%s work-groups in each"},
    [PARAMETER_cluster_partners_chance] = {MECHANISM_GROUP_CLUSTERS, 0, BIT(cluster_chance), "partners in a cluster", NULL},
    [PARAMETER_teams] = {MECHANISM_GROUP_PARTNERS, 1, 0, "partner arrangements", "%s partner arrangements"},
    [PARAMETER_shuffle_chance] = {MECHANISM_GROUP_PARTNERS, 0, 0, "shuffled groups", NULL},
    [PARAMETER_lane_chance] = {MECHANISM_GROUP_LANES, 0, 0, "permuted items", NULL},
    [PARAMETER_lane_offset] = {MECHANISM_GROUP_LANES, 0, 0, "displaced items", "partners displaced by %s"},
    [PARAMETER_cell_chance] = {MECHANISM_GROUP_PLACES, 0, 0, "locations far apart", NULL},
    [PARAMETER_stride] = {MECHANISM_GROUP_PLACES, 1, 0, "stride", "stride %s"},
    [PARAMETER_local_stride] = {MECHANISM_GROUP_PLACES, 1, 0, "stride in local memory", "stride %s in local memory"},
};
/* clang-format on */

static const char *const group_words[MECHANISM_GROUP_COUNT] = {
#define GROUP_WORDS(name, words) words,
    MECHANISM_GROUP_LIST(GROUP_WORDS)
#undef GROUP_WORDS
};

static parameter_set bit_of(enum parameter parameter)
{
    return (parameter_set)1 << parameter;
}

parameter_set minimise_mechanism(enum mechanism_group group)
{
    parameter_set set = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (rows[i].group == group)
            set |= bit_of(i);
    return set;
}

parameter_set minimise_effective(parameter_set set)
{
    parameter_set effective = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if ((set & bit_of(i)) && rows[i].group != MECHANISM_GROUP_SIZE && (!rows[i].needs || (rows[i].needs & set)))
            effective |= bit_of(i);
    return effective;
}

static bool is_neutral_range(struct environment_range range, enum parameter parameter)
{
    return range.low == rows[parameter].neutral && range.high == rows[parameter].neutral;
}

parameter_set minimise_active(const struct environment *environment)
{
    parameter_set set = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        bool neutral = is_neutral_range(environment_range_in(environment, i), i);
        for (uint32_t k = 0; k < environment->other_count; k++)
            neutral &= is_neutral_range(environment->others[k].ranges[i], i);
        if (!neutral)
            set |= bit_of(i);
    }
    return minimise_effective(set);
}

struct environment minimise_neutral(const struct environment *environment, parameter_set kept)
{
    struct environment neutral = *environment;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range nothing = {rows[i].neutral, rows[i].neutral};
        if ((kept & bit_of(i)) || rows[i].group == MECHANISM_GROUP_SIZE)
            continue;
        *environment_range_of(&neutral, i) = nothing;
        for (uint32_t k = 0; k < neutral.other_count; k++)
            neutral.others[k].ranges[i] = nothing;
    }
    return neutral;
}

static bool is_chance(enum parameter parameter)
{
    return !rows[parameter].with_value;
}

static bool is_fixed(const struct environment *environment, enum parameter parameter)
{
    const struct environment_range range = environment_range_in(environment, parameter);
    return range.low == range.high && (!is_chance(parameter) || range.low % 100 == 0);
}

bool minimise_is_fixed(const struct environment *environment)
{
    if (environment->other_count > 0)
        return false;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (!is_fixed(environment, i))
            return false;
    return true;
}

static void set_value(struct environment *environment, enum parameter parameter, uint32_t value)
{
    *environment_range_of(environment, parameter) = (struct environment_range){value, value};
}

struct environment minimise_drawn(const struct environment *of, const uint32_t values[PARAMETER_COUNT])
{
    struct environment drawn = *of;
    environment_drop_others(&drawn);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        set_value(&drawn, i, is_chance(i) ? 100 * values[i] : values[i]);
    return drawn;
}

struct environment minimise_middle(const struct environment *environment)
{
    struct environment middle = *environment;
    environment_drop_others(&middle);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = environment_range_in(environment, i);
        const uint32_t value = range.low + (range.high - range.low) / 2;
        set_value(&middle, i, !is_chance(i) ? value : value < 50 ? 0 : 100);
    }
    return middle;
}

struct environment minimise_fixed(const struct environment *environment, const struct environment *values)
{
    struct environment fixed = *environment;
    environment_drop_others(&fixed);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (!is_fixed(environment, i) || environment->other_count > 0)
            *environment_range_of(&fixed, i) = environment_range_in(values, i);
    return fixed;
}

/* ---- words ---- */

static void add_item(const char *item, struct text *text, size_t start)
{
    text_add(text, "%s%s", text->size > start ? ", " : "", item);
}

void minimise_print_set(parameter_set set, parameter_set of, struct text *text)
{
    const size_t start = text->size;
    for (enum mechanism_group group = 0; group < MECHANISM_GROUP_COUNT; group++) {
        const parameter_set members = minimise_mechanism(group);
        const bool whole = (set & members) == (of & members);
        if (whole && (set & members))
            add_item(group_words[group], text, start);
        for (enum parameter i = 0; i < PARAMETER_COUNT && !whole; i++)
            if (set & members & bit_of(i))
                add_item(rows[i].name, text, start);
    }
}

static void print_range(struct environment_range range, struct text *text)
{
    if (range.low == range.high)
        text_add(text, "%u", range.low);
    else
        text_add(text, "%u to %u", range.low, range.high);
}

/* The range from the lowest to the highest value that any batch can draw. */
static struct environment_range spread(const struct environment *environment, enum parameter parameter)
{
    struct environment_range range = environment_range_in(environment, parameter);
    range.high = environment_highest(environment, parameter);
    for (uint32_t i = 0; i < environment->other_count; i++)
        if (environment->others[i].ranges[parameter].low < range.low)
            range.low = environment->others[i].ranges[parameter].low;
    return range;
}

static void print_parameter(const struct environment *environment, enum parameter parameter, struct text *text)
{
    const struct environment_range range = spread(environment, parameter);
    struct text value = {0};
    print_range(range, &value);
    if (!is_chance(parameter)) {
        const char *place = rows[parameter].with_value;
        for (; *place; place++) /* a row has only "%s" and "%%" */
            if (place[0] != '%')
                text_add(text, "%c", *place);
            else
                text_add(text, "%s", *++place == 's' ? text_string(&value) : "%");
    } else if (range.low == 100)
        text_add(text, "%s", rows[parameter].name);
    else
        text_add(text, "%s in %s %% of the batches", rows[parameter].name, text_string(&value));
    text_release(&value);
}

void minimise_print_values(const struct environment *environment, struct text *text)
{
    const size_t start = text->size;
    const parameter_set active = minimise_active(environment);
    for (enum mechanism_group group = 0; group < MECHANISM_GROUP_COUNT; group++)
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
            if ((active & bit_of(i)) && rows[i].group == group) {
                add_item("", text, start);
                print_parameter(environment, i, text);
            }
}
