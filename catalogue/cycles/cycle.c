// SPDX-License-Identifier: Apache-2.0
/* Cycles: their threads and locations, their validity, their start, and families: keys, and cycles built from keys. */
#include <string.h>

#include "base/terminal/resemblance.h"
#include "catalogue/cycles/cycle_parts.h"

static const struct {
    const char *name;
    enum cycle_direction first, last;
    bool single;
} thread_kinds[CYCLE_THREAD_COUNT] = {
    [CYCLE_W] = {"W", CYCLE_WRITE, CYCLE_WRITE, true},   [CYCLE_WW] = {"WW", CYCLE_WRITE, CYCLE_WRITE, false},
    [CYCLE_RR] = {"RR", CYCLE_READ, CYCLE_READ, false},  [CYCLE_RW] = {"RW", CYCLE_READ, CYCLE_WRITE, false},
    [CYCLE_WR] = {"WR", CYCLE_WRITE, CYCLE_READ, false}, [CYCLE_R] = {"R", CYCLE_READ, CYCLE_READ, true},
};

enum cycle_direction cycle_first_of(enum cycle_thread thread)
{
    return thread_kinds[thread].first;
}

enum cycle_direction cycle_last_of(enum cycle_thread thread)
{
    return thread_kinds[thread].last;
}

bool cycle_is_single(enum cycle_thread thread)
{
    return thread_kinds[thread].single;
}

static enum cycle_thread thread_of(enum cycle_direction first, enum cycle_direction last, bool single)
{
    enum cycle_thread thread = CYCLE_W;
    while (thread_kinds[thread].first != first || thread_kinds[thread].last != last ||
           thread_kinds[thread].single != single)
        thread++;
    return thread;
}

/* The key of the cycle as given, not of its least rotation. */
static void cycle_key_of(const struct cycle *cycle, struct cycle_key *key)
{
    size_t first = 0;
    key->count = 0;
    for (size_t i = 0; i < cycle->count && key->count < CYCLE_MAXIMUM_THREADS; i++) {
        if (!cycle->edges[i].external)
            continue;
        key->threads[key->count++] = thread_of(cycle->events[first].direction, cycle->events[i].direction, first == i);
        first = i + 1;
    }
}

int cycle_compare_rotations(const struct cycle_key *key, size_t a, size_t b)
{
    for (size_t i = 0; i < key->count; i++) {
        const int left = (int)key->threads[(a + i) % key->count], right = (int)key->threads[(b + i) % key->count];
        if (left != right)
            return left - right;
    }
    return 0;
}

static void print_key(const struct cycle_key *key, struct text *text)
{
    for (size_t i = 0; i < key->count; i++)
        text_add(text, "%s%s", i > 0 ? "+" : "", thread_kinds[key->threads[i]].name);
}

/* Directions joined by '+', nothing else. */
static bool read_key(const char *text, size_t size, struct cycle_key *key)
{
    key->count = 0;
    for (size_t at = 0; at <= size;) {
        const char *plus = memchr(text + at, '+', size - at);
        const size_t length = plus ? (size_t)(plus - text) - at : size - at;
        size_t i = 0;
        while (i < CYCLE_THREAD_COUNT &&
               (strlen(thread_kinds[i].name) != length || memcmp(thread_kinds[i].name, text + at, length) != 0))
            i++;
        if (i == CYCLE_THREAD_COUNT || key->count == CYCLE_MAXIMUM_THREADS)
            return false;
        key->threads[key->count++] = (enum cycle_thread)i;
        at += length + 1;
    }
    return true;
}

bool cycle_find_key(const char *text, size_t size, struct cycle_key *key, bool *same)
{
    *same = false;
    for (const struct nickname *row = nicknames; row->name; row++) {
        if (strlen(row->name) != size || memcmp(row->name, text, size) != 0)
            continue;
        *same = row->coherence;
        return read_key(row->key, strlen(row->key), key);
    }
    return read_key(text, size, key);
}

static bool has_one_location(const struct cycle *cycle)
{
    for (size_t i = 0; i < cycle->count; i++)
        if (!cycle->edges[i].same_location)
            return false;
    return true;
}

static const struct nickname *find_nickname(const char *key, bool one_location)
{
    for (const struct nickname *row = nicknames; row->name; row++)
        if (strcmp(row->key, key) == 0 && (!row->coherence || one_location))
            return row;
    return NULL;
}

