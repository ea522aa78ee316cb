// SPDX-License-Identifier: Apache-2.0
/* Cycles from their text, for tests. */
#include "tests/catalogue/cycles/cycles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"

size_t each_cycle_line(const char *name, void (*take)(char *line, void *context), void *context)
{
    char path[4096];
    struct text text = {0};
    size_t count = 0;
    (void)snprintf(path, sizeof path, "%s/tests/catalogue/cycles/%s", ORCHIL_SOURCE_DIR, name);
    read_text(path, &text);
    for (char *line = text.data, *next; line && *line; line = next) {
        char *end = strchr(line, '\n');
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (*line == '\0' || *line == '#')
            continue;
        take(line, context);
        count++;
    }
    text_release(&text);
    return count;
}

char *cut_line(char *line, const char *mark)
{
    char *found = strstr(line, mark);
    if (!found)
        fail_msg("no '%s' in: %s", mark, line);
    *found = '\0';
    return found + strlen(mark);
}
