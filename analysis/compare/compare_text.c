// SPDX-License-Identifier: Apache-2.0
/* A comparison for people: the answer, what is compared, the findings from grave to harmless, and what was not
 * compared. */
#include <math.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"
#include "base/quantity.h"
#include "base/terminal/table.h"

/* ---- a finding as a block: its name and outcome, what happened, and a row of figures for each side ---- */

enum { INDENT = 4 };

/* The least and the most of the rates of a side's runs. False with fewer than two runs that have counts. */
static bool find_range(const struct sample *sample, const char *label, double *least, double *most)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    size_t runs = 0;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < sample->run_count; i++) {
        const struct sample_run *run = &sample->runs[i];
        uint64_t count = 0;
        for (size_t b = 0; b < run->batch_count && outcome && outcome->counts[i]; b++)
            count += outcome->counts[i][b];
        if (run->instances == 0)
            continue;
        *least = fmin(*least, (double)count / (double)run->instances);
        *most = fmax(*most, (double)count / (double)run->instances);
        runs++;
    }
    return runs > 1;
}

static void add_range(struct table *table, const struct sample *sample, const struct finding *finding, int side)
{
    static const double visible = 0.005; /* of three digits */
    double least, most;
    if (finding->count[side] == 0)
        table_add(table, "%s", "");
    else if (!find_range(sample, finding->outcome->label, &least, &most))
        table_add(table, "not known: 1 run");
    else if (least > 0 && log(most / least) < visible)
        table_add(table, "alike");
    else if (least > 0)
        table_add(table, "%.2e to %.2e", least, most);
    else
        table_add(table, "0 to %.2e", most);
}

static void compare_text_add_side(struct table *table, const struct comparison *comparison,
                                  const struct finding *finding, int side)
{
    const struct sample *sample = finding->sample[side];
    char number[QUANTITY_SIZE];
    table_add(table, "%c", side == SIDE_A ? 'A' : 'B');
    if (!sample || sample->counted == 0) {
        table_add(table, "%s", sample ? "nothing counted" : "not run");
        for (int i = 0; i < 5; i++)
            table_add(table, "%s", "");
        return;
    }
    const struct sample_draws draws = compare_count_draws(sample, finding->outcome->label);
    const struct sample_spread spread = sample_spread(sample, sample_outcome(sample, finding->outcome->label));
    table_add(table, "%s", QUANTITY_COUNT(finding->count[side]));
    table_add(table, "%s", quantity_short((double)sample->counted, number));
    if (finding->count[side] == 0)
        table_add(table, "< %.1e", statistics_zero_bound(sample->counted, comparison->options.confidence));
    else
        table_add(table, "%.2e", (double)finding->count[side] / (double)sample->counted);
    add_range(table, sample, finding, side);
    table_add(table, "%s of %s", QUANTITY_COUNT(draws.seen_in), QUANTITY_COUNT(draws.count));
    table_add(table, "%zu of %zu", spread.seen_in_runs, spread.runs);
}

static void add_sides(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    struct table table = {0};
    table_columns(&table, "|>seen|>instances|>per instance|~by run|->draws|>runs");
    for (int side = 0; side < SIDES; side++)
        compare_text_add_side(&table, comparison, finding, side);
    table_add_to(&table, text, terminal_fill_width(text), false, INDENT);
    table_release(&table);
}

/* ---- what happened ---- */

static void compare_text_add_event(const struct finding *finding, struct text *line)
{
    switch (finding->kind) {
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
    case FINDING_CLAIM:
        compare_add_reproach(finding, line);
        break;
    case FINDING_NEW:
        text_add(line, "new: only B has seen it");
        break;
    case FINDING_LOST:
        text_add(line, "lost: only A has seen it");
        break;
    case FINDING_RATE:
    case FINDING_UNDECIDED:
        text_add(line, "rate ");
        compare_add_factor(line, &finding->rate->ratio);
        break;
    case FINDING_STATE:
    case FINDING_KEPT:
    case FINDING_SHIFT:
    case FINDING_VOIDS:
    case FINDING_TIME:
    case FINDING_KIND_COUNT:
        break;
    }
}

