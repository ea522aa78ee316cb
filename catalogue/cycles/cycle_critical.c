// SPDX-License-Identifier: Apache-2.0
/*
 * Critical cycles (Shasha and Snir, "Efficient and correct execution of parallel programs that
 * share memory", TOPLAS 1988; "critical" as in Alglave, Maranget, Tautschnig, "Herding cats",
 * TOPLAS 2014): two events of a thread at most, of different locations, and three of a location at
 * most, of different threads. So successive communications are Co then Rf, or Fr then Rf; other
 * sequences are equivalent to one communication. Hence a thread of one event is a write that is
 * read.
 */
#include "catalogue/cycles/cycle_parts.h"

static bool is_critical(const struct cycle_key *key)
{
    size_t doubles = 0;
    for (size_t i = 0; i < key->count; i++) {
        const enum cycle_thread thread = key->threads[i], next = key->threads[(i + 1) % key->count];
        const bool read_next = cycle_first_of(next) == CYCLE_READ;
        if (cycle_last_of(thread) == CYCLE_READ && read_next)
            return false;
        if (thread == CYCLE_W && !read_next)
            return false;
        doubles += !cycle_is_single(thread);
    }
    return doubles >= 2;
}

static bool is_least(const struct cycle_key *key)
{
    for (size_t i = 1; i < key->count; i++)
        if (cycle_compare_rotations(key, i, 0) < 0)
            return false;
    return true;
}

/* The next key in the order in which keys are compared; false after the last one. */
static bool advance(struct cycle_key *key)
{
    for (size_t i = key->count; i-- > 0;) {
        if (key->threads[i] < CYCLE_WR) {
            key->threads[i]++;
            return true;
        }
        key->threads[i] = CYCLE_W;
    }
    return false;
}

enum status cycle_each_critical(unsigned threads,
                                enum status (*take)(const struct cycle *cycle, void *context, struct error *error),
                                void *context, struct error *error)
{
    struct cycle_key key = {.count = threads};
    if (threads < 2 || threads > CYCLE_MAXIMUM_THREADS)
        return error_set(error, STATUS_USAGE, "critical cycles: expected 2 to %d threads, found %u",
                         CYCLE_MAXIMUM_THREADS, threads);
    do {
        if (!is_critical(&key) || !is_least(&key))
            continue;
        struct cycle cycle;
        cycle_of_key(&key, false, &cycle);
        TRY(take(&cycle, context, error));
    } while (advance(&key));
    return STATUS_OK;
}