void cycle_family(const struct cycle *cycle, struct text *text)
{
    struct cycle normal = *cycle;
    struct cycle_key key;
    struct text words = {0};
    cycle_normalize(&normal);
    cycle_key_of(&normal, &key);
    print_key(&key, &words);
    const struct nickname *nickname = find_nickname(text_string(&words), has_one_location(&normal));
    text_add(text, "%s", nickname ? nickname->name : text_string(&words));
    text_release(&words);
}

bool cycle_is_coherence(const struct cycle *cycle)
{
    struct text family = {0};
    cycle_family(cycle, &family);
    bool result = false;
    for (const struct nickname *row = nicknames; row->name; row++)
        result |= row->coherence && strcmp(row->name, text_string(&family)) == 0;
    text_release(&family);
    return result;
}

void cycle_of_key(const struct cycle_key *key, bool same, struct cycle *cycle)
{
    *cycle = (struct cycle){0};
    for (size_t i = 0; i < key->count; i++) {
        const enum cycle_thread thread = key->threads[i], next = key->threads[(i + 1) % key->count];
        if (!thread_kinds[thread].single) {
            cycle->events[cycle->count].direction = thread_kinds[thread].first;
            cycle->edges[cycle->count++] = (struct cycle_edge){.relation = CYCLE_PO, .same_location = same};
        }
        cycle->events[cycle->count].direction = thread_kinds[thread].last;
        cycle->edges[cycle->count++] =
            (struct cycle_edge){.relation = cycle_communication(thread_kinds[thread].last, thread_kinds[next].first),
                                .external = true,
                                .same_location = true};
    }
}

static enum status refuse_name(const char *name, struct error *error)
{
    struct text similar = {0};
    size_t least = SIZE_MAX;
    for (const struct nickname *row = nicknames; row->name; row++) {
        const size_t distance = resemblance_distance(name, row->name);
        least = distance < least ? distance : least;
    }
    for (const struct nickname *row = nicknames; row->name && least <= (strlen(name) + 1) / 2; row++)
        if (resemblance_distance(name, row->name) == least)
            text_add(&similar, "%s%s", similar.size > 0 ? ", " : "", row->name);
    const enum status status =
        error_set(error, STATUS_USAGE, "expected a family such as MP or W+RR+WW+WR, found '%.80s'%s%s%s", name,
                  similar.size > 0 ? " (similar: " : "", text_string(&similar), similar.size > 0 ? ")" : "");
    text_release(&similar);
    return status;
}

enum status cycle_of_family(const char *name, struct cycle *cycle, struct error *error)
{
    struct cycle_key key;
    bool same;
    if (!cycle_find_key(name, strlen(name), &key, &same))
        return refuse_name(name, error);
    size_t inner = 0;
    for (size_t i = 0; i < key.count; i++)
        inner += !thread_kinds[key.threads[i]].single;
    cycle_of_key(&key, same || inner < 2, cycle);
    cycle_normalize(cycle);
    struct error reason = {0};
    if (cycle_check(cycle, &reason) != STATUS_OK)
        return error_set(error, STATUS_USAGE, "family '%.80s' has no cycle: %s", name, reason.text);
    return STATUS_OK;
}

const char *cycle_nickname(size_t index)
{
    size_t count = 0;
    while (nicknames[count].name)
        count++;
    return index < count ? nicknames[index].name : NULL;
}

static const struct nickname *find_family(const char *family)
{
    for (const struct nickname *row = nicknames; row->name; row++)
        if (strcmp(row->name, family) == 0)
            return row;
    return NULL;
}

const struct cycle_words *cycle_title(const char *family)
{
    const struct nickname *row = find_family(family);
    return row ? &row->title : NULL;
}

const struct cycle_words *cycle_question(const char *family)
{
    const struct nickname *row = find_family(family);
    return row ? &row->question : NULL;
}

static const struct {
    int first, last;
} ends[] = {
    [CYCLE_RF] = {CYCLE_WRITE, CYCLE_READ},     [CYCLE_CO] = {CYCLE_WRITE, CYCLE_WRITE},
    [CYCLE_FR] = {CYCLE_READ, CYCLE_WRITE},     [CYCLE_PO] = {LITMUS_NONE, LITMUS_NONE},
    [CYCLE_FENCE] = {LITMUS_NONE, LITMUS_NONE}, [CYCLE_ADDRESS] = {CYCLE_READ, LITMUS_NONE},
    [CYCLE_DATA] = {CYCLE_READ, CYCLE_WRITE},   [CYCLE_CONTROL] = {CYCLE_READ, LITMUS_NONE},
};

