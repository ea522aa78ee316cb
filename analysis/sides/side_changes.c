// SPDX-License-Identifier: Apache-2.0
/* What is said of models that have changed since they judged, and of databases that could not be read. */
#include <inttypes.h>

#include "analysis/sides/side.h"
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

struct json_t *side_pack_unread(const struct side *side)
{
    json_t *array = json_array();
    for (size_t i = 0; i < side->unread_count; i++)
        json_append(array, json_pack("{so so}", "file", json_text(side->unread[i].database), "reason",
                                     json_text(side->unread[i].error.text)));
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
