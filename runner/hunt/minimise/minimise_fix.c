// SPDX-License-Identifier: Apache-2.0
/* Single values instead of ranges: from the batches that showed the outcome most often, or the
 * middle. */
#include <stdio.h>

#include "runner/hunt/minimise/minimising.h"

static const double short_batch = 0.1; /* seconds */
static const double small_loss = 2;    /* factor of the rate that shorter batches may cost */

/* Candidate single values, with their first trial. */
struct value_candidate {
    struct minimise_setting setting;
    struct minimise_trial trial;
    char what[64];
};

/* Takes the drawn values only of parameters that are still ranges: the others are neutral or cut by
 * now. */
static struct value_candidate values_of(const struct minimising *minimising, const struct environment *drawn)
{
    struct value_candidate values = {.setting = *minimising_now(minimising)};
    values.setting.environment = minimise_fixed(&values.setting.environment, drawn);
    return values;
}

/* Lists the values to try; returns how many. */
static size_t list_values(const struct minimising *minimising, struct value_candidate list[MINIMISE_BEST + 1])
{
    const struct minimise_best *best = &minimising->best;
    const struct environment middle = minimise_middle(&minimising_now(minimising)->environment);
    for (size_t i = 0; i < best->count; i++) {
        list[i] = values_of(minimising, &best->environments[i]);
        (void)snprintf(list[i].what, sizeof list[i].what, "values of the %s batch",
                       (const char *[]){"best", "second best", "third best", "fourth best"}[i]);
    }
    list[best->count] = values_of(minimising, &middle);
    (void)snprintf(list[best->count].what, sizeof list->what, "values in the middle of the ranges");
    return best->count + 1;
}

/* Keeps the values whose first trial is good enough; returns how many. */
static size_t screen(struct minimising *minimising, struct value_candidate *list, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count && minimising_goes_on(minimising); i++) {
        list[i].trial = minimising_screen(minimising, &list[i].setting);
        if (minimising_passes(minimising, &list[i].trial))
            list[left++] = list[i];
        else
            minimising_undo(minimising, MINIMISE_STAGE_FIXED, list[i].what, &list[i].trial);
    }
    return left;
}

static void fix_values(struct minimising *minimising)
{
    struct value_candidate list[MINIMISE_BEST + 1];
    size_t count = screen(minimising, list, list_values(minimising, list));
    for (; count > 0 && minimising_goes_on(minimising); count--) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (minimise_rate(&list[i].trial) > minimise_rate(&list[best].trial))
                best = i;
        if (minimising_try(minimising, MINIMISE_STAGE_FIXED, list[best].what, &list[best].setting, &list[best].trial)) {
            minimising->failed_count = 0; /* they were for other values */
            return;
        }
        list[best] = list[count - 1];
    }
}

void minimise_fix(struct minimising *minimising)
{
    if (!minimise_is_fixed(&minimising_now(minimising)->environment))
        fix_values(minimising);
}

/* Cuts the rounds of long batches, so that trials can end as soon as they have shown enough, unless
 * this costs too much of the rate. */
void minimise_shorten(struct minimising *minimising)
{
    struct minimise_setting setting = *minimising_now(minimising);
    struct environment_range *rounds = &setting.environment.rounds;
    char what[64];
    if (minimising->rare || minimising->batch_seconds < 2 * short_batch || rounds->high < 2 ||
        !minimising_goes_on(minimising))
        return;
    const double factor = short_batch / minimising->batch_seconds;
    const uint32_t fewer = (uint32_t)(rounds->high * factor);
    rounds->low = rounds->high = fewer < 1 ? 1 : fewer;
    minimising->batch_seconds = 0; /* once is enough */
    (void)snprintf(what, sizeof what, "%u rounds in a batch", rounds->high);
    const struct minimise_trial first = minimising_screen(minimising, &setting);
    if (minimise_rate(&first) * small_loss < minimising_now(minimising)->rate)
        minimising_undo(minimising, MINIMISE_STAGE_FIXED, what, &first);
    else
        (void)minimising_try(minimising, MINIMISE_STAGE_FIXED, what, &setting, &first);
}
