// SPDX-License-Identifier: Apache-2.0
/* Prints an outcome's cycle. */
#include "cli/print/explanation.h"

#include <string.h>

#include "base/terminal/terminal.h"

/* The start of the second part of a line: after "P1 line 7: ", or after its blanks. */
static size_t hanging_indent(const char *line)
{
    const size_t blanks = strspn(line, " ");
    const char *colon = strstr(line, ": ");
    return blanks > 0 || !colon ? blanks : (size_t)(colon - line) + 2;
}

/* A line is not broken if the rest would not fit below it, or if there is no terminal. */
static void add_line(const char *line, unsigned indent, unsigned width, struct text *lines)
{
    const size_t hanging = hanging_indent(line);
    struct text whole = {0};
    terminal_add(&whole, "%*s%s", (int)indent, "", line);
    if (width > indent + 2 * hanging)
        terminal_wrap_line(lines, text_string(&whole), whole.size, width, indent + hanging);
    else
        text_add_bytes(lines, text_string(&whole), whole.size);
    text_add(lines, "\n");
    text_release(&whole);
}

void explanation_print(const char *cycle, unsigned indent)
{
    const unsigned width = terminal_width(stdout);
    struct text lines = {0};
    while (*cycle) {
        const size_t size = strcspn(cycle, "\n");
        struct text line = {0};
        text_add_bytes(&line, cycle, size);
        add_line(text_string(&line), indent, width, &lines);
        text_release(&line);
        cycle += size + (cycle[size] == '\n');
    }
    terminal_write_source(stdout, text_string(&lines)); /* already as wide as the terminal */
    text_release(&lines);
}
