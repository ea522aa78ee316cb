// SPDX-License-Identifier: Apache-2.0
/* orchil list: the tests of the catalogue, or the named tests. */
#include <jansson.h>

#include "base/field.h"
#include "base/terminal/table.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "cli/bugs_lists.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "litmus/litmus.h"
#include "runner/run/plan_run.h"

/* ---- prints the bugs that broke programs: orchil list --field ---- */

ORDERED_BY(list_compare_bugs, const struct bug, ORDER(b->score, a->score) ?: ORDER(a->lines.start, b->lines.start))

/* The bugs that name a test of the selection and have the words of the search, the best first. NULL: all. */
static struct bug *list_find_bugs(const struct selection *selection, const struct search *search, size_t *count)
{
    struct bug *bugs = NULL;
    size_t room = 0;
    *count = 0;
    for (struct bug bug = {0}; bug_next(&bug);) {
        bug.score = search ? search_bug(search, &bug) : 1;
        while (bug_next_test(&bug, &bug.test))
            if (!selection ||
                ANY_OF(selected, selection->tests, selection->count, bug_is_test(&bug.test, selected->test)))
                break;
        if (bug.score > 0 && (!selection || bug.test.size > 0))
            LIST_ADD(bugs, *count, room) = bug;
    }
    SORT(bugs, *count, list_compare_bugs);
    return bugs;
}

/* The value up to the first of the ends, of at most so many bytes. */
static void list_add_value(struct table *table, const struct bug *bug, const char *key, const char *ends, int most)
{
    LOCAL(text) text = {0};
    bug_add_value(bug, key, &text);
    const int size = (int)strcspn(text_string(&text), ends);
    table_add(table, "%.*s", size < most ? size : most, text_string(&text));
}

static void list_print_bugs(const struct bug *bugs, size_t count)
{
    enum { MONTH_SIZE = 7 }; /* of a date: the year and the month */
    LOCAL(table) table = {0};
    table_columns(&table, "Bug|Date|API|Grade|Test, or why there is none");
    FOR_EACH(const struct bug, bug, bugs, count) {
        table_add(&table, "%.*s", (int)bug->name.size, bug->name.start);
        list_add_value(&table, bug, "date", "", MONTH_SIZE);
        list_add_value(&table, bug, "api", ",(", INT_MAX);
        list_add_value(&table, bug, "grade", "", INT_MAX);
        if (bug->test.size > 0)
            table_add(&table, "%.*s", (int)bug->test.size, bug->test.start);
        else
            list_add_value(&table, bug, "not", "", INT_MAX);
    }
    if (count > 0)
        table_print(&table, stdout, 0);
}

static const struct field_type field_bug_tests_type = {.shape = FIELD_IS_ARRAY, .of = &field_text_type};
static json_t *field_bug_tests(const struct bug *bug)
{
    json_t *tests = json_array();
    for (struct text_part test = {0}; bug_next_test(bug, &test);)
        json_append(tests, json_stringn(test.start, test.size));
    return tests;
}

