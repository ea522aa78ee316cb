// SPDX-License-Identifier: Apache-2.0
/* The output of a run. */
#include "cli/print/run_output.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "cli/output.h"
#include "cli/print/report_job.h"
#include "runner/protocol/device.h"

/* ---- progress ---- */

/* Details of the current jobs: as many as the terminal has room for. */
enum progress_detail { PROGRESS_NAMES, PROGRESS_INSTANCES, PROGRESS_WITNESSES, PROGRESS_RATES, PROGRESS_DETAIL_COUNT };

static void add_running(const struct running_progress *job, enum progress_detail detail, struct text *line)
{
    char count[QUANTITY_SIZE], rate[QUANTITY_SIZE], witnesses[QUANTITY_SIZE];
    if (job->batches == 0) {
        text_add(line, job->opening ? ": opening" : ": building");
        return;
    }
    if (detail == PROGRESS_NAMES)
        return;
    text_add(line, ": %s instances", quantity_short((double)job->instances, count));
    if (detail == PROGRESS_RATES)
        text_add(line, " (%s/s)", quantity_short((double)job->instances / job->seconds, rate));
    if (detail >= PROGRESS_WITNESSES)
        text_add(line, ", %s witness%s", quantity_short((double)job->witnesses, witnesses),
                 job->witnesses == 1 ? "" : "es");
}

/* The present job of the one lane: "job 12 of 321, 3 %, 10 min left: SB+sc on cuda:0: 24.3 M instances, 3 witnesses". */
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
    for (size_t i = 0; i < progress->running_count; i++) {
        const struct running_progress *job = &progress->running[i];
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
    struct text line = {0}, left = {0};
    time_left_went_on(&output->left, progress, now);
    if (!progress_due(&output->progress, stderr))
        return;
    time_left_text(&output->left, now, &left);
    run_output_progress(progress, text_string(&left), terminal_width(stderr), &line);
    progress_show(&output->progress, stderr, text_string(&line));
    text_release(&left);
    text_release(&line);
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
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct planned_job *job = &plan->jobs[i];
        if (job->controlled || job->refused || job->test->test == before)
            continue;
        before = job->test->test;
        tests++;
    }
    return tests > BLOCKS_AT_MOST;
}

/* Something that the summary's row cannot say. */
static bool needs_attention(const struct job_report *report)
{
    return report->result->state != JOB_COMPLETED || report_is_alarm(report) || report_forbidden(report) > 0 ||
           (report->built && report->kept == TEST_NOT_KEPT);
}

/* Jobs that the device refuses, and those that a signal prevented, are only counted in the
 * summary. */
static bool is_worth_a_block(const struct run_output *output, const struct job_report *report)
{
    return report->result->state != JOB_UNSUPPORTED && !(report->result->state == JOB_NOT_RUN && report->stopped) &&
           (!output->brief || needs_attention(report));
}

static void print_text(struct run_output *output, const struct job_report *report)
{
    const struct report_form form = {terminal_has_colours(stdout), terminal_width(stdout), &output->told};
    struct text text = {0};
    report_job_text(report, &form, &text);
    terminal_write(stdout, text_string(&text));
    text_release(&text);
}

/* A log grows with each job that ends. A block that does not fit on the disk is removed again as a
 * whole. */
static bool log_add(FILE *log, const struct text *text)
{
    const off_t end = lseek(fileno(log), 0, SEEK_END);
    if (fwrite(text_string(text), 1, text->size, log) == text->size && fflush(log) == 0)
        return true;
    const int why = errno;
    __fpurge(log);
    const bool cut = end >= 0 && ftruncate(fileno(log), end) == 0;
    (void)cut; /* a device has no size */
    errno = why;
    return false;
}

static enum status print_log(struct run_output *output, const struct job_report *report, struct error *error)
{
    struct text text = {0};
    report_job_log(report, log_names_get(&output->log_names, report->test), &text);
    const bool written = log_add(output->log, &text);
    text_release(&text);
    return written
               ? STATUS_OK
               : error_set(error, STATUS_SYSTEM, "the log %s cannot be written: %s", output->log_path, strerror(errno));
}

static enum status print_job(const struct job_report *report, bool recalled, void *context, struct error *error)
{
    struct run_output *output = context;
    enum status status = STATUS_OK;
    summary_add(&output->summary, report);
    score_add(&output->score, report);
    time_left_ended(&output->left, report->number, clock_seconds());
    if (recalled)
        return STATUS_OK; /* already printed by the part of the run that finished it */
    progress_clear(&output->progress, stderr);
    if (output->json && !output->quiet)
        status = print_json(report, error);
    else if (!output->quiet && is_worth_a_block(output, report))
        print_text(output, report);
    (void)fflush(stdout);
    if (status == STATUS_OK && output->log)
        status = print_log(output, report, error);
    return status;
}

/* ---- the run ---- */

enum status run_output_log(struct run_output *output, const char *path, struct error *error)
{
    if (!path)
        return STATUS_OK;
    output->log_path = path;
    output->log = fopen(path, "a+e");
    if (!output->log)
        output->log = fopen(path, "ae"); /* of a file that may be unreadable */
    if (!output->log)
        return error_set(error, STATUS_UNREADABLE, "the log %s cannot be created: %s", path, strerror(errno));
    log_names_read(&output->log_names, output->log);
    return STATUS_OK;
}

/* Tests get their names in the order of the plan, not in the order in which they end. */
static void name_tests(struct run_output *output, const struct run_plan *plan)
{
    for (size_t i = 0; output->log && i < plan->job_count; i++)
        (void)log_names_get(&output->log_names, plan->jobs[i].test->test);
}

/* How to resume a run that a signal has stopped. */
static void print_resume(const struct run_options *options, bool json)
{
    struct text command = {0}, line = {0};
    text_add(&command, "orchil run --resume last --db ");
    text_add_shell_word(&command, options->database);
    if (options->frozen.use != FROZEN_NONE) {
        text_add(&command, " %s ", frozen_option(options->frozen.use));
        text_add_shell_word(&command, options->frozen.path);
    }
    terminal_add(&line, "To run the rest: %s\n", text_string(&command));
    if (json)
        terminal_write_source(stderr, text_string(&line)); /* in full, so that it can be pasted */
    else
        terminal_write_source(stdout, text_string(&line));
    text_release(&command);
    text_release(&line);
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
    name_tests(output, plan);
    run_jobs(options, plan, &listener, result);
    progress_clear(&output->progress, stderr);
    if (result->status != STATUS_OK)
        (void)complain("orchil run", &result->error);
    else if (!output->json && !output->quiet) {
        summary_print(&output->summary, options->database, result->run_id, options->seed, result->seconds);
        if (output->brief)
            terminal_print(stdout, "For the histogram of each job, use --verbose or `orchil report`.\n");
    }
    if (result->status == STATUS_OK && options->score && !output->quiet)
        score_print(&output->score, output->json);
    const size_t *by_state = output->summary.by_state;
    if (result->signal > 0 && result->status == STATUS_OK && by_state[JOB_INTERRUPTED] + by_state[JOB_NOT_RUN] > 0 &&
        !output->quiet)
        print_resume(options, output->json);
    const int code = exit_code(output, result);
    if (output->log && fclose(output->log) != 0)
        terminal_print(stderr, "orchil run: the log %s cannot be written: %s\n", output->log_path, strerror(errno));
    log_names_release(&output->log_names);
    summary_release(&output->summary);
    score_release(&output->score);
    text_release(&output->told.lines);
    time_left_release(&output->left);
    return code;
}
