// SPDX-License-Identifier: Apache-2.0
/* An error on standard error, and its exit code. */
#include "cli/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal/terminal.h"

/* Lines of a driver or of a file: bytes that could steer a terminal are replaced. */
static void print_lines(const char *lines)
{
    while (*lines) {
        struct text line = {0};
        const size_t size = strcspn(lines, "\n");
        char *copy = memory_copy_part(lines, size);
        terminal_add_safe(&line, copy);
        (void)fprintf(stderr, "  %s\n", text_string(&line));
        text_release(&line);
        free(copy);
        lines += size + (lines[size] == '\n' ? 1 : 0);
    }
}

int complain(const char *verb, const struct error *error)
{
    struct text message = {0};
    const bool in_file = error->status == STATUS_SYNTAX || error->status == STATUS_UNREADABLE;
    terminal_add_safe(&message, error->text);
    (void)fprintf(stderr, "%s%s%s\n", in_file || !verb ? "" : verb, in_file || !verb ? "" : ": ",
                  text_string(&message));
    print_lines(error->detail);
    text_release(&message);
    return status_exit_code(error->status);
}
