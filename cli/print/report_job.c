// SPDX-License-Identifier: Apache-2.0
/* A finished job in words and as JSON. */
#include "cli/print/report_job.h"

#include "analysis/statistics/statistics.h"
#include "base/field.h"
#include "base/terminal/table.h"
#include "cli/tests.h"
#include "models/termination/termination.h"
#include "runner/protocol/device.h"

enum { SHOWN_OUTCOMES = 24 }; /* rows of a histogram that are shown to people */

static double counted(const struct tally *tally)
{
    return (double)(tally->instances - tally->void_instances);
}

/* ---- for people ---- */

/* Whether an earlier block has this line; from now on, one has. */
static bool was_said(struct report_before *before, const char *line, size_t size)
{
    for (const char *at = before ? text_string(&before->lines) : ""; *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == size && memcmp(at, line, size) == 0)
            return true;
    if (before) {
        text_add_bytes(&before->lines, line, size);
        text_add(&before->lines, "\n");
    }
    return false;
}

/* The description, whose lines are paragraphs if they end a sentence. A test and its controls share most of it. */
static void add_description(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const char *const doc = report->test->doc;
    LOCAL(text) paragraph = {0};
    bool title = true;
    for (const char *at = doc; *at; at += *at == '\n') {
        const size_t size = strcspn(at, "\n");
        text_add(&paragraph, "%s", paragraph.size > 0 ? " " : "");
        text_add_bytes(&paragraph, at, size);
        at += size;
        if (*at && paragraph.size > 0 && !strchr(".?!:", text_string(&paragraph)[paragraph.size - 1]))
            continue;
        if (!was_said(form->before, text_string(&paragraph), paragraph.size) || title)
            terminal_add_indented(text, "  ", text_string(&paragraph));
        title = false;
        text_clear(&paragraph);
    }
}

static void add_head(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const struct litmus_test *test = report->test;
    terminal_add(text, "%s%s%s (%s) on %s %s", terminal_style(form->colours, TERMINAL_STRONG), test->name,
                 terminal_style(form->colours, TERMINAL_PLAIN), litmus_dialect_name(test->dialect),
                 device_address(report->device).text, report->device->name);
    if (report->controlled)
        terminal_add(text, ", control of %s", report->controlled->name);
    const char *const header = lowering_header(report->lowering);
    if (lowering_is(report->lowering, "source"))
        terminal_add(text, ", compiled from CUDA C++ (--lowering source)");
    if (header)
        terminal_add(text, ", by the functions of %s", header);
    terminal_add(text, "\n");
    add_description(report, form, text);
    if (test->quantifier != LITMUS_NO_CONDITION) {
        terminal_add(text, "  ");
        litmus_print_condition(test, text);
        terminal_add(text, "\n");
    }
    if (report->marks & MARK_UNDECLARED)
        terminal_add(
            text,
            "  The device does not declare an order or scope that the test uses, so it does not promise this behaviour.\n");
    if (report->marks & MARK_NOT_CO_RESIDENT)
        terminal_add(text,
                     "  Not co-resident: the device holds fewer work-groups at once than the test has, so its threads "
                     "hardly meet.\n");
    if (report->marks & MARK_NOT_OVERLAPPED)
        terminal_add(
            text, "  Not tested here: its launches never overlapped. The device ran them one after the other, so the "
                  "results\n  say nothing about launches that run at the same time.\n");
    if (report->marks & MARK_FROZEN)
        terminal_add(text, "  Replayed: its kernel was saved by an earlier run%s%s.\n",
                     report->compiler[0] ? ", made by " : "", report->compiler);
    if (report->kept == TEST_MERGED)
        terminal_add(text, "  Merged: the compiler left out or moved accesses, as the model permits: %s\n",
                     report->kept_reason);
    if (report->kept == TEST_NOT_KEPT)
        terminal_add(text, "  %sNot kept%s: the compiled code is not the test: %s\n",
                     terminal_style(form->colours, TERMINAL_BAD), terminal_style(form->colours, TERMINAL_PLAIN),
                     report->kept_reason);
}

