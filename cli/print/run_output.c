// SPDX-License-Identifier: Apache-2.0
/* The output of a run: its progress, its jobs, the mutation score, and the results at its end. */
#include "cli/print/run_output.h"

#include "cli/output.h"
#include "cli/tests.h"
#include "runner/protocol/device.h"
#include "runner/run/siblings.h"

/* ---- the results of all jobs of a run ---- */

enum { SHOWN_REASON = 100 }; /* bytes; the database has all of it */

static void __attribute__((format(printf, 2, 3))) run_output_add_cell(struct text *cells, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(cells, format, arguments);
    text_add(cells, "\n");
    va_end(arguments);
}

static uint64_t counted_by(const struct job_report *report)
{
    return report->tally->instances - report->tally->void_instances;
}

/* Threads that gave up are the result of a progress test. */
static bool has_progress(const struct job_report *report)
{
    return litmus_is_progress(report->test) && report->tally->instances > 0;
}

/* The last cell: remarks on the row. */
static void add_remarks(const struct job_report *report, struct text *cells)
{
    char gave_up[2 * QUANTITY_SIZE] = "";
    if (has_progress(report))
        (void)snprintf(gave_up, sizeof gave_up, ", gave up: %s",
                       QUANTITY_COUNT(tally_void(report->tally, VOID_GAVE_UP)));
    LOCAL(text) remarks = {0};
    if (counted_by(report) > 0 && report_meaningless(report))
        text_add(&remarks, ", %s", report_meaningless(report));
    text_add(&remarks, "%s%s%s%s%s%s%s%s%s", report->controlled ? ", control" : "",
             lowering_is(report->lowering, "source") ? ", source" : "", gave_up,
             report_forbidden(report) > 0 ? ", FORBIDDEN"
             : report_is_alarm(report)    ? ", MUST NOT APPEAR"
                                          : "",
             report->kept == TEST_NOT_KEPT ? ", NOT KEPT"
             : report->kept == TEST_MERGED ? ", merged"
                                           : "",
             report->marks & MARK_USER_CODE ? ", user-code" : "",
             report->marks & MARK_UNDECLARED ? ", not promised by this device" : "",
             report->marks & MARK_NOT_CO_RESIDENT ? ", not co-resident" : "",
             report->marks & MARK_NOT_OVERLAPPED ? ", not tested here: launches never overlapped" : "");
    run_output_add_cell(cells, "%s", text_string(&remarks) + (remarks.size > 0 ? strlen(", ") : 0));
}

static void add_row(struct summary *summary, const struct job_report *report)
{
    const struct tally *tally = report->tally;
    const bool asks = report->test->quantifier != LITMUS_NO_CONDITION;
    struct summary_row *row = &LIST_ADD(summary->rows, summary->row_count, summary->row_room);
    *row = (struct summary_row){
        .device = report->device, .number = report->number, .time = {report->test->name, tally->seconds}};
    struct text *cells = &row->cells;
    run_output_add_cell(cells, "%s%s", report->controlled ? "  " : "", report->test->name);
    run_output_add_cell(cells, "%s", litmus_dialect_name(report->test->dialect));
    run_output_add_cell(cells, "%s", job_state_word(report->result->state));
    run_output_add_cell(cells, "%s", QUANTITY_COUNT(counted_by(report)));
    run_output_add_cell(cells, "%s",
                        tally->seconds > 0 ? QUANTITY_SHORT((double)tally->instances / tally->seconds) : "");
    run_output_add_cell(cells, "%s", asks && tally->batches > 0 ? QUANTITY_COUNT(tally->witnesses) : "");
    const uint64_t counted = counted_by(report), witnesses = report->tally->witnesses;
    if (counted == 0 || report->test->quantifier == LITMUS_NO_CONDITION)
        run_output_add_cell(cells, "%s", "");
    else if (witnesses == 0)
        run_output_add_cell(cells, "< %.1e", statistics_zero_bound(counted, STATISTICS_CONFIDENCE));
    else
        run_output_add_cell(cells, "%.1e", (double)witnesses / (double)counted);
    row->style = report_is_alarm(report) || report->kept == TEST_NOT_KEPT ? TERMINAL_BAD : TERMINAL_PLAIN;
    add_remarks(report, cells);
}

