// SPDX-License-Identifier: Apache-2.0
/* Sketches: the small straight-line programs that synthesis enumerates, judges and weakens, and their outcomes. A
 * sketch is bytes without padding, so equal sketches are equal memory. */
#pragma once

#include "catalogue/synthesis/synthesis.h"

/* Eight accesses, and a barrier in each thread. */
enum { SKETCH_MAXIMUM_ACCESSES = 12, SKETCH_MAXIMUM_THREADS = 4, SKETCH_MAXIMUM_LOCATIONS = 8 };

/* A barrier stands among the accesses: it has gaps before and after it, and no location. The threads of a group that
 * have one meet there. */
enum sketch_kind { SKETCH_READ, SKETCH_WRITE, SKETCH_UPDATE, SKETCH_BARRIER };
enum { SKETCH_NOWHERE = 0xff };

/* How strong an access or a fence is: a set of guarantees, so weaker is a subset. A plain access has none, 0 in place
 * of a fence is no fence, and a barrier of strength 0 orders nothing in memory, if that is possible. WIDE: its scope
 * includes every thread; otherwise only those of its own group. */
enum sketch_strength {
    SKETCH_ATOMIC = 1 << 0,
    SKETCH_ACQUIRES = 1 << 1,
    SKETCH_RELEASES = 1 << 2,
    SKETCH_IS_SC = 1 << 3,
    SKETCH_WIDE = 1 << 4,
    SKETCH_ORDERS = SKETCH_ATOMIC | SKETCH_ACQUIRES | SKETCH_RELEASES | SKETCH_IS_SC,
    /* Of accesses: it depends on the nearest earlier read of its thread, at most in one way. */
    SKETCH_ADDRESS = 1 << 5,
    SKETCH_DATA = 1 << 6,
    SKETCH_CONTROL = 1 << 7,
    SKETCH_DEPENDS = SKETCH_ADDRESS | SKETCH_DATA | SKETCH_CONTROL,
    /* Of fences and barriers whose dialect names the memory that they order. */
    SKETCH_ON_GLOBAL = 1 << 5,
    SKETCH_ON_LOCAL = 1 << 6
};

struct sketch {
    uint8_t count, threads, locations;
    uint8_t local; /* bit i: location i is in local memory, which the threads of one group share */
    uint8_t kind[SKETCH_MAXIMUM_ACCESSES];
    uint8_t thread[SKETCH_MAXIMUM_ACCESSES]; /* ascending: a thread's accesses are neighbours, in program order */
    uint8_t location[SKETCH_MAXIMUM_ACCESSES];
    uint8_t strength[SKETCH_MAXIMUM_ACCESSES];
    uint8_t fence[SKETCH_MAXIMUM_ACCESSES]; /* between this access and the one before it in its thread */
    uint8_t group[SKETCH_MAXIMUM_THREADS];  /* of each thread: the work-group */
};

/* Where a read's value comes from, and which write a location ends with. */
enum { OUTCOME_INITIAL = 0xfe, OUTCOME_OPEN = 0xff };

/* Each is the number of an access, or OUTCOME_INITIAL, or OUTCOME_OPEN: not said. A location with one write at most is
 * always open: nothing is to be said about it. */
struct outcome {
    uint8_t source[SKETCH_MAXIMUM_ACCESSES]; /* of each access that reads */
    uint8_t last[SKETCH_MAXIMUM_ACCESSES];   /* of each location */
};

static inline bool sketch_reads(const struct sketch *sketch, unsigned access)
{
    return sketch->kind[access] == SKETCH_READ || sketch->kind[access] == SKETCH_UPDATE;
}

static inline bool sketch_writes(const struct sketch *sketch, unsigned access)
{
    return sketch->kind[access] == SKETCH_WRITE || sketch->kind[access] == SKETCH_UPDATE;
}

/* Is it the first access of its thread? */
static inline bool sketch_starts(const struct sketch *sketch, unsigned access)
{
    return access == 0 || sketch->thread[access] != sketch->thread[access - 1];
}