static void add_row(const struct job_report *report, const struct count *row, struct table *table)
{
    const struct ruling ruling = report_ruling(report, row);
    const bool forbidden = ruling.kind == RULING_FORBIDDEN;
    const enum terminal_style style = forbidden || ruling.fails ? TERMINAL_BAD
                                      : row->witness            ? TERMINAL_WARNING
                                                                : TERMINAL_PLAIN;
    LOCAL(text) verdict = {0};
    text_add(&verdict, "%s", report_unjudged(report, row) ? "unjudged" : report_verdict(report, row));
    if (ruling.kind == RULING_LIMIT)
        text_add(&verdict, ", forbidden by %s", report->verdicts->source.model);
    if (forbidden) {
        const struct opinion *by = verdicts_forbid(report->verdicts, row->label);
        text_add(&verdict, " by %s: %s%s", by->model, opinion_reason(by, row->label),
                 ruling.fails ? "" : " (not promised by this device)");
    }
    table_add_styled(table, style, "%s", QUANTITY_COUNT(row->count));
    table_add_styled(table, style, "%.3e", (double)row->count / counted(report->tally));
    table_add_styled(table, style, "%s", row->witness ? "*" : "");
    table_add_styled(table, style, "%s", row->label);
    table_add_styled(table, style, "%s", text_string(&verdict));
}

/* Forbidden outcomes first, then the others; each group most frequent first. */
static void add_histogram(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const struct tally *tally = report->tally;
    LOCAL(table) table = {0};
    size_t shown = 0;
    table_columns(&table, ">instances|>per instance||~outcome|~");
    for (int forbidden = 1; forbidden >= 0; forbidden--)
        for (size_t i = 0; i < tally->outcome_count; i++)
            if ((report_ruling(report, &tally->outcomes[i]).kind == RULING_FORBIDDEN) == (forbidden == 1) &&
                (forbidden || shown < SHOWN_OUTCOMES)) {
                add_row(report, &tally->outcomes[i], &table);
                shown++;
            }
    terminal_add(text, "\n");
    table_add_to(&table, text, form->width, form->colours, 2);
    if (tally->outcome_count > shown)
        terminal_add(text, "  and %zu rarer outcomes: see the database\n", tally->outcome_count - shown);
    terminal_add(text, "\n");
}

/* The suspect for a forbidden outcome, which depends on whether the compiled code was inspected. */
static const char *suspects(const struct job_report *report)
{
    static const char *const by_kept[KEPT_COUNT] = {
        [TEST_NOT_INSPECTED] = "suspect orchil first, then the compiler, the driver or the device",
        [TEST_KEPT] = "the compiler kept the test; suspect orchil first, then the driver or the device",
        [TEST_MERGED] = "the compiler changed the test only as the model lets it; suspect orchil first, then the "
                        "driver or the device",
        [TEST_NOT_KEPT] = "suspect the compiler first: the compiled code is not the test"};
    return report->marks & MARK_USER_CODE ? "suspect the functions of the header first: they must do what their names "
                                            "promise"
                                          : by_kept[report->kept];
}

/* ": suspect orchil first, ...", once for each kind of suspicion. */
static void add_suspects(const struct job_report *report, const struct report_form *form, struct text *text)
{
    if (!form->before || !form->before->suspects[report->kept])
        terminal_add(text, ": %s", suspects(report));
    if (form->before)
        form->before->suspects[report->kept] = true;
    terminal_add(text, ".\n");
}

