// SPDX-License-Identifier: Apache-2.0
/* A comparison as a document: the answer, what is compared, the findings from grave to harmless, and what was not
 * compared. */
#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"

/* ---- a finding as a block: its name and outcome, what happened, and a row of figures for each side ---- */

enum { INDENT = 4, SHOWN_UNDECIDED = 20 };

static void add_range(struct table *table, const struct sample *sample, const struct finding *finding, int side)
{
    static const double visible = 0.005; /* of three digits */
    double least, most;
    if (finding->count[side] == 0)
        table_add(table, "%s", "");
    else if (compare_range(sample, finding->outcome, &least, &most) < 2)
        table_add(table, "not known: 1 run");
    else if (least > 0 && log(most / least) < visible)
        table_add(table, "alike");
    else if (least > 0)
        table_add(table, "%.2e to %.2e", least, most);
    else
        table_add(table, "0 to %.2e", most);
}

static void add_side(struct table *table, const struct comparison *comparison, const struct finding *finding, int side)
{
    const struct sample *sample = finding->sample[side];
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
    table_add(table, "%s", QUANTITY_SHORT((double)sample->counted));
    if (finding->count[side] == 0)
        table_add(table, "< %.1e", statistics_zero_bound(sample->counted, comparison->options.confidence));
    else
        table_add(table, "%.2e", (double)finding->count[side] / (double)sample->counted);
    add_range(table, sample, finding, side);
    table_add(table, "%s of %s", QUANTITY_COUNT(draws.seen_in), QUANTITY_COUNT(draws.count));
    table_add(table, "%zu of %zu", spread.seen_in_runs, spread.runs);
}

/* ---- what happened ---- */

static void add_event(const struct finding *finding, struct text *line)
{
    if (finding_is_alarm(finding))
        compare_add_reproach(finding, line);
    else if (finding->kind == FINDING_NEW)
        text_add(line, "new: only B has seen it");
    else if (finding->kind == FINDING_LOST)
        text_add(line, "lost: only A has seen it");
    else {
        text_add(line, "rate ");
        compare_add_factor(line, &finding->rate->ratio);
    }
}