static void count_kept(struct summary *summary, const struct job_report *report)
{
    if (!report->built)
        return;
    if (summary->by_kept[report->kept]++ == 0 && report->kept == TEST_NOT_INSPECTED)
        (void)snprintf(summary->uninspected, sizeof summary->uninspected, "%s: %.*s%s", report->test->name,
                       SHOWN_REASON, report->kept_reason, strlen(report->kept_reason) > SHOWN_REASON ? "..." : "");
}

void summary_add(struct summary *summary, const struct job_report *report)
{
    const enum job_state state = report->result->state;
    summary->jobs++;
    summary->by_state[state]++;
    summary->spent += report->spent;
    summary->alarms += report_is_alarm(report);
    const bool shows = counted_by(report) > 0 || has_progress(report);
    summary->counted += state == JOB_COMPLETED && shows;
    summary->showing += shows;
    summary->instances += counted_by(report);
    summary->meaningless += counted_by(report) > 0 && report_meaningless(report);
    summary->stopped |= report->stopped;
    count_kept(summary, report);
    if (state == JOB_UNSUPPORTED) {
        if (summary->unsupported[0] == '\0') {
            (void)snprintf(summary->unsupported, sizeof summary->unsupported, "%s did not run: %.160s",
                           report->test->name, report->result->reason);
            siblings_add_hint(report->test, report->device, &summary->instead);
        }
        return;
    }
    if (state == JOB_NOT_RUN && report->stopped)
        return; /* only their number is printed; a row for each would hide the jobs that ran */
    add_row(summary, report);
}

static int compare_devices(const struct backend_device *a, const struct backend_device *b)
{
    return strcmp(a->backend, b->backend) ?: ORDER(a->index, b->index);
}

ORDERED_BY(by_device, const struct summary_row, compare_devices(a->device, b->device) ?: ORDER(a->number, b->number))

/* Values that all rows share, which get no columns: "On cuda:0 (NVIDIA H100): PTX, completed". */
static void print_common(const struct summary *summary, bool one_device, struct table *table)
{
    enum { DIALECT = 1, STATE = 2 };
    const struct backend_device *device = summary->rows[0].device;
    const char *dialect = table_settle(table, DIALECT), *state = table_settle(table, STATE);
    LOCAL(text) line = {0};
    if (one_device)
        terminal_add(&line, "On %s (%s)", device_address(device).text, device->name);
    else if (dialect || state)
        terminal_add(&line, "All jobs");
    if (dialect || state)
        terminal_add(&line, ": %s%s%s", dialect ? dialect : "", dialect && state ? ", " : "", state ? state : "");
    if (line.size > 0)
        terminal_print(stdout, "%s\n", text_string(&line));
}

/* Sorts the rows by device; if there are several, each has a heading. */
static void run_output_print_table(struct summary *summary)
{
    struct table table = {0};
    const struct summary_row *rows = summary->rows;
    const size_t count = summary->row_count;
    if (count == 0)
        return;
    SORT(summary->rows, count, by_device);
    const bool one_device = compare_devices(rows[0].device, rows[count - 1].device) == 0;
    table_columns(&table, "test|dialect|state|>instances|->per second|>witnesses|->per instance|~");
    for (size_t i = 0; i < count; i++) {
        const struct backend_device *device = rows[i].device;
        if (!one_device && (i == 0 || compare_devices(device, rows[i - 1].device) != 0))
            table_add_heading(&table, "%s (%s)", device_address(device).text, device->name);
        for (const char *cell = text_string(&rows[i].cells), *end; (end = strchr(cell, '\n')); cell = end + 1)
            table_add_styled(&table, end[1] ? TERMINAL_PLAIN : rows[i].style, "%.*s", (int)(end - cell), cell);
    }
    print_common(summary, one_device, &table);
    table_print(&table, stdout, 0);
    terminal_print(stdout, "\n");
}

