// SPDX-License-Identifier: Apache-2.0
/* Finding the fewest parameters: delta debugging over the parameters that are not neutral. */
#include <stdlib.h>

#include "base/memory.h"
#include "runner/hunt/minimise/minimising.h"

/* A step that costs at most this factor of the rate is taken at once; of costlier steps the
 * cheapest is taken. */
static const double small_loss = 2;

/* The search on one level: units are removed or kept whole. */
struct reduction {
    struct minimising *minimising;
    parameter_set units[PARAMETER_COUNT];
    size_t unit_count;
};

/* A candidate setting, with its first trial. */
struct candidate {
    parameter_set set;
    struct minimise_trial trial;
};

static parameter_set active_now(const struct reduction *reduction)
{
    return minimise_active(&minimising_now(reduction->minimising)->environment);
}

static struct minimise_setting setting_of(const struct reduction *reduction, parameter_set set)
{
    struct minimise_setting setting = *minimising_now(reduction->minimising);
    setting.environment = minimise_neutral(&setting.environment, set);
    return setting;
}

/* "without jitter", "with stride alone" or "everything neutral", whichever is shortest. */
static char *describe(const struct reduction *reduction, parameter_set set)
{
    const parameter_set active = active_now(reduction);
    struct text text = {0};
    if (set == 0)
        text_add(&text, "everything neutral");
    else if (__builtin_popcountll(set) < __builtin_popcountll(active & ~set)) {
        text_add(&text, "with nothing but ");
        minimise_print_set(set, active, &text);
    } else {
        text_add(&text, "without ");
        minimise_print_set(active & ~set, active, &text);
    }
    return text_take(&text);
}

static bool has_failed(const struct reduction *reduction, parameter_set set)
{
    const struct minimising *minimising = reduction->minimising;
    for (size_t i = 0; i < minimising->failed_count; i++)
        if (minimising->failed[i] == set)
            return true;
    return false;
}

void minimising_keep_failed(struct minimising *minimising, parameter_set set)
{
    LIST_ADD(minimising->failed, minimising->failed_count, minimising->failed_room) = set;
}

/* Runs the first trial of a set; if it is not good enough, reports this and returns false. */
static bool screen(struct reduction *reduction, struct candidate *candidate)
{
    const struct minimise_setting setting = setting_of(reduction, candidate->set);
    candidate->trial = minimising_screen(reduction->minimising, &setting);
    if (minimising_passes(reduction->minimising, &candidate->trial))
        return true;
    char *what = describe(reduction, candidate->set);
    minimising_undo(reduction->minimising, MINIMISE_STAGE_ENVIRONMENT, what, &candidate->trial);
    minimising_keep_failed(reduction->minimising, candidate->set);
    free(what);
    return false;
}

/* Confirms a set and makes it the current one, without the units that it lacks. */
static bool take(struct reduction *reduction, const struct candidate *candidate)
{
    const struct minimise_setting setting = setting_of(reduction, candidate->set);
    char *what = describe(reduction, candidate->set);
    const bool kept =
        minimising_try(reduction->minimising, MINIMISE_STAGE_ENVIRONMENT, what, &setting, &candidate->trial);
    free(what);
    if (!kept)
        minimising_keep_failed(reduction->minimising, candidate->set);
    size_t count = 0;
    for (size_t i = 0; kept && i < reduction->unit_count; i++)
        if (reduction->units[i] & candidate->set)
            reduction->units[count++] = reduction->units[i] & candidate->set;
    reduction->unit_count = kept ? count : reduction->unit_count;
    return kept;
}

/* Piece number `piece` of `pieces` of the units. */
static parameter_set piece_of(const struct reduction *reduction, size_t piece, size_t pieces)
{
    parameter_set set = 0;
    const size_t end = (piece + 1) * reduction->unit_count / pieces;
    for (size_t i = piece * reduction->unit_count / pieces; i < end; i++)
        set |= reduction->units[i];
    return set;
}

/* Takes the best of the candidates that can be confirmed. */
static bool take_best(struct reduction *reduction, struct candidate *candidates, size_t count)
{
    for (size_t left = count; left > 0 && minimising_goes_on(reduction->minimising); left--) {
        size_t best = 0;
        for (size_t i = 1; i < left; i++)
            if (minimise_rate(&candidates[i].trial) > minimise_rate(&candidates[best].trial))
                best = i;
        if (take(reduction, &candidates[best]))
            return true;
        candidates[best] = candidates[left - 1];
    }
    return false;
}

/* Tries each piece alone, or everything except each piece. */
static bool try_pieces(struct reduction *reduction, size_t pieces, bool alone)
{
    struct candidate candidates[PARAMETER_COUNT];
    size_t count = 0;
    const parameter_set active = active_now(reduction);
    for (size_t i = 0; i < pieces && minimising_goes_on(reduction->minimising); i++) {
        const parameter_set piece = piece_of(reduction, i, pieces);
        struct candidate candidate = {.set = minimise_effective(alone ? piece : active & ~piece)};
        if (candidate.set == active || has_failed(reduction, candidate.set) || !screen(reduction, &candidate))
            continue;
        const double rate = minimise_rate(&candidate.trial), before = minimising_now(reduction->minimising)->rate;
        if (rate * small_loss < before)
            candidates[count++] = candidate;
        else if (take(reduction, &candidate))
            return true;
    }
    return take_best(reduction, candidates, count);
}

/* The algorithm ddmin: ever fewer units, in ever smaller pieces. */
static void reduce(struct reduction *reduction)
{
    size_t pieces = reduction->unit_count > 1 ? 2 : 1;
    while (reduction->unit_count > 0 && minimising_goes_on(reduction->minimising)) {
        if (pieces > 1 && try_pieces(reduction, pieces, true))
            pieces = 2;
        else if (pieces != 2 && try_pieces(reduction, pieces, false))
            pieces = pieces > 2 ? pieces - 1 : 1;
        else if (pieces >= reduction->unit_count)
            return;
        else
            pieces *= 2;
        if (pieces > reduction->unit_count)
            pieces = reduction->unit_count;
    }
}

/* Sets the units to the active mechanisms, or to each active parameter. */
static void set_units(struct reduction *reduction, bool whole)
{
    const parameter_set active = active_now(reduction);
    reduction->unit_count = 0;
    for (enum mechanism_group group = 0; group < MECHANISM_GROUP_COUNT; group++) {
        const parameter_set members = minimise_mechanism(group) & active;
        for (enum parameter i = 0; i < PARAMETER_COUNT && !whole; i++)
            if (members >> i & 1)
                reduction->units[reduction->unit_count++] = (parameter_set)1 << i;
        if (whole && members)
            reduction->units[reduction->unit_count++] = members;
    }
}

void minimise_environment(struct minimising *minimising)
{
    struct reduction *reduction = memory_take(1, sizeof *reduction);
    reduction->minimising = minimising;
    set_units(reduction, true);
    reduce(reduction);
    set_units(reduction, false);
    reduce(reduction);
    free(reduction);
}

void minimise_to_nothing(struct minimising *minimising)
{
    struct reduction reduction = {.minimising = minimising};
    struct candidate nothing = {.set = 0};
    if (active_now(&reduction) != 0 && !has_failed(&reduction, 0) && minimising_goes_on(minimising) &&
        screen(&reduction, &nothing))
        (void)take(&reduction, &nothing);
}
