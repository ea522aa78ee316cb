// SPDX-License-Identifier: Apache-2.0
/* Reports on a selection: files of a folder, a glob or an index that cannot be read, and notes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "catalogue/selection_parts.h"

static bool is_listed(const struct maker *maker, uint64_t key, const char *message)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&maker->unread, key, &step, &item);)
        if (strcmp(maker->selection->unread[item], message) == 0)
            return true;
    return false;
}

bool selection_is_fault(enum status status)
{
    return status == STATUS_SYNTAX || status == STATUS_UNREADABLE || status == STATUS_LIMIT;
}

enum status selection_pass_over(struct maker *maker, enum status status)
{
    if (!selection_is_fault(status))
        return status;
    struct selection *selection = maker->selection;
    const uint64_t key = hash_index_key(0, maker->error->text);
    maker->matched++;
    if (is_listed(maker, key, maker->error->text))
        return STATUS_OK;
    hash_index_add(&maker->unread, key, selection->unread_count);
    LIST_ADD(selection->unread, selection->unread_count, maker->unread_room) = memory_copy(maker->error->text);
    return STATUS_OK;
}

enum status selection_check_rest(const struct maker *maker)
{
    const size_t unread = maker->selection->unread_count;
    if (maker->selection->count > 0 || unread == 0)
        return STATUS_OK;
    return error_set(maker->error, STATUS_USAGE, "no test is left: %s",
                     unread == 1 ? "the only file cannot be read" : "none of the files can be read");
}

void selection_note(struct maker *maker, const char *format, ...)
{
    struct selection *selection = maker->selection;
    char note[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(note, sizeof note, format, list);
    va_end(list);
    LIST_ADD(selection->notes, selection->note_count, maker->note_room) = memory_copy(note);
}

void selection_release_unread(struct selection *selection)
{
    for (size_t i = 0; i < selection->note_count; i++)
        free(selection->notes[i]);
    free(selection->notes);
    selection->notes = NULL;
    selection->note_count = 0;
    for (size_t i = 0; i < selection->unread_count; i++)
        free(selection->unread[i]);
    free(selection->unread);
    selection->unread = NULL;
    selection->unread_count = 0;
}