/* Nothing if no code could be read: then the devices have none, and each job's reason is in the database. */
static void print_kept(const struct summary *summary)
{
    const size_t *by_kept = summary->by_kept;
    const bool colours = terminal_has_colours(stdout);
    struct text line = {0};
    if (by_kept[TEST_KEPT] + by_kept[TEST_MERGED] + by_kept[TEST_NOT_KEPT] == 0)
        return;
    terminal_add(&line, "Compiled code: %zu kept", by_kept[TEST_KEPT]);
    if (by_kept[TEST_MERGED] > 0)
        terminal_add(&line, ", %zu merged", by_kept[TEST_MERGED]);
    if (by_kept[TEST_NOT_KEPT] > 0)
        terminal_add(&line, ", %s%zu not kept%s", terminal_style(colours, TERMINAL_BAD), by_kept[TEST_NOT_KEPT],
                     terminal_style(colours, TERMINAL_PLAIN));
    if (by_kept[TEST_NOT_INSPECTED] > 0)
        terminal_add(&line, ", %zu not inspected (%s)", by_kept[TEST_NOT_INSPECTED], summary->uninspected);
    terminal_add(&line, ".\n");
    if (by_kept[TEST_MERGED] > 0)
        terminal_add(&line,
                     "In merged tests, the compiler left out or moved accesses, as the model permits: what they do\n"
                     "not show proves nothing.\n");
    if (by_kept[TEST_NOT_KEPT] > 0)
        terminal_add(&line, "Outcomes of tests that were not kept prove nothing about the device.\n");
    terminal_end(stdout, &line);
}

static void print_slowest(const struct summary *summary)
{
    FREED struct words_job *jobs = memory_take(summary->row_count, sizeof *jobs);
    LOCAL(text) line = {0};
    for (size_t i = 0; i < summary->row_count; i++)
        jobs[i] = summary->rows[i].time;
    words_add_slowest(&line, jobs, summary->row_count);
    if (line.size > 0)
        terminal_print(stdout, "%s\n", text_string(&line));
}

static void print_states(const struct summary *summary)
{
    const bool colours = terminal_has_colours(stdout);
    struct text line = {0};
    terminal_add(&line, "%zu job%s:", summary->jobs, summary->jobs == 1 ? "" : "s");
    for (int state = 0, shown = 0; state < JOB_STATE_COUNT; state++)
        if (summary->by_state[state] > 0)
            terminal_add(&line, "%s %zu %s", shown++ > 0 ? "," : "", summary->by_state[state],
                         job_state_word((enum job_state)state));
    terminal_add(&line, ". ");
    if (summary->alarms > 0)
        terminal_add(&line, "%s%zu showed a forbidden outcome.%s\nWhat to do: 'orchil manual forbidden'.\n",
                     terminal_style(colours, TERMINAL_BAD), summary->alarms, terminal_style(colours, TERMINAL_PLAIN));
    else if (summary->showing == 0)
        terminal_add(&line, "Nothing was counted, so nothing is shown.\n");
    else
        terminal_add(&line, "No forbidden outcomes%s.\n",
                     summary->counted == 0 && !summary->stopped ? ", but no job ended as it should" : "");
    if (summary->meaningless > 0)
        terminal_add(&line, "%zu job%s of a test with a data race: %s counts mean nothing.\n", summary->meaningless,
                     summary->meaningless == 1 ? " is" : "s are", summary->meaningless == 1 ? "its" : "their");
    if (summary->stopped && summary->showing > 0)
        terminal_add(&line, "Stopped by a signal, after %s instances in %zu job%s were counted.\n",
                     QUANTITY_COUNT(summary->instances), summary->showing, summary->showing == 1 ? "" : "s");
    terminal_end(stdout, &line);
    if (summary->by_state[JOB_UNSUPPORTED] > 0)
        terminal_print(stdout, "%zu job%s unsupported; %s.\n", summary->by_state[JOB_UNSUPPORTED],
                       summary->by_state[JOB_UNSUPPORTED] == 1 ? " is" : "s are", summary->unsupported);
    terminal_write(stdout, text_string(&summary->instead));
}

/* Prints the table, device by device, each in the order of the plan; the totals; and where everything is stored. */
static void summary_print(struct summary *summary, const char *database, int64_t run_id, uint64_t seed, double seconds)
{
    char path[PATH_MAX];
    if (summary->jobs > 0) {
        run_output_print_table(summary);
        print_states(summary);
        print_kept(summary);
        print_slowest(summary);
    } else
        terminal_print(stdout, "This part of the run has no tests.\n");
    if (summary->unread > 0)
        terminal_print(stdout, "%zu file%s could not be read; standard error says why.\n", summary->unread,
                       summary->unread == 1 ? "" : "s");
    terminal_print(stdout, "Stored as run %" PRId64 " in %s (seed %" PRIu64 ", %s).\n", run_id,
                   realpath(database, path) ? path : database, seed, QUANTITY_SECONDS(seconds));
}

