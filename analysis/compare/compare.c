// SPDX-License-Identifier: Apache-2.0
/* Matching the samples of two sides, and running the parts of a comparison in order. */
#include "analysis/compare/compare.h"

#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"

/* ---- samples without a match ---- */

/* Why a sample has no match, by what differs from the first sample of the same test on the other side. */
static const char *why_unmatched(struct comparison *comparison, const struct sample *sample, int side)
{
    const struct sample *other = side_find_test(comparison->side[1 - side], sample);
    if (!other)
        return "the other side has no job of this test";
    const unsigned free_ones = comparison->dimensions;
    const struct {
        const char *name, *mine, *theirs, *shown; /* shown: NULL if the value means nothing to
                                                   * people */
        bool is_free;
    } traits[] = {
        {"the test's content", sample->row.test_hash, other->row.test_hash, NULL, false},
        {"the backend", sample->row.backend, other->row.backend, other->row.backend, free_ones & DIMENSION_BACKEND},
        {"the device", sample->row.device, other->row.device, other->row.device, free_ones & DIMENSION_DEVICE},
        {"the device's UUID", sample->row.device_uuid, other->row.device_uuid, other->row.device_uuid,
         free_ones & DIMENSION_DEVICE},
        {"the platform", sample->row.platform, other->row.platform, other->row.platform, free_ones & DIMENSION_DRIVER},
        {"the driver", sample->row.driver, other->row.driver, other->row.driver, free_ones & DIMENSION_DRIVER},
        {"the lowering", store_requested_lowering(&sample->row), store_requested_lowering(&other->row),
         other->row.lowering, free_ones & DIMENSION_LOWERING},
        {"the environment", sample->row.environment_hash, other->row.environment_hash, other->row.profile, false},
        {"the source's model", sample->source_model, other->source_model, other->source_model, false},
        {"the target's model", sample->target_model, other->target_model, other->target_model,
         free_ones & (DIMENSION_BACKEND | DIMENSION_LOWERING)},
    };
    struct text reason = {0};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        if (traits[i].is_free || strcmp(traits[i].mine, traits[i].theirs) == 0)
            continue;
        text_add(&reason, "%s%s differs there", reason.size > 0 ? ", " : "", traits[i].name);
        if (traits[i].shown)
            words_add(&reason, " ($)", *traits[i].shown ? traits[i].shown : "none");
    }
    if (reason.size == 0)
        text_add(&reason, "its match is taken");
    const char *copy = arena_copy(&comparison->arena, text_string(&reason));
    text_release(&reason);
    return copy;
}

static void add_unmatched(struct comparison *comparison, const struct sample *sample, int side)
{
    const struct unmatched lone = {sample, side, why_unmatched(comparison, sample, side)};
    ARENA_ADD(&comparison->arena, comparison->unmatched, comparison->unmatched_count) = lone;
}

static void add_pair(struct comparison *comparison, const struct sample *a, const struct sample *b)
{
    ARENA_ADD(&comparison->arena, comparison->pairs, comparison->pair_count) = (struct sample_pair){.sample = {a, b}};
    compare_find_kernels(&comparison->pairs[comparison->pair_count - 1]);
    compare_pair(comparison, &comparison->pairs[comparison->pair_count - 1]);
    const struct sample *const samples[SIDES] = {a, b};
    for (int side = 0; side < SIDES; side++)
        if (samples[side]->run_count > comparison->runs[side])
            comparison->runs[side] = samples[side]->run_count;
}

/* Both sides are in the same order. */
static void match_samples(struct comparison *comparison)
{
    const struct side *a = comparison->side[SIDE_A], *b = comparison->side[SIDE_B];
    for (size_t i = 0, j = 0; i < a->sample_count || j < b->sample_count;) {
        const int order = i == a->sample_count ? 1
                          : j == b->sample_count
                              ? -1
                              : sample_compare(&a->samples[i], &b->samples[j], comparison->dimensions);
        if (order < 0)
            add_unmatched(comparison, &a->samples[i++], SIDE_A);
        else if (order > 0)
            add_unmatched(comparison, &b->samples[j++], SIDE_B);
        else
            add_pair(comparison, &a->samples[i++], &b->samples[j++]);
    }
}

void compare_sides(struct side *a, struct side *b, const struct compare_options *options, struct comparison *comparison)
{
    *comparison = (struct comparison){.side = {a, b},
                                      .options = *options,
                                      .dimensions = side_find_dimensions(a, b, options->dimensions),
                                      .shared_jobs = side_shared_jobs(a, b)};
    side_lend_models(a, b);
    side_gather(a, comparison->dimensions);
    side_gather(b, comparison->dimensions);
    match_samples(comparison);
    compare_decide(comparison);
    compare_find(comparison);
    compare_fingerprints(comparison);
    compare_remarks(comparison);
}

void comparison_release(struct comparison *comparison)
{
    arena_release(&comparison->arena);
    *comparison = (struct comparison){.pairs = NULL};
}
