// SPDX-License-Identifier: Apache-2.0
/* The outcome histogram of a job. */
#include "runner/run/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The place of a label in rows ordered by label. */
static size_t find_row(const struct count *rows, size_t count, const char *label, bool *found)
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

static void add_count(struct tally *tally, struct count **rows, size_t *count, size_t *room,
                      const struct count *counted)
{
    bool found;
    const size_t at = find_row(*rows, *count, counted->label, &found);
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
    add_count(tally, &tally->outcomes, &tally->outcome_count, &tally->outcome_room, row);
}

static void tally_add_void(struct tally *tally, const struct count *row)
{
    tally->void_instances += row->count;
    add_count(tally, &tally->voids, &tally->void_count, &tally->void_room, row);
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
        tally_add_void(tally, &batch->voids[i]);
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
        tally_add_void(tally, &counts.count);
    return store_end(&counts, STATUS_OK);
}

uint64_t tally_void(const struct tally *tally, enum void_reason reason)
{
    bool found;
    const size_t at = find_row(tally->voids, tally->void_count, void_reason_word(reason), &found);
    return found ? tally->voids[at].count : 0;
}

static int by_count(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->label, y->label);
}

void tally_sort(struct tally *tally)
{
    if (tally->outcome_count > 0)
        qsort(tally->outcomes, tally->outcome_count, sizeof *tally->outcomes, by_count);
}

void tally_release(struct tally *tally)
{
    free(tally->outcomes);
    free(tally->voids);
    arena_release(&tally->labels);
    *tally = (struct tally){0};
}