int summary_exit_code(const struct summary *summary)
{
    const size_t *by_state = summary->by_state;
    if (summary->alarms > 0)
        return 1;
    if (by_state[JOB_HANG] + by_state[JOB_CRASH] + by_state[JOB_BUILD_FAILED] + by_state[JOB_DEVICE_LOST] +
            by_state[JOB_NOT_RUN] - summary->spent >
        0)
        return 4;
    if (summary->unread > 0)
        return 2;
    if (summary->empty)
        return 0;
    const bool open = summary->spent > 0 || by_state[JOB_INVALID] > 0;
    return summary->counted == 0 || open ? 3 : 0;
}

void summary_release(struct summary *summary)
{
    for (size_t i = 0; i < summary->row_count; i++)
        text_release(&summary->rows[i].cells);
    free(summary->rows);
    text_release(&summary->instead);
    *summary = (struct summary){0};
}

/* ---- the mutation score of a run, as its jobs end ---- */

static struct score_row *find_row(struct score *score, const struct job_report *report)
{
    for (size_t i = 0; i < score->count; i++)
        if (score->rows[i].device == report->device && score->rows[i].dialect == report->test->dialect)
            return &score->rows[i];
    struct score_row *row = &LIST_ADD(score->rows, score->count, score->room);
    *row = (struct score_row){.device = report->device, .dialect = report->test->dialect};
    (void)snprintf(row->profile, sizeof row->profile, "%s", report->profile);
    return row;
}

#define SCORE_MEMBERS(X)                                                                                               \
    X("backend", text, "the backend of the device", row->device->backend)                                              \
    X("device_index", count, "the number of the device within its backend", row->device->index)                        \
    X("device", text, "the name of the device", row->device->name)                                                     \
    X("profile", profile, NULL, row->profile)                                                                          \
    X("dialect", text, "the dialect of the tests", litmus_dialect_name(row->dialect))                                  \
    X("mutants", mutants, NULL, row->score.mutants)                                                                    \
    X("killed", killed, NULL, row->score.killed)                                                                       \
    X("score", mutation_score, NULL, mutation_score_share(&row->score))                                                \
    X("death_rate", death_rate, NULL, mutation_score_death_rate(&row->score))
FIELD_RECORD(device_score, SCORE_MEMBERS, const struct score_row *row)
FIELD_LIST(device_scores, device_score, (const struct score *score), score->count, &score->rows[i])
#define SCORES_MEMBERS(X) X("mutation_score", device_scores, "an object for each device and dialect", score)
FIELD_DOCUMENT(document_run_score, SCORES_MEMBERS, const struct score *score)

/* Prints a line for each device and dialect, and the definition; or one JSON object. */
static void score_print(const struct score *score, bool json)
{
    if (json) {
        (void)json_write_line(JSON_RUN_SCORE, field_document_run_score(score), stdout); /* main reports errors */
        return;
    }
    FOR_EACH(const struct score_row, row, score->rows, score->count)
        terminal_print(stdout,
                       "Mutation score of %s with profile %s, %s: %.1f %% (%zu of %zu mutants killed), "
                       "%s kills per second.\n",
                       device_address(row->device).text, row->profile, litmus_dialect_name(row->dialect),
                       100 * mutation_score_share(&row->score), row->score.killed, row->score.mutants,
                       QUANTITY_SHORT(mutation_score_death_rate(&row->score)));
    if (score->count > 0)
        terminal_print(stdout, "A mutant is killed when its witness is seen. Kills per second are the mean over all "
                               "mutants, with 0\nfor those that were not killed (Levine et al., MC Mutants, ASPLOS "
                               "2023).\n");
}

/* ---- the assumptions of a run ---- */

static const char *assumption_word(enum assumption_answer answer)
{
    return assumption_answers[answer].word;
}
FIELD_NAMES(assumption_answer, enum assumption_answer, ASSUMPTION_ANSWERS, assumption_word)

