// SPDX-License-Identifier: Apache-2.0
/* orchil inspect with several compilers: which there are, and in which tests they differ. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "cli/verbs/verb_inspect.h"
#include "inspect/compile/inspect_many.h"
#include "kernel/typical_device.h"

/* ---- for people ---- */

void inspect_print_findings(const struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->finding_count; i++)
        terminal_print(stdout, "  %s: %s\n", inspect_fault_word(inspection->findings[i].fault),
                       inspection->findings[i].text);
}

enum { MAXIMUM_COLUMNS = 64, MAXIMUM_BASELINE = 16 * 1024 * 1024 };

/* ---- compilers and targets ---- */

/* The next part of a list, as a copy; NULL at its end. */
static char *next_part(const char **list)
{
    const size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    char *part = memory_copy_part(*list, length);
    *list += length + ((*list)[length] == ',');
    return part;
}

static enum status read_target(const char *part, const struct inspect_target *before, struct inspect_target *target,
                               struct error *error)
{
    struct text word = {0};
    const bool whole = !before->machine || !before->processor[0] || strcmp(part, "spirv") == 0 ||
                       (strchr(part, ':') && strncmp(part, "gfx", 3) != 0);
    text_add(&word, "%s%s%s", whole ? "" : before->machine, whole ? "" : ":", part);
    const enum status status = inspect_target_read(text_string(&word), target, error);
    text_release(&word);
    return status;
}

static enum status add_compilers(const char *compilers, const struct inspect_target *target,
                                 struct inspect_columns *columns, struct error *error)
{
    char *part;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && (part = next_part(&compilers)) != NULL) {
        if (columns->count == MAXIMUM_COLUMNS) {
            free(part);
            return error_set(error, STATUS_USAGE, "more than %d pairs of a compiler and a target", MAXIMUM_COLUMNS);
        }
        struct inspect_column *column = &columns->items[columns->count++];
        *column = (struct inspect_column){.compiler = part, .target = *target};
        status = inspect_compiler_find(part, &column->kind, error);
        if (status == STATUS_OK)
            status = column->kind->version(part, column->version, error);
        if (status == STATUS_OK)
            status = column->kind->check(part, target, error);
    }
    return status;
}

enum status inspect_columns_read(const char *compilers, const char *targets, struct inspect_columns *columns,
                                 struct error *error)
{
    struct inspect_target target = {0};
    char *part;
    enum status status = STATUS_OK;
    *columns = (struct inspect_columns){.items = memory_take(MAXIMUM_COLUMNS, sizeof *columns->items)};
    while (status == STATUS_OK && (part = next_part(&targets)) != NULL) {
        struct inspect_target next;
        status = read_target(part, &target, &next, error);
        if (status == STATUS_OK)
            status = add_compilers(compilers, &next, columns, error);
        target = next;
        free(part);
    }
    if (status == STATUS_OK && columns->count == 0)
        return error_set(error, STATUS_USAGE,
                         "--compiler and --target go together: a compiler such as clang-19, and a target such as "
                         "amdgcn:gfx90a; `orchil inspect --compilers` lists what is installed");
    return status;
}

void inspect_columns_release(struct inspect_columns *columns, size_t tests)
{
    for (size_t c = 0; c < columns->count; c++) {
        for (size_t t = 0; columns->items[c].results && t < tests; t++)
            inspection_release(&columns->items[c].results[t].inspection);
        free(columns->items[c].results);
        free(columns->items[c].compiler);
    }
    free(columns->items);
}

/* ---- differences ---- */

/* "opencl:MP+relaxed", as on the command line. */
static void add_test(const struct selected_test *selected, struct text *text)
{
    catalogue_add_dialect(selected->test->dialect, text);
    text_add(text, ":%s", selected->test->name);
}

static bool same_target(const struct inspect_column *a, const struct inspect_column *b)
{
    return a->target.machine == b->target.machine && strcmp(a->target.processor, b->target.processor) == 0 &&
           strcmp(a->target.mode, b->target.mode) == 0;
}

