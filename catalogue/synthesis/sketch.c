// SPDX-License-Identifier: Apache-2.0
/* Sketches and their outcomes. */
#include "catalogue/synthesis/sketch.h"

int sketch_earlier_read(const struct sketch *sketch, unsigned access)
{
    for (unsigned i = access; i > 0 && sketch->thread[i - 1] == sketch->thread[access]; i--)
        if (sketch_reads(sketch, i - 1))
            return (int)i - 1;
    return -1;
}

/* Writes to a location by accesses before `end`. */
static unsigned writes_before(const struct sketch *sketch, unsigned location, unsigned end)
{
    unsigned count = 0;
    for (unsigned i = 0; i < end; i++)
        count += sketch_writes(sketch, i) && sketch->location[i] == location;
    return count;
}

unsigned sketch_write_count(const struct sketch *sketch, unsigned location)
{
    return writes_before(sketch, location, sketch->count);
}

unsigned sketch_value(const struct sketch *sketch, unsigned access)
{
    return writes_before(sketch, sketch->location[access], access) + 1;
}

unsigned sketch_fences(const struct sketch *sketch)
{
    return SUM_OF(unsigned, one, sketch->fence, sketch->count, *one != 0);
}

static unsigned count_kind(const struct sketch *sketch, enum sketch_kind kind)
{
    return SUM_OF(unsigned, one, sketch->kind, sketch->count, *one == kind);
}

unsigned sketch_updates(const struct sketch *sketch)
{
    return count_kind(sketch, SKETCH_UPDATE);
}

unsigned sketch_dependencies(const struct sketch *sketch)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sketch->count; i++)
        count += sketch->kind[i] != SKETCH_BARRIER && (sketch->strength[i] & SKETCH_DEPENDS) != 0;
    return count;
}

unsigned sketch_barriers(const struct sketch *sketch)
{
    return count_kind(sketch, SKETCH_BARRIER);
}

static unsigned barriers_of_thread(const struct sketch *sketch, unsigned thread)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sketch->count; i++)
        count += sketch->thread[i] == thread && sketch->kind[i] == SKETCH_BARRIER;
    return count;
}

bool sketch_meets(const struct sketch *sketch)
{
    return !ANY_NUMBER(unsigned, i, 0, sketch->threads,
                       ANY_NUMBER(unsigned, j, 0, i,
                                  sketch->group[i] == sketch->group[j] &&
                                      barriers_of_thread(sketch, i) != barriers_of_thread(sketch, j)));
}

static bool is_local(const struct sketch *sketch, unsigned access)
{
    return sketch->kind[access] != SKETCH_BARRIER && sketch->local >> sketch->location[access] & 1;
}

bool sketch_shares_local(const struct sketch *sketch)
{
    return !ANY_NUMBER(unsigned, i, 0, sketch->count,
                       ANY_NUMBER(unsigned, j, 0, i,
                                  is_local(sketch, i) && sketch->location[i] == sketch->location[j] &&
                                      sketch->group[sketch->thread[i]] != sketch->group[sketch->thread[j]]));
}

/* ---- outcomes ---- */

/* Write number `value` of the location, from 1; 0: the initial one. */
static uint8_t write_of_value(const struct sketch *sketch, unsigned location, size_t value)
{
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_writes(sketch, i) && sketch->location[i] == location && sketch_value(sketch, i) == value)
            return (uint8_t)i;
    return OUTCOME_INITIAL;
}

size_t outcome_count(const struct sketch *sketch)
{
    size_t count = 1;
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_reads(sketch, i))
            count *= sketch_write_count(sketch, sketch->location[i]) + 1;
    for (unsigned i = 0; i < sketch->locations; i++)
        if (sketch_write_count(sketch, i) > 1)
            count *= sketch_write_count(sketch, i);
    return count;
}

/* Its digits, in mixed radix: the values of the reads, then the last values of the locations. */
void outcome_of_number(const struct sketch *sketch, size_t number, struct outcome *outcome)
{
    memset(outcome, OUTCOME_OPEN, sizeof *outcome);
    for (unsigned i = 0; i < sketch->count; i++) {
        const size_t radix = sketch_write_count(sketch, sketch->location[i]) + 1;
        if (!sketch_reads(sketch, i))
            continue;
        outcome->source[i] = write_of_value(sketch, sketch->location[i], number % radix);
        number /= radix;
    }
    for (unsigned i = 0; i < sketch->locations; i++) {
        const size_t radix = sketch_write_count(sketch, i);
        if (radix < 2)
            continue;
        outcome->last[i] = write_of_value(sketch, i, number % radix + 1);
        number /= radix;
    }
}

