// SPDX-License-Identifier: Apache-2.0
/* The families: their order and texts, from tests-litmus/families.txt. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "catalogue/catalogue.h"
#include "catalogue/cycles/cycle.h"

static const char blanks[] = " \t";

/* The next column of a line, which ends at '|', without the blanks around it. */
static struct catalogue_words take_column(const char **at, const char *end)
{
    const char *const bar = memchr(*at, '|', (size_t)(end - *at));
    const char *start = *at, *stop = bar ? bar : end;
    while (start < stop && strchr(blanks, *start))
        start++;
    while (stop > start && strchr(blanks, stop[-1]))
        stop--;
    *at = bar ? bar + 1 : end;
    return (struct catalogue_words){start, (size_t)(stop - start)};
}

/* "[Classic shapes]": the heading of the lines below it. */
static bool is_heading(const char *line)
{
    return *line == '[';
}

/* If there is none, order is SIZE_MAX and the words are empty. */
static struct catalogue_family_line find_line(const char *name, size_t length)
{
    struct catalogue_family_line family = {
        .order = SIZE_MAX, .heading = {"", 0}, .title = {"", 0}, .question = {"", 0}};
    struct catalogue_words heading = {"", 0};
    size_t order = 0;
    for (const char *line = catalogue_families; *line;) {
        const char *const end = line + strcspn(line, "\n");
        const char *at = line;
        const struct catalogue_words folder = take_column(&at, end);
        if (is_heading(line))
            heading = (struct catalogue_words){line + 1, strcspn(line + 1, "]\n")};
        order += *line != '#' && folder.size > 0;
        if (*line != '#' && folder.size == length && memcmp(folder.start, name, length) == 0) {
            family.order = order;
            family.heading = heading;
            family.title = take_column(&at, end);
            family.question = take_column(&at, end);
            return family;
        }
        line = end + (*end == '\n');
    }
    return family;
}

static struct catalogue_words words_of(const struct cycle_words *words)
{
    const char *text = words ? words->english : "";
    return (struct catalogue_words){text, strlen(text)};
}

struct catalogue_family_line catalogue_family_line(const char *name, size_t length)
{
    struct catalogue_family_line family = find_line(name, length);
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    if (family.title.size == 0)
        family.title = words_of(cycle_title(copy));
    if (family.question.size == 0)
        family.question = words_of(cycle_question(copy));
    return family;
}

int catalogue_compare_families(const char *left, size_t left_length, const char *right, size_t right_length)
{
    const size_t a = find_line(left, left_length).order, b = find_line(right, right_length).order;
    char names[2][512];
    (void)snprintf(names[0], sizeof names[0], "%.*s", (int)left_length, left);
    (void)snprintf(names[1], sizeof names[1], "%.*s", (int)right_length, right);
    return a != b ? (a < b ? -1 : 1) : catalogue_compare_names(names[0], names[1]);
}