/* The finding, its name and outcome as its line, and what happened below; then a row of figures for each side. */
static void add_block(struct document *document, const struct comparison *comparison, const struct finding *finding,
                      struct document_finding *added)
{
    LOCAL(text) line = {0}, event = {0};
    compare_add_test(comparison, finding, &line);
    words_add(&line, "$", finding->outcome->label);
    add_event(finding, &event);
    text_add(&event, "; ");
    const size_t start = event.size;
    compare_reservations(comparison, finding, &event);
    if (event.size == start)
        event.data[start - 2] = '\0';
    added->line = text_string(&line);
    added->evidence = text_string(&event);
    document_find(document, added);
    struct table *table = document_table(document, "|>seen|>instances|>per instance|~by run|->draws|>runs", INDENT);
    for (int side = 0; side < SIDES; side++)
        add_side(table, comparison, finding, side);
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
    FOR_EACH(const struct finding, finding, comparison->findings, comparison->finding_count) {
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

/* Whether A has too few runs to decide a rate, and none was decided otherwise. */
static bool has_few_runs(const struct comparison *comparison)
{
    return comparison->runs[SIDE_A] < comparison->options.fewest_runs &&
           compare_count(comparison, COMPARE_CHANGED) == 0 && compare_extent(comparison).compared > 0;
}

/* "2 changes"; a new outcome that must never appear is a change too. */
static void count_changes(const struct comparison *comparison, struct text *text)
{
    const size_t changes = compare_count(comparison, COMPARE_CHANGED);
    const bool is_new = ANY_OF(finding, comparison->findings, comparison->finding_count,
                               finding_fails(finding) && finding_age(finding) == FINDING_NEW_IN_B);
    text_add(text, "%s%s change%s, ", changes > 0 ? QUANTITY_COUNT(changes) : "no", is_new ? " other" : "",
             changes > 1 ? "s" : "");
}

void compare_print_answer(const struct comparison *comparison, struct text *text)
{
    const struct compare_extent extent = compare_extent(comparison);
    const size_t unconfirmed = compare_count(comparison, COMPARE_UNCONFIRMED),
                 undecided = compare_count(comparison, COMPARE_UNDECIDED);
    LOCAL(text) counts = {0}; /* each ends with a comma and a blank */
    count_alarms(comparison, &counts);
    count_some(&counts, compare_count(comparison, COMPARE_STATES), "ended differently");
    count_some(&counts, compare_count(comparison, COMPARE_KEPT), "kept differently");
    if (has_few_runs(comparison) && unconfirmed + undecided == 0)
        text_add(&counts, "rates undecided, ");
    else if (extent.compared == 0 && compare_count(comparison, COMPARE_CHANGED) == 0)
        text_add(&counts, "nothing could be compared, ");
    else if (!has_few_runs(comparison))
        count_changes(comparison, &counts);
    count_some(&counts, unconfirmed, "unconfirmed");
    count_some(&counts, undecided, "undecided");
    text_add(text, "%.*s", (int)(counts.size - strlen(", ")), text_string(&counts));
    if (extent.compared > 0)
        text_add(text, " in %zu test%s", extent.compared, extent.compared == 1 ? "" : "s");
    if (has_few_runs(comparison))
        text_add(text, ", because A has %zu run%s and needs %zu", comparison->runs[SIDE_A],
                 comparison->runs[SIDE_A] == 1 ? "" : "s", comparison->options.fewest_runs);
    const struct words_count rest[] = {{extent.unsupported, "unsupported"},
                                       {extent.without_data, "without data"},
                                       {extent.other_kernels, "with other kernels"},
                                       {comparison->unmatched_count, "without a match"}};
    words_add_counts(text, rest, COUNT(rest));
}

/* Whether the result is open: outcomes that one side alone has seen, or too few runs to decide any rate. */
static bool is_inconclusive(const struct comparison *comparison)
{
    if (ANY_OF(finding, comparison->findings, comparison->finding_count, finding->kind != FINDING_UNDECIDED))
        return true;
    const struct compare_extent extent = compare_extent(comparison);
    return comparison->runs[SIDE_A] < comparison->options.fewest_runs || extent.compared == 0 ||
           extent.other_kernels > 0;
}

static enum terminal_style compare_tone(const struct comparison *comparison)
{
    if (ANY_OF(finding, comparison->findings, comparison->finding_count, finding_fails(finding)))
        return TERMINAL_BAD;
    return is_inconclusive(comparison) ? TERMINAL_WARNING : TERMINAL_GOOD;
}

/* ---- what is compared ---- */

static void compare_add_side(const struct comparison *comparison, int side, struct text *text)
{
    const struct side *of = comparison->side[side];
    words_add(text, "$ ($ $, $ $", of->title, QUANTITY_COUNT(of->job_count), of->job_count == 1 ? "job" : "jobs",
              QUANTITY_COUNT(comparison->runs[side]), comparison->runs[side] == 1 ? "run" : "runs");
    words_add_devices(text, of);
    text_add(text, ")");
}

void compare_add_remark(const struct remark *remark, struct text *text)
{
    words_add(text, "The $ differs ($ $): ", remark->what, QUANTITY_COUNT(remark->tests),
              remark->tests == 1 ? "test" : "tests");
    if (remark->so)
        words_add(text, "$.", remark->so);
    else
        words_add(text, "A $, B $.", *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none",
                  *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
}

void compare_add_unmatched(const struct unmatched *lone, struct text *text)
{
    words_add_test(text, lone->sample);
    text_add(text, ", only in %s: %s", side_names[lone->side], lone->reason);
}

static void add_sides(struct document *document, const struct comparison *comparison)
{
    static const char *const dimensions[] = {"backend", "device", "driver"};
    struct text *line = &document->line;
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        compare_add_side(comparison, side, line);
        document_line(document, side == SIDE_A ? "A: " : "B: ", INDENT);
        for (size_t i = 0; i < of->change_count; i++)
            side_describe_change(&of->changes[i], "", line);
        document_line(document, "   ", INDENT);
        /* If drivers match one by one, runs of several drivers are as good as runs of one. */
        if (comparison->dimensions & DIMENSION_DRIVER || compare_extent(comparison).compared == 0)
            side_describe_drivers(of, "", line);
        side_describe_machines(of, "", line);
        document_line(document, "", INDENT);
    }
    const size_t shared = comparison->shared_jobs;
    if (shared > 0 && shared == comparison->side[SIDE_A]->job_count && shared == comparison->side[SIDE_B]->job_count)
        text_add(line, "A and B are the same jobs, so nothing can differ.");
    else if (shared > 0)
        text_add(line, "Jobs that are on both sides, and agree with themselves: %s.", QUANTITY_COUNT(shared));
    document_line(document, "", INDENT);
    for (int i = 0; i < 3; i++)
        if (comparison->dimensions >> i & 1)
            text_add(line, "%s%s", line->size > 0 ? ", " : "", dimensions[i]);
    document_line(document, "Compared across: ", INDENT);
}

/* Differences that may explain rates without being what is compared; the others only if verbose. */
static void add_remarks(struct document *document, const struct comparison *comparison, bool verbose)
{
    for (size_t i = 0; i < comparison->remark_count; i++) {
        if (!comparison->remarks[i].confounds && !verbose)
            continue;
        compare_add_remark(&comparison->remarks[i], &document->line);
        document_line(document, "", INDENT);
    }
}

/* ---- findings ---- */

static void add_finding(struct document *document, const struct comparison *comparison, const struct finding *finding,
                        bool verbose)
{
    static const enum document_severity severities[COMPARE_SECTIONS] = {
        [COMPARE_FORBIDDEN] = DOCUMENT_UNSOUND, [COMPARE_STATES] = DOCUMENT_CHANGE,
        [COMPARE_KEPT] = DOCUMENT_CHANGE,       [COMPARE_CHANGED] = DOCUMENT_CHANGE,
        [COMPARE_UNCONFIRMED] = DOCUMENT_DOUBT, [COMPARE_UNDECIDED] = DOCUMENT_NOTE};
    /* Undecided findings may be many, so they are lines, and few, unless details are wanted. */
    const bool in_detail = finding->kind != FINDING_UNDECIDED || verbose;
    LOCAL(text) line = {0}, details = {0}, decision = {0};
    compare_add_decision(comparison, finding, &decision);
    struct document_finding added = {.kind =
                                         finding->kind == FINDING_UNDECIDED ? "undecided" : compare_severity(finding),
                                     .meaning = "rates seen on both sides, which chance may explain",
                                     .mark = compare_severity(finding),
                                     .decision = text_string(&decision),
                                     .severity = severities[compare_section_of(finding)],
                                     .most = finding->kind == FINDING_UNDECIDED ? SHOWN_UNDECIDED : 0,
                                     .plain = true};
    if (in_detail && finding->outcome && finding->outcome->of == SAMPLE_OUTCOME) {
        add_block(document, comparison, finding, &added);
    } else {
        compare_line(comparison, finding, &line);
        if (in_detail)
            compare_details(comparison, finding, &details);
        added.line = text_string(&line);
        added.evidence = text_string(&details);
        added.decision = "";
        document_find(document, &added);
    }
}

/* What too few runs can show; nothing if they are enough. */
static void compare_add_runs(const struct comparison *comparison, struct text *text)
{
    const size_t runs = comparison->runs[SIDE_A], fewest = comparison->options.fewest_runs;
    if (runs >= fewest || compare_extent(comparison).compared == 0)
        return;
    if (compare_count(comparison, COMPARE_UNCONFIRMED) > 0)
        text_add(text,
                 "Unconfirmed: these runs differ, but runs of one driver may differ as much; %zu or more runs of A "
                 "would show it.",
                 fewest);
    else
        text_add(text, "A has %zu run%s. orchil needs %zu to know how much runs of one driver differ.", runs,
                 runs == 1 ? "" : "s", fewest);
}

/* The command that adds the missing runs to A, with its seed and device; nothing if there is none. */
static void compare_add_runs_command(const struct comparison *comparison, struct text *text)
{
    const struct side *a = comparison->side[SIDE_A];
    const size_t runs = comparison->runs[SIDE_A], fewest = comparison->options.fewest_runs;
    if (runs >= fewest || !a->command || !a->database || a->sample_count == 0)
        return;
    words_add(text, "$", a->command);
    if (!strstr(a->command, " --seed"))
        text_add(text, " --seed %" PRIu64, a->samples[0].runs[0].row->seed);
    if (!strstr(a->command, " --device"))
        words_add_device_option(text, &a->samples[0]);
    text_add(text, " --runs %zu", fewest - runs);
    LOCAL(text) place = {0};
    text_add_option(&place, "db", a->database);
    if (!strstr(a->command, text_string(&place)))
        text_add(text, "%s", text_string(&place));
}

static void add_results(const struct comparison *comparison, struct text *text)
{
    text_add(text, "Outcomes on both sides: %zu have similar rates in A and B (within a factor of %g)",
             comparison->results[RATE_SIMILAR], comparison->options.detect);
    if (comparison->results[RATE_UNDECIDED] > 0)
        text_add(text, ", %zu undecided (too little data)", comparison->results[RATE_UNDECIDED]);
    if (comparison->results[RATE_NOT_COMPARED] > 0)
        text_add(text, ", %zu not compared (other kernels)", comparison->results[RATE_NOT_COMPARED]);
    text_add(text, ".\n");
}

/* ---- how it was compared ---- */

/* Which tests were compared pairwise, and why others were not. */
static void add_draws(const struct comparison *comparison, struct text *text)
{
    size_t paired = 0, some = 0;
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count) {
        paired += pair->paired;
        some += pair->equal_draws > 0 && !pair->paired;
    }
    const size_t none = comparison->pair_count - paired - some;
    text_add(text, "Within runs, batches with equal draws are compared pairwise: %zu of these tests", paired);
    const struct {
        size_t count;
        const char *why;
    } others[] = {{some, "with equal draws in part"},
                  {none, "without equal draws: other seeds, other launch arguments, or no batch"}};
    bool first = true;
    for (size_t i = 0; i < COUNT(others); i++) {
        if (others[i].count == 0)
            continue;
        text_add(text, "%s%zu %s", first ? "; side against side: " : ", ", others[i].count, others[i].why);
        first = false;
    }
    text_add(text, ".\n");
}

/* Batch sizes follow the device's size; they are still compared: the larger ones are thinned. */
static void add_sizes(const struct comparison *comparison, struct text *text)
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
    text_add(text, "The size of the batches differs (tests: %zu): batches of B have %.3g", count, least);
    if (most > least * 1.005)
        text_add(text, " to %.3g", most);
    text_add(text, " times the instances of batches of A; batches are compared at the smaller size.");
}

