// SPDX-License-Identifier: Apache-2.0
/* Reports models that have changed since they judged, and databases that could not be read. */
#include <inttypes.h>
#include <string.h>

#include "analysis/sides/side_job.h"
#include "base/json.h"
#include "base/terminal/terminal.h"

void side_describe_change(const struct store_change *change, const char *start, struct text *text)
{
    struct text model = {0};
    terminal_add_safe(&model, change->model);
    if (change->judged > 0)
        text_add(text, "%s%" PRIu64 " %s judged again: the model %s has changed since run %" PRId64 ".\n", start,
                 change->judged, change->judged == 1 ? "test was" : "tests were", text_string(&model), change->run_id);
    if (change->kept > 0) {
        text_add(text, "%s%" PRIu64 " %s the verdicts that the model %s gave%s.\n%s", start, change->kept,
                 change->kept == 1 ? "test keeps" : "tests keep", text_string(&model),
                 *change->hash ? " before it changed" : "", start);
        terminal_add_safe(text, change->why);
        text_add(text, ".\n");
    }
    text_release(&model);
}

/* ---- drivers ---- */

static bool same_device(const struct store_job_row *a, const struct store_job_row *b)
{
    return strcmp(a->backend, b->backend) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->device_uuid, b->device_uuid) == 0;
}

/* Lists the drivers of the device of jobs[at], separated by commas; returns their number, 0 if an
 * earlier job has that device. */
static size_t list_drivers(const struct side *side, size_t at, struct text *drivers)
{
    const struct store_job_row *of = &side->jobs[at].row;
    size_t count = 0;
    for (size_t i = 0; i < at; i++)
        if (same_device(&side->jobs[i].row, of))
            return 0;
    for (size_t i = at; i < side->job_count; i++) {
        const struct store_job_row *row = &side->jobs[i].row;
        bool known = !same_device(row, of);
        for (size_t k = at; k < i && !known; k++)
            known = same_device(&side->jobs[k].row, of) && strcmp(side->jobs[k].row.driver, row->driver) == 0;
        if (known)
            continue;
        text_add(drivers, count++ > 0 ? ", " : "");
        terminal_add_safe(drivers, row->driver);
    }
    return count;
}

void side_describe_drivers(const struct side *side, const char *start, struct text *text)
{
    for (size_t i = 0; i < side->job_count; i++) {
        struct text drivers = {0};
        const size_t count = list_drivers(side, i, &drivers);
        if (count > 1) {
            text_add(text, "%sThe runs on ", start);
            terminal_add_safe(text, side->jobs[i].row.device);
            text_add(text,
                     " are of %zu drivers (%s), so they do not show how much runs of one driver vary: name the runs "
                     "or databases of one of them.\n",
                     count, text_string(&drivers));
        }
        text_release(&drivers);
    }
}

/* ---- databases that could not be read ---- */

struct json_t *side_pack_unread(const struct side_unread *unread, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, json_pack("{so so}", "file", json_text(unread[i].database), "reason",
                                     json_text(unread[i].error.text)));
    return array;
}

struct json_t *side_pack_changes(const struct side *side)
{
    json_t *array = json_array();
    for (size_t i = 0; i < side->change_count; i++) {
        const struct store_change *change = &side->changes[i];
        json_append(array,
                    json_pack("{so so so so so so so}", "model", json_text(change->model), "stored_hash",
                              json_text(change->stored_hash), "hash",
                              *change->hash ? json_text(change->hash) : json_null(), "last_run",
                              json_integer(change->run_id), "judged_again", json_count(change->judged), "kept",
                              json_count(change->kept), "why", *change->why ? json_text(change->why) : json_null()));
    }
    return array;
}