/* Whose fault a forbidden outcome may be, and why a test has no verdicts. */
static void add_judgement(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const struct opinion *deciding = report->verdicts ? verdicts_deciding(report->verdicts) : NULL;
    if (!deciding)
        return;
    /* Why the deciding model has no verdict on the outcomes that were seen. */
    size_t rows = 0;
    const char *why = NULL;
    for (size_t i = 0; i < report->tally->outcome_count; i++) {
        const char *reason = report_unjudged(report, &report->tally->outcomes[i]);
        why = why ? why : reason;
        rows += reason != NULL;
    }
    if (rows > 0)
        terminal_add(text, "  Unjudged by %s: %s.\n", deciding->model, why);
    /* Outcomes that the source model forbids, and the emitted code's model does not. */
    const uint64_t sum = SUM_OF(uint64_t, outcome, report->tally->outcomes, report->tally->outcome_count,
                                report_ruling(report, outcome).kind == RULING_LIMIT ? outcome->count : 0);
    if (sum > 0)
        terminal_add(text,
                     "  A known limit of the mapping: %s instances ended in outcomes that %s forbids but %s allows\n  "
                     "for the emitted instructions. The device is not at fault.\n",
                     QUANTITY_COUNT(sum), report->verdicts->source.model, report->verdicts->target.model);
    const uint64_t forbidden = report_forbidden(report);
    if (forbidden == 0)
        return;
    terminal_add(text, "  %s%s instance%s ended in a forbidden outcome%s", terminal_style(form->colours, TERMINAL_BAD),
                 QUANTITY_COUNT(forbidden), forbidden == 1 ? "" : "s", terminal_style(form->colours, TERMINAL_PLAIN));
    add_suspects(report, form, text);
}

/* ---- a test's claim against a model's ---- */

/* The last line of the file that begins, after blanks, with one of the words; 0 if the file cannot be read or has none.
 * Files of the catalogue are built in, so they give 0. */
static unsigned find_line(const char *file, const char *const *words)
{
    LOCAL(text) text = {0};
    unsigned number = 0, found = 0;
    if (!file || file_read_whole(file, LITMUS_MAXIMUM_FILE, &text, NULL) != STATUS_OK)
        text_clear(&text);
    for (const char *line = text_string(&text); *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *start = line + strspn(line, " \t");
        number++;
        for (const char *const *word = words; *word; word++)
            if (strncmp(start, *word, strlen(*word)) == 0)
                found = number;
    }
    return found;
}

/* Appends a sentence: the claim, its file and line, and the model's verdict. by: of report_contradicted. */
static void claim_describe(const struct job_report *report, const struct opinion *by, struct text *text)
{
    static const char *const expect_words[] = {"Expect=", NULL};
    static const char *const condition_words[] = {"~exists", "~ exists", "forall", NULL};
    const char *expect = litmus_metadata(report->test, "Expect");
    const unsigned line = find_line(report->file, expect ? expect_words : condition_words);
    if (report->controlled) {
        terminal_add(text,
                     "%s names %s as a control (Control=), whose witness must never appear; but the model %s allows it",
                     report->controlled->name, report->test->name, by->model);
    } else {
        terminal_add(text, "%s", report->file ? report->file : report->test->name);
        if (line > 0)
            terminal_add(text, ":%u", line);
        terminal_add(text, ": %s%s says that this outcome must never appear; but the model %s allows it",
                     expect ? "Expect=" : "the condition ",
                     expect                                          ? expect
                     : report->test->quantifier == LITMUS_NOT_EXISTS ? "(~exists)"
                                                                     : "(forall)",
                     by->model);
    }
    terminal_add(text, ". One of the two is wrong, and the device may be right.");
}

/* How far the batches of this job lie apart; runs differ at least as much. */
static void add_spread(const struct tally *tally, struct text *text)
{
    const char *const least = tally->spread.least > 0 ? PRINTED(QUANTITY_SIZE, "%.1e", tally->spread.least) : "0",
                      *const most = PRINTED(QUANTITY_SIZE, "%.1e", tally->spread.most);
    const uint64_t batches = tally->spread.batches;
    if (batches > 1 && strcmp(least, most) == 0)
        terminal_add(text, "  All %s batches have this rate.\n", QUANTITY_COUNT(batches));
    else if (batches > 1)
        terminal_add(text, "  Batches differ: from %s to %s per instance in %s batches.\n", least, most,
                     QUANTITY_COUNT(batches));
    else if (batches == 1)
        terminal_add(text, "  One batch does not show how much this rate varies; other batches and runs may differ.\n");
}

/* The meaning of the count of witnesses. Zero gives an upper bound for independent instances; instances of one batch
 * share their draw, so on a busy machine the true bound is worse. */
