// SPDX-License-Identifier: Apache-2.0
/* The TEST arguments of a verb, and its --exclude. */
#include "cli/tests.h"

#include "base/terminal/terminal.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "kernel/target.h"

const char tests_none[] = "expected a TEST, such as 'SB*' or a path to a .litmus file";

void tests_print_unread(const struct selection *selection)
{
    for (size_t i = 0; i < selection->unread_count; i++) {
        struct error unread = {0};
        (void)error_set(&unread, STATUS_UNREADABLE, "%s", selection->unread[i]);
        (void)complain(NULL, &unread);
    }
}

static void print_notes(const struct selection *selection)
{
    for (size_t i = 0; i < selection->note_count; i++)
        terminal_print(stderr, "note: %s\n", selection->notes[i]);
}

static void print_warnings(const struct selected_test *selected)
{
    const struct litmus_test *test = selected->test;
    for (size_t i = 0; i < test->warning_count; i++) {
        const struct litmus_place place = test->warnings[i].place;
        terminal_print(stderr, "%s:%u:%u: warning: %s\n", selected->file, place.line, place.column,
                       test->warnings[i].text);
    }
}

enum status tests_select(char *const *arguments, size_t count, struct selection *selection, struct error *error)
{
    const enum status status = selection_make(arguments, count, kernel_judge, selection, error);
    print_notes(selection);
    for (size_t i = 0; status == STATUS_OK && i < selection->count; i++)
        print_warnings(&selection->tests[i]);
    tests_print_unread(selection);
    if (status != STATUS_OK)
        selection_release(selection);
    return status;
}

enum status tests_take(struct verb_call *call, const struct verb_arguments *tests, const struct exclusions *exclude,
                       struct error *error)
{
    TRY(tests_select(tests->list, tests->count, &call->selection, error));
    return exclude ? exclude_tests(exclude, &call->selection, error) : STATUS_OK;
}

int tests_exit_code(size_t unread_count, int code)
{
    const bool worse = code == 1 || code == 4 || code == 5 || code >= 128; /* docs/reference/exit-codes.md */
    return unread_count > 0 && !worse ? status_exit_code(STATUS_UNREADABLE) : code;
}

/* ---- --exclude ---- */

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