static enum kept kept_by(const struct inspect_column *column, size_t test)
{
    return column->results[test].inspection.kept;
}

static const char *kept_phrase(enum kept kept)
{
    static const char *const phrases[KEPT_COUNT] = {[TEST_KEPT] = "kept",
                                                    [TEST_MERGED] = "merged",
                                                    [TEST_NOT_KEPT] = "not kept",
                                                    [TEST_NOT_INSPECTED] = "not inspected"};
    return phrases[kept];
}

/* The compiler before this one for the same target; or NULL. */
static const struct inspect_column *column_before(const struct inspect_columns *columns, size_t column)
{
    return column > 0 && same_target(&columns->items[column - 1], &columns->items[column]) ? &columns->items[column - 1]
                                                                                           : NULL;
}

/* Whether a compiler made of the test what it may make of it. */
static bool is_fine(const struct inspect_column *column, size_t test)
{
    return !kept_is_worse(kept_by(column, test), TEST_MERGED);
}

static bool is_lost(const struct inspect_column *before, const struct inspect_column *now, size_t test)
{
    return is_fine(before, test) && !is_fine(now, test);
}

static void print_why(const struct inspection *inspection)
{
    if (inspection->kept == TEST_NOT_INSPECTED)
        terminal_print(stdout, "  %s\n", inspection->reason);
    inspect_print_findings(inspection);
}

static void print_difference(const struct inspect_column *before, const struct inspect_column *now,
                             const struct selected_test *selected, size_t test)
{
    struct text target = {0};
    inspect_target_add(&now->target, &target);
    terminal_print(stdout, "%s: %s (%s): %s by %s, %s by %s\n", text_string(&target), selected->test->name,
                   litmus_dialect_name(selected->test->dialect), kept_phrase(kept_by(before, test)), before->version,
                   kept_phrase(kept_by(now, test)), now->version);
    print_why(&now->results[test].inspection);
    text_release(&target);
}

static void inspect_compilers_print_table(const struct inspect_columns *columns, size_t tests)
{
    struct table table = {0};
    table_columns(&table, "~target|~compiler|>kept|>merged|>not kept|>not inspected");
    for (size_t c = 0; c < columns->count; c++) {
        const struct inspect_column *column = &columns->items[c];
        struct text target = {0};
        size_t counts[KEPT_COUNT] = {0};
        for (size_t t = 0; t < tests; t++)
            counts[kept_by(column, t)]++;
        inspect_target_add(&column->target, &target);
        table_add(&table, "%s", text_string(&target));
        table_add(&table, "%s", column->version);
        table_add(&table, "%zu", counts[TEST_KEPT]);
        table_add(&table, "%zu", counts[TEST_MERGED]);
        table_add(&table, "%zu", counts[TEST_NOT_KEPT]);
        table_add(&table, "%zu", counts[TEST_NOT_INSPECTED]);
        text_release(&target);
    }
    table_print(&table, stdout, 0);
    table_release(&table);
}

size_t inspect_columns_compare(const struct inspect_columns *columns, const struct selection *selection, bool print)
{
    size_t lost = 0;
    for (size_t c = 0; c < columns->count; c++) {
        const struct inspect_column *before = column_before(columns, c), *now = &columns->items[c];
        for (size_t t = 0; before && t < selection->count; t++) {
            lost += is_lost(before, now, t);
            if (print && kept_by(before, t) != kept_by(now, t))
                print_difference(before, now, &selection->tests[t], t);
        }
    }
    if (print)
        inspect_compilers_print_table(columns, selection->count);
    return lost;
}