/* Whether a finding is about an outcome, so that it has a block. */
static bool compare_has_block(const struct finding *finding)
{
    return finding->outcome && finding->outcome->of == SAMPLE_OUTCOME;
}

/* The block, which ends with a newline. verbose: with p. */
static void compare_block(const struct comparison *comparison, const struct finding *finding, bool verbose,
                          struct text *text)
{
    struct text line = {0}, reservations = {0};
    text_add(&line, "%s  ", compare_severity(finding));
    compare_add_test(comparison, finding, &line);
    words_add(&line, "$", finding->outcome->label);
    terminal_fill(text, text_string(&line), 0, INDENT);
    text_clear(&line);
    compare_text_add_event(finding, &line);
    compare_reservations(comparison, finding, &reservations);
    text_add(&line, "%s%s", reservations.size > 0 ? "; " : "", text_string(&reservations));
    if (verbose)
        compare_add_decision(comparison, finding, &line);
    text_add(text, "\n%*s", INDENT, "");
    terminal_fill(text, text_string(&line), INDENT, INDENT);
    text_add(text, "\n");
    add_sides(comparison, finding, text);
    text_release(&reservations);
    text_release(&line);
}

enum { SHOWN_UNDECIDED = 20 };

/* Adds a finished line, broken if it is too long, and empties it. */
static void compare_text_add_line(struct text *text, struct text *line)
{
    terminal_fill(text, text_string(line), 0, INDENT);
    text_add(text, "\n");
    text_clear(line);
}

/* ---- the answer ---- */

struct compare_extent compare_extent(const struct comparison *comparison)
{
    struct compare_extent extent = {0};
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample *a = comparison->pairs[i].sample[SIDE_A], *b = comparison->pairs[i].sample[SIDE_B];
        if (a->counted > 0 && b->counted > 0 && comparison->pairs[i].kernels == KERNELS_DIFFER)
            extent.other_kernels++;
        else if (a->counted > 0 && b->counted > 0)
            extent.compared++;
        else if (a->states[JOB_UNSUPPORTED] > 0 || b->states[JOB_UNSUPPORTED] > 0)
            extent.unsupported++;
        else
            extent.without_data++;
    }
    return extent;
}

/* "2 forbidden, "; nothing for 0. */
static void count_some(struct text *text, size_t count, const char *what)
{
    if (count > 0)
        text_add(text, "%zu %s, ", count, what);
}

/* "1 NEW outcome in B that must never appear (MP+rel+acq); 3 in both, ": the worst first. */
static void count_alarms(const struct comparison *comparison, struct text *text)
{
    size_t of_age[FINDING_AGES] = {0}, excused = 0;
    const struct finding *first = NULL;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        excused += finding->excused;
        if (!finding_fails(finding))
            continue;
        first = first ? first : finding;
        of_age[finding_age(finding)]++;
    }
    static const char *const where[FINDING_AGES] = {"in B", "in both", "in A alone"};
    const char *what = " that must never appear";
    for (int age = 0; age < FINDING_AGES; age++) {
        if (of_age[age] == 0)
            continue;
        text_add(text, "%zu%s%s %s%s", of_age[age], age == FINDING_NEW_IN_B ? " NEW" : "",
                 *what == '\0'      ? ""
                 : of_age[age] == 1 ? " outcome"
                                    : " outcomes",
                 where[age], what);
        if (age == FINDING_NEW_IN_B)
            words_add(text, of_age[age] == 1 ? " ($)" : " ($, ...)", first->sample[SIDE_B]->row.test);
        text_add(text, "; ");
        what = "";
    }
    count_some(text, excused, "not promised");
}

