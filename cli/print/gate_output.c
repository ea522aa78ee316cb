// SPDX-License-Identifier: Apache-2.0
/* Writes the decision of a gate. */
#include "cli/print/gate_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "cli/output.h"
#include "cli/print/metrics.h"
#include "cli/print/sarif.h"

static enum status check_file(const char *path, struct error *error)
{
    return path ? file_check_writable(path, error) : STATUS_OK;
}

static enum status check_update(const char *path, struct error *error)
{
    struct expectations there;
    if (!path)
        return STATUS_OK;
    TRY(expectations_read_drafts(path, &there, error));
    expectations_release(&there);
    return check_file(path, error);
}

enum status gate_output_check(const struct gate_files *files, struct error *error)
{
    TRY(check_file(files->junit, error));
    TRY(check_file(files->markdown, error));
    TRY(check_file(files->sarif, error));
    TRY(check_file(files->metrics, error));
    return check_update(files->update, error);
}

static enum status write_file(const char *path, const struct text *text, struct error *error)
{
    TRY(page_text_check(text, "the gate's report", error));
    return file_write_whole(path, text_string(text), text->size, error);
}

/* For GitHub's summary, to which each step of a job adds: it is not replaced. */
static enum status append(const char *path, const struct text *text, struct error *error)
{
    TRY(page_text_check(text, "the gate's report", error));
    FILE *file = fopen(path, "ae");
    if (!file)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    const bool written = fputs(text_string(text), file) != EOF;
    const int why = errno;
    if (fclose(file) != 0 || !written)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(written ? errno : why));
    return STATUS_OK;
}

/* The forms of a report. */
struct reports {
    struct text shown, junit, markdown, github; /* shown: on standard output */
};

static void release_reports(struct reports *reports)
{
    text_release(&reports->shown);
    text_release(&reports->junit);
    text_release(&reports->markdown);
    text_release(&reports->github);
}

/* ---- GitHub ---- */

/* GitHub drops a whole summary that is too large, so it is cut, at the end of a line. */
static void cut_summary(const char *path, struct text *text)
{
    enum { MAXIMUM = 1024 * 1024, REST = 200 };
    static const char note[] = "\nThe rest is cut: a summary holds 1 MiB. The report's file has it all.\n";
    struct stat there;
    const size_t used = stat(path, &there) == 0 && there.st_size > 0 ? (size_t)there.st_size : 0;
    const size_t room = used + REST < MAXIMUM ? MAXIMUM - used - REST : 0;
    struct text shorter = {0};
    if (text->failed || text->size <= room)
        return;
    size_t end = room;
    while (end > 0 && text->data[end - 1] != '\n')
        end--;
    text_add_bytes(&shorter, text->data, end);
    if (used + end + sizeof note < MAXIMUM)
        text_add(&shorter, "%s", note);
    text_release(text);
    *text = shorter;
}

static enum status add_summary(struct text *markdown, struct error *error)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!terminal_obeys() || !path || !*path)
        return STATUS_OK;
    cut_summary(path, markdown);
    return append(path, markdown, error);
}

/* ---- the report ---- */

static enum status print_report(const struct reports *reports, bool json, struct error *error)
{
    const enum status status = page_text_check(&reports->shown, "the gate's report", error);
    /* main reports errors of standard output */
    if (status == STATUS_OK && json)
        terminal_write_source(stdout, text_string(&reports->shown));
    else if (status == STATUS_OK)
        terminal_write(stdout, text_string(&reports->shown));
    if (status == STATUS_OK && terminal_obeys())
        terminal_write_commands(json ? stderr : stdout, text_string(&reports->github));
    return status;
}

