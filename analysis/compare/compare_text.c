// SPDX-License-Identifier: Apache-2.0
/* A comparison for people. */
#include <math.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/page/words.h"
#include "base/quantity.h"

static const char side_names[SIDES][2] = {"A", "B"};

static void print_sides(const struct comparison *comparison, struct text *text)
{
    static const char *const dimensions[] = {"backend", "device", "driver"};
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        words_add(text, "$: $ (jobs: $", side_names[side], of->title, QUANTITY_COUNT(of->job_count));
        words_add_devices(text, of);
        text_add(text, ")\n");
        for (size_t i = 0; i < of->change_count; i++)
            side_describe_change(&of->changes[i], "   ", text);
    }
    if (comparison->shared_jobs > 0 && comparison->shared_jobs == comparison->side[SIDE_A]->job_count &&
        comparison->shared_jobs == comparison->side[SIDE_B]->job_count)
        text_add(text, "A and B are the same jobs, so nothing can differ.\n");
    else if (comparison->shared_jobs > 0)
        text_add(text, "Jobs that are on both sides, and agree with themselves: %s.\n",
                 QUANTITY_COUNT(comparison->shared_jobs));
    bool first = true;
    for (int i = 0; i < 3; i++) {
        if (comparison->dimensions >> i & 1) {
            text_add(text, "%s%s", first ? "Compared across: " : ", ", dimensions[i]);
            first = false;
        }
    }
    text_add(text, "%s", first ? "" : "\n");
}

/* Which tests were compared pairwise, and why others were not. */
static void print_draws(const struct comparison *comparison, struct text *text)
{
    size_t paired = 0, some = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        paired += pair->paired;
        some += pair->equal_draws > 0 && !pair->paired;
    }
    const size_t none = comparison->pair_count - paired - some;
    text_add(text, "Batches with equal draws are compared pairwise: %zu of these tests", paired);
    const struct {
        size_t count;
        const char *why;
    } others[] = {{some, "with equal draws in part"}, {none, "without equal draws: other seeds, or no batch"}};
    bool first = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].count == 0)
            continue;
        text_add(text, "%s%zu %s", first ? "; side against side: " : ", ", others[i].count, others[i].why);
        first = false;
    }
    text_add(text, ".\n");
}

/* Batches follow the device's size, which is no reason not to compare: the larger ones are thinned. */
static void print_sizes(const struct comparison *comparison, struct text *text)
{
    static const double alike = 1.05;
    double least = INFINITY, most = 0;
    size_t count = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const double ratio = comparison->pairs[i].size_ratio;
        if (!(ratio > 0) || (ratio <= alike && ratio >= 1 / alike))
            continue;
        count++;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (count == 0)
        return;
    text_add(text, "The size of the batches differs (tests: %zu): those of B have %.3g", count, least);
    if (most > least * 1.005)
        text_add(text, " to %.3g", most);
    text_add(text, " times the instances of those of A; rates are compared at the smaller size.\n");
}

static void print_matching(const struct comparison *comparison, struct text *text)
{
    text_add(text, "Tests that match: %zu", comparison->pair_count);
    if (comparison->unmatched_count > 0)
        text_add(text, "; %zu have no match and are listed below", comparison->unmatched_count);
    text_add(text, ".\n");
    if (comparison->pair_count > 0)
        print_draws(comparison, text);
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        text_add(text, "The %s differs (tests: %zu): ", remark->what, remark->tests);
        words_add(text, "in A $, in B $.\n", *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none",
                  *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
    }
    print_sizes(comparison, text);
}

/* A heading with the findings of its kinds, or with "none". */
static void print_section(const struct comparison *comparison, const struct compare_section *section, struct text *text)
{
    const size_t count = compare_count(comparison, section->first, section->last);
    text_add(text, "\n%s: ", section->title);
    text_add(text, count > 0 ? "%zu\n" : "none\n", count);
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (finding->kind < section->first || finding->kind > section->last)
            continue;
        text_add(text, "  ");
        compare_describe_with(comparison, finding, "\n      ", text);
        text_add(text, "\n");
    }
}

static void print_other_rates(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    text_add(text, "  Of the other rates, %zu are alike (the interval of their ratio lies between 1/%g and %g)",
             comparison->results[RATE_SIMILAR], options->detect, options->detect);
    text_add(text, " and %zu undecided (too little data)%s.\n", comparison->results[RATE_UNDECIDED],
             comparison->results[RATE_UNDECIDED] > 0 ? ", listed below" : "");
    text_add(
        text,
        "  A rate has changed where p, corrected for all rates (Holm, weighted), is at most %g and the whole interval of "
        "the ratio lies beyond 1/%g or %g.\n",
        options->alpha, options->tolerance, options->tolerance);
}

static void print_likeness(const char *what, double similarity, struct text *text)
{
    if (isnan(similarity))
        text_add(text, "%s not known, since a side has seen none", what);
    else
        text_add(text, "%s %.4f", what, similarity);
}

static void print_fingerprints(const struct comparison *comparison, struct text *text)
{
    if (comparison->fingerprint_count > 0)
        text_add(
            text,
            "\nFingerprints: likeness of the outcomes that are not sequentially consistent (cosine of their rates, "
            "every test weighing the same; 1 is alike, 0 has nothing in common)\n");
    for (size_t i = 0; i < comparison->fingerprint_count; i++) {
        const struct fingerprint *print = &comparison->fingerprints[i];
        text_add(text, "  ");
        for (int side = 0; side < SIDES; side++) {
            const struct sample *sample = print->sample[side];
            text_add(text, "%s", side == SIDE_A ? "" : " and ");
            words_add_device(text, sample);
            words_add(text, " with driver $", sample->row.driver);
        }
        print_likeness(":", print->similarity, text);
        text_add(text, " over %zu outcomes of %zu tests", print->entries, print->tests);
        if (print->equal_tests > 0) {
            print_likeness("; draw by draw", print->draw_similarity, text);
            text_add(text, " over %s equal draws of %zu tests", QUANTITY_COUNT(print->draws), print->equal_tests);
        }
        text_add(text, "\n");
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

/* Long lists scroll away; the counts are the last words. */
static void print_summary(const struct comparison *comparison, struct text *text)
{
    static const char *const names[FINDING_KIND_COUNT] = {
        "forbidden", "witnesses of controls", "states", "shifts", "new", "lost", "rates", "undecided"};
    size_t sure[FINDING_KIND_COUNT] = {0}, unsure[FINDING_KIND_COUNT] = {0};
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        (finding->standing == STANDING_SURE ? sure : unsure)[finding->kind]++;
    }
    text_add(text, "\nIn short: ");
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const bool is_undecided = kind == FINDING_UNDECIDED;
        text_add(text, "%s%s %zu", kind == 0 ? "" : ", ", names[kind], (is_undecided ? unsure : sure)[kind]);
        if (!is_undecided && unsure[kind] > 0)
            text_add(text, " (and perhaps %zu)", unsure[kind]);
    }
    text_add(text, "; tests compared %zu, without a match %zu.\n", comparison->pair_count, comparison->unmatched_count);
}

void compare_print_text(const struct comparison *comparison, struct text *text)
{
    print_sides(comparison, text);
    print_matching(comparison, text);
    for (size_t i = 0; i < COMPARE_SECTIONS; i++) {
        print_section(comparison, &compare_sections[i], text);
        if (i == COMPARE_RATES)
            print_other_rates(comparison, text);
    }
    print_fingerprints(comparison, text);
    print_unmatched(comparison, text);
    print_summary(comparison, text);
}
