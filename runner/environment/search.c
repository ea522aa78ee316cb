// SPDX-License-Identifier: Apache-2.0
/* Candidates for an environment: drawn from all choices, or near another. */
#include "runner/environment/search.h"

#include "base/random.h"

enum {
    MAXIMUM_CHANGES = 3,  /* in one step */
    MAXIMUM_ATTEMPTS = 64 /* to change something; the parameters that always matter can always change */
};

/* Purposes of random numbers; the key below separates them from the purposes of draws. */
enum { PURPOSE_NEAR = 1024 };

static const uint64_t search_key = 0x736561726368; /* "search": a job has this key only by chance */

/* The ranges of a parameter to choose from; none, of weight 0, if it is not searched. */
static const struct search_choice *choices_of(const struct environment_search *search, enum parameter parameter)
{
    return search->gpu ? environment_parameters[parameter].gpu : environment_parameters[parameter].cpu;
}

static void choose(const struct environment_search *search, enum parameter parameter, struct random *random,
                   struct environment *candidate)
{
    const struct search_choice *choices = choices_of(search, parameter);
    uint32_t sum = 0, i = 0;
    for (size_t k = 0; k < ENVIRONMENT_MAXIMUM_CHOICES; k++)
        sum += choices[k].weight;
    if (sum == 0)
        return;
    for (uint32_t at = random_below(random, sum); at >= choices[i].weight; i++)
        at -= choices[i].weight;
    candidate->ranges[parameter] = choices[i].range;
}

/* Whether the parameter has an effect: in these tests and devices, with what it needs. */
static bool matters(const struct environment_search *search, enum parameter parameter,
                    const struct environment *candidate)
{
    const struct environment_parameter *row = &environment_parameters[parameter];
    bool has_needs = row->needs == 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        has_needs |= (row->needs >> i & 1) && candidate->ranges[i].high > 0;
    return has_needs && (row->searched_with & ~search->has) == 0;
}

/* A parameter without effect keeps the start's value, so that equivalent environments are equal. */
static void silence(const struct environment_search *search, struct environment *candidate)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (!matters(search, i, candidate))
            candidate->ranges[i] = search->start->ranges[i];
}

void search_draw(const struct environment_search *search, uint64_t number, struct environment *candidate)
{
    *candidate = *search->start;
    environment_drop_others(candidate);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        struct random random = random_start(search->seed, search_key, number, i); /* a new one changes no other */
        choose(search, i, &random, candidate);
    }
    silence(search, candidate);
}

static uint32_t step_value(const struct environment_parameter *bound, uint32_t value, struct random *random)
{
    const bool up = random_below(random, 2) == 1;
    uint64_t stepped;
    if (bound->step == SEARCH_STEP_ANY)
        return random_between(random, bound->lowest, bound->highest);
    const uint32_t by = bound->step == SEARCH_STEP_SHIFT ? 1 + random_below(random, 8) : up ? value : (value + 1) / 2;
    if (up)
        stepped = (uint64_t)value + by;
    else
        stepped = value > by ? value - by : 0;
    if (stepped < bound->lowest)
        return bound->lowest;
    return stepped > bound->highest ? bound->highest : (uint32_t)stepped;
}

static void change(const struct environment_search *search, enum parameter parameter, struct random *random,
                   struct environment *candidate)
{
    struct environment_range *range = &candidate->ranges[parameter];
    if (random_below(random, 2) == 0) {
        choose(search, parameter, random, candidate);
        return;
    }
    if (range->low == range->high)
        range->low = step_value(&environment_parameters[parameter], range->low, random);
    else
        range->low = random_between(random, range->low, range->high);
    range->high = range->low;
}

static bool has_alternatives(const struct environment_search *search, enum parameter parameter)
{
    return choices_of(search, parameter)[1].weight > 0;
}

static bool differ(const struct environment *a, const struct environment *b)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range x = a->ranges[i], y = b->ranges[i];
        if (x.low != y.low || x.high != y.high)
            return true;
    }
    return false;
}

void search_near(const struct environment_search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate)
{
    struct random random = random_start(search->seed, search_key, number, PURPOSE_NEAR);
    *candidate = *parent;
    environment_drop_others(candidate);
    for (uint32_t left = 1 + random_below(&random, MAXIMUM_CHANGES), attempt = 0;
         attempt < MAXIMUM_ATTEMPTS && (left > 0 || !differ(candidate, parent)); attempt++) {
        const enum parameter parameter = random_below(&random, PARAMETER_COUNT);
        if (!has_alternatives(search, parameter) || !matters(search, parameter, candidate))
            continue;
        change(search, parameter, &random, candidate);
        silence(search, candidate);
        left -= left > 0;
    }
}
