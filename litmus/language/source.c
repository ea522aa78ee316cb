// SPDX-License-Identifier: Apache-2.0
/* The instruction at a place, as in the test's text. */
#include <string.h>

#include "litmus/litmus.h"

/* The characters that end an instruction before and after a place of its line. */
static bool ends_instruction(enum litmus_dialect dialect, char c)
{
    return strchr(litmus_has_columns(dialect) ? "|;" : ";{}", c) != NULL;
}

static const char *find_line(const char *text, unsigned number)
{
    while (text && --number > 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* Appends text without blanks at its ends; other runs of blanks and line ends become one blank. */
static void add_without_breaks(const char *from, size_t size, struct text *text)
{
    bool blank = false;
    const size_t before = text->size;
    for (size_t i = 0; i < size; i++) {
        const bool is_blank = strchr(" \t\r\n", from[i]) != NULL;
        if (blank && !is_blank && text->size > before)
            text_add_bytes(text, " ", 1);
        if (!is_blank)
            text_add_bytes(text, &from[i], 1);
        blank = is_blank;
    }
}

bool litmus_print_instruction(const struct litmus_test *test, struct litmus_place place, struct text *text)
{
    const char *line = test->text && place.line > 0 && place.column > 0 ? find_line(test->text, place.line) : NULL;
    const size_t size = line ? strcspn(line, "\n") : 0;
    const size_t before = text->size;
    size_t first = place.column - 1, end = first;
    if (!line || first >= size)
        return false;
    while (first > 0 && !ends_instruction(test->text_dialect, line[first - 1]))
        first--;
    while (line[end] && !ends_instruction(test->text_dialect, line[end]))
        end++;
    add_without_breaks(line + first, end - first, text);
    return text->size > before;
}
