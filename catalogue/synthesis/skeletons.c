// SPDX-License-Identifier: Apache-2.0
/* Enumerates skeletons, access by access: its thread, its kind, its location; barriers between them; at the end the groups and the
 * locations in local memory. */
#include "catalogue/synthesis/skeletons.h"

struct skeletons {
    const struct synthesis_bound *bound;
    bool groups;
    unsigned barriers; /* work-groups that may have one */
    unsigned local;    /* locations that may be in local memory */
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
                if (sketch->location[i] == sketch->location[j] && sketch->kind[i] != SKETCH_BARRIER &&
                    reached >> sketch->thread[i] & 1)
                    reached |= 1u << sketch->thread[j];
    }
    return reached == (1u << sketch->threads) - 1;
}

static bool has_barrier(const struct sketch *sketch, unsigned thread)
{
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch->thread[i] == thread && sketch->kind[i] == SKETCH_BARRIER)
            return true;
    return false;
}

/* Has every thread an access? */
static bool is_busy(const struct sketch *sketch)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < sketch->count; i++)
        busy |= sketch->kind[i] == SKETCH_BARRIER ? 0 : 1u << sketch->thread[i];
    return busy == (1u << sketch->threads) - 1;
}

/* Is each barrier one of all threads of a group of several, in no more groups than the bound says? */
static bool has_good_barriers(const struct skeletons *all)
{
    const struct sketch *sketch = &all->sketch;
    unsigned meeting = 0, shared = 0, groups = 0;
    for (unsigned i = 0; i < sketch->threads; i++) {
        meeting |= has_barrier(sketch, i) ? 1u << sketch->group[i] : 0;
        for (unsigned j = 0; j < i; j++)
            shared |= sketch->group[i] == sketch->group[j] ? 1u << sketch->group[i] : 0;
    }
    for (unsigned group = 0; group < sketch->threads; group++)
        groups += meeting >> group & 1;
    return (meeting & ~shared) == 0 && groups <= all->barriers && sketch_meets(sketch);
}

static bool give(struct skeletons *all)
{
    return !has_good_barriers(all) || !sketch_is_normal(&all->sketch) || all->take(&all->sketch, all->context);
}

/* The locations in local memory. Without any, all threads in one group are left out if they have no barrier. */
static bool choose_local(struct skeletons *all, unsigned groups)
{
    struct sketch *sketch = &all->sketch;
    const bool apart = groups > 1 || sketch->threads == 1 || sketch_barriers(sketch) > 0;
    const unsigned choices = all->local > 0 ? 1U << sketch->locations : 1;
    bool goes_on = true;
    for (unsigned local = apart ? 0 : 1; local < choices && goes_on; local++) {
        sketch->local = (uint8_t)local;
        if ((unsigned)__builtin_popcount(local) <= all->local && sketch_shares_local(sketch))
            goes_on = give(all);
    }
    sketch->local = 0;
    return goes_on;
}

/* Group numbers of the threads from `thread` on; `used` numbers are in use. */
static bool choose_groups(struct skeletons *all, unsigned thread, unsigned used)
{
    struct sketch *sketch = &all->sketch;
    if (thread == sketch->threads)
        return choose_local(all, used);
    for (unsigned group = 0; group <= used; group++) {
        sketch->group[thread] = (uint8_t)group;
        if ((all->groups || group == used) && !choose_groups(all, thread + 1, used + (group == used)))
            return false;
    }
    sketch->group[thread] = 0;
    return true;
}

static bool choose_access(struct skeletons *all, unsigned left, unsigned updates);

static bool choose_location(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count - 1u;
    const uint8_t locations = sketch->locations;
    bool goes_on = true;
    for (uint8_t location = 0; location <= locations && goes_on; location++) {
        sketch->location[at] = location;
        sketch->locations = location == locations ? locations + 1 : locations;
        goes_on = choose_access(all, left, updates);
    }
    sketch->location[at] = 0;
    sketch->locations = locations;
    return goes_on;
}

/* What is at the end so far: an access, or a barrier if its thread has none yet. */
static bool choose_kind(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count - 1u, thread = sketch->thread[at];
    bool goes_on = true;
    for (uint8_t kind = SKETCH_READ; kind <= SKETCH_UPDATE && goes_on && left > 0; kind++) {
        const unsigned now = updates + (kind == SKETCH_UPDATE);
        sketch->kind[at] = kind;
        goes_on = now > all->bound->updates || choose_location(all, left - 1, now);
    }
    sketch->kind[at] = SKETCH_READ;
    if (goes_on && all->barriers > 0 && !has_barrier(sketch, thread)) {
        sketch->kind[at] = SKETCH_BARRIER;
        sketch->location[at] = SKETCH_NOWHERE;
        goes_on = choose_access(all, left, updates);
        sketch->kind[at] = sketch->location[at] = 0;
    }
    return goes_on;
}

static bool choose_access(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count;
    const uint8_t threads = sketch->threads, last = at == 0 ? 0 : sketch->thread[at - 1];
    bool goes_on =
        left > 0 || !is_busy(sketch) || !is_communicating(sketch) || !is_connected(sketch) || choose_groups(all, 0, 0);
    if (left == 0 && all->barriers == 0)
        return goes_on;
    sketch->count++;
    for (uint8_t thread = last; thread <= last + (at > 0) && thread < all->bound->threads && goes_on; thread++) {
        sketch->thread[at] = thread;
        sketch->threads = thread + 1;
        goes_on = choose_kind(all, left, updates);
    }
    sketch->count--;
    sketch->thread[at] = 0;
    sketch->threads = threads;
    return goes_on;
}

void skeletons_each(unsigned accesses, const struct synthesis_bound *bound, const struct strength_row *row,
                    bool (*take)(const struct sketch *skeleton, void *context), void *context)
{
    struct skeletons all = {.bound = bound,
                            .groups = row->scopes,
                            .barriers = row->barriers ? bound->barriers : 0,
                            .local = row->regions ? bound->local : 0,
                            .take = take,
                            .context = context};
    (void)choose_access(&all, accesses, 0);
}