#define ASSUMPTION_MEMBERS(X)                                                                                          \
    X("test", test, NULL, assumption->itself->test->name)                                                              \
    X("backend", backend, NULL, assumption->itself->device->backend)                                                   \
    X("device_index", count, "the number of the device within its backend", assumption->itself->device->index)         \
    X("answer", assumption_answer, "whether the assumption holds", answer)                                             \
    X("found", made_text, "the measured figures, as text", FIELD_WRITTEN(assumption_add_figures, assumption))          \
    X("bound", number_or_null, "the upper bound on the rate of the violation, if the assumption holds so far",         \
      answer == ASSUMPTION_HOLDS ? assumption_bound(assumption) : NAN)                                                 \
    X("planted_witnesses", count, "how often the planted violation was seen",                                          \
      assumption->planted ? assumption->planted->witnesses : 0)
FIELD_RECORD(assumption, ASSUMPTION_MEMBERS, const struct assumption *assumption, enum assumption_answer answer)

static const struct field_type field_assumptions_type = {.shape = FIELD_IS_ARRAY, .of = &field_assumption_type};
static json_t *field_assumptions(const struct assumptions *all)
{
    json_t *array = json_array();
    struct assumption assumption;
    for (size_t at = 0; assumptions_next(all, &at, &assumption);)
        (void)json_array_append_new(array, field_assumption(&assumption, assumption_answer(&assumption)));
    return array;
}
#define ASSUMPTIONS_MEMBERS(X) X("assumptions", assumptions, "the answer to each assumption on each device", all)
FIELD_DOCUMENT(document_run_assumptions, ASSUMPTIONS_MEMBERS, const struct assumptions *all)

/* What was found of an assumption, and what its test's metadata say of it. */
static void print_assumption(const struct assumption *assumption)
{
    static const char *const titles[][2] = {{"Assumes", "Assumed"},
                                            {"Relies", "Relied on by"},
                                            {"Promises", "Specification"},
                                            {"Instead", "Promised instead"}};
    const struct assumption_answer_row *answer = &assumption_answers[assumption_answer(assumption)];
    const struct assumption_job *planted = assumption->planted;
    const bool colours = terminal_has_colours(stdout);
    struct text text = {0};
    LOCAL(text) found = {0};
    assumption_add_figures(assumption, &found);
    terminal_add(&text, "\n%s on %s: %s%s%s\n  Found: %s\n", assumption->itself->test->name,
                 device_address(assumption->itself->device).text, terminal_style(colours, answer->style), answer->word,
                 terminal_style(colours, TERMINAL_PLAIN), text_string(&found));
    if (planted && planted->witnesses > 0)
        terminal_add(&text, "  Planted violation: seen in %s\n", QUANTITY_SECONDS(planted->seconds));
    else if (planted && planted->instances > 0)
        terminal_add(&text, "  Planted violation: NOT SEEN in %s instances\n", QUANTITY_COUNT(planted->instances));
    for (size_t i = 0; i < COUNT(titles); i++) {
        const char *words = litmus_metadata(assumption->itself->test, titles[i][0]);
        if (words)
            terminal_add(&text, "  %s: %s\n", titles[i][1], words);
    }
    terminal_end(stdout, &text);
}

/* Prints each answer, or one JSON object. */
static void assumptions_print(const struct assumptions *all, bool json)
{
    struct assumption assumption;
    if (json) {
        (void)json_write_line(JSON_RUN_ASSUMPTIONS, field_document_run_assumptions(all), stdout);
        return;
    }
    for (size_t at = 0; assumptions_next(all, &at, &assumption);)
        print_assumption(&assumption);
    terminal_print(stdout, "\n\"Holds so far\" promises nothing: it is what was seen here, in this time.\n");
}

/* 1 if one is broken, else 3 if one could not be decided or none was; a job that failed has its own code. */
static int assumptions_code(const struct assumptions *all)
{
    size_t counts[ASSUMPTION_ANSWERS] = {0};
    struct assumption assumption;
    for (size_t at = 0; assumptions_next(all, &at, &assumption);)
        counts[assumption_answer(&assumption)]++;
    const bool some = counts[ASSUMPTION_HOLDS] + counts[ASSUMPTION_FAILED] > 0;
    return counts[ASSUMPTION_BROKEN] > 0 ? 1 : counts[ASSUMPTION_UNKNOWN] > 0 || !some ? 3 : 0;
}