/* The nearest earlier access of the thread that reads, or -1. */
int sketch_earlier_read(const struct sketch *sketch, unsigned access);

unsigned sketch_write_count(const struct sketch *sketch, unsigned location);

/* The value that the access writes, from 1: which write to its location it is. */
unsigned sketch_value(const struct sketch *sketch, unsigned access);

/* How many fences, read-modify-writes, dependencies and threads with a barrier it has. */
unsigned sketch_fences(const struct sketch *sketch);
unsigned sketch_updates(const struct sketch *sketch);
unsigned sketch_dependencies(const struct sketch *sketch);
unsigned sketch_barriers(const struct sketch *sketch);

/* Has a thread of each group a barrier only if all of its threads have one? */
bool sketch_meets(const struct sketch *sketch);

/* Is each location in local memory used by the threads of one group only? */
bool sketch_shares_local(const struct sketch *sketch);

/* The outcomes of a sketch, numbered from 0 to the count. Only those that say everything have a number. */
size_t outcome_count(const struct sketch *sketch);
void outcome_of_number(const struct sketch *sketch, size_t number, struct outcome *outcome);

/* Does an outcome that says everything fulfil one that may leave things open? */
bool outcome_matches(const struct sketch *sketch, const struct outcome *whole, const struct outcome *part);

/* ---- one of those that are equal up to the names of threads, locations and groups ---- */

/* The sketch and its outcome with the threads in the order that gives the least bytes, and locations and groups by
 * first use. `outcome` may be NULL. */
void sketch_normalise(struct sketch *sketch, struct outcome *outcome);

/* Is the sketch, without a look at strengths, the one that sketch_normalise would choose? */
bool sketch_is_normal(const struct sketch *sketch);

/* ---- less of a sketch: the outcome says no more about what is gone ---- */

/* A barrier is removed from all threads of the group. What read from a removed write still reads nothing later: what
 * came just before that write in coherence, as far as the outcome tells. From the last write, that is no demand at
 * all. */
void sketch_remove(struct sketch *sketch, struct outcome *outcome, unsigned access);

/* A read-modify-write as a read and then a write. False: it would have too many accesses. */
bool sketch_split(struct sketch *sketch, struct outcome *outcome, unsigned access);

/* The barrier of all threads of the group as fences, where it is one: they do not meet. */
void sketch_part(struct sketch *sketch, struct outcome *outcome, unsigned barrier);

/* Puts a thread into a group of its own. False: it is in one, or shares local memory. */
bool sketch_separate(struct sketch *sketch, unsigned thread);

/* ---- sketches as tests, and tests as sketches ---- */

/* The test of a sketch, whose condition is the outcome, which says everything. It observes every read, in the order of
 * accesses, and every location with more than one write, and nothing else. The caller releases it. */
struct litmus_test *sketch_test(enum litmus_dialect dialect, const struct sketch *sketch,
                                const struct outcome *outcome);

/* The sketch of a test whose threads are straight lines of loads, stores and exchanges (or additions of 0, in place of
 * reads) of single words and fences between them, and the outcome that its condition describes: values that each have
 * one write, joined by "and". False for every other test, with what it has that no sketch has appended to `why`, or
 * NULL. Strengths are as in its dialect: the scopes that include all threads are wide. */
bool sketch_of_test(const struct litmus_test *test, struct sketch *sketch, struct outcome *outcome, struct text *why);

/* ---- the names of tests made of sketches ---- */

/* Appends the dialect and the bytes of a normalised sketch and its outcome. */
void sketch_key(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                struct text *key);

/* Gives the test of a normalised sketch its name and its description: the known test's; else that of the variant of a
 * cycle that is this test; else its threads' accesses, such as "Wx+Rx.acq.gpu-F.sc.gpu-Rx". known may be NULL. Returns
 * whether the test is known. */
bool sketch_name(const struct sketch *sketch, const struct outcome *outcome, const struct known_tests *known,
                 struct litmus_test *test);
