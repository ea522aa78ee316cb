// SPDX-License-Identifier: Apache-2.0
/* The outcome histogram of a job. */
#include "verdicts/tally.h"

#include <jansson.h>

/* The position of a label in rows sorted by label. */
static size_t tally_find_row(const struct count *rows, size_t count, const char *label, bool *found)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(rows[middle].label, label) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < count && strcmp(rows[low].label, label) == 0;
    return low;
}

static void tally_add_count(struct tally *tally, struct count **rows, size_t *count, size_t *room,
                            const struct count *counted)
{
    bool found;
    const size_t at = tally_find_row(*rows, *count, counted->label, &found);
    if (!found) {
        *rows = memory_grow(*rows, *count, room, sizeof **rows);
        memmove(*rows + at + 1, *rows + at, (*count - at) * sizeof **rows);
        (*rows)[at] = (struct count){.label = arena_copy(&tally->labels, counted->label), .witness = counted->witness};
        ++*count;
    }
    (*rows)[at].count += counted->count;
}

static void tally_add_outcome(struct tally *tally, const struct count *row)
{
    if (row->witness)
        tally->witnesses += row->count;
    tally_add_count(tally, &tally->outcomes, &tally->outcome_count, &tally->outcome_room, row);
}

static void add_void(struct tally *tally, const struct count *row)
{
    tally->void_instances += row->count;
    tally_add_count(tally, &tally->voids, &tally->void_count, &tally->void_room, row);
}

static void add_homes(struct tally *tally, const char *homes, uint64_t instances, uint64_t witnesses)
{
    const size_t i = INDEX_OF(home, tally->homes, tally->home_count, strcmp(home->homes, homes) == 0);
    if (i == tally->home_count)
        LIST_ADD(tally->homes, tally->home_count, tally->home_room) =
            (struct store_homes_row){.homes = arena_copy(&tally->labels, homes)};
    tally->homes[i].instances += instances;
    tally->homes[i].witnesses += witnesses;
}

/* Adds a batch's counts to the counts of its homes. Few batches have any. */
static void add_batch_homes(struct tally *tally, const struct batch *batch)
{
    uint64_t counted = 0, witnesses = 0;
    LOCAL(text) homes = {0};
    if (!batch->draw || !strstr(batch->draw, "\"homes\""))
        return;
    json_t *draw = json_loads(batch->draw, 0, NULL), *places = json_object_get(draw, "homes");
    for (void *at = json_object_iter(places); at; at = json_object_iter_next(places, at)) {
        const char *home = json_string_value(json_object_iter_value(at));
        text_add(&homes, "%s%s=%s", homes.size > 0 ? "," : "", json_object_iter_key(at), home ? home : "?");
    }
    for (size_t i = 0; i < batch->outcome_count; i++) {
        counted += batch->outcomes[i].count;
        witnesses += batch->outcomes[i].witness ? batch->outcomes[i].count : 0;
    }
    if (homes.size > 0)
        add_homes(tally, text_string(&homes), counted, witnesses);
    json_decref(draw);
}

static void add_spread(struct tally *tally, const struct batch *batch)
{
    uint64_t counted = 0, witnesses = 0;
    for (size_t i = 0; i < batch->outcome_count; i++) {
        counted += batch->outcomes[i].count;
        witnesses += batch->outcomes[i].witness ? batch->outcomes[i].count : 0;
    }
    if (counted == 0)
        return;
    const double share = (double)witnesses / (double)counted;
    const bool first = tally->spread.batches++ == 0;
    tally->spread.least = first ? share : fmin(tally->spread.least, share);
    tally->spread.most = first ? share : fmax(tally->spread.most, share);
}

void tally_add(struct tally *tally, const struct batch *batch)
{
    tally->seconds = batch->started + batch->seconds;
    tally->launched += batch->instances;
    if (batch->invalid) {
        if (tally->invalid_batches++ == 0)
            (void)snprintf(tally->invalid, sizeof tally->invalid, "%s", batch->invalid);
        return;
    }
    tally->batches++;
    tally->instances += batch->instances;
    for (size_t i = 0; i < batch->outcome_count; i++)
        tally_add_outcome(tally, &batch->outcomes[i]);
    for (size_t i = 0; i < batch->void_count; i++)
        add_void(tally, &batch->voids[i]);
    add_batch_homes(tally, batch);
    add_spread(tally, batch);
}

static enum status load_homes(struct tally *tally, struct store *store, int64_t job_id, struct error *error)
{
    struct store_cursor homes;
    store_query(store, STORE_HOMES, job_id, &homes, error);
    while (store_next(&homes))
        add_homes(tally, homes.homes.homes, homes.homes.instances, homes.homes.witnesses);
    return store_end(&homes, STATUS_OK);
}

enum status tally_load(struct tally *tally, struct store *store, int64_t job_id, struct error *error)
{
    struct store_cursor counts;
    store_query(store, STORE_OUTCOMES, job_id, &counts, error);
    while (store_next(&counts))
        tally_add_outcome(tally, &counts.count);
    TRY(store_end(&counts, STATUS_OK));
    store_query(store, STORE_VOIDS, job_id, &counts, error);
    while (store_next(&counts))
        add_void(tally, &counts.count);
    TRY(store_end(&counts, STATUS_OK));
    return load_homes(tally, store, job_id, error);
}

uint64_t tally_void(const struct tally *tally, enum void_reason reason)
{
    bool found;
    const size_t at = tally_find_row(tally->voids, tally->void_count, void_reason_word(reason), &found);
    return found ? tally->voids[at].count : 0;
}

ORDERED_BY(by_count, const struct count, ORDER(b->count, a->count) ?: strcmp(a->label, b->label))

static double rate_of(const struct store_homes_row *homes)
{
    return homes->instances > 0 ? (double)homes->witnesses / (double)homes->instances : 0;
}

ORDERED_BY(by_rate, const struct store_homes_row, ORDER(rate_of(b), rate_of(a)) ?: strcmp(a->homes, b->homes))

void tally_sort(struct tally *tally)
{
    SORT(tally->homes, tally->home_count, by_rate);
    SORT(tally->outcomes, tally->outcome_count, by_count);
}

void tally_release(struct tally *tally)
{
    free(tally->outcomes);
    free(tally->voids);
    free(tally->homes);
    arena_release(&tally->labels);
    *tally = (struct tally){0};
}