bool outcome_matches(const struct sketch *sketch, const struct outcome *whole, const struct outcome *part)
{
    return !ANY_NUMBER(unsigned, i, 0, sketch->count,
                       (part->source[i] != OUTCOME_OPEN && part->source[i] != whole->source[i]) ||
                           (part->last[i] != OUTCOME_OPEN && part->last[i] != whole->last[i]));
}

/* ---- symmetry ---- */

/* Numbers locations and groups in the order in which they come. */
static void rename_by_first_use(struct sketch *sketch, struct outcome *outcome)
{
    uint8_t location[SKETCH_MAXIMUM_ACCESSES], group[SKETCH_MAXIMUM_THREADS];
    const struct sketch old = *sketch;
    struct outcome was = {0};
    unsigned groups = 0;
    sketch->locations = sketch->local = 0;
    memset(location, OUTCOME_OPEN, sizeof location);
    memset(group, OUTCOME_OPEN, sizeof group);
    for (unsigned i = 0; i < old.count; i++) {
        if (old.kind[i] == SKETCH_BARRIER)
            continue;
        if (location[old.location[i]] == OUTCOME_OPEN)
            location[old.location[i]] = sketch->locations++;
        sketch->location[i] = location[old.location[i]];
        sketch->local |= (uint8_t)(is_local(&old, i) << sketch->location[i]);
    }
    for (unsigned i = 0; i < old.threads; i++) {
        if (group[old.group[i]] == OUTCOME_OPEN)
            group[old.group[i]] = (uint8_t)groups++;
        sketch->group[i] = group[old.group[i]];
    }
    if (!outcome)
        return;
    was = *outcome;
    memset(outcome->last, OUTCOME_OPEN, sizeof outcome->last);
    for (unsigned i = 0; i < SKETCH_MAXIMUM_ACCESSES; i++)
        if (was.last[i] != OUTCOME_OPEN && location[i] != OUTCOME_OPEN)
            outcome->last[location[i]] = was.last[i];
}

/* The threads in another order: `order` has the old number of each new thread. */
static void reorder(const struct sketch *sketch, const struct outcome *outcome, const uint8_t *order,
                    struct sketch *changed, struct outcome *after)
{
    uint8_t now[SKETCH_MAXIMUM_ACCESSES] = {0}; /* the new number of each access */
    unsigned count = 0;
    *changed = (struct sketch){
        .count = sketch->count, .threads = sketch->threads, .locations = sketch->locations, .local = sketch->local};
    memset(after, OUTCOME_OPEN, sizeof *after);
    for (unsigned thread = 0; thread < sketch->threads; thread++) {
        changed->group[thread] = sketch->group[order[thread]];
        for (unsigned i = 0; i < sketch->count; i++) {
            if (sketch->thread[i] != order[thread])
                continue;
            now[i] = (uint8_t)count;
            changed->thread[count] = (uint8_t)thread;
            changed->kind[count] = sketch->kind[i];
            changed->location[count] = sketch->location[i];
            changed->strength[count] = sketch->strength[i];
            changed->fence[count++] = sketch->fence[i];
        }
    }
    for (unsigned i = 0; outcome && i < SKETCH_MAXIMUM_ACCESSES; i++) {
        const uint8_t source = outcome->source[i], last = outcome->last[i];
        if (i < sketch->count)
            after->source[now[i]] = source < OUTCOME_INITIAL ? now[source] : source;
        after->last[i] = last < OUTCOME_INITIAL ? now[last] : last;
    }
    rename_by_first_use(changed, outcome ? after : NULL);
}

/* The next permutation in lexicographic order; false after the last. */
static bool next_order(uint8_t *order, unsigned count)
{
    unsigned i = count - 1, j = count - 1;
    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (count == 0 || i == 0)
        return false;
    while (order[j] <= order[i - 1])
        j--;
    const uint8_t kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
    for (unsigned low = i, high = count - 1; low < high; low++, high--) {
        const uint8_t swapped = order[low];
        order[low] = order[high];
        order[high] = swapped;
    }
    return true;
}

