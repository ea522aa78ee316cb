// SPDX-License-Identifier: Apache-2.0
/* What a run prints. */
#include "cli/print/run_output.h"

#include <errno.h>
#include <string.h>

#include "base/quantity.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/print/report_job.h"

/* ---- progress ---- */

static void add_running(const struct run_progress *progress, const struct running_progress *job, struct text *line)
{
    char count[QUANTITY_SIZE], rate[QUANTITY_SIZE], witnesses[QUANTITY_SIZE];
    if (progress->lanes == 1)
        text_add(line, "job %zu of %zu: %s on %s:%u: ", job->number + 1, progress->jobs, job->test->name,
                 job->device->backend, job->device->index);
    else
        text_add(line, "; %s:%u: %s: ", job->device->backend, job->device->index, job->test->name);
    if (job->batches == 0)
        text_add(line, "building");
    else
        text_add(line, "%s instances (%s/s), %s witnesses", quantity_short((double)job->instances, count),
                 quantity_short((double)job->instances / job->seconds, rate),
                 quantity_count(job->witnesses, witnesses));
}

static void show_progress(const struct run_progress *progress, void *context)
{
    struct run_output *output = context;
    struct text line = {0};
    if (!progress_due(&output->progress, stderr))
        return;
    if (progress->lanes > 1)
        text_add(&line, "%zu of %zu jobs ended", progress->ended, progress->jobs);
    for (size_t i = 0; i < progress->running_count; i++)
        add_running(progress, &progress->running[i], &line);
    progress_show(&output->progress, stderr, text_string(&line));
    text_release(&line);
}

/* ---- jobs ---- */

static enum status print_json(const struct job_report *report, struct error *error)
{
    json_t *object = report_job_json(report);
    const bool printed = json_dumpf(object, stdout, JSON_COMPACT) == 0;
    (void)putchar('\n');
    json_decref(object);
    return printed ? STATUS_OK : error_set(error, STATUS_SYSTEM, "standard output cannot be written");
}

/* The summary counts jobs that the device does not take, and those that a signal has prevented. */
static bool is_worth_a_block(const struct job_report *report)
{
    return report->result->state != JOB_UNSUPPORTED && !(report->result->state == JOB_NOT_RUN && report->stopped);
}

static void print_text(const struct job_report *report)
{
    struct text text = {0};
    report_job_text(report, terminal_has_colours(stdout), &text);
    (void)fputs(text_string(&text), stdout);
    text_release(&text);
}

static enum status print_log(struct run_output *output, const struct job_report *report, struct error *error)
{
    struct text text = {0};
    report_job_log(report, log_names_get(&output->log_names, report->test), &text);
    const bool written = fputs(text_string(&text), output->log) != EOF && fflush(output->log) == 0;
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
    if (recalled)
        return STATUS_OK; /* the part of the run that ended it has printed it */
    progress_clear(&output->progress, stderr);
    if (output->json && !output->quiet)
        status = print_json(report, error);
    else if (!output->quiet && is_worth_a_block(report))
        print_text(report);
    (void)fflush(stdout);
    if (status == STATUS_OK && output->log)
        status = print_log(output, report, error);
    return status;
}

/* ---- the run ---- */

enum status run_output_log(struct run_output *output, const char *path, const char *database, struct error *error)
{
    if (!path)
        return STATUS_OK;
    TRY(output_path_check("log", path, database, error));
    output->log_path = path;
    output->log = fopen(path, "a+e");
    if (!output->log)
        output->log = fopen(path, "ae"); /* of a file that may not be read */
    if (!output->log)
        return error_set(error, STATUS_UNREADABLE, "the log %s cannot be created: %s", path, strerror(errno));
    log_names_read(&output->log_names, output->log);
    return STATUS_OK;
}

/* Tests get their names in the order of the plan, whichever ends first. */
static void name_tests(struct run_output *output, const struct run_plan *plan)
{
    for (size_t i = 0; output->log && i < plan->job_count; i++)
        (void)log_names_get(&output->log_names, plan->jobs[i].test->test);
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

int run_output_run(struct run_output *output, const struct run_options *options, const struct run_plan *plan, int argc,
                   char **argv, struct run_result *result)
{
    const struct run_listener listener = {.job_ended = print_job, .went_on = show_progress, .context = output};
    output->summary = (struct summary){.empty = plan->job_count == 0, .unread = options->unread_count};
    name_tests(output, plan);
    run_jobs(options, plan, &listener, argc, argv, result);
    progress_clear(&output->progress, stderr);
    if (result->status != STATUS_OK)
        (void)complain("orchil run", &result->error);
    else if (!output->json && !output->quiet)
        summary_print(&output->summary, options->database, result->run_id, options->seed, result->seconds);
    const int code = exit_code(output, result);
    if (output->log && fclose(output->log) != 0)
        (void)fprintf(stderr, "orchil run: the log %s cannot be written: %s\n", output->log_path, strerror(errno));
    log_names_release(&output->log_names);
    summary_release(&output->summary);
    return code;
}