/* "2 changes"; a new outcome that must never appear is a change too. */
static void count_changes(const struct comparison *comparison, struct text *text)
{
    const size_t changes = compare_count(comparison, COMPARE_CHANGED), runs = comparison->runs[SIDE_A];
    bool is_new = false;
    for (size_t i = 0; i < comparison->finding_count; i++)
        is_new |= finding_fails(&comparison->findings[i]) && finding_age(&comparison->findings[i]) == FINDING_NEW_IN_B;
    if (changes == 0 && runs < comparison->options.fewest_runs)
        text_add(text, "rates undecided (A has %zu run%s, %zu needed)", runs, runs == 1 ? "" : "s",
                 comparison->options.fewest_runs);
    else
        text_add(text, "%s%s change%s", changes > 0 ? QUANTITY_COUNT(changes) : "no", is_new ? " other" : "",
                 changes > 1 ? "s" : "");
}

static void count_rest(const struct comparison *comparison, const struct compare_extent *extent, struct text *text)
{
    const struct words_count rest[] = {{extent->unsupported, "unsupported"},
                                       {extent->without_data, "without data"},
                                       {extent->other_kernels, "with other kernels"},
                                       {comparison->unmatched_count, "without a match"}};
    words_add_counts(text, rest, sizeof rest / sizeof *rest);
}

void compare_print_answer(const struct comparison *comparison, struct text *text)
{
    const struct compare_extent extent = compare_extent(comparison);
    const size_t unconfirmed = compare_count(comparison, COMPARE_UNCONFIRMED),
                 undecided = compare_count(comparison, COMPARE_UNDECIDED);
    count_alarms(comparison, text);
    count_some(text, compare_count(comparison, COMPARE_STATES), "ended differently");
    count_some(text, compare_count(comparison, COMPARE_KEPT), "kept differently");
    if (extent.compared > 0 || compare_count(comparison, COMPARE_CHANGED) > 0)
        count_changes(comparison, text);
    else
        text_add(text, "nothing could be compared");
    if (unconfirmed > 0)
        text_add(text, ", %zu unconfirmed", unconfirmed);
    if (undecided > 0)
        text_add(text, ", %zu undecided", undecided);
    if (extent.compared > 0)
        text_add(text, " in %zu test%s", extent.compared, extent.compared == 1 ? "" : "s");
    count_rest(comparison, &extent, text);
}

/* ---- what is compared ---- */

/* If drivers match one by one, runs of several drivers are as good as runs of one. */
static void compare_text_print_drivers(const struct comparison *comparison, const struct side *side, struct text *text)
{
    struct text line = {0};
    if (comparison->dimensions & DIMENSION_DRIVER || compare_extent(comparison).compared == 0)
        side_describe_drivers(side, "", &line);
    terminal_fill(text, text_string(&line), 0, INDENT);
    text_release(&line);
}

static void print_sides(const struct comparison *comparison, struct text *text)
{
    static const char *const dimensions[] = {"backend", "device", "driver"};
    struct text line = {0};
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        words_add(&line, "$: $ ($ $, ", side_names[side], of->title, QUANTITY_COUNT(of->job_count),
                  of->job_count == 1 ? "job" : "jobs");
        text_add(&line, "%zu run%s", comparison->runs[side], comparison->runs[side] == 1 ? "" : "s");
        words_add_devices(&line, of);
        text_add(&line, ")");
        compare_text_add_line(text, &line);
        for (size_t i = 0; i < of->change_count; i++)
            side_describe_change(&of->changes[i], "   ", text);
        compare_text_print_drivers(comparison, of, text);
    }
    const size_t shared = comparison->shared_jobs;
    if (shared > 0 && shared == comparison->side[SIDE_A]->job_count && shared == comparison->side[SIDE_B]->job_count)
        text_add(text, "A and B are the same jobs, so nothing can differ.\n");
    else if (shared > 0)
        text_add(text, "Jobs that are on both sides, and agree with themselves: %s.\n", QUANTITY_COUNT(shared));
    bool first = true;
    for (int i = 0; i < 3; i++) {
        if (comparison->dimensions >> i & 1) {
            text_add(text, "%s%s", first ? "Compared across: " : ", ", dimensions[i]);
            first = false;
        }
    }
    text_add(text, "%s", first ? "" : "\n");
    text_release(&line);
}