void sketch_normalise(struct sketch *sketch, struct outcome *outcome)
{
    uint8_t order[SKETCH_MAXIMUM_THREADS] = {0, 1, 2, 3};
    struct sketch best = {0}, next;
    struct outcome best_outcome = {0}, next_outcome;
    bool first = true;
    do {
        reorder(sketch, outcome, order, &next, &next_outcome);
        const int than = memcmp(&next, &best, sizeof next);
        if (first || than < 0 || (than == 0 && memcmp(&next_outcome, &best_outcome, sizeof next_outcome) < 0)) {
            best = next;
            best_outcome = next_outcome;
        }
        first = false;
    } while (next_order(order, sketch->threads));
    *sketch = best;
    if (outcome)
        *outcome = best_outcome;
}

bool sketch_is_normal(const struct sketch *sketch)
{
    struct sketch normal = *sketch;
    sketch_normalise(&normal, NULL);
    return memcmp(&normal, sketch, sizeof normal) == 0;
}

/* ---- less ---- */

/* The write that comes just before this one in coherence, as far as the outcome tells: a read-modify-write reads it,
 * and of two writes the last is known. */
static uint8_t write_before(const struct sketch *sketch, const struct outcome *outcome, unsigned write)
{
    const unsigned location = sketch->location[write], count = sketch_write_count(sketch, location);
    if (sketch_reads(sketch, write))
        return outcome->source[write];
    if (count == 1 || (count == 2 && outcome->last[location] != OUTCOME_OPEN && outcome->last[location] != write))
        return OUTCOME_INITIAL;
    for (unsigned i = 0; count == 2 && outcome->last[location] == write && i < sketch->count; i++)
        if (i != write && sketch_writes(sketch, i) && sketch->location[i] == location)
            return (uint8_t)i;
    return OUTCOME_OPEN;
}

/* The number of a write once `removed` is not there any more; `instead` in its place. */
static uint8_t after_removal(uint8_t write, unsigned removed, uint8_t instead)
{
    const uint8_t left = write == removed ? instead : write;
    return (uint8_t)(left - (left < OUTCOME_INITIAL && left > removed));
}

static void close_gap(uint8_t *items, unsigned at, unsigned count)
{
    memmove(items + at, items + at + 1, count - at - 1);
    items[count - 1] = 0;
}

/* A thread without accesses is gone, and so is a dependency without a read before it. */
static void drop_what_is_empty(struct sketch *sketch, unsigned thread)
{
    bool is_left = false;
    for (unsigned i = 0; i < sketch->count; i++) {
        is_left |= sketch->thread[i] == thread;
        if (sketch_earlier_read(sketch, i) < 0 && sketch->kind[i] != SKETCH_BARRIER)
            sketch->strength[i] &= (uint8_t)~SKETCH_DEPENDS;
    }
    if (is_left)
        return;
    close_gap(sketch->group, thread, SKETCH_MAXIMUM_THREADS);
    for (unsigned i = 0; i < sketch->count; i++)
        sketch->thread[i] = (uint8_t)(sketch->thread[i] - (sketch->thread[i] > thread));
    sketch->threads--;
}

static void remove_access(struct sketch *sketch, struct outcome *outcome, unsigned access)
{
    const unsigned thread = sketch->thread[access];
    const bool writes = sketch_writes(sketch, access);
    const uint8_t before = writes ? write_before(sketch, outcome, access) : OUTCOME_OPEN;
    const bool is_last = writes && (outcome->last[sketch->location[access]] == access ||
                                    sketch_write_count(sketch, sketch->location[access]) == 1);
    /* A fence between two accesses is between their neighbours when one of them goes. */
    const bool has_next = access + 1u < sketch->count && sketch->thread[access + 1] == sketch->thread[access];
    if (has_next)
        sketch->fence[access + 1] =
            sketch_starts(sketch, access) ? 0 : sketch->fence[access + 1] | sketch->fence[access];
    uint8_t *const lists[] = {sketch->kind, sketch->thread, sketch->location, sketch->strength, sketch->fence};
    for (size_t i = 0; i < COUNT(lists); i++)
        close_gap(lists[i], access, SKETCH_MAXIMUM_ACCESSES);
    sketch->count--;
    close_gap(outcome->source, access, SKETCH_MAXIMUM_ACCESSES);
    outcome->source[SKETCH_MAXIMUM_ACCESSES - 1] = OUTCOME_OPEN;
    for (unsigned i = 0; i < SKETCH_MAXIMUM_ACCESSES; i++) {
        outcome->source[i] = after_removal(outcome->source[i], access, is_last ? OUTCOME_OPEN : before);
        outcome->last[i] = after_removal(outcome->last[i], access, before == OUTCOME_INITIAL ? OUTCOME_OPEN : before);
        if (sketch_write_count(sketch, i) < 2)
            outcome->last[i] = OUTCOME_OPEN;
    }
    drop_what_is_empty(sketch, thread);
    rename_by_first_use(sketch, outcome);
}

