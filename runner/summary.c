// SPDX-License-Identifier: Apache-2.0
#include "runner/summary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "runner/kernel/kernel.h"

void summary_add(struct summary *summary, const struct job_report *report)
{
    const struct tally *tally = report->tally;
    const uint64_t counted = tally->instances - tally->void_instances;
    const bool forbidden = report_forbidden(report) > 0;
    const bool alarm = forbidden || (report->must_not_appear && tally->witnesses > 0);
    char number[QUANTITY_SIZE];
    if (summary->jobs++ == 0)
        table_columns(&summary->table, "test|dialect|device|state|>instances|>per second|>witnesses|>per instance|");
    summary->by_state[report->result->state]++;
    summary->alarms += alarm;
    const bool progress = kernel_is_progress(report->test) && tally->instances > 0;
    /* That threads gave up is what a progress test has to say. */
    summary->counted += report->result->state == JOB_COMPLETED && (counted > 0 || progress);
    if (report->result->state == JOB_UNSUPPORTED) {
        if (summary->unsupported[0] == '\0')
            (void)snprintf(summary->unsupported, sizeof summary->unsupported, "%s: %.160s", report->test->name,
                           report->result->reason);
        return;
    }
    if (report->result->state == JOB_NOT_RUN && summary->stopped)
        return; /* how many there are is said; a row for each would hide those that ran */

    table_add(&summary->table, "%s%s", report->controlled ? "  " : "", report->test->name);
    table_add(&summary->table, "%s", litmus_dialect_name(report->test->dialect));
    table_add(&summary->table, "%s:%u", report->device->backend, report->device->index);
    table_add(&summary->table, "%s", job_state_text(report->result->state));
    table_add(&summary->table, "%s", quantity_count(tally->instances, number));
    table_add(&summary->table, "%s",
              tally->seconds > 0 ? quantity_short((double)tally->instances / tally->seconds, number) : "");
    table_add(&summary->table, "%s", tally->batches > 0 ? quantity_count(tally->witnesses, number) : "");
    if (counted == 0)
        table_add(&summary->table, "%s", "");
    else if (tally->witnesses == 0)
        table_add(&summary->table, "< %.1e", 3 / (double)counted);
    else
        table_add(&summary->table, "%.1e", (double)tally->witnesses / (double)counted);
    char gave_up[2 * QUANTITY_SIZE] = "";
    if (progress)
        (void)snprintf(gave_up, sizeof gave_up, "%sgave up: %s", report->controlled ? " " : "",
                       quantity_count(report_gave_up(tally), number));
    table_add_styled(&summary->table, alarm ? TERMINAL_BAD : TERMINAL_PLAIN, "%s%s%s%s%s",
                     report->controlled ? "control" : "", gave_up,
                     forbidden ? " FORBIDDEN"
                     : alarm   ? " MUST NOT APPEAR"
                               : "",
                     report->undeclared ? " not promised by this device" : "",
                     report->detached ? " not co-resident" : "");
}

static void print_states(const struct summary *summary)
{
    (void)printf("%zu job%s:", summary->jobs, summary->jobs == 1 ? "" : "s");
    for (int state = 0, shown = 0; state < JOB_STATE_COUNT; state++)
        if (summary->by_state[state] > 0)
            (void)printf("%s %zu %s", shown++ > 0 ? "," : "", summary->by_state[state],
                         job_state_text((enum job_state)state));
    (void)printf(". ");
    if (summary->alarms > 0)
        (void)printf("%s%zu showed an outcome that must never appear.%s\n",
                     terminal_style(terminal_has_colours(stdout), TERMINAL_BAD), summary->alarms,
                     terminal_style(terminal_has_colours(stdout), TERMINAL_PLAIN));
    else if (summary->counted == 0)
        (void)printf("Nothing was counted, so nothing is shown.\n");
    else
        (void)printf("No outcome was seen that must never appear.\n");
    if (summary->by_state[JOB_UNSUPPORTED] > 0)
        (void)printf("%zu unsupported, and left out above; the first: %s.\n", summary->by_state[JOB_UNSUPPORTED],
                     summary->unsupported);
}

void summary_print(const struct summary *summary, const char *database, int64_t run_id, uint64_t seed, double seconds)
{
    char path[PATH_MAX], duration[QUANTITY_SIZE];
    (void)table_print(&summary->table, stdout, 0);
    (void)printf("\n");
    print_states(summary);
    (void)printf("Stored as run %" PRId64 " in %s (seed %" PRIu64 ", %s).\n", run_id,
                 realpath(database, path) ? path : database, seed, quantity_seconds(seconds, duration));
}

int summary_exit_code(const struct summary *summary)
{
    const size_t *by_state = summary->by_state;
    if (summary->alarms > 0)
        return 1;
    if (by_state[JOB_HANG] + by_state[JOB_CRASH] + by_state[JOB_BUILD_FAILED] + by_state[JOB_DEVICE_LOST] +
            by_state[JOB_NOT_RUN] >
        0)
        return 4;
    return summary->counted == 0 || by_state[JOB_INVALID] > 0 ? 3 : 0;
}

void summary_release(struct summary *summary)
{
    table_release(&summary->table);
}