static void add_rule(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    text_add(
        text,
        "A rate has changed if p (t test over runs, corrected for all rates by Holm with weights) is at most %g and "
        "the whole interval of the ratio is beyond 1/%g or %g.\n",
        options->alpha, options->tolerance, options->tolerance);
    static const struct {
        enum compare_suite of;
        const char *words;
    } suites[COMPARE_SUITES] = {{COMPARE_WEAK, "weak outcomes"},
                                {COMPARE_OTHER, "other outcomes"},
                                {COMPARE_VOIDS, "void instances"},
                                {COMPARE_TIMES, "the time per instance"}};
    for (size_t i = 0; i < COMPARE_SUITES; i++) {
        const struct statistics_suite *suite = &comparison->suites[suites[i].of];
        static const double visible = 1.005; /* of three digits */
        if (suite->questions == 0 || !(suite->freedom > 0) || exp(sqrt(suite->variance + suite->shift)) < visible)
            continue;
        text_add(text, "Runs differ in %s by a factor of %.3g (one standard deviation, learned from %zu rates).\n",
                 suites[i].words, exp(sqrt(suite->variance + suite->shift)), suite->questions);
    }
}

void compare_document(const struct comparison *comparison, bool verbose, struct document *document)
{
    *document = (struct document){.title = "orchil compare", .hanging = INDENT, .verbose = verbose};
    struct text *line = &document->line;
    compare_print_answer(comparison, line);
    document_answer(document, compare_tone(comparison));
    document_section(document, "");
    add_sides(document, comparison);
    add_remarks(document, comparison, verbose);
    if (comparison->finding_count > 0)
        document_section(document, "");
    for (size_t i = 0; i < comparison->finding_count; i++)
        add_finding(document, comparison, &comparison->findings[i], verbose);
    compare_add_runs(comparison, line);
    if (line->size > 0)
        document_section(document, "");
    document_line(document, "", INDENT);
    compare_add_runs_command(comparison, line);
    document_line(document, "To add them: ", DOCUMENT_RAW);
    document_section(document, "");
    add_results(comparison, line);
    if (verbose) {
        add_rule(comparison, line);
        add_draws(comparison, line);
        add_sizes(comparison, line);
    }
    document_line(document, "", INDENT);
    if (comparison->unmatched_count > 0) {
        document_section(document, "");
        text_add(line, "Without a match: %zu", comparison->unmatched_count);
        document_line(document, "", INDENT);
    }
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        compare_add_unmatched(&comparison->unmatched[i], line);
        document_line(document, "  ", INDENT);
    }
}