#define BUG_ROW(name, meaning) {name, &field_text_type, meaning},
static const struct field bug_fields[] = {
    {"name", &field_text_type, "the bug's name"},
    BUG_MEMBER_LIST(BUG_ROW){"tests", &field_bug_tests_type,
                             "the tests for the bug, with dialects, such as `ptx:publish+relaxed`"},
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

/* A table, or a JSON array with one object for each bug. */
static void bugs_print(const struct bug *bugs, size_t count, bool json)
{
    if (!json) {
        list_print_bugs(bugs, count);
        terminal_print(stdout,
                       "%zu bug%s, %zu with tests. `orchil run @field` runs all tests of bugs; --json has the links, "
                       "what was wrong, and what fixed it.\n",
                       count, count == 1 ? "" : "s", SUM_OF(size_t, bug, bugs, count, bug->test.size > 0));
        return;
    }
    json_t *array = json_array();
    FOR_EACH(const struct bug, bug, bugs, count)
        (void)json_array_append_new(array, bug_to_json(bug));
    (void)json_print(JSON_LIST_FIELD, array); /* main reports errors of standard output */
}

struct list_request {
    bool json, field, search, all;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct list_request, member)

static const struct option_row option_rows[] = {{ROW_JSON(AT(json))},
                                                {"field", 0, NULL, OPTION_SET, .offset = AT(field)},
                                                {"search", 's', NULL, OPTION_SET, .offset = AT(search)},
                                                {"all", 0, NULL, OPTION_SET, .offset = AT(all)},
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
    for (size_t i = 0; i < selection->count; i++)
        rows[i] = (struct list_row){&selection->tests[i], i, catalogue_family(selection->tests[i].file)};
    SORT(rows, selection->count, list_compare_rows);
    return rows;
}

/* ---- printing ---- */

static bool list_same_folder(const struct list_row *a, const struct list_row *b)
{
    return a->folder == b->folder && strncmp(a->test->file, b->test->file, a->folder) == 0;
}

/* The first line of a description without the words of its family, which the heading says. Where it says only that the
 * accesses are mixed, the second line says how. */
static void list_add_question(struct table *table, const struct list_row *row)
{
    const char *doc = row->test->test->doc;
    const struct text_part title = catalogue_family_line(row->test->file, row->folder).title;
    if (title.size > 0 && strncmp(doc, title.start, title.size) == 0 && strncmp(doc + title.size, ", ", 2) == 0)
        doc += title.size + 2;
    const char *const second = strncmp(doc, "mixed accesses: ", 16) == 0 ? strchr(doc, '\n') : NULL;
    const int size = (int)strcspn(second ? second + 1 : doc, "\n");
    if (second)
        table_add(table, "%.*s: %.*s", (int)strcspn(doc + 16, "."), doc + 16, size, second + 1);
    else
        table_add(table, "%.*s", size, doc);
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
        list_add_question(&table, &rows[i]);
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

static void list_add_count(struct table *table, size_t count)
{
    table_add(table, "%s", count > 0 ? QUANTITY_COUNT(count) : "");
}

/* total: of all families, if there is room for a column for each dialect; else NULL. */
static void list_add_family(struct table *table, const struct catalogue_family *family,
                            const struct catalogue_family *total)
{
    const struct catalogue_family_line line = catalogue_family_line(family->path, family->length);
    table_add_styled(table, TERMINAL_STRONG, "  %.*s", family->length > 0 ? (int)family->length : 1,
                     family->length > 0 ? family->path : ".");
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT && total; dialect++)
        if (total->counts[dialect] > 0)
            list_add_count(table, family->counts[dialect]);
    list_add_count(table, family->total);
    table_add(table, "%.*s%s%.*s", (int)line.title.size, line.title.start, line.title.size > 0 ? ": " : "",
              (int)line.question.size, line.question.start);
}

/* whole: not a search. */
static void print_families(const struct catalogue_family *families, size_t count, bool whole)
{
    enum { ROOMY = 100 }; /* columns; with fewer, a column for each dialect would leave too few for the questions */
    const unsigned width = terminal_width(stdout);
    const bool dialects = width == 0 || width >= ROOMY;
    LOCAL(table) table = {0};
    struct catalogue_family total = {.path = ""};
    struct text_part heading = {"", 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
            total.counts[dialect] += families[i].counts[dialect];
        total.total += families[i].total;
    }
    /* "6,860 tests: 991 OPENCL, 2,989 PTX, ...", which a narrow table does not show. */
    LOCAL(text) titles = {0}, sum = {0};
    text_add(&titles, "Family");
    for (size_t dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        const char *const name = litmus_dialect_name((enum litmus_dialect)dialect);
        if (total.counts[dialect] > 0 && dialects)
            text_add(&titles, "|>%s", name);
        if (total.counts[dialect] > 0)
            text_add(&sum, "%s %s %s", sum.size == 0 ? ":" : ",", QUANTITY_COUNT(total.counts[dialect]), name);
    }
    text_add(&titles, "|>Tests|~What it asks");
    table_columns(&table, text_string(&titles));
    for (size_t i = 0; i < count; i++) {
        const struct text_part own = catalogue_family_line(families[i].path, families[i].length).heading;
        if (whole && own.size > 0 && own.start != heading.start)
            table_add_heading(&table, "%.*s", (int)own.size, own.start);
        heading = own;
        list_add_family(&table, &families[i], dialects ? &total : NULL);
    }
    if (count > 0)
        table_print(&table, stdout, 0);
    if (whole)
        terminal_print(stdout, "\n%s tests%s\n", QUANTITY_COUNT(total.total), text_string(&sum));
}

/* Prints the families of the catalogue with their questions and their number of tests in each dialect. */
static void list_families(void)
{
    LOCAL(catalogue) catalogue = {0};
    size_t count;
    catalogue_open(&catalogue);
    FREED struct catalogue_family *families = catalogue_list_families(&catalogue, NULL, &count);
    print_families(families, count, true);
    LOCAL(text) suites = {0};
    catalogue_add_suites(&suites);
    terminal_print(
        stdout,
        "\nSuites and other indices:%s\n`orchil list FAMILY` lists the tests of a family, `orchil list '*'` all "
        "tests, and `orchil show TEST` shows one. `orchil list --search WORD...` finds families, tests and "
        "bugs by words; `orchil list --field` lists the bugs, found in programs, compilers and drivers.\n",
        text_string(&suites));
}

/* ---- what a search finds ---- */

/* Of each template the best, then more of them; of equal names in several dialects, the best. */
static void list_print_hits(const struct search_hit *hits, size_t count)
{
    enum { LINES = 9 }; /* at most, with the titles */
    LOCAL(table) table = {0};
    table_columns(&table, "Test|~What it asks");
    for (size_t i = 0; i < 2 * count && table.count < LINES * table.columns; i++) {
        const struct catalogue_entry *const entry = hits[i % count].entry;
        const char *const file = strrchr(entry->file->path, '/');
        const bool known = ANY_OF(before, hits, i % count, strcmp(strrchr(before->entry->file->path, '/'), file) == 0);
        struct litmus_test *test;
        if (known != (i >= count) || ANY_OF(before, hits, i % count, strcmp(before->entry->name, entry->name) == 0) ||
            template_test(entry->template, entry->instance, &test, NULL) != STATUS_OK)
            continue;
        table_add_styled(&table, TERMINAL_STRONG, "  %s", entry->name);
        table_add(&table, "%.*s", (int)strcspn(test->doc, "\n"), test->doc);
        litmus_release(test);
    }
    if (count > 0)
        table_print(&table, stdout, 0);
}

/* Selects the tests that were found, as if they were named. */
static enum status list_select(const struct list_request *request, const struct search_hit *hits, size_t count,
                               struct verb_call *call, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct verb_arguments names = {.list = NULL};
    FOR_EACH(const struct search_hit, hit, hits, count)
        ARENA_ADD(&arena, names.list, names.count) =
            arena_print(&arena, "%s:%s", litmus_dialect_name(hit->entry->dialect), hit->entry->name);
    return count == 0 ? STATUS_OK : tests_take(call, &names, &request->exclude, error);
}

static enum status list_search(const struct list_request *request, const char *words, struct verb_call *call,
                               struct error *error)
{
    enum { FAMILIES = 5, BUGS = 5 }; /* at most */
    const struct search search = search_start(words);
    LOCAL(catalogue) catalogue = {0};
    size_t families = 0, tests = 0, bugs;
    if (!request->field)
        catalogue_open(&catalogue);
    FREED struct catalogue_family *family_list = catalogue_list_families(&catalogue, &search, &families);
    FREED struct search_hit *hits = search_tests(&search, &catalogue, &tests);
    FREED struct bug *bug_list = list_find_bugs(NULL, &search, &bugs);
    const bool whole = request->all || request->json || request->exclude.count > 0;
    if (families + tests + bugs == 0)
        return error_set(error, STATUS_USAGE, "no %s has all of these words: %s",
                         request->field ? "bug" : "family, test or bug", words);
    if (whole && !request->field)
        TRY(list_select(request, hits, tests, call, error));
    if (request->field) {
        bugs_print(bug_list, bugs, request->json);
    } else if (whole) {
        list_tests(&call->selection, request->json);
    } else {
        print_families(family_list, families < FAMILIES ? families : FAMILIES, false);
        list_print_hits(hits, tests);
        list_print_bugs(bug_list, bugs < BUGS ? bugs : BUGS);
        terminal_print(stdout,
                       "In all: families %s, tests %s, bugs %s; `orchil list --all --search %s` lists the tests, "
                       "`orchil list --field --search %s` the bugs.\n",
                       QUANTITY_COUNT(families), QUANTITY_COUNT(tests), QUANTITY_COUNT(bugs), words, words);
    }
    return STATUS_OK;
}

static enum status list_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct list_request *request = data;
    const bool named = request->tests.count > 0;
    LOCAL(text) words = {0};
    for (size_t i = 0; i < request->tests.count; i++) {
        text_add(&words, "%s", i > 0 ? " " : "");
        text_add_shell_word(&words, request->tests.list[i]);
    }
    if (request->search && named)
        return list_search(request, text_string(&words), call, error);
    if (!named && !request->field && !request->json && !request->all && request->exclude.count == 0) {
        list_families();
        return STATUS_OK;
    }
    if (named) {
        const enum status status = tests_take(call, &request->tests, &request->exclude, error);
        /* What names no test may be words of what the user looks for. */
        if (status == STATUS_USAGE && !strpbrk(text_string(&words), "/*?[@:+.")) {
            if (request->field)
                return list_search(request, text_string(&words), call, error);
            if (!request->json)
                (void)list_search(request, text_string(&words), call, &(struct error){0});
        }
        TRY(status);
    } else if (!request->field) {
        TRY(selection_all(&call->selection, error));
        TRY(exclude_tests(&request->exclude, &call->selection, error));
        tests_print_unread(&call->selection);
    }
    if (!request->field) {
        list_tests(&call->selection, request->json);
        return STATUS_OK;
    }
    size_t count;
    FREED struct bug *bugs = list_find_bugs(named ? &call->selection : NULL, NULL, &count);
    bugs_print(bugs, count, request->json);
    return STATUS_OK;
}

VERB_ENTRY(list, tests, (0));
