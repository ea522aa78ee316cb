// SPDX-License-Identifier: Apache-2.0
/* How an outcome's cycle is printed. */
#include "cli/print/explanation.h"

#include <string.h>

#include "base/terminal/terminal.h"

/* Where the second part of a line starts: behind "P1 line 7: ", or behind its blanks. */
static size_t hanging_indent(const char *line)
{
    const size_t blanks = strspn(line, " ");
    const char *colon = strstr(line, ": ");
    return blanks > 0 || !colon ? blanks : (size_t)(colon - line) + 2;
}

/* How much of the text fits the room: up to the last blank in it, or all of the room where a word fills it. */
static size_t cut_at_blank(const char *text, size_t size, size_t room)
{
    size_t cut = room;
    if (size <= room)
        return size;
    while (cut > 0 && text[cut] != ' ')
        cut--;
    return cut > 0 ? cut : room;
}

static void add_line(const char *line, unsigned indent, unsigned width, struct text *lines)
{
    const size_t hanging = hanging_indent(line);
    const size_t room = width > indent + 2 * hanging ? width - indent - hanging : 0; /* 0: too narrow to go on below */
    const char *rest = line + hanging;
    terminal_add(lines, "%*s%.*s", (int)indent, "", (int)hanging, line);
    for (bool first = true; first || *rest; first = false) {
        const size_t size = room > 0 ? cut_at_blank(rest, strlen(rest), room) : strlen(rest);
        if (!first)
            terminal_add(lines, "%*s", (int)(indent + hanging), "");
        terminal_add(lines, "%.*s\n", (int)size, rest);
        rest += size;
        rest += strspn(rest, " ");
    }
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