static void add_meaning(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const struct tally *tally = report->tally;
    const enum litmus_quantifier quantifier = report->test->quantifier;
    const bool violates = quantifier == LITMUS_FORALL || quantifier == LITMUS_NOT_EXISTS;
    if (report->test->quantifier == LITMUS_NO_CONDITION || counted(tally) <= 0)
        return;
    if (tally->witnesses == 0) {
        terminal_add(
            text,
            "  No %s in %s instances: below %.1e per instance (95 %%, if its chance is the same in all batches).\n",
            violates ? "counter-example (*)" : "witness (*)", QUANTITY_COUNT(tally->instances - tally->void_instances),
            statistics_zero_bound(tally->instances - tally->void_instances, STATISTICS_CONFIDENCE));
        return;
    }
    terminal_add(text, "  * %s the condition: %s of %s instances", violates ? "violates" : "satisfies",
                 QUANTITY_COUNT(tally->witnesses), QUANTITY_COUNT(tally->instances - tally->void_instances));
    terminal_add(text, ", 1 in %s", QUANTITY_COUNT((uint64_t)round(counted(tally) / (double)tally->witnesses)));
    if (tally->seconds > 0)
        terminal_add(text, "; %s per second", QUANTITY_SHORT((double)tally->witnesses / tally->seconds));
    terminal_add(text, ".\n");
    add_spread(tally, text);
    if (litmus_claim(report->test) == LITMUS_CLAIM_UNPROMISED)
        terminal_add(text, "  Unpromised: the model allows it, and programs rely on never seeing it.\n");
    const struct opinion *contradicting = report_contradicted(report);
    if (contradicting) {
        terminal_add(text, "  %s", terminal_style(form->colours, TERMINAL_BAD));
        claim_describe(report, contradicting, text);
        terminal_add(text, "%s\n", terminal_style(form->colours, TERMINAL_PLAIN));
    } else if (report_expects_none(report) && report_is_alarm(report) && report_forbidden(report) == 0) {
        terminal_add(text, "  %sThis outcome must never appear%s", terminal_style(form->colours, TERMINAL_BAD),
                     terminal_style(form->colours, TERMINAL_PLAIN));
        add_suspects(report, form, text);
    }
}

const char *report_meaningless(const struct job_report *report)
{
    const struct opinion *opinion = report->verdicts ? verdicts_deciding(report->verdicts) : NULL;
    if (!opinion || opinion->unjudged[0] || !opinion->judgement.racy)
        return NULL;
    const char *const flags = opinion->judgement.undefined_by;
    return flags && *flags && !strstr(flags, "race") ? flags : "data race";
}

/* The places of the locations, which matter more than stress does. */
static void add_homes(const struct job_report *report, const struct report_form *form, struct text *text)
{
    const struct tally *tally = report->tally;
    LOCAL(table) table = {0};
    if (tally->home_count == 1)
        terminal_add(text, "  Home of memory: %s in all batches.\n", tally->homes[0].homes);
    if (tally->home_count < 2)
        return;
    table_columns(&table, "~home of memory|>instances|>witnesses (*)|>per instance");
    FOR_EACH(const struct store_homes_row, row, tally->homes, tally->home_count) {
        TABLE_ADD_TEXTS(&table, row->homes, QUANTITY_COUNT(row->instances), QUANTITY_COUNT(row->witnesses));
        table_add(&table, "%.3e", row->instances > 0 ? (double)row->witnesses / (double)row->instances : 0);
    }
    terminal_add(text, "\n");
    table_add_to(&table, text, form->width, form->colours, 2);
    terminal_add(text, "\n");
}

/* The schedulers under which a progress test must end, as bits: what was seen is not consistent with these if a thread
 * gave up. Else 0. */
static unsigned ending_schedulers(const struct job_report *report)
{
    struct termination answers[SCHEDULER_COUNT];
    unsigned ending = 0;
    if (!litmus_is_progress(report->test))
        return 0;
    termination_find(report->test, (1u << SCHEDULER_COUNT) - 1, answers);
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++) {
        ending |= answers[i].answer == TERMINATION_ENDS ? 1u << i : 0;
        termination_release(&answers[i]);
    }
    return ending;
}

