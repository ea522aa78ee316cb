// SPDX-License-Identifier: Apache-2.0
/* Portfolios: which environment a batch is drawn from. */
#include <string.h>

#include "runner/environment/environment.h"

void environment_drop_others(struct environment *environment)
{
    for (uint32_t i = 0; i < ENVIRONMENT_MAXIMUM_OTHERS; i++)
        environment->others[i] = (struct environment_other){0};
    environment->other_count = environment->batches = 0;
}

/* The batches of member i, 0 being the first, in a turn. */
static uint32_t batches_of(const struct environment *environment, uint32_t i, unsigned test_groups)
{
    const struct environment_other *other = i > 0 ? &environment->others[i - 1] : NULL;
    const struct environment_range *ranges = other ? other->ranges : environment->ranges;
    if (ranges[PARAMETER_most_test_groups].high < test_groups)
        return 0;
    return other ? other->batches : environment->batches;
}

static uint64_t turn_of(const struct environment *environment, unsigned test_groups)
{
    uint64_t turn = 0;
    for (uint32_t i = 0; i <= environment->other_count; i++)
        turn += batches_of(environment, i, test_groups);
    return turn;
}

struct environment environment_of_batch(const struct environment *environment, unsigned test_groups, uint64_t batch)
{
    struct environment member = *environment;
    environment_drop_others(&member);
    if (environment->other_count == 0)
        return member;
    if (turn_of(environment, test_groups) == 0)
        test_groups = 0; /* every member has its turns */
    uint64_t place = batch % turn_of(environment, test_groups);
    uint32_t i = 0;
    while (place >= batches_of(environment, i, test_groups))
        place -= batches_of(environment, i++, test_groups);
    if (i > 0)
        memcpy(member.ranges, environment->others[i - 1].ranges, sizeof member.ranges);
    return member;
}

uint32_t environment_highest(const struct environment *environment, enum parameter parameter)
{
    uint32_t highest = environment->ranges[parameter].high;
    for (uint32_t i = 0; i < environment->other_count; i++)
        if (environment->others[i].ranges[parameter].high > highest)
            highest = environment->others[i].ranges[parameter].high;
    return highest;
}
