// SPDX-License-Identifier: Apache-2.0
/* orchil list: the tests of the catalogue, or the named tests. */
#include <jansson.h>

#include "base/field.h"
#include "base/terminal/table.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "litmus/litmus.h"
#include "runner/run/plan_run.h"

/* ---- prints the bugs that broke programs: orchil list --field ---- */

static bool is_selected(const struct text_part *name, const struct selection *selection)
{
    bool selected = !selection;
    for (size_t i = 0; !selected && i < selection->count; i++)
        selected = bug_is_test(name, selection->tests[i].test);
    return selected;
}

/* The first test of a bug that is selected. */
static bool find_test(const struct bug *bug, const struct selection *selection, struct text_part *test)
{
    *test = (struct text_part){0};
    while (bug_next_test(bug, test))
        if (is_selected(test, selection))
            return true;
    return false;
}

/* The value up to the first of the ends. */
static void list_add_value(struct table *table, const struct bug *bug, const char *key, const char *ends)
{
    LOCAL(text) text = {0};
    bug_add_value(bug, key, &text);
    table_add(table, "%.*s", (int)strcspn(text_string(&text), ends), text_string(&text));
}

/* The year and the month. */
static void add_month(struct table *table, const struct bug *bug)
{
    enum { MONTH_SIZE = 7 };
    LOCAL(text) date = {0};
    bug_add_value(bug, "date", &date);
    table_add(table, "%.*s", MONTH_SIZE, text_string(&date));
}

static void verb_list_print_table(const struct selection *selection)
{
    LOCAL(table) table = {0};
    struct bug bug = {0};
    size_t count = 0, tested = 0;
    table_columns(&table, "Bug|Date|API|Status|Test, or why there is none");
    while (bug_next(&bug)) {
        struct text_part test;
        const bool found = find_test(&bug, selection, &test);
        if (selection && !found)
            continue;
        count++;
        tested += found;
        table_add(&table, "%.*s", (int)bug.name.size, bug.name.start);
        add_month(&table, &bug);
        list_add_value(&table, &bug, "api", ",(");
        list_add_value(&table, &bug, "status", "");
        if (found)
            table_add(&table, "%.*s", (int)test.size, test.start);
        else
            list_add_value(&table, &bug, "not", "");
    }
    if (count > 0)
        table_print(&table, stdout, 0);
    terminal_print(stdout,
                   "%zu bug%s, %zu with tests. `orchil run @field` runs all tests of bugs; --json has the links, what "
                   "was wrong, and what fixed it.\n",
                   count, count == 1 ? "" : "s", tested);
}

static const struct field_type field_bug_tests_type = {.shape = FIELD_IS_ARRAY, .of = &field_text_type};
static json_t *field_bug_tests(const struct bug *bug)
{
    json_t *tests = json_array();
    for (struct text_part test = {0}; bug_next_test(bug, &test);)
        json_append(tests, json_stringn(test.start, test.size));
    return tests;
}

/* A bug's entry in the file; an entry may lack each but its name. */
#define BUG_TEXTS(X)                                                                                                   \
    X("link", "where it is reported")                                                                                  \
    X("also?", "other links")                                                                                          \
    X("date", "when")                                                                                                  \
    X("project", "the project that had it")                                                                            \
    X("kind", "whose fault it is")                                                                                     \
    X("api", "the language or API of the program")                                                                     \
    X("vendor", "the device's vendor")                                                                                 \
    X("device", "the device")                                                                                          \
    X("what", "what is wrong")                                                                                         \
    X("broken", "what was seen")                                                                                       \
    X("fixed", "what fixed it")                                                                                        \
    X("seen", "how it was noticed")                                                                                    \
    X("status", "whether it is fixed")                                                                                 \
    X("shape", "the shape of its tests")                                                                               \
    X("not?", "why it has no test")                                                                                    \
    X("fit?", "how the tests differ from the bug")                                                                     \
    X("progress?", "a scheduler and a test that need not end under it, then those of the fixed program, which must")   \
    X("audit?", "the kernel of tests/audit that has its form")                                                         \
    X("inspect?", "the command that inspects code with its fault")                                                     \
    X("read", "what was read to write this entry")
#define BUG_ROW(name, meaning) {name, &field_text_type, meaning},
static const struct field bug_fields[] = {
    {"name", &field_text_type, "the bug's name"},
    BUG_TEXTS(BUG_ROW){"tests", &field_bug_tests_type, "its tests, with their dialects: `ptx:publish+relaxed`"},
    {0}};
