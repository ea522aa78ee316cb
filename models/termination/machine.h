// SPDX-License-Identifier: Apache-2.0
/* States of a running program, and the steps from one to the next. */
#pragma once

#include "models/termination/program.h"

enum { MACHINE_MAXIMUM_THREADS = 16 }; /* one access of each of 18 has too many states; lanes are bits of a word */

/* What runs together: one thread, or in lock step the lanes of a warp. */
struct machine_unit {
    uint32_t lanes; /* threads, as bits */
    size_t state;   /* where its part of a state begins: the words MACHINE_FLAGS to MACHINE_STACK */
};

/* The words of a unit: flags, how many entries its stack has, the lanes of the top entry that have made the present
 * step, and the stack: entries of an instruction, the instruction at which an entry ends, and its lanes. */
enum { MACHINE_FLAGS, MACHINE_DEPTH, MACHINE_STEPPED, MACHINE_STACK };
enum { MACHINE_ENTRY = 3 }; /* words */
enum { MACHINE_BEGUN = 1, MACHINE_WAITS = 2 };

struct machine {
    struct test_program program;
    const struct litmus_test *test;
    struct {
        unsigned body, number;
    } threads[MACHINE_MAXIMUM_THREADS];
    unsigned thread_count;
    struct machine_unit units[MACHINE_MAXIMUM_THREADS]; /* in order of their lowest thread */
    unsigned unit_count;
    struct litmus_launches launches;
    size_t *cells;          /* of each location: the word of its first element */
    size_t slots;           /* the word of the first thread's slots */
    size_t state_words;     /* of a state: cells, slots, units */
    int64_t *next, *before; /* the state that a step makes, and what it was before the access of one lane */
    const char *reason;     /* why a step could not be followed, or NULL; the program's arena's */
};

/* A step from one state to another. */
struct machine_step {
    uint8_t unit, thread;
    uint16_t instruction; /* the access or barrier that it makes; 0: none */
    int32_t cell;         /* the word that it accesses first, or -1 */
};

/* Takes a state that follows another. */
typedef void machine_taker(void *context, const int64_t *state, struct machine_step step);

/* False, and machine->reason, if the test cannot be followed. lockstep: threads of one sub-group run
 * together, and those of one body and one work-group if the test numbers no sub-groups. The caller calls
 * machine_release in any case. */
bool machine_make(struct machine *machine, const struct litmus_test *test, bool lockstep);
void machine_release(struct machine *machine);

/* The first state, of machine->state_words words. */
void machine_begin(const struct machine *machine, int64_t *state);

/* The lanes of a unit that have not ended; whether it can take a step: it has such lanes, does not wait at a barrier,
 * and the launches that its own comes after have ended. */
uint32_t machine_lanes_left(const struct machine *machine, const int64_t *state, unsigned unit);
bool machine_can_step(const struct machine *machine, const int64_t *state, unsigned unit);

static inline bool machine_has_begun(const struct machine *machine, const int64_t *state, unsigned unit)
{
    return state[machine->units[unit].state + MACHINE_FLAGS] & MACHINE_BEGUN;
}

/* All states that one step of a unit leads to. */
void machine_step_unit(struct machine *machine, const int64_t *state, unsigned unit, machine_taker *take,
                       void *context);