void inspect_columns_add_markdown(const struct inspect_columns *columns, const struct selection *selection,
                                  struct text *text)
{
    text_add(text, "| target | test | before | now | why |\n| --- | --- | --- | --- | --- |\n");
    for (size_t c = 0; c < columns->count; c++) {
        const struct inspect_column *before = column_before(columns, c), *now = &columns->items[c];
        for (size_t t = 0; before && t < selection->count; t++) {
            if (kept_by(before, t) == kept_by(now, t))
                continue;
            text_add(text, "| ");
            inspect_target_add(&now->target, text);
            text_add(text, " | `");
            add_test(&selection->tests[t], text);
            text_add(text, "` | %s, %s | %s, %s | ", before->version, kept_phrase(kept_by(before, t)), now->version,
                     kept_phrase(kept_by(now, t)));
            for (const char *at = now->results[t].inspection.reason; *at; at++) /* a cell has no | */
                text_add(text, *at == '|' || (unsigned char)*at < ' ' ? " " : "%.1s", at);
            text_add(text, " |\n");
        }
    }
}

/* ---- baselines ---- */

static void inspect_compilers_add_name(const struct inspect_column *column, const struct selected_test *selected,
                                       struct text *text)
{
    inspect_target_add(&column->target, text);
    text_add(text, " ");
    add_test(selected, text);
    text_add(text, "\n");
}

enum status inspect_baseline_write(const char *path, const struct inspect_columns *columns,
                                   const struct selection *selection, struct error *error)
{
    struct text text = {0};
    text_add(&text,
             "# Tests that compilers kept or merged: target, test. orchil inspect --baseline compares with them.\n");
    for (size_t c = 0; c < columns->count; c++)
        for (size_t t = 0; t < selection->count; t++)
            if (is_fine(&columns->items[c], t))
                inspect_compilers_add_name(&columns->items[c], &selection->tests[t], &text);
    const enum status status = file_write_whole(path, text_string(&text), text.size, error);
    text_release(&text);
    return status;
}

/* Whether the text has the line. */
static bool has_line(const char *text, const char *line)
{
    for (const char *found = strstr(text, line); found; found = strstr(found + 1, line))
        if (found == text || found[-1] == '\n')
            return true;
    return false;
}

enum status inspect_baseline_compare(const char *path, const struct inspect_columns *columns,
                                     const struct selection *selection, bool print, size_t *lost, struct error *error)
{
    struct text baseline = {0}, line = {0};
    *lost = 0;
    TRY(file_read_whole(path, MAXIMUM_BASELINE, &baseline, error));
    for (size_t c = 0; c < columns->count; c++)
        for (size_t t = 0; t < selection->count; t++) {
            const struct inspect_column *column = &columns->items[c];
            text_clear(&line);
            inspect_compilers_add_name(column, &selection->tests[t], &line);
            if (is_fine(column, t) || !has_line(text_string(&baseline), text_string(&line)))
                continue;
            ++*lost;
            if (!print)
                continue;
            terminal_print(stdout, "%.*s: kept or merged in the baseline, %s by %s\n", (int)(line.size - 1),
                           text_string(&line), kept_phrase(kept_by(column, t)), column->version);
            print_why(&column->results[t].inspection);
        }
    text_release(&baseline);
    text_release(&line);
    return STATUS_OK;
}

/* ---- what is installed ---- */

void inspect_compilers_print(void)
{
    struct table table = {0};
    table_columns(&table, "~compiler|~version|~targets");
    for (size_t k = 0; inspect_compiler_kinds[k]; k++)
        for (const char *const *word = inspect_compiler_kinds[k]->words; *word; word++) {
            const struct inspect_compiler_kind *kind = inspect_compiler_kinds[k];
            char version[128];
            struct text targets = {0};
            struct error error;
            const bool found = kind->version(*word, version, &error) == STATUS_OK;
            if (found && kind->targets)
                text_add(&targets, "%s", kind->targets);
            else if (found)
                kind->add_targets(*word, &targets);
            table_add(&table, "%s", *word);
            table_add(&table, "%s", found ? version : "absent");
            table_add(&table, "%s", found ? text_string(&targets) : error.text);
            text_release(&targets);
        }
    table_print(&table, stdout, 0);
    table_release(&table);
}
