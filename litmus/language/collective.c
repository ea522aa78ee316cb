// SPDX-License-Identifier: Apache-2.0
/* The functions that the lanes of a sub-group call together: who the lanes are, and what each function gives. */
#include "litmus/language/collective.h"

#include "litmus/language/order.h"

unsigned litmus_lanes(const struct litmus_test *test, unsigned body, unsigned *own)
{
    const struct litmus_thread *thread = &test->threads[body];
    unsigned lanes = 0;
    *own = 0;
    for (unsigned other = 0; other < test->body_count; other++) {
        const struct litmus_thread *beside = &test->threads[other];
        const bool shares = thread->placement.sub_group != LITMUS_NONE &&
                            scope_includes(LITMUS_SUB_GROUP, &thread->placement, &beside->placement);
        if (other == body)
            *own = lanes;
        lanes += shares ? beside->count : other == body;
    }
    return lanes;
}

uint32_t litmus_lanes_of_mask(int64_t mask, unsigned lanes)
{
    return (uint32_t)mask & (lanes < LITMUS_MASK_BITS ? (UINT32_C(1) << lanes) - 1 : UINT32_MAX);
}

bool litmus_collective_votes(enum litmus_collective_function function)
{
    return function == LITMUS_VOTE_ANY || function == LITMUS_VOTE_ALL || function == LITMUS_BALLOT;
}

uint32_t litmus_shuffled_lane(const struct litmus_collective *collective, unsigned own, int64_t lane)
{
    const uint32_t number = (uint32_t)lane % LITMUS_MASK_BITS;
    return collective->function == LITMUS_SHUFFLE_XOR ? own ^ number : number;
}

/* Two values combined into one. */
static int64_t combined(const struct litmus_collective *collective, int64_t one, int64_t two)
{
    switch (collective->function) {
    case LITMUS_REDUCE_ADD:
        return litmus_wrap(collective->type, (int64_t)((uint64_t)one + (uint64_t)two));
    case LITMUS_REDUCE_MIN:
        return one < two ? one : two;
    default:
        return one > two ? one : two;
    }
}

int64_t litmus_collective_value(const struct litmus_collective *collective, const int64_t values[LITMUS_MASK_BITS],
                                uint32_t mask, unsigned own, uint32_t source)
{
    uint32_t set = 0, equal = 0;
    int64_t total = 0;
    for (unsigned lane = 0; lane < LITMUS_MASK_BITS; lane++) {
        const uint32_t bit = UINT32_C(1) << lane;
        if (!(mask & bit))
            continue;
        total = mask & (bit - 1) ? combined(collective, total, values[lane]) : values[lane];
        set |= values[lane] != 0 ? bit : 0;
        equal |= values[lane] == values[own] ? bit : 0;
    }
    switch (collective->function) {
    case LITMUS_VOTE_ANY:
        return set != 0;
    case LITMUS_VOTE_ALL:
        return set == mask;
    case LITMUS_BALLOT:
        return set;
    case LITMUS_SHUFFLE:
    case LITMUS_SHUFFLE_XOR:
        return values[source];
    case LITMUS_MATCH_ANY:
        return equal;
    case LITMUS_MATCH_ALL:
        return equal == mask ? mask : 0;
    case LITMUS_ELECT:
        return values[own] == own;
    default:
        return total;
    }
}

enum litmus_type litmus_collective_type(const struct litmus_collective *collective)
{
    switch (collective->function) {
    case LITMUS_VOTE_ANY:
    case LITMUS_VOTE_ALL:
    case LITMUS_ELECT:
        return LITMUS_INT;
    case LITMUS_BALLOT:
    case LITMUS_MATCH_ANY:
    case LITMUS_MATCH_ALL:
    case LITMUS_ACTIVE:
        return LITMUS_UINT;
    default:
        return collective->type;
    }
}
