// SPDX-License-Identifier: Apache-2.0
/* The option --exclude of the verbs that take TESTs. */
#include "cli/exclude.h"

#include "runner/kernel/target.h"

void exclude_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    struct exclusions *exclusions = (struct exclusions *)((char *)request + row->offset);
    if (exclusions->count == EXCLUSIONS_MAXIMUM)
        options_error(state, "--%s: %d at most; use an index (@FILE) for more tests", row->name, EXCLUSIONS_MAXIMUM);
    else
        exclusions->list[exclusions->count++] = (char *)(uintptr_t)value;
}

enum status exclude_tests(const struct exclusions *exclusions, struct selection *selection, struct error *error)
{
    if (exclusions->count == 0)
        return STATUS_OK;
    const enum status status = selection_exclude(selection, exclusions->list, exclusions->count, kernel_judge, error);
    if (status != STATUS_OK)
        selection_release(selection);
    return status;
}
