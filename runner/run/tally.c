// SPDX-License-Identifier: Apache-2.0
#include "runner/run/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* False if memory ran out. */
static bool add(struct tally_row **rows, size_t *count, size_t *room, const struct count *counted)
{
    bool found;
    const size_t at = find(*rows, *count, counted->label, &found);
    if (!found) {
        if (*count == *room) {
            const size_t grown = *room ? 2 * *room : 16;
            struct tally_row *bigger = realloc(*rows, grown * sizeof *bigger);
            if (!bigger)
                return false;
            *rows = bigger;
            *room = grown;
        }
        char *label = strdup(counted->label);
        if (!label)
            return false;
        memmove(*rows + at + 1, *rows + at, (*count - at) * sizeof **rows);
        (*rows)[at] = (struct tally_row){.label = label, .witness = counted->witness};
        ++*count;
    }
    (*rows)[at].count += counted->count;
    return true;
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
    for (size_t i = 0; i < batch->outcome_count; i++) {
        if (batch->outcomes[i].witness)
            tally->witnesses += batch->outcomes[i].count;
        tally->failed |= !add(&tally->outcomes, &tally->outcome_count, &tally->outcome_room, &batch->outcomes[i]);
    }
    for (size_t i = 0; i < batch->void_count; i++) {
        tally->void_instances += batch->voids[i].count;
        tally->failed |= !add(&tally->voids, &tally->void_count, &tally->void_room, &batch->voids[i]);
    }
}

void tally_restore_outcome(struct tally *tally, const char *label, uint64_t count, bool witness)
{
    const struct count row = {label, count, witness};
    if (witness)
        tally->witnesses += count;
    tally->failed |= !add(&tally->outcomes, &tally->outcome_count, &tally->outcome_room, &row);
}

void tally_restore_void(struct tally *tally, const char *reason, uint64_t count)
{
    const struct count row = {reason, count, false};
    tally->void_instances += count;
    tally->failed |= !add(&tally->voids, &tally->void_count, &tally->void_room, &row);
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
