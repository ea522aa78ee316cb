// SPDX-License-Identifier: Apache-2.0
/* An error on standard error, and its exit code. */
#include "cli/complaint.h"

#include <stdio.h>

#include "base/terminal/terminal.h"

int complain(const char *verb, const struct error *error)
{
    struct text detail = {0};
    const bool in_file = error->status == STATUS_SYNTAX || error->status == STATUS_UNREADABLE;
    terminal_print(stderr, "%s%s%s\n", in_file || !verb ? "" : verb, in_file || !verb ? "" : ": ", error->text);
    terminal_add_indented(&detail, "  ", error->detail);
    terminal_write(stderr, text_string(&detail));
    text_release(&detail);
    return status_exit_code(error->status);
}

size_t complain_of_unread(const char *verb, const struct side *side)
{
    for (size_t i = 0; i < side->unread_count; i++)
        (void)complain(verb, &side->unread[i].error);
    return side->unread_count;
}
