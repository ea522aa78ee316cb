// SPDX-License-Identifier: Apache-2.0
/* Judging again before a database is shown or decided on. */
#include "cli/judged_again.h"

#include <stdio.h>

#include "analysis/sides/side.h"
#include "base/clock.h"
#include "base/terminal/terminal.h"
#include "runner/run/rejudge.h"

static const double test_seconds = 10, all_seconds = 120;

static void show_progress(size_t done, size_t all, void *context)
{
    struct progress_line *progress = context;
    struct text line = {0};
    if (!progress_due(progress, stderr))
        return;
    text_add(&line, "judging again because a model has changed: %zu of %zu tests", done, all);
    progress_show(progress, stderr, text_string(&line));
    text_release(&line);
}

enum status judged_again_prepare(struct store *store, int64_t run, struct error *error)
{
    struct progress_line progress = {.last = clock_seconds()}; /* none if it is done soon */
    const struct rejudge options = {.run = run,
                                    .test_seconds = test_seconds,
                                    .seconds = all_seconds,
                                    .went_on = show_progress,
                                    .context = &progress};
    size_t count;
    const enum status status = rejudge(store, &options, error);
    progress_clear(&progress, stderr);
    const struct store_change *changes = store_changes(store, &count);
    struct text start = {0}, lines = {0};
    terminal_add_safe(&start, store_path(store));
    text_add(&start, ": ");
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        side_describe_change(&changes[i], text_string(&start), &lines);
    terminal_write(stderr, text_string(&lines));
    text_release(&start);
    text_release(&lines);
    return status;
}
