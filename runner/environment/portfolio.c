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

struct environment environment_of_batch(const struct environment *environment, uint64_t batch)
{
    struct environment member = *environment;
    uint64_t turn = environment->batches;
    environment_drop_others(&member);
    if (environment->other_count == 0)
        return member;
    for (uint32_t i = 0; i < environment->other_count; i++)
        turn += environment->others[i].batches;
    uint64_t place = batch % turn;
    if (place < environment->batches)
        return member;
    place -= environment->batches;
    uint32_t other = 0;
    while (place >= environment->others[other].batches)
        place -= environment->others[other++].batches;
    memcpy(member.ranges, environment->others[other].ranges, sizeof member.ranges);
    return member;
}

uint64_t environment_least_batches(const struct environment *environment, uint64_t each)
{
    uint64_t turn = environment->batches, least = environment->batches;
    if (environment->other_count == 0)
        return each;
    for (uint32_t i = 0; i < environment->other_count; i++) {
        const uint64_t batches = environment->others[i].batches;
        turn += batches;
        least = batches < least ? batches : least;
    }
    return least > 0 ? (each + least - 1) / least * turn : each;
}

uint64_t environment_batch(const struct environment *environment, uint64_t instances)
{
    const uint64_t members = environment_least_batches(environment, ENVIRONMENT_MEMBER_BATCHES);
    const uint64_t batches = members > ENVIRONMENT_BATCHES ? members : ENVIRONMENT_BATCHES;
    return instances > 0 && instances < batches ? 1 : instances / batches;
}

uint32_t environment_highest(const struct environment *environment, enum parameter parameter)
{
    uint32_t highest = environment->ranges[parameter].high;
    for (uint32_t i = 0; i < environment->other_count; i++)
        if (environment->others[i].ranges[parameter].high > highest)
            highest = environment->others[i].ranges[parameter].high;
    return highest;
}
