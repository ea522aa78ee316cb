// SPDX-License-Identifier: Apache-2.0
/* --atomics: the user's own atomics. */
#include "cli/atomics.h"

#include "litmus/language/user_atomics.h"

enum { MAXIMUM_VALUES = 64 /* of an option that may be given several times */ };

static struct {
    struct user_atomics_request request;
    const char *folders[MAXIMUM_VALUES + 1], *definitions[MAXIMUM_VALUES + 1];
    size_t folder_count, definition_count;
} given;

void atomics_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    (void)request;
    const bool folder = strcmp(row->name, "atomics-include") == 0;
    if (strcmp(row->name, "atomics") == 0)
        given.request.file = value;
    else if (strcmp(row->name, "atomics-only") == 0)
        given.request.only = true;
    else if ((folder ? given.folder_count : given.definition_count) == MAXIMUM_VALUES)
        options_error(state, "--%s: %d at most", row->name, MAXIMUM_VALUES);
    else if (folder)
        given.folders[given.folder_count++] = value;
    else
        given.definitions[given.definition_count++] = value;
}

enum status atomics_take(struct error *error)
{
    given.request.folders = given.folders;
    given.request.definitions = given.definitions;
    if (!given.request.file)
        return given.folder_count + given.definition_count > 0 || given.request.only
                   ? error_set(error, STATUS_USAGE,
                               "--atomics-include, --atomics-define and --atomics-only require a header: name it with "
                               "--atomics")
                   : STATUS_OK;
    TRY(user_atomics_load(&given.request, error));
    LOCAL(text) names = {0};
    user_atomics_add_names(&names);
    terminal_print(stderr, "Atomics of %s: %s; all others are %s.\n", user_atomics_name(), text_string(&names),
                   given.request.only ? "refused" : "built in");
    return STATUS_OK;
}