/* Differences that may explain rates without being what is compared; the others only if verbose. */
static void print_remarks(const struct comparison *comparison, bool verbose, struct text *text)
{
    struct text line = {0};
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        if (!remark->confounds && !verbose)
            continue;
        words_add(&line, "The $ differs", remark->what);
        text_add(&line, " (%zu test%s): ", remark->tests, remark->tests == 1 ? "" : "s");
        if (remark->so)
            words_add(&line, "$.", remark->so);
        else
            words_add(&line, "A $, B $.", *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none",
                      *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
        compare_text_add_line(text, &line);
    }
    text_release(&line);
}

/* ---- findings ---- */

/* A finding without an outcome: the line, and below it the details. */
static void compare_text_print_line(const struct comparison *comparison, const struct finding *finding, bool in_detail,
                                    struct text *text)
{
    struct text line = {0};
    text_add(&line, "%s  ", compare_severity(finding));
    compare_line(comparison, finding, &line);
    compare_text_add_line(text, &line);
    if (in_detail)
        compare_details(comparison, finding, &line);
    if (line.size > 0) {
        text_add(text, "%*s", INDENT, "");
        terminal_fill(text, text_string(&line), INDENT, INDENT);
        text_add(text, "\n");
    }
    text_release(&line);
}

/* Undecided findings may be many, so they are lines unless details are wanted. */
static void print_finding(const struct comparison *comparison, const struct finding *finding, bool verbose,
                          struct text *text)
{
    const bool in_detail = finding->kind != FINDING_UNDECIDED || verbose;
    if (in_detail && compare_has_block(finding))
        compare_block(comparison, finding, verbose, text);
    else
        compare_text_print_line(comparison, finding, in_detail, text);
}

static void print_findings(const struct comparison *comparison, bool verbose, struct text *text)
{
    size_t undecided = 0;
    text_add(text, "%s", comparison->finding_count > 0 ? "\n" : "");
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (finding->kind != FINDING_UNDECIDED || undecided++ < SHOWN_UNDECIDED || verbose)
            print_finding(comparison, finding, verbose, text);
    }
    if (undecided > SHOWN_UNDECIDED && !verbose)
        text_add(text, "and %zu more undecided rates, seen on both sides: --verbose lists them\n",
                 undecided - SHOWN_UNDECIDED);
}

/* What too few runs can show. */
static void compare_text_print_runs(const struct comparison *comparison, struct text *text)
{
    struct text line = {0};
    const size_t runs = comparison->runs[SIDE_A], fewest = comparison->options.fewest_runs;
    if (runs >= fewest || compare_extent(comparison).compared == 0)
        return;
    if (compare_count(comparison, COMPARE_UNCONFIRMED) > 0)
        text_add(&line,
                 "Unconfirmed: these runs differ, but runs of one driver may differ as much; %zu or more runs of A "
                 "would show it.",
                 fewest);
    else
        text_add(&line,
                 "A has %zu run%s: whether a rate changed takes %zu or more, which show how much runs of one driver "
                 "differ.",
                 runs, runs == 1 ? "" : "s", fewest);
    text_add(text, "\n");
    compare_text_add_line(text, &line);
    text_release(&line);
}

static void compare_text_print_results(const struct comparison *comparison, struct text *text)
{
    struct text line = {0};
    text_add(&line, "Outcomes on both sides: %zu similar (within a factor of %g)", comparison->results[RATE_SIMILAR],
             comparison->options.detect);
    if (comparison->results[RATE_UNDECIDED] > 0)
        text_add(&line, ", %zu undecided (too little data)", comparison->results[RATE_UNDECIDED]);
    if (comparison->results[RATE_NOT_COMPARED] > 0)
        text_add(&line, ", %zu not compared (other kernels)", comparison->results[RATE_NOT_COMPARED]);
    if (comparison->results[RATE_UNGATED] > 0)
        text_add(&line, ", %zu not gated (this machine varies too much)", comparison->results[RATE_UNGATED]);
    text_add(&line, ".");
    text_add(text, "\n");
    compare_text_add_line(text, &line);
    text_release(&line);
}

/* ---- how it was compared ---- */