/* ---- progress ---- */

/* Details of the current jobs: as many as the terminal has room for. */
enum progress_detail { PROGRESS_NAMES, PROGRESS_INSTANCES, PROGRESS_WITNESSES, PROGRESS_RATES, PROGRESS_DETAIL_COUNT };

static void add_running(const struct running_progress *job, enum progress_detail detail, struct text *line)
{
    if (job->batches == 0) {
        text_add(line, job->opening ? ": opening" : ": building");
        return;
    }
    if (detail == PROGRESS_NAMES)
        return;
    text_add(line, ": %s instances", QUANTITY_SHORT((double)job->instances));
    if (detail == PROGRESS_RATES)
        text_add(line, " (%s/s)", QUANTITY_SHORT((double)job->instances / job->seconds));
    if (detail >= PROGRESS_WITNESSES)
        text_add(line, ", %s witness%s", QUANTITY_SHORT((double)job->witnesses), job->witnesses == 1 ? "" : "es");
}

/* The present job of the one lane: "job 12 of 321, 3 %, 10 min left: SB+sc on cuda:0: 24.3 M instances, 3
 * witnesses". */
static void add_one_lane(const struct run_progress *progress, const char *left, enum progress_detail detail,
                         struct text *line)
{
    const struct running_progress *job = &progress->running[0];
    text_add(line, "job %zu of %zu%s%s: %s on %s", job->number + 1, progress->jobs, *left ? ", " : "", left,
             job->test->name, device_address(job->device).text);
    add_running(job, detail, line);
}

static void add_lanes(const struct run_progress *progress, const char *left, enum progress_detail detail,
                      struct text *line)
{
    text_add(line, "%zu of %zu jobs ended%s%s", progress->ended, progress->jobs, *left ? ", " : "", left);
    FOR_EACH(const struct running_progress, job, progress->running, progress->running_count) {
        text_add(line, "; %s: %s", device_address(job->device).text, job->test->name);
        add_running(job, detail, line);
    }
}

void run_output_progress(const struct run_progress *progress, const char *left, size_t width, struct text *line)
{
    for (int detail = PROGRESS_DETAIL_COUNT - 1; detail >= 0; detail--) {
        text_clear(line);
        (progress->lanes == 1 ? add_one_lane : add_lanes)(progress, left, (enum progress_detail)detail, line);
        if (width == 0 || line->size < width)
            break;
    }
}

static void show_progress(const struct run_progress *progress, void *context)
{
    struct run_output *output = context;
    const double now = clock_seconds();
    LOCAL(text) line = {0}, left = {0};
    time_left_went_on(&output->left, progress, now);
    if (!progress_due(&output->progress, stderr))
        return;
    time_left_text(&output->left, now, &left);
    run_output_progress(progress, text_string(&left), terminal_width(stderr), &line);
    progress_show(&output->progress, stderr, text_string(&line));
}

/* ---- jobs ---- */

static enum status print_json(const struct job_report *report, struct error *error)
{
    json_t *object = report_job_json(report);
    return json_write_line(JSON_RUN, object, stdout)
               ? STATUS_OK
               : error_set(error, STATUS_SYSTEM, "standard output cannot be written");
}

enum { BLOCKS_AT_MOST = 4 }; /* tests; the table at the end shows more of them better */

/* Whether the run has more tests than that, controls and unsupported ones not counted. */
static bool has_many_tests(const struct run_plan *plan)
{
    const struct litmus_test *before = NULL;
    size_t tests = 0;
    FOR_EACH(const struct planned_job, job, plan->jobs, plan->job_count) {
        if (job->controlled || job->refused || job->test->test == before)
            continue;
        before = job->test->test;
        tests++;
    }
    return tests > BLOCKS_AT_MOST;
}

/* Jobs that the device refuses, and those that a signal prevented, are only counted in the summary. A brief output has
 * only what the summary's row cannot say. */
static bool is_worth_a_block(const struct run_output *output, const struct job_report *report)
{
    return report->result->state != JOB_UNSUPPORTED && !(report->result->state == JOB_NOT_RUN && report->stopped) &&
           (!output->brief || report->result->state != JOB_COMPLETED || report_is_alarm(report) ||
            report_forbidden(report) > 0 || (report->built && report->kept == TEST_NOT_KEPT));
}

