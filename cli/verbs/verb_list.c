// SPDX-License-Identifier: Apache-2.0
/* orchil list: the tests of the catalogue, or the named tests. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "cli/complaint.h"
#include "cli/exclude.h"
#include "cli/test_json.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "cli/verbs/list.h"

struct list_request {
    bool json, pairs;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct list_request, member)

static const struct option_row list_rows[] = {
    {"json", 'j', NULL, OPTION_SET, AT(json), .help = "print a JSON array with one object per test"},
    {"pairs", 'p', NULL, OPTION_SET, AT(pairs),
     .help = "print the tests that belong to each test: mutants of a forbidden one, controls of an allowed one"},
    {ROW_EXCLUDE(AT(exclude))},
    {0}};

static const char documentation[] =
    "List litmus tests: the families of the catalogue, or the tests that are named.\v"
    "A TEST is a name in the catalogue, a glob, a FAMILY, a .litmus file, a folder, or an index: @NAME, a file "
    "with one TEST per line. A file with axes stands for all its instances. A dialect before a name or family, as "
    "in `ptx:MP`, selects that dialect only; with it, a name that orchil can generate a test for needs no file. If "
    "a word is the name of a test, a family and a folder, the first of these is used, and a note says so; ./FOLDER "
    "always means the folder.\n\n"
    "'Where' is the placement: threads of one work-group are written together, and groups are joined by '-'. "
    "'Control' is the fenced sibling, whose witness must never appear. A mutant is the weakened sibling of a "
    "forbidden test; its witness shows that the stress works.";

static const char *const examples[] = {"orchil list",
                                       "orchil list MP ptx:textbook",
                                       "orchil list 'MP*' ptx:SB+fencesc",
                                       "orchil list @quick",
                                       "orchil list --pairs 'ptx:*'",
                                       "orchil list ./my-tests --json | jq -r '.[].name'",
                                       NULL};

static const struct exit_code exit_codes[] = {
    {"0", "listed"},
    {"2", "wrong usage, nothing selected, or a file that cannot be read or parsed (of a folder, the rest is listed)"},
    {0}};

/* ---- the order: by folder as the families are listed, and within one as selected ---- */

struct list_row {
    const struct selected_test *test;
    size_t position, folder; /* folder: length of its name in test->file */
};

static int list_compare_rows(const void *left, const void *right)
{
    const struct list_row *a = left, *b = right;
    const int order = catalogue_compare_families(a->test->file, a->folder, b->test->file, b->folder);
    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

static struct list_row *list_make_rows(const struct selection *selection)
{
    struct list_row *rows = memory_take(selection->count, sizeof *rows);
    for (size_t i = 0; i < selection->count; i++) {
        rows[i] = (struct list_row){
            .test = &selection->tests[i],
            .position = i,
            .folder = catalogue_family(selection->tests[i].file),
        };
    }
    if (selection->count > 1)
        qsort(rows, selection->count, sizeof *rows, list_compare_rows);
    return rows;
}

/* ---- printing ---- */

static bool list_same_folder(const struct list_row *a, const struct list_row *b)
{
    return a->folder == b->folder && strncmp(a->test->file, b->test->file, a->folder) == 0;
}

static void list_add_test(struct table *table, const struct litmus_test *test)
{
    struct text placement = {0};
    const char *control = litmus_metadata(test, "Control");
    placement_print(test, &placement);
    table_add(table, "  %s", test->name);
    table_add(table, "%s", litmus_dialect_name(test->dialect));
    table_add(table, "%u", test->thread_count);
    table_add(table, "%s", text_string(&placement));
    table_add(table, "%s", control ? control : "");
    table_add(table, "%.*s", (int)strcspn(test->doc, "\n"), test->doc);
    text_release(&placement);
}

static void list_print_table(const struct list_row *rows, size_t count)
{
    enum { DIALECT = 1 };
    struct table table = {0};
    table_columns(&table, "Test|Dialect|->Threads|-Where|<Control|What it asks");
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !list_same_folder(&rows[i - 1], &rows[i])) {
            table_add_heading(&table, "%.*s/", rows[i].folder > 0 ? (int)rows[i].folder : 1,
                              rows[i].folder > 0 ? rows[i].test->file : ".");
        }
        list_add_test(&table, rows[i].test->test);
    }
    const char *dialect = count > 1 ? table_settle(&table, DIALECT) : NULL;
    if (dialect)
        terminal_print(stdout, "All are %s tests.\n", dialect);
    table_print(&table, stdout, 0);
    table_release(&table);
}

static void list_print_json(const struct list_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, test_to_json(rows[i].test));
    (void)json_print(array); /* main reports errors of standard output */
}

/* The settings of the named suites. */
static void list_print_settings(const struct selection *selection)
{
    char budget[QUANTITY_SIZE];
    if (selection->budget > 0 || selection->confidence > 0)
        terminal_print(stdout, "\n");
    if (selection->budget > 0)
        terminal_print(stdout, "Budget: %s, shared by all jobs.\n", quantity_seconds(selection->budget, budget));
    if (selection->confidence > 0)
        terminal_print(stdout, "Confidence: %g.\n", selection->confidence);
}

static void list_tests(const struct selection *selection, bool json)
{
    struct list_row *rows = list_make_rows(selection);
    if (json) {
        list_print_json(rows, selection->count);
    } else {
        list_print_table(rows, selection->count);
        list_print_settings(selection);
    }
    free(rows);
}

static int list_main(int argc, char **argv)
{
    struct list_request request = {0};
    struct selection selection;
    struct error error = {0};
    options_parse(&verb_list, argc, argv, &request);
    const bool named = request.tests.count > 0;
    if (!named && !request.json && !request.pairs && request.exclude.count == 0)
        return list_families();
    enum status status = named ? tests_select(request.tests.list, request.tests.count, &selection, &error)
                               : selection_all(&selection, &error);
    if (status == STATUS_OK)
        status = exclude_tests(&request.exclude, &selection, &error);
    if (status != STATUS_OK)
        return complain(argv[0], &error);
    if (!named)
        tests_print_unread(&selection);
    if (request.pairs)
        list_pairs(&selection, request.json);
    else
        list_tests(&selection, request.json);
    const int code = tests_exit_code(selection.unread_count, 0);
    selection_release(&selection);
    return code;
}

const struct verb verb_list = {.name = "list",
                               .summary = "list the litmus tests of the catalogue",
                               .usage = "[TEST...]",
                               .documentation = documentation,
                               .examples = examples,
                               .exit_codes = exit_codes,
                               .options = list_rows,
                               .arguments = AT(tests),
                               .run = list_main};