/* Reports the first failure, and writes everything that can be written. */
static enum status write_reports(struct reports *reports, const struct gate_files *files, struct error *error)
{
    struct error ignored;
    enum status status = print_report(reports, files->json, error);
    const struct {
        const char *path;
        const struct text *text;
    } outputs[] = {{files->junit, &reports->junit}, {files->markdown, &reports->markdown}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        struct error *into = status == STATUS_OK ? error : &ignored;
        const enum status next = outputs[i].path ? write_file(outputs[i].path, outputs[i].text, into) : STATUS_OK;
        status = status == STATUS_OK ? next : status;
    }
    const enum status next = add_summary(&reports->markdown, status == STATUS_OK ? error : &ignored);
    return status == STATUS_OK ? next : status;
}

/* ---- expectations ---- */

/* The file with lines added at its end. */
static enum status add_lines(const char *path, const struct text *lines, struct error *error)
{
    struct text whole = {0};
    enum status status = STATUS_OK;
    if (access(path, F_OK) == 0)
        status = file_read_whole(path, EXPECTATIONS_MAXIMUM_FILE, &whole, error);
    text_add_bytes(&whole, text_string(lines), lines->size);
    if (status == STATUS_OK)
        status = write_file(path, &whole, error);
    text_release(&whole);
    return status;
}

static enum status update_expectations(const struct gate *gate, const char *path, struct error *error)
{
    struct expectations known;
    struct text lines = {0};
    if (!path)
        return STATUS_OK;
    TRY(expectations_read_drafts(path, &known, error));
    const size_t count = expectations_draft(gate, &known, &lines);
    expectations_release(&known);
    const enum status status = count > 0 ? add_lines(path, &lines, error) : STATUS_OK;
    text_release(&lines);
    if (status == STATUS_OK)
        terminal_print(stderr, "%s: %zu expectation%s added%s\n", path, count, count == 1 ? "" : "s",
                       count > 0 ? ": replace each " EXPECT_DRAFT " by a reason" : "");
    return status;
}

/* ---- all of it ---- */

enum status gate_output_print(const struct gate *gate, const struct gate_files *files, struct error *error)
{
    struct error ignored;
    struct reports reports = {.shown = {.width = files->json ? 0 : terminal_width(stdout)}};
    if (files->json)
        gate_print_json(gate, &reports.shown);
    else
        gate_print_text(gate, files->verbose, &reports.shown);
    gate_print_junit(gate, &reports.junit);
    gate_print_markdown(gate, &reports.markdown);
    gate_print_github(gate, &reports.github);
    enum status status = write_reports(&reports, files, error), next = STATUS_OK;
    if (files->sarif) {
        struct sarif sarif = {0};
        sarif_add_gate(&sarif, gate);
        next = sarif_write(&sarif, "orchil gate", files->sarif, status == STATUS_OK ? error : &ignored);
        status = status == STATUS_OK ? next : status;
    }
    if (files->metrics) {
        next = metrics_write_gate(gate, files->metrics, status == STATUS_OK ? error : &ignored);
        status = status == STATUS_OK ? next : status;
    }
    next = update_expectations(gate, files->update, status == STATUS_OK ? error : &ignored);
    release_reports(&reports);
    return status == STATUS_OK ? next : status;
}

enum status gate_output_print_stopped(const struct gate_stopped *stopped, const struct gate_files *files,
                                      struct error *error)
{
    struct error ignored;
    struct reports reports = {.shown = {0}};
    if (files->json)
        gate_stopped_print_json(stopped, &reports.shown);
    else
        gate_stopped_print_text(stopped, &reports.shown);
    gate_stopped_print_junit(stopped, &reports.junit);
    gate_stopped_print_markdown(stopped, &reports.markdown);
    gate_stopped_print_github(stopped, &reports.github);
    enum status status = write_reports(&reports, files, error), next = STATUS_OK;
    if (files->sarif) {
        struct sarif sarif = {0};
        sarif_add_stopped(&sarif, stopped);
        next = sarif_write(&sarif, "orchil gate", files->sarif, status == STATUS_OK ? error : &ignored);
        status = status == STATUS_OK ? next : status;
    }
    if (files->metrics)
        next = metrics_write_stopped(stopped, files->metrics, status == STATUS_OK ? error : &ignored);
    release_reports(&reports);
    return status == STATUS_OK ? next : status;
}