/* A bounded loop proves no more than this. */
static void add_consistency(unsigned ending, bool gave_up, struct text *text)
{
    LOCAL(text) words = {0};
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++)
        if (ending >> i & 1)
            text_add(&words, "%s%s", words.size > 0 ? ", " : "", scheduler_word(i));
    if (ending == 0)
        terminal_add(text, "  No scheduler is known under which it must end%s.\n",
                     gave_up ? ": that is consistent" : "");
    else if (gave_up)
        terminal_add(text, "  It must end under %s: either the device promises less, or the bound was too short.\n",
                     text_string(&words));
    else
        terminal_add(text, "  That is consistent: it must end under %s.\n", text_string(&words));
}

/* The result of a progress test, which only asks whether its threads finish. */
static void add_progress(const struct job_report *report, struct text *text)
{
    const struct tally *tally = report->tally;
    const uint64_t gave_up = tally_void(tally, VOID_GAVE_UP);
    if (!litmus_is_progress(report->test))
        return;
    if (gave_up == 0)
        terminal_add(text, "  Gave up: none of %s instances: all threads came to their end.\n",
                     QUANTITY_COUNT(tally->instances));
    else
        terminal_add(text,
                     "  Gave up: %s of %s instances: a thread waited in vain, until its loop reached the bound.\n",
                     QUANTITY_COUNT(gave_up), QUANTITY_COUNT(tally->instances));
    add_consistency(ending_schedulers(report), gave_up > 0, text);
}

/* For a test of several launches: how many launches valid batches had; else 0. */
static uint64_t count_launches(const struct job_report *report)
{
    struct litmus_launches launches;
    struct error ignored;
    if (report->test->edge_count == 0 || litmus_find_launches(report->test, &launches, &ignored) != STATUS_OK)
        return 0;
    return launches.count * report->tally->batches;
}

/* Each launch plays its threads of all instances of a batch. */
static void add_launches(const struct job_report *report, struct text *text)
{
    const struct tally *tally = report->tally;
    const uint64_t launches = count_launches(report);
    if (launches == 0)
        return;
    terminal_add(text, "  %s launches", QUANTITY_COUNT(launches));
    if (tally->seconds > 0)
        terminal_add(text, " (%s per second)", QUANTITY_SHORT((double)launches / tally->seconds));
    terminal_add(text, ", each of %s instances on average\n", QUANTITY_COUNT(tally->instances / tally->batches));
}

static void add_totals(const struct job_report *report, struct text *text)
{
    const struct tally *tally = report->tally;
    terminal_add(text, "  %s instances in %s", QUANTITY_COUNT(tally->instances), QUANTITY_SECONDS(tally->seconds));
    if (tally->seconds > 0)
        terminal_add(text, " (%s per second)", QUANTITY_SHORT((double)tally->instances / tally->seconds));
    terminal_add(text, ", %" PRIu64 " batch%s", tally->batches, tally->batches == 1 ? "" : "es");
    if (tally->void_instances > 0) {
        terminal_add(text, ", %s void (", QUANTITY_COUNT(tally->void_instances));
        for (size_t i = 0; i < tally->void_count; i++)
            terminal_add(text, "%s%s %s: %s", i > 0 ? ", " : "", QUANTITY_COUNT(tally->voids[i].count),
                         tally->voids[i].label, void_reason_meaning(tally->voids[i].label));
        terminal_add(text, ")");
    }
    terminal_add(text, "\n");
    add_launches(report, text);
    if (tally->invalid_batches > 0)
        terminal_add(text, "  %" PRIu64 " batches are invalid and left out: %s\n", tally->invalid_batches,
                     tally->invalid);
}

