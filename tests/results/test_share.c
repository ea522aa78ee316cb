// SPDX-License-Identifier: Apache-2.0
/* Protects: a copy that is to be shared is searched whole. Every text column of the schema is visited, a new one too;
 * what the visitor changed is stored; a text that others depend on cannot change. */
#include <stdio.h>
#include <string.h>

#include "tests/results/fixture.h"

/* A row for each table but those of plans, which no merge copies; each text is the name of its column. */
static const char make_rows[] =
    "SELECT 'PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; ' || group_concat(statement, '') FROM ("
    "SELECT 'INSERT INTO ' || m.name || ' VALUES (' || group_concat(CASE p.type WHEN 'TEXT' THEN "
    "quote(m.name || '.' || p.name) ELSE 1 END) || ');' AS statement FROM sqlite_schema m, pragma_table_info(m.name) p "
    "WHERE m.type = 'table' AND m.name NOT IN ('plan', 'planned_job') AND m.name NOT LIKE 'sqlite%' GROUP BY m.name)";

static struct store *open_with_rows(void)
{
    static char statements[8192];
    struct store *store = fixture_open(STORE_WRITE);
    fixture_text(FIXTURE_DB, make_rows, statements, sizeof statements);
    fixture_execute(FIXTURE_DB, statements);
    return store;
}

struct seen {
    struct text places;
    enum store_text change; /* texts of this kind get a new end */
};

static enum status look(enum store_text kind, const char *place, struct text *text, void *data, struct error *error)
{
    struct seen *seen = data;
    (void)error;
    assert_string_equal(text_string(text), place);
    text_add(&seen->places, "(%s)", place);
    if (kind == seen->change)
        text_add(text, " changed");
    return STATUS_OK;
}

static void test_every_column(void **state)
{
    static char columns[8192];
    struct store *store = open_with_rows();
    struct seen seen = {.change = STORE_TEXT_PLACE};
    struct error error;
    char column[128];
    int count = 0;
    (void)state;
    fixture_ok(store_visit_texts(store, look, &seen, &error), &error);
    fixture_text(FIXTURE_DB,
                 "SELECT group_concat('(' || m.name || '.' || p.name || ')', '') FROM sqlite_schema m, "
                 "pragma_table_info(m.name) p WHERE m.type = 'table' AND p.type = 'TEXT' AND m.name NOT IN ('plan', "
                 "'planned_job') AND m.name NOT LIKE 'sqlite%'",
                 columns, sizeof columns);
    for (const char *at = columns; *at; at += strlen(column), count++) {
        (void)snprintf(column, sizeof column, "%.*s", (int)(strchr(at, ')') - at + 1), at);
        if (!strstr(text_string(&seen.places), column))
            fail_msg("no row of results/texts.txt has %s", column);
    }
    assert_int_equal(count,
                     fixture_number(FIXTURE_DB, "SELECT count(*) FROM sqlite_schema m, pragma_table_info(m.name) p "
                                                "WHERE m.type = 'table' AND p.type = 'TEXT' AND m.name NOT LIKE "
                                                "'plan%' AND m.name NOT LIKE 'sqlite%'"));
    assert_true(count > 0);
    assert_int_equal(seen.places.size, strlen(columns)); /* and none twice */
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT source = 'merge.source changed' FROM merge"), 1);
    text_release(&seen.places);
    store_close(store);
}

static void test_fixed_text(void **state)
{
    struct store *store = open_with_rows();
    struct seen seen = {.change = STORE_TEXT_FIXED};
    struct error error;
    (void)state;
    assert_int_equal(store_visit_texts(store, look, &seen, &error), STATUS_INTERNAL);
    assert_non_null(strstr(error.text, "content.hash"));
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM content WHERE hash = 'content.hash'"), 1);
    text_release(&seen.places);
    store_close(store);
}

/* Nothing that was changed stays in the bytes of the saved file. */
static void test_save(void **state)
{
    struct store *store = open_with_rows();
    struct error error;
    char bytes[1];
    (void)state;
    fixture_execute(FIXTURE_DB, "DELETE FROM merge; UPDATE run SET host = 'kept'");
    fixture_ok(store_save(store, "saved.db", &error), &error);
    assert_int_equal(fixture_number("saved.db", "SELECT host = 'kept' FROM run"), 1);
    FILE *file = fopen("saved.db", "rb");
    assert_non_null(file);
    static const char gone[] = "run.host";
    size_t matched = 0;
    while (fread(bytes, 1, 1, file) == 1) {
        matched = *bytes == gone[matched] ? matched + 1 : *bytes == gone[0];
        assert_true(matched < sizeof gone - 1);
    }
    assert_int_equal(fclose(file), 0);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_column, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_fixed_text, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_save, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