/* Which tests were compared pairwise, and why others were not. */
static void print_draws(const struct comparison *comparison, struct text *text)
{
    size_t paired = 0, some = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        paired += pair->paired;
        some += pair->equal_draws > 0 && !pair->paired;
    }
    const size_t none = comparison->pair_count - paired - some;
    struct text line = {0};
    text_add(&line, "Within runs, batches with equal draws are compared pairwise: %zu of these tests", paired);
    const struct {
        size_t count;
        const char *why;
    } others[] = {{some, "with equal draws in part"},
                  {none, "without equal draws: other seeds, other launch arguments, or no batch"}};
    bool first = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].count == 0)
            continue;
        text_add(&line, "%s%zu %s", first ? "; side against side: " : ", ", others[i].count, others[i].why);
        first = false;
    }
    text_add(&line, ".");
    compare_text_add_line(text, &line);
    text_release(&line);
}

/* Batch sizes follow the device's size; they are still compared: the larger ones are thinned. */
static void print_sizes(const struct comparison *comparison, struct text *text)
{
    static const double similar = 1.05;
    double least = INFINITY, most = 0;
    size_t count = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const double ratio = comparison->pairs[i].size_ratio;
        if (!(ratio > 0) || (ratio <= similar && ratio >= 1 / similar))
            continue;
        count++;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (count == 0)
        return;
    struct text line = {0};
    text_add(&line, "The size of the batches differs (tests: %zu): batches of B have %.3g", count, least);
    if (most > least * 1.005)
        text_add(&line, " to %.3g", most);
    text_add(&line, " times the instances of batches of A; batches are compared at the smaller size.");
    compare_text_add_line(text, &line);
    text_release(&line);
}

static void print_rule(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    struct text line = {0};
    text_add(
        &line,
        "A rate has changed if p (t test over runs, corrected for all rates by Holm with weights) is at most %g and "
        "the whole interval of the ratio is beyond 1/%g or %g.",
        options->alpha, options->tolerance, options->tolerance);
    compare_text_add_line(text, &line);
    static const struct {
        enum compare_suite of;
        const char *words;
    } suites[COMPARE_SUITES] = {{COMPARE_WEAK, "weak outcomes"},
                                {COMPARE_OTHER, "other outcomes"},
                                {COMPARE_VOIDS, "void instances"},
                                {COMPARE_TIMES, "the time per instance"}};
    for (size_t i = 0; i < COMPARE_SUITES; i++) {
        const struct statistics_suite *suite = &comparison->suites[suites[i].of];
        if (suite->questions == 0 || !(suite->freedom > 0))
            continue;
        text_add(&line, "Runs differ in %s by a factor of %.3g (one standard deviation, learned from %zu rates).",
                 suites[i].words, exp(sqrt(suite->variance + suite->shift)), suite->questions);
        compare_text_add_line(text, &line);
    }
    text_release(&line);
}

static void print_unmatched(const struct comparison *comparison, struct text *text)
{
    struct text line = {0};
    if (comparison->unmatched_count > 0)
        text_add(text, "\nWithout a match: %zu\n", comparison->unmatched_count);
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        words_add_test(&line, lone->sample);
        text_add(&line, ", only in %s: %s", side_names[lone->side], lone->reason);
        text_add(text, "  ");
        terminal_fill(text, text_string(&line), 2, INDENT);
        text_add(text, "\n");
        text_clear(&line);
    }
    text_release(&line);
}

void compare_print_text(const struct comparison *comparison, bool verbose, struct text *text)
{
    struct text answer = {0};
    compare_print_answer(comparison, &answer);
    terminal_fill(text, text_string(&answer), 0, INDENT);
    text_release(&answer);
    text_add(text, "\n\n");
    print_sides(comparison, text);
    print_remarks(comparison, verbose, text);
    print_findings(comparison, verbose, text);
    compare_text_print_runs(comparison, text);
    compare_text_print_results(comparison, text);
    if (verbose) {
        print_rule(comparison, text);
        print_draws(comparison, text);
        print_sizes(comparison, text);
    }
    print_unmatched(comparison, text);
}
