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

struct family {
    const char *path; /* path of one of its files: starts with the name */
    size_t length;
    size_t counts[LITMUS_DIALECT_COUNT], total;
};

static int compare_families(const void *left, const void *right)
{
    const struct family *a = left, *b = right;
    return catalogue_compare_families(a->path, a->length, b->path, b->length);
}

/* One item for each family, in the order of families.txt. */
static struct family *count_families(const struct catalogue *catalogue, size_t *count)
{
    struct family *families = memory_take(catalogue->count, sizeof *families);
    *count = 0;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct catalogue_entry *entry = &catalogue->entries[i];
        const size_t length = catalogue_family(entry->file->path);
        size_t at = *count; /* files of a family are adjacent */
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
        const struct catalogue_family_line line = catalogue_family_line(families[i].path, families[i].length);
        table_add_styled(&table, TERMINAL_STRONG, "%.*s", families[i].length > 0 ? (int)families[i].length : 1,
                         families[i].length > 0 ? families[i].path : ".");
        add_counts(&table, &families[i], &total);
        table_add(&table, "%.*s%s%.*s", (int)line.title.size, line.title.start, line.title.size > 0 ? ": " : "",
                  (int)line.question.size, line.question.start);
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
