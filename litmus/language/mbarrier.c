// SPDX-License-Identifier: Apache-2.0
/* The arithmetic of mbarrier objects. */
#include "litmus/language/mbarrier.h"

/* Where each field lies: 20 bits each of arrivals, 21 of bytes with their sign, 2 of the phase.
 * The sign bit stays 0. */
enum { PENDING_SHIFT = 20, BYTES_SHIFT = 40, PHASE_SHIFT = 61, PHASES = 4 };

#define COUNT_MASK UINT64_C(0xfffff)
#define BYTES_MASK UINT64_C(0x1fffff)

int64_t mbarrier_pack(struct mbarrier mbarrier)
{
    return (int64_t)((mbarrier.expected & COUNT_MASK) | (mbarrier.pending & COUNT_MASK) << PENDING_SHIFT |
                     ((uint64_t)(int64_t)mbarrier.bytes & BYTES_MASK) << BYTES_SHIFT |
                     (uint64_t)(mbarrier.phase % PHASES) << PHASE_SHIFT);
}

struct mbarrier mbarrier_unpack(int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    const int32_t bytes = (int32_t)(bits >> BYTES_SHIFT & BYTES_MASK);
    return (struct mbarrier){
        .expected = (uint32_t)(bits & COUNT_MASK),
        .pending = (uint32_t)(bits >> PENDING_SHIFT & COUNT_MASK),
        .bytes = bytes > MBARRIER_MOST ? bytes - (int32_t)(BYTES_MASK + 1) : bytes,
        .phase = (unsigned)(bits >> PHASE_SHIFT) % PHASES,
    };
}

int64_t mbarrier_start(int64_t arrivals)
{
    return mbarrier_pack((struct mbarrier){.expected = (uint32_t)arrivals, .pending = (uint32_t)arrivals});
}

/* The changes of the two counts by an operation. */
struct change {
    int64_t pending, bytes;
};

static struct change change_of(enum litmus_operation operation, int64_t operand)
{
    switch (operation) {
    case LITMUS_ARRIVE:
        return (struct change){.pending = -operand};
    case LITMUS_EXPECT_TX:
        return (struct change){.bytes = operand};
    case LITMUS_ARRIVE_EXPECT_TX:
        return (struct change){.pending = -1, .bytes = operand};
    case LITMUS_COMPLETE_TX:
        return (struct change){.bytes = -operand};
    case LITMUS_EXPECT_ARRIVE:
        return (struct change){.pending = operand};
    default:
        return (struct change){0};
    }
}

/* Arrivals and complete-tx end a phase; expect-tx does not check whether nothing is pending (PTX
 * ISA, "expect-tx operation"). */
static bool may_end(enum litmus_operation operation)
{
    return operation == LITMUS_ARRIVE || operation == LITMUS_ARRIVE_EXPECT_TX || operation == LITMUS_COMPLETE_TX;
}

static int64_t limited(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

int64_t mbarrier_modify(enum litmus_operation operation, int64_t value, int64_t operand)
{
    if (operation == LITMUS_MBARRIER_INIT)
        return mbarrier_start(operand);
    struct mbarrier mbarrier = mbarrier_unpack(value);
    const struct change change = change_of(operation, operand);
    mbarrier.pending = (uint32_t)limited(mbarrier.pending + change.pending, 0, MBARRIER_MOST);
    mbarrier.bytes = (int32_t)limited(mbarrier.bytes + change.bytes, -MBARRIER_MOST, MBARRIER_MOST);
    if (may_end(operation) && mbarrier.pending == 0 && mbarrier.bytes == 0) {
        mbarrier.pending = mbarrier.expected;
        mbarrier.phase++;
    }
    return mbarrier_pack(mbarrier);
}

/* The phases are counted from 0, so the phase of parity 0 has ended when an odd one is current. */
int64_t mbarrier_test(int64_t value, int64_t parity)
{
    return (mbarrier_unpack(value).phase & 1) != ((uint64_t)parity & 1);
}

int64_t litmus_initial(const struct litmus_location *location, uint32_t element)
{
    const int64_t first = location->initial[element];
    return location->type == LITMUS_MBARRIER ? mbarrier_start(first) : first;
}