/* The last access up to `end` that is a barrier of the group, or -1. */
static int last_barrier(const struct sketch *sketch, unsigned group, unsigned end)
{
    for (unsigned i = end; i-- > 0;)
        if (sketch->kind[i] == SKETCH_BARRIER && sketch->group[sketch->thread[i]] == group)
            return (int)i;
    return -1;
}

/* From the last one, so that the places of the others stay. Groups change their numbers when a thread goes. */
static void remove_barrier(struct sketch *sketch, struct outcome *outcome, unsigned barrier)
{
    const struct sketch old = *sketch;
    const unsigned group = old.group[old.thread[barrier]];
    for (int at = last_barrier(&old, group, old.count); at >= 0; at = last_barrier(&old, group, (unsigned)at))
        remove_access(sketch, outcome, (unsigned)at);
}

void sketch_remove(struct sketch *sketch, struct outcome *outcome, unsigned access)
{
    if (sketch->kind[access] == SKETCH_BARRIER)
        remove_barrier(sketch, outcome, access);
    else
        remove_access(sketch, outcome, access);
}

/* A fence at an end of a thread orders nothing, and is left out with the barrier. */
void sketch_part(struct sketch *sketch, struct outcome *outcome, unsigned barrier)
{
    const unsigned group = sketch->group[sketch->thread[barrier]];
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch->kind[i] == SKETCH_BARRIER && sketch->group[sketch->thread[i]] == group)
            sketch->fence[i] |= sketch_starts(sketch, i) ? 0 : sketch->strength[i];
    remove_barrier(sketch, outcome, barrier);
}

/* The write is now one access later, and so is all that follows. */
static uint8_t after_split(uint8_t write, unsigned split)
{
    return (uint8_t)(write + (write < OUTCOME_INITIAL && write >= split));
}

/* The release, if there is one, belongs to the write, and the acquire to the read. */
bool sketch_split(struct sketch *sketch, struct outcome *outcome, unsigned access)
{
    const uint8_t strength = sketch->strength[access];
    if (sketch->count == SKETCH_MAXIMUM_ACCESSES)
        return false;
    uint8_t *const lists[] = {sketch->kind,     sketch->thread, sketch->location,
                              sketch->strength, sketch->fence,  outcome->source};
    for (size_t i = 0; i < COUNT(lists); i++)
        memmove(lists[i] + access + 1, lists[i] + access, SKETCH_MAXIMUM_ACCESSES - 1 - access);
    sketch->count++;
    sketch->kind[access] = SKETCH_READ;
    sketch->kind[access + 1] = SKETCH_WRITE;
    sketch->strength[access] = strength & (uint8_t) ~(SKETCH_RELEASES | SKETCH_DATA);
    sketch->strength[access + 1] = strength & (uint8_t) ~(SKETCH_ACQUIRES | SKETCH_DEPENDS);
    sketch->fence[access + 1] = 0;
    outcome->source[access + 1] = OUTCOME_OPEN;
    for (unsigned i = 0; i < SKETCH_MAXIMUM_ACCESSES; i++) {
        outcome->source[i] = after_split(outcome->source[i], access);
        outcome->last[i] = after_split(outcome->last[i], access);
    }
    return true;
}

bool sketch_separate(struct sketch *sketch, unsigned thread)
{
    unsigned others = 0, groups = 0;
    for (unsigned i = 0; i < sketch->threads; i++) {
        others += i != thread && sketch->group[i] == sketch->group[thread];
        groups = sketch->group[i] + 1u > groups ? sketch->group[i] + 1u : groups;
    }
    if (others == 0)
        return false;
    sketch->group[thread] = (uint8_t)groups;
    rename_by_first_use(sketch, NULL);
    return sketch_shares_local(sketch);
}
