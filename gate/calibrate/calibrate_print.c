// SPDX-License-Identifier: Apache-2.0
/* A calibration as a document, and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/document/document.h"
#include "base/json.h"
#include "base/quantity.h"
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

static void print_standing(const struct calibration_test *test, struct text *text)
{
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
}

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
    print_standing(test, text);
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

static void print_without_result(struct document *document, const struct calibration *calibration)
{
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
    print_without_result(document, calibration);
    calibrate_print_notes(document, calibration);
}

/* ---- JSON ---- */

static json_t *pack_share(const struct calibration_share *share)
{
    if (share->splits == 0)
        return json_null();
    return json_pack("{so so so so so}", "splits", json_count(share->splits), "failing", json_count(share->failing),
                     "share", json_number(share->share), "low", json_number(share->interval.low), "high",
                     json_number(share->interval.high));
}

static json_t *pack_test(const struct calibration_test *test)
{
    static const char *const standings[] = {"gated", "not-gated", "blind", "forbidden"};
    const struct store_job_row *row = &test->sample->row;
    const struct calibration_note *note = &test->note;
    return json_pack("{so so so so so ss so so so so so so so so}", "test", json_text(row->test), "dialect",
                     json_text(row->dialect), "backend", json_text(row->backend), "device", json_text(row->device),
                     "controls", *row->controls ? json_text(row->controls) : json_null(), "standing",
                     standings[test->standing], "outcome", json_text(test->label), "rate", json_number(test->rate),
                     "sightings_per_run", json_number(test->sightings), "run_deviation",
                     json_number(note->run_deviation), "smallest_change", json_number(note->smallest), "tolerance",
                     note->limit.ungated ? json_null() : json_number(note->limit.tolerance), "failing_splits",
                     json_count(test->failing), "reason", *note->reason ? json_text(note->reason) : json_null());
}

void calibration_print_json(const struct calibration *calibration, struct text *text)
{
    const struct calibration_options *options = &calibration->options;
    json_t *tests = json_array();
    for (size_t i = 0; i < calibration->test_count; i++)
        json_append(tests, pack_test(&calibration->tests[i]));
    json_t *document =
        json_pack("{so so so so so so so so so so so}", "runs", json_count(calibration->runs), "alpha",
                  json_number(options->compare.alpha), "power", json_number(options->power), "tolerance",
                  json_number(options->compare.tolerance), "seed", json_count(options->seed), "possible_splits",
                  json_count(calibration->possible), "false_alarms", pack_share(&calibration->plain),
                  "confirmed_false_alarms", pack_share(&calibration->again), "false_alarms_with_notes",
                  pack_share(&calibration->noted), "shifted_splits", json_count(calibration->shifts), "tests", tests);
    health_pack(&calibration->health, document);
    json_add_document(JSON_GATE_CALIBRATE, document, text);
}
