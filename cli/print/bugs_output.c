// SPDX-License-Identifier: Apache-2.0
/* Prints the bugs that broke programs: orchil list --field. */
#include "cli/print/bugs_output.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal/table.h"
#include "catalogue/bugs.h"
#include "cli/output.h"

static bool is_selected(const struct catalogue_words *name, const struct selection *selection)
{
    bool selected = !selection;
    for (size_t i = 0; !selected && i < selection->count; i++)
        selected = bug_is_test(name, selection->tests[i].test);
    return selected;
}

/* The first test of a bug that is selected. */
static bool find_test(const struct bug *bug, const struct selection *selection, struct catalogue_words *test)
{
    *test = (struct catalogue_words){0};
    while (bug_next_test(bug, test))
        if (is_selected(test, selection))
            return true;
    return false;
}

/* The value up to the first of the ends. */
static void add_value(struct table *table, const struct bug *bug, const char *key, const char *ends)
{
    struct text text = {0};
    bug_add_value(bug, key, &text);
    table_add(table, "%.*s", (int)strcspn(text_string(&text), ends), text_string(&text));
    text_release(&text);
}

/* The year and the month. */
static void add_month(struct table *table, const struct bug *bug)
{
    enum { MONTH_SIZE = 7 };
    struct text date = {0};
    bug_add_value(bug, "date", &date);
    table_add(table, "%.*s", MONTH_SIZE, text_string(&date));
    text_release(&date);
}

static void print_table(const struct selection *selection)
{
    struct table table = {0};
    struct bug bug = {0};
    size_t count = 0, tested = 0;
    table_columns(&table, "Bug|Date|API|Status|Test, or why there is none");
    while (bug_next(&bug)) {
        struct catalogue_words test;
        const bool found = find_test(&bug, selection, &test);
        if (selection && !found)
            continue;
        count++;
        tested += found;
        table_add(&table, "%.*s", (int)bug.name.size, bug.name.start);
        add_month(&table, &bug);
        add_value(&table, &bug, "api", ",(");
        add_value(&table, &bug, "status", "");
        if (found)
            table_add(&table, "%.*s", (int)test.size, test.start);
        else
            add_value(&table, &bug, "not", "");
    }
    if (count > 0)
        table_print(&table, stdout, 0);
    terminal_print(stdout,
                   "%zu bug%s, %zu with tests. `orchil run @field` runs all tests of bugs; --json has the links, what "
                   "was wrong, and what fixed it.\n",
                   count, count == 1 ? "" : "s", tested);
    table_release(&table);
}

static json_t *tests_to_json(const struct bug *bug)
{
    json_t *tests = json_array();
    for (struct catalogue_words test = {0}; bug_next_test(bug, &test);)
        (void)json_array_append_new(tests, json_stringn(test.start, test.size));
    return tests;
}

static json_t *bug_to_json(const struct bug *bug)
{
    json_t *object = json_pack("{s:s%}", "name", bug->name.start, bug->name.size);
    for (struct bug_field field = {0}; bug_next_field(bug, &field);) {
        char *const key = memory_copy_part(field.key.start, field.key.size);
        struct text value = {0};
        bug_add_value(bug, key, &value);
        (void)json_object_set_new(object, key, json_text(text_string(&value)));
        text_release(&value);
        free(key);
    }
    (void)json_object_del(object, "test");
    (void)json_object_set_new(object, "tests", tests_to_json(bug));
    return object;
}

void bugs_print(const struct selection *selection, bool json)
{
    if (!json) {
        print_table(selection);
        return;
    }
    json_t *array = json_array();
    struct catalogue_words test;
    for (struct bug bug = {0}; bug_next(&bug);)
        if (!selection || find_test(&bug, selection, &test))
            (void)json_array_append_new(array, bug_to_json(&bug));
    (void)json_print(JSON_LIST_FIELD, array); /* main reports errors of standard output */
}
