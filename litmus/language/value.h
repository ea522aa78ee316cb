// SPDX-License-Identifier: Apache-2.0
/* The arithmetic of the tests' language: the results of operators and read-modify-writes on values of the tests'
 * types. */
#pragma once

#include "litmus/litmus.h"

struct litmus_value {
    int64_t value; /* as litmus_wrap gives it */
    enum litmus_type type;
};

/* Every operation has a result: a division by 0 gives 0, shifts take their width's low bits, the rest wraps. */
struct litmus_value litmus_value_unary(enum litmus_operator op, struct litmus_value operand);
struct litmus_value litmus_value_binary(enum litmus_operator op, struct litmus_value left, struct litmus_value right);

/* Whether C defines the operation: not if a signed result overflows, a divisor is 0 or a shift is too wide. */
bool litmus_value_is_defined(enum litmus_operator op, struct litmus_value left, struct litmus_value right);

/* The value that a store, an exchange or another read-modify-write of that type writes over the old value; for a
 * compare-and-swap, if it succeeds. */
int64_t litmus_value_modify(enum litmus_operation operation, enum litmus_type type, int64_t old, int64_t operand);

/* ---- mbarrier objects ---- */

/* The value of an mbarrier object, packed into 64 bits, and the effect of each operation (PTX ISA, "Parallel
 * Synchronization and Communication Instructions: mbarrier"). The packing is orchil's own: the layout in hardware is
 * not documented. */

/* Both counts of arrivals and the size of the count of bytes are at most this (PTX ISA, "Contents of the mbarrier
 * object"). */
enum { MBARRIER_MOST = (1 << 20) - 1 };

struct mbarrier {
    uint32_t expected; /* arrivals that end each phase, from 1 to MBARRIER_MOST */
    uint32_t pending;  /* arrivals that this phase still lacks */
    int32_t bytes;     /* bytes that asynchronous operations must still complete in this phase; below 0: they came
                        * before expect_tx */
    unsigned phase;    /* how many phases have ended, modulo 4 */
};

int64_t mbarrier_pack(struct mbarrier mbarrier);
struct mbarrier mbarrier_unpack(int64_t value);

/* The packed value of an object in its first phase, as after mbarrier.init; of 0 arrivals: of memory that is no object
 * yet. */
int64_t mbarrier_start(int64_t arrivals);

/* The packed value after one of LITMUS_ARRIVE to LITMUS_EXPECT_ARRIVE, or LITMUS_MBARRIER_INIT. Where the ISA does not
 * define it, because more arrive than are pending or a count leaves its range, counts stop at their limits. */
int64_t mbarrier_modify(enum litmus_operation operation, int64_t value, int64_t operand);

/* The result of test_wait and try_wait with that parity: 1 if the phase of that parity has ended, else 0. */
int64_t mbarrier_test(int64_t value, int64_t parity);