void report_job_text(const struct job_report *report, const struct report_form *form, struct text *text)
{
    add_head(report, form, text);
    if (report->result->state != JOB_COMPLETED) {
        const struct job_result *result = report->result;
        terminal_add(text, "  %s%s%s: %s\n", terminal_style(form->colours, TERMINAL_BAD), job_state_word(result->state),
                     terminal_style(form->colours, TERMINAL_PLAIN), result->reason);
        terminal_add_indented(text, "    | ", result->detail);
    }
    if (report->tally->batches + report->tally->invalid_batches > 0) {
        if (counted(report->tally) > 0) {
            add_histogram(report, form, text);
            add_meaning(report, form, text);
            const char *const why = report_meaningless(report);
            if (why)
                terminal_add(text, "  %sUndefined (%s): these counts mean nothing%s; 'orchil explain' shows why.\n",
                             terminal_style(form->colours, TERMINAL_WARNING), why,
                             terminal_style(form->colours, TERMINAL_PLAIN));
            add_judgement(report, form, text);
            add_homes(report, form, text);
        }
        add_progress(report, text);
        add_totals(report, text);
    }
    terminal_add(text, "\n");
}

/* ---- for machines ---- */

FIELD_MAP(voids, count, (const struct tally *tally), tally->void_count, tally->voids[i].label, tally->voids[i].count)

/* The verdict of the source's model, if the code of another language was judged and this model has one. */
static const char *source_verdict(const struct job_report *report, const char *label)
{
    const struct judged_outcome *source =
        report->verdicts && report->verdicts->target.model[0] ? opinion_on(&report->verdicts->source, label) : NULL;
    return source ? verdict_word(source->verdict) : NULL;
}

#define OUTCOME_MEMBERS(X)                                                                                             \
    X("outcome", outcome, NULL, row->label)                                                                            \
    X("count", count, "how often the outcome was seen", row->count)                                                    \
    X("witness", witness, NULL, row->witness)                                                                          \
    X("verdict", verdict_or_null, "the verdict of `model`", *verdict ? verdict : NULL)                                 \
    X("unjudged?", text, "why there is no verdict", report_unjudged(report, row))                                      \
    X("source_verdict?", verdict, "the verdict of `source_model`", source_verdict(report, row->label))                 \
    X("mapping_limit?", true_or_absent,                                                                                \
      "present if the source's model forbids the outcome and the emitted instructions allow it", kind == RULING_LIMIT) \
    X("axiom?", text, "the axiom that a forbidden outcome violates",                                                   \
      kind == RULING_FORBIDDEN ? opinion_reason(verdicts_forbid(report->verdicts, row->label), row->label) : NULL)
FIELD_RECORD(job_outcome, OUTCOME_MEMBERS, const struct job_report *report, const struct count *row,
             const char *verdict, enum ruling_kind kind)
FIELD_LIST(job_outcomes, job_outcome, (const struct job_report *report, const struct count *outcomes),
           report->tally->outcome_count, report, &outcomes[i], report_verdict(report, &outcomes[i]),
           report_ruling(report, &outcomes[i]).kind)

#define HOME_MEMBERS(X)                                                                                                \
    X("home", text, "where the locations are stored, such as `x=1,y=host`", home->homes)                               \
    X("instances", count, "the number of instances with these homes", home->instances)                                 \
    X("witnesses", count, "the number of witnesses among these instances", home->witnesses)
FIELD_RECORD(job_home, HOME_MEMBERS, const struct store_homes_row *home)
FIELD_LIST(job_homes, job_home, (const struct tally *tally), tally->home_count, &tally->homes[i])

/* Only `export` has seeds that JSON's readers cannot read as numbers. */
static const struct field_type field_seed_type = {.shape = FIELD_IS_WHOLE | FIELD_IS_TEXT};
static json_t *field_seed(uint64_t seed)
{
    return json_count(seed);
}

static const struct field_type field_scheduler_words_type = {.shape = FIELD_IS_ARRAY, .word = scheduler_word};
static json_t *field_scheduler_words(unsigned schedulers)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++)
        if (schedulers >> i & 1)
            json_append(array, json_text(scheduler_word(i)));
    return array;
}

