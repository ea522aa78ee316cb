// SPDX-License-Identifier: Apache-2.0
/* The parameters of an environment for the minimiser. */
#include "hunt/minimise/minimising.h"
#include "verdicts/verdicts.h"

static const char *const group_words[MECHANISM_GROUP_COUNT] = {
#define GROUP_WORDS(name, words) words,
    MECHANISM_GROUP_LIST(GROUP_WORDS)};

static parameter_set bit_of(enum parameter parameter)
{
    return (parameter_set)1 << parameter;
}

parameter_set minimise_mechanism(enum mechanism_group group)
{
    parameter_set set = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (environment_parameters[i].mechanism == group)
            set |= bit_of(i);
    return set;
}

parameter_set minimise_effective(parameter_set set)
{
    parameter_set effective = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *row = &environment_parameters[i];
        if ((set & bit_of(i)) && row->mechanism != MECHANISM_GROUP_SIZE && (!row->needs || (row->needs & set)))
            effective |= bit_of(i);
    }
    return effective;
}

static bool is_neutral_range(struct environment_range range, enum parameter parameter)
{
    const uint32_t neutral = environment_parameters[parameter].neutral;
    return range.low == neutral && range.high == neutral;
}

parameter_set minimise_active(const struct environment *environment)
{
    parameter_set set = 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        bool neutral = is_neutral_range(environment->ranges[i], i);
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
        const struct environment_parameter *row = &environment_parameters[i];
        const struct environment_range nothing = {row->neutral, row->neutral};
        if ((kept & bit_of(i)) || row->mechanism == MECHANISM_GROUP_SIZE)
            continue;
        neutral.ranges[i] = nothing;
        for (uint32_t k = 0; k < neutral.other_count; k++)
            neutral.others[k].ranges[i] = nothing;
    }
    return neutral;
}

static bool is_chance(enum parameter parameter)
{
    return environment_parameters[parameter].kind == PARAMETER_KIND_CHANCE;
}

static bool is_fixed(const struct environment *environment, enum parameter parameter)
{
    const struct environment_range range = environment->ranges[parameter];
    return range.low == range.high && (!is_chance(parameter) || range.low % 100 == 0);
}

bool minimise_is_fixed(const struct environment *environment)
{
    if (environment->other_count > 0)
        return false;
    return !ANY_NUMBER(enum parameter, i, 0, PARAMETER_COUNT, !is_fixed(environment, i));
}

static void set_value(struct environment *environment, enum parameter parameter, uint32_t value)
{
    environment->ranges[parameter] = (struct environment_range){value, value};
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
        const struct environment_range range = environment->ranges[i];
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
            fixed.ranges[i] = values->ranges[i];
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
                add_item(environment_parameters[i].title, text, start);
    }
}

/* The range from the lowest to the highest value that any batch can draw. */
static struct environment_range spread(const struct environment *environment, enum parameter parameter)
{
    struct environment_range range = environment->ranges[parameter];
    range.high = environment_highest(environment, parameter);
    for (uint32_t i = 0; i < environment->other_count; i++)
        if (environment->others[i].ranges[parameter].low < range.low)
            range.low = environment->others[i].ranges[parameter].low;
    return range;
}

static void print_parameter(const struct environment *environment, enum parameter parameter, struct text *text)
{
    const struct environment_range range = spread(environment, parameter);
    LOCAL(text) value = {0};
    if (range.low == range.high)
        text_add(&value, "%u", range.low);
    else
        text_add(&value, "%u to %u", range.low, range.high);
    if (!is_chance(parameter)) {
        const char *place = environment_parameters[parameter].with_value;
        for (; *place; place++) /* a text has only "%s" and "%%" */
            if (place[0] != '%')
                text_add(text, "%c", *place);
            else
                text_add(text, "%s", *++place == 's' ? text_string(&value) : "%");
    } else if (range.low == 100)
        text_add(text, "%s", environment_parameters[parameter].title);
    else
        text_add(text, "%s in %s %% of the batches", environment_parameters[parameter].title, text_string(&value));
}

void minimise_print_values(const struct environment *environment, struct text *text)
{
    const size_t start = text->size;
    const parameter_set active = minimise_active(environment);
    for (enum mechanism_group group = 0; group < MECHANISM_GROUP_COUNT; group++)
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
            if ((active & bit_of(i)) && environment_parameters[i].mechanism == group) {
                add_item("", text, start);
                print_parameter(environment, i, text);
            }
}

WORDS_OF(minimise_stage_title, enum minimise_stage, MINIMISE_STAGE_LIST(WORD_OF))
WORDS_OF(minimise_end_title, enum minimise_end, MINIMISE_END_LIST(WORD_OF))

void minimal_release(struct minimal *minimal)
{
    litmus_release(minimal->test);
    free(minimal->outcome);
    free(minimal->steps);
    arena_release(&minimal->arena);
    *minimal = (struct minimal){0};
}

void minimal_print_needed(const struct minimal *minimal, struct text *text)
{
    if (minimal->needed_count == 0)
        text_add(text, "none");
    else
        text_add(text, "%u", minimal->needed_count);
    text_add(text, " of %u parameter%s", minimal->asked, minimal->asked == 1 ? "" : "s");
    if (minimal->needed_count > 0)
        text_add(text, ": ");
    minimise_print_values(&minimal->environment, text);
}
