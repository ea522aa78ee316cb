// SPDX-License-Identifier: Apache-2.0
/* Enumerates skeletons, access by access: its thread, its kind, its location; at the end the groups. */
#include "synthesis/skeletons.h"

struct skeletons {
    unsigned accesses;
    const struct synthesis_bound *bound;
    bool groups;
    bool (*take)(const struct sketch *skeleton, void *context);
    void *context;
    struct sketch sketch;
};

/*
 * Does every location have a write and another access? A read-modify-write alone at its location
 * stays, because a model may take it as a fence; any other access alone takes part in no
 * communication.
 */
static bool is_communicating(const struct sketch *sketch)
{
    for (unsigned location = 0; location < sketch->locations; location++) {
        unsigned reads = 0, writes = 0, updates = 0;
        for (unsigned i = 0; i < sketch->count; i++) {
            const bool here = sketch->location[i] == location;
            reads += here && sketch->kind[i] == SKETCH_READ;
            writes += here && sketch->kind[i] == SKETCH_WRITE;
            updates += here && sketch->kind[i] == SKETCH_UPDATE;
        }
        if (updates == 0 && (writes == 0 || reads + writes < 2))
            return false;
    }
    return true;
}

/* Are the threads joined by locations? If not, one part of them has the cycle alone. */
static bool is_connected(const struct sketch *sketch)
{
    unsigned reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned i = 0; i < sketch->count; i++)
            for (unsigned j = 0; j < sketch->count; j++)
                if (sketch->location[i] == sketch->location[j] && reached >> sketch->thread[i] & 1)
                    reached |= 1u << sketch->thread[j];
    }
    return reached == (1u << sketch->threads) - 1;
}

static bool give(struct skeletons *all)
{
    return !sketch_is_normal(&all->sketch) || all->take(&all->sketch, all->context);
}

/* Group numbers of the threads from `thread` on; `used` numbers are in use. */
static bool choose_groups(struct skeletons *all, unsigned thread, unsigned used)
{
    struct sketch *sketch = &all->sketch;
    if (thread == sketch->threads)
        return (used == 1 && sketch->threads > 1) || give(all);
    for (unsigned group = 0; group <= used; group++) {
        sketch->group[thread] = (uint8_t)group;
        if ((all->groups || group == used) && !choose_groups(all, thread + 1, used + (group == used)))
            return false;
    }
    sketch->group[thread] = 0;
    return true;
}

static bool choose_access(struct skeletons *all, unsigned at, unsigned updates);

static bool choose_location(struct skeletons *all, unsigned at, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const uint8_t locations = sketch->locations;
    bool goes_on = true;
    for (uint8_t location = 0; location <= locations && goes_on; location++) {
        sketch->location[at] = location;
        sketch->locations = location == locations ? locations + 1 : locations;
        goes_on = choose_access(all, at + 1, updates);
    }
    sketch->location[at] = 0;
    sketch->locations = locations;
    return goes_on;
}

static bool choose_access(struct skeletons *all, unsigned at, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    if (at == all->accesses)
        return !is_communicating(sketch) || !is_connected(sketch) || choose_groups(all, 0, 0);
    const uint8_t threads = sketch->threads, last = at == 0 ? 0 : sketch->thread[at - 1];
    bool goes_on = true;
    for (uint8_t thread = last; thread <= last + (at > 0) && thread < all->bound->threads && goes_on; thread++) {
        sketch->thread[at] = thread;
        sketch->threads = thread + 1;
        for (uint8_t kind = SKETCH_READ; kind <= SKETCH_UPDATE && goes_on; kind++) {
            const unsigned now = updates + (kind == SKETCH_UPDATE);
            sketch->kind[at] = kind;
            goes_on = now > all->bound->updates || choose_location(all, at, now);
        }
    }
    sketch->kind[at] = sketch->thread[at] = 0;
    sketch->threads = threads;
    return goes_on;
}

void skeletons_each(unsigned accesses, const struct synthesis_bound *bound, bool groups,
                    bool (*take)(const struct sketch *skeleton, void *context), void *context)
{
    struct skeletons all = {.accesses = accesses, .bound = bound, .groups = groups, .take = take, .context = context};
    all.sketch.count = (uint8_t)accesses;
    (void)choose_access(&all, 0, 0);
}