static enum status print_job(const struct job_report *report, bool recalled, void *context, struct error *error)
{
    struct run_output *output = context;
    enum status status = STATUS_OK;
    summary_add(&output->summary, report);
    if (mutation_score_has(report->controlled != NULL, litmus_forbids_witness(report->test), report->result->state))
        mutation_score_add(&find_row(&output->score, report)->score, report->tally->witnesses, report->tally->seconds);
    assumptions_add(&output->assumptions, report);
    time_left_ended(&output->left, report->number, clock_seconds());
    if (recalled)
        return STATUS_OK; /* already printed by the part of the run that finished it */
    progress_clear(&output->progress, stderr);
    if (output->json && !output->quiet)
        status = print_json(report, error);
    else if (!output->quiet && is_worth_a_block(output, report)) {
        const struct report_form form = {terminal_has_colours(stdout), terminal_width(stdout), &output->before};
        struct text text = {0};
        report_job_text(report, &form, &text);
        terminal_end(stdout, &text);
    }
    (void)fflush(stdout);
    return status;
}

/* ---- the run ---- */

/* How to resume a run that a signal has stopped. */
static void print_resume(const struct run_options *options, bool json)
{
    struct text line = {0};
    LOCAL(text) command = {0};
    text_add(&command, "orchil run --resume last");
    text_add_option(&command, "db", options->database);
    if (options->frozen.use != FROZEN_NONE) {
        text_add(&command, " %s ", frozen_option(options->frozen.use));
        text_add_shell_word(&command, options->frozen.path);
    }
    terminal_add(&line, "To run the rest: %s\n", text_string(&command));
    if (json)
        terminal_write_source(stderr, text_string(&line)); /* in full, so that it can be pasted */
    else
        terminal_end_source(stdout, &line);
}

/* The first that applies. */
static int exit_code(const struct run_output *output, const struct run_result *result)
{
    if (result->signal > 0)
        return 128 + result->signal;
    if (result->status != STATUS_OK)
        return status_exit_code(result->status);
    return summary_exit_code(&output->summary);
}

int run_output_run(struct run_output *output, const struct run_options *options, const struct run_plan *plan,
                   struct run_result *result)
{
    const struct run_listener listener = {.job_ended = print_job, .went_on = show_progress, .context = output};
    output->summary = (struct summary){.empty = plan->job_count == 0, .unread = options->unread_count};
    output->brief = !output->verbose && has_many_tests(plan);
    time_left_start(&output->left, options, plan);
    run_jobs(options, plan, &listener, result);
    progress_clear(&output->progress, stderr);
    if (result->status != STATUS_OK)
        (void)complain("orchil run", &result->error);
    else if (!output->json && !output->quiet) {
        summary_print(&output->summary, options->database, result->run_id, options->seed, result->seconds);
        if (output->brief)
            terminal_print(stdout, "For the histogram of each job, use --verbose or `orchil report`.\n");
    }
    if (result->status == STATUS_OK && options->score == SELECTION_SCORES_MUTANTS && !output->quiet)
        score_print(&output->score, output->json);
    if (result->status == STATUS_OK && options->score == SELECTION_SCORES_ASSUMPTIONS && !output->quiet)
        assumptions_print(&output->assumptions, output->json);
    const size_t *by_state = output->summary.by_state;
    if (result->signal > 0 && result->status == STATUS_OK && by_state[JOB_INTERRUPTED] + by_state[JOB_NOT_RUN] > 0 &&
        !output->quiet)
        print_resume(options, output->json);
    int code = exit_code(output, result);
    if (result->status == STATUS_OK && options->score == SELECTION_SCORES_ASSUMPTIONS)
        code = tests_graver_code(code, assumptions_code(&output->assumptions));
    summary_release(&output->summary);
    free(output->score.rows);
    output->score = (struct score){0};
    assumptions_release(&output->assumptions);
    text_release(&output->before.lines);
    time_left_release(&output->left);
    return code;
}

/* ---- the progress of a run, and the time for the rest ---- */

/* The estimate starts as if this many jobs, or seconds of jobs if that is less, had kept to their limit: one slow build
 * says little about those that follow. */
static const double prior_jobs = 5, prior_seconds = 20;

