// SPDX-License-Identifier: Apache-2.0
/* orchil list --pairs: for each test its mutants or controls, and whether these exist. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/terminal/table.h"
#include "cli/verbs/list.h"
#include "litmus/litmus.h"
#include "runner/run/plan_run.h"

/* The siblings to list: mutants of a forbidden test, controls of any other. */
struct role {
    const char *expect, *name, *key;
};

static const struct role allowed_role = {"allowed", "control", litmus_controls};
static const struct role forbidden_role = {"forbidden", "mutant", litmus_mutants};

static const struct role *role_of(const struct litmus_test *test)
{
    return litmus_forbids_witness(test) ? &forbidden_role : &allowed_role;
}

static const char *claim_of(const struct litmus_test *test)
{
    return litmus_claim(test) == LITMUS_CLAIM_UNPROMISED ? "unpromised" : role_of(test)->expect;
}

struct tally_of_role {
    size_t tests, paired; /* paired: siblings are named, and all of them exist */
};

/* ---- one test ---- */

/* The named test: from a file of the catalogue, or NULL if there is none. The caller frees it with
 * selected_test_release. */
static bool pairs_find(const struct selection *selection, const struct litmus_test *test, const char *name,
                       struct selected_test *found)
{
    struct error why;
    return selection_find(selection, name, test->dialect, found, &why) == STATUS_OK;
}

static void pairs_add_row(struct table *table, const struct litmus_test *test, const char *name, bool first, bool found)
{
    const struct role *role = role_of(test);
    table_add(table, "%s", first ? test->name : "");
    table_add(table, "%s", first ? litmus_dialect_name(test->dialect) : "");
    table_add(table, "%s", first ? claim_of(test) : "");
    table_add(table, "%s", role->name);
    if (found)
        table_add(table, "found");
    else
        table_add_styled(table, TERMINAL_BAD, "%s", name[0] != '\0' ? "not found" : "none named");
    table_add(table, "%s", name);
}

/* Returns whether the test has the siblings that it needs. */
static bool pairs_add_test(struct table *table, const struct selection *selection, const struct litmus_test *test)
{
    char name[LITMUS_NAME_SIZE];
    bool first = true, good = true;
    for (const char *rest = NULL; litmus_next_name(test, role_of(test)->key, &rest, name); first = false) {
        struct selected_test found;
        const bool there = pairs_find(selection, test, name, &found);
        pairs_add_row(table, test, name, first, there);
        good = good && there;
        selected_test_release(&found);
    }
    if (first)
        pairs_add_row(table, test, "", true, false);
    return good && !first;
}

static void pairs_print_tally(const struct role *role, const struct tally_of_role *tally)
{
    if (tally->tests > 0)
        terminal_print(stdout, "%zu %s test%s, %zu with %s%s that %s there\n", tally->tests, role->expect,
                       tally->tests == 1 ? "" : "s", tally->paired, tally->paired == 1 ? "a " : "",
                       role == &allowed_role ? (tally->paired == 1 ? "control" : "controls")
                                             : (tally->paired == 1 ? "mutant" : "mutants"),
                       tally->paired == 1 ? "is" : "are");
}

static void pairs_print_table(const struct selection *selection)
{
    struct table table = {0};
    struct tally_of_role allowed = {0}, forbidden = {0};
    table_columns(&table, "Test|Dialect|Expect|Role|State|~Beside it");
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        struct tally_of_role *tally = litmus_forbids_witness(test) ? &forbidden : &allowed;
        tally->tests++;
        tally->paired += pairs_add_test(&table, selection, test);
    }
    table_print(&table, stdout, 0);
    terminal_print(stdout, "\n");
    pairs_print_tally(&forbidden_role, &forbidden);
    pairs_print_tally(&allowed_role, &allowed);
    table_release(&table);
}

/* ---- JSON ---- */

static json_t *pair_to_json(const struct selection *selection, const struct litmus_test *test, const char *name)
{
    struct selected_test found;
    const bool there = pairs_find(selection, test, name, &found);
    json_t *json = json_pack("{s:s, s:o, s:b, s:o}", "role", role_of(test)->name, "test", json_text(name), "found",
                             there, "file", there ? json_text(found.file) : json_null());
    selected_test_release(&found);
    return json;
}

static json_t *test_pairs_to_json(const struct selection *selection, const struct litmus_test *test)
{
    char name[LITMUS_NAME_SIZE];
    json_t *pairs = json_array();
    for (const char *rest = NULL; litmus_next_name(test, role_of(test)->key, &rest, name);)
        (void)json_array_append_new(pairs, pair_to_json(selection, test, name));
    return json_pack("{s:o, s:s, s:s, s:o}", "test", json_text(test->name), "dialect",
                     litmus_dialect_name(test->dialect), "expect", claim_of(test), "pairs", pairs);
}

static void pairs_print_json(const struct selection *selection)
{
    json_t *array = json_array();
    for (size_t i = 0; i < selection->count; i++)
        (void)json_array_append_new(array, test_pairs_to_json(selection, selection->tests[i].test));
    (void)json_print(array); /* main reports errors of standard output */
}

void list_pairs(const struct selection *selection, bool json)
{
    if (json)
        pairs_print_json(selection);
    else
        pairs_print_table(selection);
}
