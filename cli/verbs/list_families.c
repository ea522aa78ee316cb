// SPDX-License-Identifier: Apache-2.0
/* orchil list without TESTs: the families of the catalogue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "catalogue/catalogue.h"
#include "cli/complaint.h"
#include "cli/verbs/list.h"
#include "litmus/cycles/cycle.h"

/* tests-litmus/families.txt: lines of a family's name, blanks, and what its tests ask; '#' starts a comment. */
extern const char catalogue_families[];

struct family {
    const char *path; /* of one of its files: starts with the name */
    size_t length;
    size_t counts[LITMUS_DIALECT_COUNT], total;
};

static int compare_families(const void *left, const void *right)
{
    const struct family *a = left, *b = right;
    char names[2][256];
    (void)snprintf(names[0], sizeof names[0], "%.*s", (int)a->length, a->path);
    (void)snprintf(names[1], sizeof names[1], "%.*s", (int)b->length, b->path);
    return catalogue_compare_names(names[0], names[1]);
}

/* One item for each family, in the order of their names. */
static struct family *count_families(const struct catalogue *catalogue, size_t *count)
{
    struct family *families = memory_take(catalogue->count, sizeof *families);
    *count = 0;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct catalogue_entry *entry = &catalogue->entries[i];
        const size_t length = catalogue_family(entry->file->path);
        size_t at = *count; /* files of a family stand together */
        while (at > 0 &&
               (families[at - 1].length != length || memcmp(families[at - 1].path, entry->file->path, length) != 0))
            at--;
        if (at == 0) {
            families[*count] = (struct family){.path = entry->file->path, .length = length};
            at = ++*count;
        }
        families[at - 1].counts[entry->dialect]++;
        families[at - 1].total++;
    }
    if (*count > 1)
        qsort(families, *count, sizeof *families, compare_families);
    return families;
}

/* The sentence of a family: of the file, else what the family of cycles of that name asks; of length 0 where there is
 * none. */
static size_t question_of(const struct family *family, const char **question)
{
    for (const char *line = catalogue_families; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t name = strcspn(line, " \t\n");
        if (name != family->length || strncmp(line, family->path, name) != 0)
            continue;
        *question = line + name + strspn(line + name, " \t");
        return strcspn(*question, "\n");
    }
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)family->length, family->path);
    *question = cycle_question(name);
    if (!*question)
        *question = "";
    return strlen(*question);
}

static void add_counts(struct table *table, const struct family *family, const struct family *total)
{
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        char count[QUANTITY_SIZE];
        if (total->counts[dialect] > 0)
            table_add(table, "%s", family->counts[dialect] > 0 ? quantity_count(family->counts[dialect], count) : "");
    }
    char count[QUANTITY_SIZE];
    table_add(table, "%s", quantity_count(family->total, count));
}

static void print_families(const struct family *families, size_t count)
{
    struct table table = {0};
    struct text titles = {0};
    struct family total = {.path = ""};
    for (size_t i = 0; i < count; i++) {
        for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
            total.counts[dialect] += families[i].counts[dialect];
        total.total += families[i].total;
    }
    text_add(&titles, "Family");
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        if (total.counts[dialect] > 0)
            text_add(&titles, "|>%s", litmus_dialect_name((enum litmus_dialect)dialect));
    text_add(&titles, "|>Tests|What it asks");
    table_columns(&table, text_string(&titles));
    for (size_t i = 0; i < count; i++) {
        const char *question;
        const size_t length = question_of(&families[i], &question);
        table_add_styled(&table, TERMINAL_STRONG, "%.*s", families[i].length > 0 ? (int)families[i].length : 1,
                         families[i].length > 0 ? families[i].path : ".");
        add_counts(&table, &families[i], &total);
        table_add(&table, "%.*s", (int)length, question);
    }
    table_add_styled(&table, TERMINAL_STRONG, "all");
    add_counts(&table, &total, &total);
    table_add(&table, "%s", "");
    table_print(&table, stdout, 0);
    table_release(&table);
    text_release(&titles);
}

static void print_indices(void)
{
    struct text line = {0};
    terminal_add(&line, "\nSuites and other indices:");
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (catalogue_files[i].path[0] == '@')
            terminal_add(&line, " %s", catalogue_files[i].path);
    terminal_add(
        &line,
        "\n'orchil list FAMILY' shows the tests of a family, \"orchil list '*'\" all of them; 'orchil show TEST' "
        "one.\n");
    terminal_write(stdout, text_string(&line));
    text_release(&line);
}

int list_families(void)
{
    struct catalogue catalogue;
    size_t count;
    catalogue_open(&catalogue);
    struct family *families = count_families(&catalogue, &count);
    print_families(families, count);
    print_indices();
    free(families);
    catalogue_release(&catalogue);
    return 0;
}