#define JOB_MEMBERS(X)                                                                                                 \
    X("test", test, NULL, report->test->name)                                                                          \
    X("dialect", dialect, NULL, litmus_dialect_name(report->test->dialect))                                            \
    X("backend", backend, NULL, report->device->backend)                                                               \
    X("device_index", text, "the device's address, such as `cuda:0`", device_address(report->device).text)             \
    X("device", device, NULL, report->device->name)                                                                    \
    X("driver", driver, NULL, report->device->driver)                                                                  \
    X("compiler", compiler, NULL, report->compiler)                                                                    \
    X("state", state, NULL, job_state_word(report->result->state))                                                     \
    X("reason", reason, NULL, report->result->reason)                                                                  \
    X("condition", condition_of, NULL, report->test)                                                                   \
    X("run", count, "the number of the run in the database", (uint64_t)report->run_id)                                 \
    X("model", text_or_null, "the model that decides; null if no model judged", opinion ? opinion->model : NULL)       \
    X("marks", marks, NULL, report->marks)                                                                             \
    X("control", boolean, "whether the job is a control", report->controlled != NULL)                                  \
    X("controls", text_or_null, "the name of the test that it controls",                                               \
      report->controlled ? report->controlled->name : NULL)                                                            \
    X("batches", count, "the number of valid batches", tally->batches)                                                 \
    X("invalid_batches", count, "the number of invalid batches", tally->invalid_batches)                               \
    X("seed", seed, "the seed of the run; a text if above 2^63 - 1 (only from `export`)", report->seed)                \
    X("environment", hash, "the hash of the environment", report->environment)                                         \
    X("profile", text, "the name of the profile", report->profile)                                                     \
    X("lowering", lowering, NULL, report->lowering)                                                                    \
    X("must_not_appear", boolean, "whether the witness must never appear", report_expects_none(report))                \
    X("violated", boolean, "whether a forbidden outcome was seen", report_is_alarm(report))                            \
    X("instances", count, "the number of instances launched", tally->instances)                                        \
    X("void", count, "the number of void instances", tally->void_instances)                                            \
    X("void_by", voids, "the number of void instances for each reason", tally)                                         \
    X("witnesses", count, "the number of instances that satisfy the condition", tally->witnesses)                      \
    X("seconds", number, "the time from the first launch to the last read-back", tally->seconds)                       \
    X("outcomes", job_outcomes, "each outcome that was seen", report, tally->outcomes)                                 \
    X("warnings*", warnings, NULL, report->test)                                                                       \
    X("kept", kept, NULL, report->built ? kept_word(report->kept) : NULL)                                              \
    X("kept_reason", kept_reason, NULL, report->built ? report->kept_reason : NULL)                                    \
    X("homes*", job_homes, "the counts by home, for tests that several devices run together", tally)                   \
    X("launches?", count_if, "the number of kernel launches, for tests with more than one",                            \
      count_launches(report) > 0, count_launches(report))                                                              \
    X("unjudged?", text, "why no model judged the test", opinion && * opinion->unjudged ? opinion->unjudged : NULL)    \
    X("gave_up?", count_if, "instances whose loop reached its bound (tests of forward progress)",                      \
      litmus_is_progress(report->test), tally_void(tally, VOID_GAVE_UP))                                               \
    X("ends_under*", scheduler_words,                                                                                  \
      "the schedulers under which a test of forward progress must end; `gave_up` contradicts them",                    \
      ending_schedulers(report))                                                                                       \
    X("source_model?", text, "the model of the test as written, if it is not `model`",                                 \
      report->verdicts && report->verdicts->target.model[0] ? report->verdicts->source.model : NULL)
FIELD_NAMED_TYPE(job, FIELD_IS_OBJECT | FIELD_IS_BASE, JOB_MEMBERS, "a job that ended")
FIELD_FUNCTION(static, job, JOB_MEMBERS, true, const struct job_report *report, const struct tally *tally,
               const struct opinion *opinion)

FIELD_EXTENDED(document_run, job, {0})

json_t *report_job_json(const struct job_report *report)
{
    return field_job(report, report->tally, report->verdicts ? verdicts_deciding(report->verdicts) : NULL);
}
