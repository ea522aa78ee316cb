// SPDX-License-Identifier: Apache-2.0
/* Pairs whose sides ran different kernels. A changed generator changes rates just as a changed
 * driver does, so nothing is decided for them, unless kernels differ by nature or were chosen. */
#include <string.h>

#include "analysis/compare/compare_parts.h"

/* The next run, from `*at` on, that has counts and a known kernel; NULL if there is none. */
static const struct store_job_row *next_row(const struct sample *sample, size_t *at)
{
    while (*at < sample->run_count) {
        const struct sample_run *run = &sample->runs[(*at)++];
        if (run->batch_count > 0 && *run->row->kernel_hash)
            return run->row;
    }
    return NULL;
}

void compare_find_kernels(struct pair *pair)
{
    const struct store_job_row *first = NULL, *row;
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    bool differ = false;
    unsigned marks = 0;
    for (int side = 0; side < SIDES; side++) {
        for (size_t at = 0; (row = next_row(pair->sample[side], &at)) != NULL;) {
            first = first ? first : row;
            differ |= strcmp(row->kernel_hash, first->kernel_hash) != 0;
            marks |= row->marks;
        }
    }
    if (!differ)
        pair->kernels = KERNELS_EQUAL;
    else if (strcmp(a->row.backend, b->row.backend) != 0 || strcmp(a->row.device, b->row.device) != 0 ||
             strcmp(store_asked_lowering(&a->row), store_asked_lowering(&b->row)) != 0)
        pair->kernels = KERNELS_OF_DEVICES;
    else
        pair->kernels = marks & MARK_FROZEN ? KERNELS_REPLAYED : KERNELS_DIFFER;
}

void compare_leave_kernels(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        for (size_t r = 0; r < pair->rate_count && pair->kernels == KERNELS_DIFFER; r++) {
            struct rate *rate = &pair->rates[r];
            rate->by_runs = rate->suspect = false;
            rate->adjusted = rate->within_adjusted = 1;
            rate->result = rate->count[SIDE_A] == 0   ? RATE_NEW_RARE
                           : rate->count[SIDE_B] == 0 ? RATE_LOST_RARE
                                                      : RATE_NOT_COMPARED;
            comparison->results[rate->result]++;
        }
    }
}
