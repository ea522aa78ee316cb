// SPDX-License-Identifier: Apache-2.0
/* Adding up the outcomes of a job. */
#include "runner/run/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where label stands, or would stand, in rows ordered by label. */
static size_t find(const struct tally_row *rows, size_t count, const char *label, bool *found)
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

static void tally_count(struct tally_row **rows, size_t *count, size_t *room, const struct count *counted)
{
    bool found;
    const size_t at = find(*rows, *count, counted->label, &found);
    if (!found) {
        *rows = memory_grow(*rows, *count, room, sizeof **rows);
        memmove(*rows + at + 1, *rows + at, (*count - at) * sizeof **rows);
        (*rows)[at] = (struct tally_row){.label = memory_copy(counted->label), .witness = counted->witness};
        ++*count;
    }
    (*rows)[at].count += counted->count;
}

static void tally_outcome(struct tally *tally, const struct count *outcome)
{
    if (outcome->witness)
        tally->witnesses += outcome->count;
    tally_count(&tally->outcomes, &tally->outcome_count, &tally->outcome_room, outcome);
}

static void tally_void(struct tally *tally, const struct count *reason)
{
    tally->void_instances += reason->count;
    tally_count(&tally->voids, &tally->void_count, &tally->void_room, reason);
}

void tally_add(struct tally *tally, const struct job_batch *batch)
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
        tally_outcome(tally, &batch->outcomes[i]);
    for (size_t i = 0; i < batch->void_count; i++)
        tally_void(tally, &batch->voids[i]);
}

enum status tally_load(struct tally *tally, struct store *store, int64_t job_id, struct error *error)
{
    struct store_cursor counts;
    store_query(store, STORE_OUTCOMES, job_id, &counts, error);
    while (store_next(&counts))
        tally_outcome(tally, &counts.count);
    TRY(store_end(&counts, STATUS_OK));
    store_query(store, STORE_VOIDS, job_id, &counts, error);
    while (store_next(&counts))
        tally_void(tally, &counts.count);
    return store_end(&counts, STATUS_OK);
}

static int by_count(const void *a, const void *b)
{
    const struct tally_row *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->label, y->label);
}

void tally_sort(struct tally *tally)
{
    if (tally->outcome_count > 0)
        qsort(tally->outcomes, tally->outcome_count, sizeof *tally->outcomes, by_count);
}

void tally_release(struct tally *tally)
{
    for (size_t i = 0; i < tally->outcome_count; i++)
        free(tally->outcomes[i].label);
    for (size_t i = 0; i < tally->void_count; i++)
        free(tally->voids[i].label);
    free(tally->outcomes);
    free(tally->voids);
    *tally = (struct tally){0};
}
