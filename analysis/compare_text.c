// SPDX-License-Identifier: Apache-2.0
/* A comparison for people. */
#include <inttypes.h>
#include <math.h>

#include "analysis/compare.h"
#include "analysis/words.h"
#include "base/quantity.h"

static const char side_names[SIDES][2] = {"A", "B"};

static void print_sides(const struct comparison *comparison, struct text *text)
{
    static const char *const dimensions[] = {"backend", "device", "driver"};
    char buffer[QUANTITY_SIZE];
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        text_add(text, "%s: ", side_names[side]);
        words_add_plain(text, of->title);
        text_add(text, " (jobs: %s)\n", quantity_count(of->job_count, buffer));
    }
    bool first = true;
    for (int i = 0; i < 3; i++) {
        if (comparison->dimensions >> i & 1) {
            text_add(text, "%s%s", first ? "Compared across: " : ", ", dimensions[i]);
            first = false;
        }
    }
    text_add(text, "%s", first ? "" : "\n");
}

static void print_matching(const struct comparison *comparison, struct text *text)
{
    size_t paired = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        paired += comparison->pairs[i].paired;
    text_add(text, "Tests that match: %zu", comparison->pair_count);
    if (comparison->pair_count > 0)
        text_add(text, ", %zu of them with batches of equal draws, which are compared pairwise", paired);
    if (comparison->unmatched_count > 0)
        text_add(text, "; %zu have no match and are listed below", comparison->unmatched_count);
    text_add(text, ".\n");
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        text_add(text, "The %s differs (tests: %zu): in A ", remark->what, remark->tests);
        words_add_plain(text, *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none");
        text_add(text, ", in B ");
        words_add_plain(text, *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
        text_add(text, ".\n");
    }
}

/* A heading with the findings of its kinds, or with "none". */
static void print_section(const struct comparison *comparison, const char *title, enum finding_kind first,
                          enum finding_kind last, struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->finding_count; i++)
        count += comparison->findings[i].kind >= first && comparison->findings[i].kind <= last;
    text_add(text, "\n%s: ", title);
    text_add(text, count > 0 ? "%zu\n" : "none\n", count);
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (finding->kind < first || finding->kind > last)
            continue;
        text_add(text, "  ");
        compare_describe(comparison, finding, text);
        text_add(text, "\n");
    }
}

static void print_other_rates(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    text_add(text, "  Of the other rates, %zu are alike (the interval of their ratio lies between 1/%g and %g)",
             comparison->results[RATE_SIMILAR], options->detect, options->detect);
    text_add(text, " and %zu undecided (too little data).\n", comparison->results[RATE_UNDECIDED]);
    text_add(text,
             "  A rate has changed where p, corrected for all rates (Holm), is at most %g and the whole interval of "
             "the ratio lies beyond 1/%g or %g.\n",
             options->alpha, options->tolerance, options->tolerance);
}

static void print_fingerprints(const struct comparison *comparison, struct text *text)
{
    if (comparison->fingerprint_count > 0)
        text_add(text,
                 "\nLikeness of the weak outcomes (cosine of their rates; 1 is alike, 0 has nothing in common):\n");
    for (size_t i = 0; i < comparison->fingerprint_count; i++) {
        const struct fingerprint *print = &comparison->fingerprints[i];
        text_add(text, "  ");
        for (int side = 0; side < SIDES; side++) {
            const struct sample *sample = print->sample[side];
            text_add(text, "%s", side == SIDE_A ? "" : " and ");
            words_add_plain(text, sample->device);
            text_add(text, " with ");
            words_add_plain(text, sample->driver);
        }
        if (isnan(print->similarity))
            text_add(text, ": not known, a side has seen none\n");
        else
            text_add(text, ": %.4f; outcomes: %zu, tests: %zu, of these in equal draws: %zu\n", print->similarity,
                     print->entries, print->tests, print->equal_draws);
    }
}

static void print_unmatched(const struct comparison *comparison, struct text *text)
{
    if (comparison->unmatched_count > 0)
        text_add(text, "\nWithout a match: %zu\n", comparison->unmatched_count);
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        text_add(text, "  ");
        words_add_test(text, lone->sample);
        text_add(text, ", in %s alone: %s\n", side_names[lone->side], lone->reason);
    }
}

void compare_print_text(const struct comparison *comparison, struct text *text)
{
    print_sides(comparison, text);
    print_matching(comparison, text);
    print_section(comparison, "Forbidden outcomes and witnesses of controls", FINDING_FORBIDDEN, FINDING_CONTROL, text);
    print_section(comparison, "New and lost outcomes", FINDING_NEW, FINDING_LOST, text);
    print_section(comparison, "Changed states", FINDING_STATE, FINDING_STATE, text);
    print_section(comparison, "Changed rates", FINDING_RATE, FINDING_RATE, text);
    print_other_rates(comparison, text);
    print_fingerprints(comparison, text);
    print_unmatched(comparison, text);
}