const struct field_type field_document_list_field_type = {.shape = FIELD_IS_OBJECT, .fields = bug_fields};

static json_t *bug_to_json(const struct bug *bug)
{
    json_t *object = json_pack("{s:s%}", "name", bug->name.start, bug->name.size);
    for (struct text_part name = {0}, lines = {0}; bug_next_field(bug, &name, &lines);) {
        FREED char *key = memory_copy_part(name.start, name.size);
        struct text value = {0};
        bug_add_value(bug, key, &value);
        (void)json_object_set_new(object, key, field_made_text(value));
    }
    (void)json_object_del(object, "test");
    (void)json_object_set_new(object, "tests", field_bug_tests(bug));
    return object;
}

/* A table, or a JSON array with one object for each bug. NULL: all bugs; otherwise those that name a selected test. */
static void bugs_print(const struct selection *selection, bool json)
{
    if (!json) {
        verb_list_print_table(selection);
        return;
    }
    json_t *array = json_array();
    struct text_part test;
    for (struct bug bug = {0}; bug_next(&bug);)
        if (!selection || find_test(&bug, selection, &test))
            (void)json_array_append_new(array, bug_to_json(&bug));
    (void)json_print(JSON_LIST_FIELD, array); /* main reports errors of standard output */
}

struct list_request {
    bool json, field;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct list_request, member)

static const struct option_row option_rows[] = {{"json", 'j', NULL, OPTION_SET, .offset = AT(json)},
                                                {"field", 0, NULL, OPTION_SET, .offset = AT(field)},
                                                {ROW_EXCLUDE(AT(exclude))},
                                                {0}};

/* ---- the order: by folder as the families are listed, and within one as selected ---- */

struct list_row {
    const struct selected_test *test;
    size_t position, folder; /* folder: length of its name in test->file */
};

ORDERED_BY(list_compare_rows, const struct list_row,
           catalogue_compare_families(a->test->file, a->folder, b->test->file, b->folder)
               ?: ORDER(a->position, b->position))

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
    SORT(rows, selection->count, list_compare_rows);
    return rows;
}

/* ---- printing ---- */

static bool list_same_folder(const struct list_row *a, const struct list_row *b)
{
    return a->folder == b->folder && strncmp(a->test->file, b->test->file, a->folder) == 0;
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
        const struct litmus_test *test = rows[i].test->test;
        LOCAL(text) placement = {0};
        const char *control = litmus_metadata(test, "Control");
        placement_print(test, &placement);
        table_add(&table, "  %s", test->name);
        table_add(&table, "%s", litmus_dialect_name(test->dialect));
        table_add(&table, "%u", test->thread_count);
        TABLE_ADD_TEXTS(&table, text_string(&placement), control ? control : "");
        table_add(&table, "%.*s", (int)strcspn(test->doc, "\n"), test->doc);
    }
    const char *dialect = count > 1 ? table_settle(&table, DIALECT) : NULL;
    if (dialect)
        terminal_print(stdout, "All are %s tests.\n", dialect);
    table_print(&table, stdout, 0);
}

FIELD_EXTENDED(document_list, catalogue_test, {0})

static void list_tests(const struct selection *selection, bool json)
{
    FREED struct list_row *rows = list_make_rows(selection);
    if (json) {
        json_t *array = json_array();
        for (size_t i = 0; i < selection->count; i++)
            json_append(array, field_catalogue_test(rows[i].test, rows[i].test->test));
        (void)json_print(JSON_LIST, array); /* main reports errors of standard output */
    } else {
        list_print_table(rows, selection->count);
        /* The settings of the named suites. */
        if (selection->budget > 0 || selection->confidence > 0)
            terminal_print(stdout, "\n");
        if (selection->budget > 0)
            terminal_print(stdout, "Budget: %s, shared by all jobs.\n", QUANTITY_SECONDS(selection->budget));
        if (selection->confidence > 0)
            terminal_print(stdout, "Confidence: %g.\n", selection->confidence);
    }
}

/* ---- the families ---- */

struct family {
    const char *path; /* path of one of its files: starts with the name */
    size_t length;
    size_t counts[LITMUS_DIALECT_COUNT], total;
};

ORDERED_BY(compare_families, const struct family, catalogue_compare_families(a->path, a->length, b->path, b->length))