static const double short_seconds = 10;   /* a run of less needs no forecast */
static const double measured_seconds = 1; /* the least to measure if no limit says how long a job takes */

/* How far a shown end may be off, as a share and in seconds. */
static const double kept_share = 0.1, kept_seconds = 2;

/* ---- what is left ---- */

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(1, done / limit) : 0;
}

/* What is left of a job after this many seconds and instances. A job with its own number of instances is only cut short
 * by time. */
static double left_of(const struct time_left *time, size_t number, double seconds, uint64_t instances)
{
    const struct planned_job *job = &time->plan->jobs[number];
    const uint64_t own = job->extent.instances;
    const double by_time = own > 0 ? 0 : share_of(seconds, time->options->seconds);
    return 1 - fmax(by_time, share_of((double)instances, (double)(own > 0 ? own : time->options->instances)));
}

void time_left_start(struct time_left *time, const struct run_options *options, const struct run_plan *plan)
{
    *time = (struct time_left){.plan = plan, .options = options};
    time->left = memory_take(plan->job_count, sizeof *time->left);
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct store_progress *begun = plan->jobs[i].begun;
        time->left[i] = !begun ? 1 : begun->finished ? 0 : left_of(time, i, begun->seconds, begun->launched);
        time->all += !plan->jobs[i].refused;
    }
}

/* Time is measured from here on: opening the device and the first build are done. */
static void begin_measuring(struct time_left *time, double when)
{
    if (time->started > 0)
        return;
    time->started = when;
    time->first = run_plan_longest(time->plan, time->left);
}

void time_left_ended(struct time_left *time, size_t number, double now)
{
    time->left[number] = 0;
    begin_measuring(time, now);
}

void time_left_went_on(struct time_left *time, const struct run_progress *progress, double now)
{
    FOR_EACH(const struct running_progress, job, progress->running, progress->running_count) {
        const struct store_progress *begun = time->plan->jobs[job->number].begun;
        if (job->batches == 0)
            continue;
        begin_measuring(time, now - (job->played - (begun ? begun->seconds : 0)));
        time->left[job->number] = left_of(time, job->number, job->played, job->launched);
    }
}

double time_left_done(const struct time_left *time)
{
    double left = 0;
    for (size_t i = 0; i < time->plan->job_count; i++)
        if (!time->plan->jobs[i].refused)
            left += time->left[i];
    return time->all > 0 ? 1 - left / time->all : 1;
}

/* ---- how long it takes ---- */

/* At the rate so far; negative if not known. */
static double rest_by_rate(const struct time_left *time, double now)
{
    const double left = run_plan_longest(time->plan, time->left);
    const double limit = time->options->seconds;
    const double done = time->started > 0 ? time->first - left : 0;
    const double elapsed = time->started > 0 ? fmax(0, now - time->started) : 0;
    const double prior = fmin(prior_seconds, prior_jobs * limit);
    if (limit > 0)
        return left * limit * (elapsed + prior) / (done * limit + prior);
    return done > 0 && elapsed >= measured_seconds ? left * elapsed / done : -1;
}

static double rest_of(const struct time_left *time, double now)
{
    const double deadline = time->options->deadline;
    const double rest = rest_by_rate(time, now), until = fmax(0, deadline - now);
    if (deadline <= 0)
        return rest;
    return rest < 0 ? until : fmin(rest, until);
}

double time_left_seconds(struct time_left *time, double now)
{
    const double rest = rest_of(time, now);
    const double shown = time->end - now;
    if (rest < 0 || time->started <= 0) /* until it starts, no part of it passes */
        return fmax(rest, -1);
    if (time->end <= 0 || fabs(rest - shown) > fmax(kept_seconds, kept_share * fmax(rest, shown)))
        time->end = now + rest;
    return fmax(0, time->end - now);
}

void time_left_text(struct time_left *time, double now, struct text *text)
{
    const double seconds = time_left_seconds(time, now);
    const double elapsed = time->started > 0 ? now - time->started : 0;
    if (seconds >= 0 && elapsed + seconds >= short_seconds)
        text_add(text, "%.0f %%, %s left", floor(100 * time_left_done(time)), QUANTITY_ABOUT(seconds));
}

void time_left_release(struct time_left *time)
{
    free(time->left);
    *time = (struct time_left){0};
}
