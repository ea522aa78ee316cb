// SPDX-License-Identifier: Apache-2.0
/* A calibration as a document, and as JSON. */
#include <math.h>

#include "analysis/words/words.h"
#include "base/document/document.h"
#include "gate/calibrate/calibrate.h"

enum { CELL_SIZE = 64, NAME_WIDTH = 32 };

/* ---- the share of false alarms ---- */

static const char *percent(double share, char cell[CELL_SIZE])
{
    (void)snprintf(cell, CELL_SIZE, share > 0 && share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    return cell;
}

static void calibrate_print_share(const struct calibration_share *share, const char *what, struct text *text)
{
    char cells[3][CELL_SIZE];
    text_add(text, "  %-32s %5zu of %5zu  %6s  (%s to %s)\n", what, share->failing, share->splits,
             percent(share->share, cells[0]), percent(share->interval.low, cells[1]),
             percent(share->interval.high, cells[2]));
}

static bool has_limits(const struct calibration *calibration)
{
    for (size_t i = 0; i < calibration->notes.count; i++)
        if (calibration->notes.notes[i].limit.ungated ||
            calibration->notes.notes[i].limit.tolerance > calibration->options.compare.tolerance)
            return true;
    return false;
}

static void print_shares(struct document *document, const struct calibration *calibration)
{
    const struct calibration_options *options = &calibration->options;
    struct text *text = &document->line;
    char cell[CELL_SIZE];
    document_section(
        document,
        arena_print(&document->arena, "False alarms, where at most %s is promised (--alpha %.4g, --tolerance %.4g)",
                    percent(options->compare.alpha, cell), options->compare.alpha, options->compare.tolerance));
    calibrate_print_share(&calibration->plain, "three runs against one", text);
    if (calibration->again.splits > 0)
        calibrate_print_share(&calibration->again, "confirmed by three other runs", text);
    if (has_limits(calibration))
        calibrate_print_share(&calibration->noted, "as first, with the notes below", text);
    if (calibration->plain.splits < calibration->possible)
        text_add(text, "A random sample of the %s ways to deal the runs (seed %llu).\n",
                 QUANTITY_COUNT(calibration->possible), (unsigned long long)options->seed);
    words_add_percent(text, options->compare.confidence);
    text_add(text, " intervals by leaving out one run after the other: the splits share runs.\n");
    if (has_limits(calibration))
        text_add(text, "The notes come from these very runs, so the last line is the best case.\n");
    if (calibration->shifts > 0)
        text_add(text, "In %zu split%s all rates of a run had moved by one factor.\n", calibration->shifts,
                 calibration->shifts == 1 ? "" : "s");
    document_line(document, "", DOCUMENT_RAW);
}

/* ---- tests ---- */

static void calibrate_print_test(const struct calibration_test *test, struct text *text)
{
    struct text name = {0};
    char cells[3][CELL_SIZE] = {"-", "-", "-"};
    health_add_name(test->sample, &name);
    text_add(text, "%-*s", NAME_WIDTH, text_string(&name));
    if (name.size > NAME_WIDTH)
        text_add(text, "\n%-*s", NAME_WIDTH, "");
    if (test->rate > 0)
        (void)snprintf(cells[0], CELL_SIZE, "%.1e", test->rate);
    if (!isnan(test->note.run_deviation))
        (void)percent(test->note.run_deviation, cells[1]);
    if (test->sightings > 0 && test->sightings < 9.95)
        (void)snprintf(cells[2], CELL_SIZE, "%.1f", test->sightings);
    else if (test->sightings > 0)
        (void)quantity_count((uint64_t)llround(test->sightings), cells[2]);
    text_add(text, " %9s %9s %8s", cells[0], cells[2], cells[1]);
    if (test->standing == CALIBRATION_BLIND && test->sightings <= 0)
        text_add(text, "  blind: never seen");
    else if (test->standing == CALIBRATION_BLIND)
        text_add(text, "  blind: too rare");
    else if (test->standing == CALIBRATION_UNGATED)
        text_add(text, "  not gated");
    else if (!isfinite(test->note.smallest))
        text_add(text, "  none");
    else
        text_add(text, test->note.smallest < 9.95 ? "  x%.2f" : "  x%.0f", test->note.smallest);
    text_add(text, "\n");
    text_release(&name);
}

static size_t count_standing(const struct calibration *calibration, enum calibration_standing standing)
{
    size_t count = 0;
    for (size_t i = 0; i < calibration->test_count; i++)
        count += !calibration->tests[i].is_control && calibration->tests[i].standing == standing;
    return count;
}

static void print_tests(struct document *document, const struct calibration *calibration)
{
    struct text *text = &document->line;
    const size_t forbidden = count_standing(calibration, CALIBRATION_FORBIDDEN);
    document_section(document, "");
    text_add(text, "%-*s %9s %9s %8s  %s\n", NAME_WIDTH, "", "witness", "seen", "runs", "smallest");
    text_add(text, "%-*s %9s %9s %8s  %s\n", NAME_WIDTH, "test", "rate", "a run", "differ", "change found");
    for (size_t i = 0; i < calibration->test_count; i++)
        if (!calibration->tests[i].is_control && calibration->tests[i].standing != CALIBRATION_FORBIDDEN)
            calibrate_print_test(&calibration->tests[i], text);
    document_line(document, "", DOCUMENT_RAW);
    document_section(document, "");
    text_add(text,
             "runs differ: standard deviation of the rate between runs, less counting noise.\n"
             "smallest change found: with %d runs of a baseline and %d reruns, by a power of\n",
             CALIBRATE_BASELINE, CALIBRATE_AGAIN);
    words_add_percent(text, calibration->options.power);
    text_add(text, ". More runs in the baseline (5, say) find smaller ones.\n");
    document_line(document, "", DOCUMENT_RAW);
    if (forbidden > 0)
        document_section(document, "");
    if (forbidden == 1)
        text_add(text, "1 test has a forbidden witness: its rate is not gated, one sighting fails.");
    else if (forbidden > 0)
        text_add(text, "%zu tests have a forbidden witness: their rates are not gated, one sighting fails.", forbidden);
    document_line(document, "", DOCUMENT_RAW);
}

/* ---- what cannot be gated ---- */

static size_t count_without_result(const struct calibration *calibration)
{
    const struct side *all = calibration->all;
    size_t count = 0;
    for (size_t i = 0; i < all->sample_count; i++)
        count += all->samples[i].counted == 0 && !*all->samples[i].row.controls;
    return count;
}

static void calibrate_print_notes(struct document *document, const struct calibration *calibration)
{
    static const char *const titles[] = {"These tests have a tolerance of their own",
                                         "Rates of these tests cannot be gated on this machine"};
    struct text *text = &document->line;
    for (int ungated = 1; ungated >= 0; ungated--) {
        bool first = true;
        for (size_t i = 0; i < calibration->test_count; i++) {
            const struct calibration_note *note = &calibration->tests[i].note;
            if (note->limit.ungated != (ungated == 1) ||
                (!ungated && note->limit.tolerance <= calibration->options.compare.tolerance))
                continue;
            if (first)
                document_section(document, titles[ungated]);
            health_add_name(calibration->tests[i].sample, text);
            if (ungated)
                words_add(text, "\n    $", note->reason);
            else
                text_add(text, "  %.2f", note->limit.tolerance);
            document_line(document, "  ", DOCUMENT_RAW);
            first = false;
        }
    }
}

/* ---- the answer ---- */

static void print_answer(struct document *document, const struct calibration *calibration)
{
    char cell[CELL_SIZE];
    struct text *text = &document->line;
    const size_t gated = count_standing(calibration, CALIBRATION_GATED);
    const size_t ungated = count_standing(calibration, CALIBRATION_UNGATED);
    const size_t blind = count_standing(calibration, CALIBRATION_BLIND);
    if (calibration->health.alarm_count > 0)
        text_add(text, "UNSOUND: settle what is wrong below first.\n");
    const size_t without = count_without_result(calibration);
    text_add(text, "%zu of %zu tests can be gated here (%zu blind, %zu not gated", gated,
             gated + ungated + blind + without, blind, ungated);
    if (without > 0)
        text_add(text, ", %zu without a result", without);
    text_add(text, ");%s%s false alarms\n", without > 0 ? "\n" : " ", percent(calibration->plain.share, cell));
    const struct side *all = calibration->all;
    text_add(text, "%zu runs", calibration->runs);
    if (all->sample_count > 0)
        words_add(text, " on $, $, driver $", all->samples[0].row.backend, all->samples[0].row.device,
                  all->samples[0].row.driver);
    document_answer(document, calibration->health.alarm_count > 0 ? TERMINAL_BAD
                              : gated > 0                         ? TERMINAL_GOOD
                                                                  : TERMINAL_WARNING);
    document_line(document, "", DOCUMENT_RAW);
}

void calibration_document(const struct calibration *calibration, struct document *document)
{
    *document = (struct document){.title = "orchil gate calibrate"};
    print_answer(document, calibration);
    if (calibration->health.alarm_count > 0 || calibration->health.unseen_count > 0)
        document_section(document, "");
    health_document(&calibration->health, document);
    print_shares(document, calibration);
    print_tests(document, calibration);
    enum { INDENT = 6 };
    const struct side *all = calibration->all;
    struct text *text = &document->line;
    bool first = true;
    for (size_t i = 0; i < all->sample_count; i++) {
        const struct sample *sample = &all->samples[i];
        if (sample->counted > 0)
            continue;
        if (first)
            document_section(document, "These tests have no result in any run");
        health_add_name(sample, text);
        if (*sample->row.controls)
            words_add(text, " (control of $)", sample->row.controls);
        document_line(document, "  ", DOCUMENT_RAW);
        words_add(text, *sample->row.reason ? "$: $" : "$", job_state_word(sample->row.state), sample->row.reason);
        document_line(document, "      ", INDENT);
        first = false;
    }
    calibrate_print_notes(document, calibration);
}

/* ---- JSON ---- */

#define SHARE_MEMBERS(X)                                                                                               \
    X("splits", count, "the number of splits", share->splits)                                                          \
    X("failing", count, "how many of them fail", share->failing)                                                       \
    X("share", probability, "their share", share->share)                                                               \
    X("low", probability, "its interval", share->interval.low)                                                         \
    X("high", probability, "its interval", share->interval.high)
FIELD_OR_NULL(calibration_share, SHARE_MEMBERS, share->splits > 0, const struct calibration_share *share)

FIELD_WORDS(calibration_standing, "gated", "not-gated", "blind", "forbidden")
#define TEST_MEMBERS(X)                                                                                                \
    X("test", test, NULL, row->test)                                                                                   \
    X("dialect", dialect, NULL, row->dialect)                                                                          \
    X("backend", backend, NULL, row->backend)                                                                          \
    X("device", device, NULL, row->device)                                                                             \
    X("controls", nonempty_or_null, "the test that it controls", row->controls)                                        \
    X("standing", calibration_standing, "whether its rate is gated", test->standing)                                   \
    X("outcome", text_or_null, "the outcome that the test is about; null if none was seen", test->label)               \
    X("rate", rate, NULL, test->rate)                                                                                  \
    X("sightings_per_run", number_or_null, "the mean number of sightings", test->sightings)                            \
    X("run_deviation", number_or_null, "the standard deviation between runs of the logarithm of the rate",             \
      note->run_deviation)                                                                                             \
    X("smallest_change", number_or_null, "the smallest factor that a gate would find", note->smallest)                 \
    X("tolerance", number_or_null, "a factor; null if not gated",                                                      \
      note->limit.ungated ? INFINITY : note->limit.tolerance)                                                          \
    X("failing_splits", count, "splits that fail because of it", test->failing)                                        \
    X("reason", nonempty_or_null, "why it is not gated", note->reason)
FIELD_RECORD(calibration_test, TEST_MEMBERS, const struct calibration_test *test, const struct store_job_row *row,
             const struct calibration_note *note)
FIELD_LIST(calibration_tests, calibration_test, (const struct calibration *calibration), calibration->test_count,
           &calibration->tests[i], &calibration->tests[i].sample->row, &calibration->tests[i].note)

#define CALIBRATION_MEMBERS(X)                                                                                         \
    X("runs", count, "the number of runs", calibration->runs)                                                          \
    X("alpha", number, "the gate's options, and the power with which `smallest_change` is found",                      \
      options->compare.alpha)                                                                                          \
    X("power", number, "the gate's options, and the power with which `smallest_change` is found", options->power)      \
    X("tolerance", number, "the gate's options, and the power with which `smallest_change` is found",                  \
      options->compare.tolerance)                                                                                      \
    X("seed", count, "the seed of the sample of splits", options->seed)                                                \
    X("possible_splits", count, "ways to divide the runs into a baseline and a candidate", calibration->possible)      \
    X("false_alarms", calibration_share, "three runs against one", &calibration->plain)                                \
    X("confirmed_false_alarms", calibration_share, "confirmed by three other runs", &calibration->again)               \
    X("false_alarms_with_notes", calibration_share, "with what was learned taken into account", &calibration->noted)   \
    X("shifted_splits", count, "splits in which all rates moved", calibration->shifts)                                 \
    X("tests", calibration_tests, "each test", calibration)                                                            \
    HEALTH_MEMBERS(X, &calibration->health)
FIELD_DOCUMENT(document_gate_calibrate, CALIBRATION_MEMBERS, const struct calibration *calibration,
               const struct calibration_options *options)

void calibration_print_json(const struct calibration *calibration, struct text *text)
{
    json_add_document(JSON_GATE_CALIBRATE, field_document_gate_calibrate(calibration, &calibration->options), text);
}
