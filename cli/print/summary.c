// SPDX-License-Identifier: Apache-2.0
/* The results of all jobs of a run. */
#include "cli/print/run_output.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statistics/statistics.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "cli/print/report_job.h"
#include "kernel/kernel.h"
#include "runner/protocol/device.h"
#include "runner/run/siblings.h"

enum { SHOWN_REASON = 100 }; /* bytes; the database has all of it */

static void __attribute__((format(printf, 2, 3))) add_cell(struct text *cells, const char *format, ...)
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

static void add_rate(const struct job_report *report, struct text *cells)
{
    const uint64_t counted = counted_by(report), witnesses = report->tally->witnesses;
    if (counted == 0 || report->test->quantifier == LITMUS_NO_CONDITION)
        add_cell(cells, "%s", "");
    else if (witnesses == 0)
        add_cell(cells, "< %.1e", statistics_zero_bound(counted, STATISTICS_CONFIDENCE));
    else
        add_cell(cells, "%.1e", (double)witnesses / (double)counted);
}

/* The last cell: remarks on the row. */
static void add_remarks(const struct job_report *report, struct text *cells)
{
    char gave_up[2 * QUANTITY_SIZE] = "", number[QUANTITY_SIZE];
    if (has_progress(report))
        (void)snprintf(gave_up, sizeof gave_up, ", gave up: %s",
                       quantity_count(tally_void(report->tally, VOID_GAVE_UP), number));
    struct text remarks = {0};
    if (counted_by(report) > 0 && report_meaningless(report))
        text_add(&remarks, ", %s", report_meaningless(report));
    text_add(&remarks, "%s%s%s%s%s%s%s%s", report->controlled ? ", control" : "",
             strcmp(report->lowering, "source") == 0 ? ", source" : "", gave_up,
             report_forbidden(report) > 0 ? ", FORBIDDEN"
             : report_is_alarm(report)    ? ", MUST NOT APPEAR"
                                          : "",
             report->kept == TEST_NOT_KEPT ? ", NOT KEPT"
             : report->kept == TEST_MERGED ? ", merged"
                                           : "",
             report->marks & MARK_UNDECLARED ? ", not promised by this device" : "",
             report->marks & MARK_NOT_CO_RESIDENT ? ", not co-resident" : "",
             report->marks & MARK_NOT_OVERLAPPED ? ", not tested here: launches never overlapped" : "");
    add_cell(cells, "%s", text_string(&remarks) + (remarks.size > 0 ? strlen(", ") : 0));
    text_release(&remarks);
}

static void add_row(struct summary *summary, const struct job_report *report)
{
    const struct tally *tally = report->tally;
    char number[QUANTITY_SIZE];
    const bool asks = report->test->quantifier != LITMUS_NO_CONDITION;
    struct summary_row *row = &LIST_ADD(summary->rows, summary->row_count, summary->row_room);
    *row = (struct summary_row){.device = report->device, .number = report->number};
    struct text *cells = &row->cells;
    add_cell(cells, "%s%s", report->controlled ? "  " : "", report->test->name);
    add_cell(cells, "%s", litmus_dialect_name(report->test->dialect));
    add_cell(cells, "%s", job_state_word(report->result->state));
    add_cell(cells, "%s", quantity_count(counted_by(report), number));
    add_cell(cells, "%s", tally->seconds > 0 ? quantity_short((double)tally->instances / tally->seconds, number) : "");
    add_cell(cells, "%s", asks && tally->batches > 0 ? quantity_count(tally->witnesses, number) : "");
    add_rate(report, cells);
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
            (void)snprintf(summary->unsupported, sizeof summary->unsupported, "%s: %.160s", report->test->name,
                           report->result->reason);
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
    const int order = strcmp(a->backend, b->backend);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static int by_device(const void *a, const void *b)
{
    const struct summary_row *x = a, *y = b;
    const int order = compare_devices(x->device, y->device);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static void add_table_row(struct table *table, const struct summary_row *row)
{
    for (const char *cell = text_string(&row->cells), *end; (end = strchr(cell, '\n')); cell = end + 1)
        table_add_styled(table, end[1] ? TERMINAL_PLAIN : row->style, "%.*s", (int)(end - cell), cell);
}

/* Values that all rows share, which get no columns: "On cuda:0 (NVIDIA H100): PTX, completed". */
static void print_common(const struct summary *summary, bool one_device, struct table *table)
{
    enum { DIALECT = 1, STATE = 2 };
    const struct backend_device *device = summary->rows[0].device;
    const char *dialect = table_settle(table, DIALECT), *state = table_settle(table, STATE);
    struct text line = {0};
    if (one_device)
        terminal_add(&line, "On %s (%s)", device_address(device).text, device->name);
    else if (dialect || state)
        terminal_add(&line, "All jobs");
    if (dialect || state)
        terminal_add(&line, ": %s%s%s", dialect ? dialect : "", dialect && state ? ", " : "", state ? state : "");
    if (line.size > 0)
        terminal_print(stdout, "%s\n", text_string(&line));
    text_release(&line);
}

/* Sorts the rows by device; if there are several, each has a heading. */
static void print_table(struct summary *summary)
{
    struct table table = {0};
    const struct summary_row *rows = summary->rows;
    const size_t count = summary->row_count;
    if (count == 0)
        return;
    qsort(summary->rows, count, sizeof *summary->rows, by_device);
    const bool one_device = compare_devices(rows[0].device, rows[count - 1].device) == 0;
    table_columns(&table, "test|dialect|state|>instances|->per second|>witnesses|->per instance|~");
    for (size_t i = 0; i < count; i++) {
        const struct backend_device *device = rows[i].device;
        if (!one_device && (i == 0 || compare_devices(device, rows[i - 1].device) != 0))
            table_add_heading(&table, "%s (%s)", device_address(device).text, device->name);
        add_table_row(&table, &rows[i]);
    }
    print_common(summary, one_device, &table);
    table_print(&table, stdout, 0);
    terminal_print(stdout, "\n");
    table_release(&table);
}

/* Nothing if no code could be read: then the devices have none, and each job's reason is in the
 * database. */
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
        terminal_add(&line, "Of merged tests the compiler left out or moved accesses, as the model lets it: what they "
                            "do\nnot show proves nothing.\n");
    if (by_kept[TEST_NOT_KEPT] > 0)
        terminal_add(&line, "Outcomes of tests that were not kept prove nothing about the device.\n");
    terminal_write(stdout, text_string(&line));
    text_release(&line);
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
    terminal_write(stdout, text_string(&line));
    text_release(&line);
    if (summary->by_state[JOB_UNSUPPORTED] > 0)
        terminal_print(stdout, "%zu unsupported, and left out above; the first: %s.\n",
                       summary->by_state[JOB_UNSUPPORTED], summary->unsupported);
    terminal_write(stdout, text_string(&summary->instead));
}

void summary_print(struct summary *summary, const char *database, int64_t run_id, uint64_t seed, double seconds)
{
    char path[PATH_MAX], duration[QUANTITY_SIZE];
    if (summary->jobs > 0) {
        print_table(summary);
        print_states(summary);
        print_kept(summary);
    } else
        terminal_print(stdout, "This part of the run has no tests.\n");
    if (summary->unread > 0)
        terminal_print(stdout, "%zu file%s could not be read; standard error says why.\n", summary->unread,
                       summary->unread == 1 ? "" : "s");
    terminal_print(stdout, "Stored as run %" PRId64 " in %s (seed %" PRIu64 ", %s).\n", run_id,
                   realpath(database, path) ? path : database, seed, quantity_seconds(seconds, duration));
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
