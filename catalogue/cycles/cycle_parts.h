// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of cycles and variants. */
#ifndef ORCHIL_CATALOGUE_CYCLES_CYCLE_PARTS_H
#define ORCHIL_CATALOGUE_CYCLES_CYCLE_PARTS_H

#include "catalogue/cycles/cycle.h"

/* A thread by its first and last direction, in the order in which keys are compared. */
enum cycle_thread { CYCLE_W, CYCLE_WW, CYCLE_RR, CYCLE_RW, CYCLE_WR, CYCLE_R, CYCLE_THREAD_COUNT };

struct cycle_key {
    size_t count;
    enum cycle_thread threads[CYCLE_MAXIMUM_THREADS];
};

/* Directions of a thread's ends; a thread of one event has the same at both. */
enum cycle_direction cycle_first_of(enum cycle_thread thread);
enum cycle_direction cycle_last_of(enum cycle_thread thread);
bool cycle_is_single(enum cycle_thread thread); /* one event */

/* The key that a text of size bytes names: a nickname, or directions joined by '+'. *same: whether
 * its internal edges stay at one location, as they do for the nicknames of coherence. False for any
 * other text. */
bool cycle_find_key(const char *text, size_t size, struct cycle_key *key, bool *same);

/* Is the cycle's family one of the nicknames of coherence? */
bool cycle_is_coherence(const struct cycle *cycle);

/* The communication from an event of one direction to one of another; RF for two reads, which cycle_check refuses. */
enum cycle_relation cycle_communication(enum cycle_direction from, enum cycle_direction to);

bool cycle_is_communication(enum cycle_relation relation);

/* The direction that a relation requires of its first and its last event, or LITMUS_NONE. */
int cycle_required_first(enum cycle_relation relation);
int cycle_required_last(enum cycle_relation relation);

#endif