int cycle_required_first(enum cycle_relation relation)
{
    return ends[relation].first;
}

int cycle_required_last(enum cycle_relation relation)
{
    return ends[relation].last;
}

bool cycle_is_communication(enum cycle_relation relation)
{
    return relation == CYCLE_RF || relation == CYCLE_CO || relation == CYCLE_FR;
}

enum cycle_relation cycle_communication(enum cycle_direction from, enum cycle_direction to)
{
    if (from == CYCLE_READ)
        return to == CYCLE_WRITE ? CYCLE_FR : CYCLE_RF;
    return to == CYCLE_WRITE ? CYCLE_CO : CYCLE_RF;
}

size_t cycle_threads(const struct cycle *cycle)
{
    size_t count = 0;
    for (size_t i = 0; i < cycle->count; i++)
        count += cycle->edges[i].external;
    return count;
}

static unsigned count_changes(const struct cycle *cycle)
{
    unsigned changes = 0;
    for (size_t i = 0; i < cycle->count; i++)
        changes += !cycle->edges[i].same_location;
    return changes;
}

unsigned cycle_locations(const struct cycle *cycle, unsigned locations[CYCLE_MAXIMUM_EDGES])
{
    const unsigned changes = count_changes(cycle), count = changes == 0 ? 1 : changes;
    unsigned location = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        locations[i] = location;
        if (!cycle->edges[i].same_location)
            location = (location + 1) % count;
    }
    return count;
}

static const char *direction_name(int direction)
{
    return direction == CYCLE_READ ? "a read" : "a write";
}

/* Whether an edge has the directions that its relation requires. Rfe and DpData have no letters
 * for them. */
static enum status check_ends(const struct cycle *cycle, size_t edge, struct error *error)
{
    const enum cycle_relation relation = cycle->edges[edge].relation;
    const int required[2] = {cycle_required_first(relation), cycle_required_last(relation)};
    for (size_t i = 0; i < 2; i++) {
        const int found = (int)cycle->events[(edge + i) % cycle->count].direction;
        if (required[i] != LITMUS_NONE && required[i] != found)
            return error_set(error, STATUS_SYNTAX, "edge %zu of the cycle: expected %s at its %s, found %s", edge + 1,
                             direction_name(required[i]), i == 0 ? "start" : "end", direction_name(found));
    }
    return STATUS_OK;
}

enum status cycle_check(const struct cycle *cycle, struct error *error)
{
    const size_t threads = cycle_threads(cycle);
    const unsigned changes = count_changes(cycle);
    bool ordered = false;
    if (cycle->count < 2)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected at least two edges, found %zu", cycle->count);
    for (size_t i = 0; i < cycle->count; i++) {
        TRY(check_ends(cycle, i, error));
        ordered |= !cycle_is_communication(cycle->edges[i].relation);
    }
    if (threads == 0)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected an edge between threads such as Rfe, found none");
    if (threads > CYCLE_MAXIMUM_THREADS)
        return error_set(error, STATUS_LIMIT, "the cycle: expected at most %d threads, found %zu",
                         CYCLE_MAXIMUM_THREADS, threads);
    if (threads == 1 && changes > 0)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected at least two edges between threads if there are several locations, "
                         "found one");
    if (changes == 1)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected no edge to another location, or two or more, found one, after which "
                         "the location never changes back");
    if (changes == 0 && !ordered)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected an edge of program order, found communications of one location alone, "
                         "which contradict each other");
    return STATUS_OK;
}

void cycle_rotate(struct cycle *cycle, size_t first)
{
    const struct cycle old = *cycle;
    for (size_t i = 0; i < old.count; i++) {
        cycle->edges[i] = old.edges[(first + i) % old.count];
        cycle->events[i] = old.events[(first + i) % old.count];
    }
}

void cycle_normalize(struct cycle *cycle)
{
    struct cycle_key key;
    size_t best = 0, start = 0;
    cycle_key_of(cycle, &key);
    for (size_t i = 1; i < key.count; i++)
        if (cycle_compare_rotations(&key, i, best) < 0)
            best = i;
    for (size_t thread = 0; thread < best; start++)
        thread += cycle->edges[start].external;
    if (start > 0)
        cycle_rotate(cycle, start);
}