/* One item for each family, in the order of families.txt. */
static struct family *count_families(const struct catalogue *catalogue, size_t *count)
{
    struct family *families = memory_take(catalogue->count, sizeof *families);
    *count = 0;
    FOR_EACH(const struct catalogue_entry, entry, catalogue->entries, catalogue->count) {
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
    SORT(families, *count, compare_families);
    return families;
}

static void list_add_count(struct table *table, size_t count)
{
    table_add(table, "%s", count > 0 ? QUANTITY_COUNT(count) : "");
}

/* dialects: whether there is room for a column for each. */
static void list_add_family(struct table *table, const struct family *family, const struct family *total, bool dialects)
{
    const struct catalogue_family_line line = catalogue_family_line(family->path, family->length);
    table_add_styled(table, TERMINAL_STRONG, "  %.*s", family->length > 0 ? (int)family->length : 1,
                     family->length > 0 ? family->path : ".");
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT && dialects; dialect++)
        if (total->counts[dialect] > 0)
            list_add_count(table, family->counts[dialect]);
    list_add_count(table, family->total);
    table_add(table, "%.*s%s%.*s", (int)line.title.size, line.title.start, line.title.size > 0 ? ": " : "",
              (int)line.question.size, line.question.start);
}

static void print_families(const struct family *families, size_t count)
{
    enum { ROOMY = 100 }; /* columns; with fewer, a column for each dialect would leave too few for the questions */
    const unsigned width = terminal_width(stdout);
    const bool dialects = width == 0 || width >= ROOMY;
    struct table table = {0};
    struct family total = {.path = ""};
    struct text_part heading = {"", 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
            total.counts[dialect] += families[i].counts[dialect];
        total.total += families[i].total;
    }
    LOCAL(text) titles = {0};
    text_add(&titles, "Family");
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT && dialects; dialect++)
        if (total.counts[dialect] > 0)
            text_add(&titles, "|>%s", litmus_dialect_name((enum litmus_dialect)dialect));
    text_add(&titles, "|>Tests|~What it asks");
    table_columns(&table, text_string(&titles));
    for (size_t i = 0; i < count; i++) {
        const struct text_part own = catalogue_family_line(families[i].path, families[i].length).heading;
        if (own.size > 0 && own.start != heading.start)
            table_add_heading(&table, "%.*s", (int)own.size, own.start);
        heading = own;
        list_add_family(&table, &families[i], &total, dialects);
    }
    table_print(&table, stdout, 0);
    /* "6,860 tests: 991 OPENCL, 2,989 PTX, ...", which a narrow table does not show. */
    struct text line = {0};
    terminal_add(&line, "\n%s tests", QUANTITY_COUNT(total.total));
    for (size_t dialect = 0, shown = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        if (total.counts[dialect] > 0)
            terminal_add(&line, "%s %s %s", shown++ == 0 ? ":" : ",", QUANTITY_COUNT(total.counts[dialect]),
                         litmus_dialect_name((enum litmus_dialect)dialect));
    terminal_add(&line, "\n");
    terminal_end(stdout, &line);
}

/* Prints the families of the catalogue with their questions and their number of tests in each dialect. */
static void list_families(void)
{
    LOCAL(catalogue) catalogue = {0};
    size_t count;
    catalogue_open(&catalogue);
    FREED struct family *families = count_families(&catalogue, &count);
    print_families(families, count);
    struct text line = {0};
    terminal_add(&line, "\nSuites and other indices:");
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (catalogue_files[i].path[0] == '@')
            terminal_add(&line, " %s", catalogue_files[i].path);
    terminal_add(
        &line,
        "\n`orchil list FAMILY` lists the tests of a family, `orchil list '*'` all tests, and `orchil show TEST` "
        "shows one.\n");
    terminal_end(stdout, &line);
}

static enum status list_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct list_request *request = data;
    const bool named = request->tests.count > 0;
    if (request->field && !named) {
        bugs_print(NULL, request->json);
        return STATUS_OK;
    }
    if (!named && !request->json && request->exclude.count == 0) {
        list_families();
        return STATUS_OK;
    }
    if (named) {
        TRY(tests_take(call, &request->tests, &request->exclude, error));
    } else {
        TRY(selection_all(&call->selection, error));
        TRY(exclude_tests(&request->exclude, &call->selection, error));
        tests_print_unread(&call->selection);
    }
    if (request->field)
        bugs_print(&call->selection, request->json);
    else
        list_tests(&call->selection, request->json);
    return STATUS_OK;
}

const struct verb verb_list = {.name = "list",
                               .options = option_rows,
                               .arguments = AT(tests),
                               VERB_REQUEST(struct list_request, 0),
                               .run = list_execute};
