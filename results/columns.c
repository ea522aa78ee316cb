// SPDX-License-Identifier: Apache-2.0
/* Checks the contents of a row's columns before anything relies on them. */
#include "results/columns.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Why a text cannot be used; NULL: it can. */
static const char *text_fault(sqlite3_stmt *statement, int column, bool utf8)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    const size_t size = (size_t)sqlite3_column_bytes(statement, column);
    if (!text || memchr(text, '\0', size))
        return "a text with a NUL in it";
    return utf8 && !text_is_utf8(text, size) ? "a text that is not UTF-8" : NULL;
}

static const char *integer_fault(sqlite3_stmt *statement, int column, char kind)
{
    const sqlite3_int64 number = sqlite3_column_int64(statement, column);
    if (number < 0 && kind != 'i')
        return "a negative number";
    return kind == 'u' && number > UINT_MAX ? "a number beyond its range" : NULL;
}

static const char *real_fault(sqlite3_stmt *statement, int column)
{
    const double number = sqlite3_column_double(statement, column);
    return !isfinite(number) ? "a number that is not finite" : number < 0 ? "a negative number" : NULL;
}

static const char *const type_names[] = {[SQLITE_INTEGER] = "an integer",
                                         [SQLITE_FLOAT] = "a real number",
                                         [SQLITE_TEXT] = "a text",
                                         [SQLITE_BLOB] = "a blob",
                                         [SQLITE_NULL] = "NULL"};

/* What a column holds that it may not hold; NULL: it is right. */
static const char *column_fault(sqlite3_stmt *statement, int column, char letter)
{
    const int type = sqlite3_column_type(statement, column);
    const char kind = (char)tolower((unsigned char)letter);
    const bool of_text = kind == 't' || kind == 'b', of_reals = kind == 'r';
    if (type == SQLITE_NULL && letter != kind)
        return NULL;
    if (of_text && type == SQLITE_TEXT)
        return text_fault(statement, column, kind == 't');
    if (of_reals && (type == SQLITE_FLOAT || type == SQLITE_INTEGER))
        return real_fault(statement, column);
    return !of_text && !of_reals && type == SQLITE_INTEGER ? integer_fault(statement, column, kind) : type_names[type];
}

static enum status refuse_column(struct store *store, sqlite3_stmt *statement, int column, const char *fault,
                                 struct error *error)
{
    char finding[300];
    (void)snprintf(finding, sizeof finding, "%.150s: '%.60s' is %s", store->doing,
                   sqlite3_column_name(statement, column), fault);
    return sql_damaged(store, finding, error);
}

enum status columns_expect(struct store *store, sqlite3_stmt *statement, const char *kinds, struct error *error)
{
    for (int column = 0; kinds[column]; column++) {
        if (kinds[column] == '.' && !store->writable)
            continue;
        const char *fault = column_fault(statement, column, kinds[column]);
        if (fault)
            return refuse_column(store, statement, column, fault, error);
    }
    return STATUS_OK;
}

enum status columns_expect_any(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    static const char kinds[] = {
        [SQLITE_INTEGER] = 'i', [SQLITE_FLOAT] = 'r', [SQLITE_TEXT] = 'b', [SQLITE_BLOB] = 't', [SQLITE_NULL] = 'T'};
    const int count = sqlite3_column_count(statement);
    for (int column = 0; column < count; column++) {
        const char *fault = column_fault(statement, column, kinds[sqlite3_column_type(statement, column)]);
        if (fault)
            return refuse_column(store, statement, column, fault, error);
    }
    return STATUS_OK;
}

/* ---- references ---- */

static enum status expect_references_of(struct store *store, const char *table, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    char finding[200];
    TRY(sql_open(store, &statement, error, "SELECT \"table\", parent FROM pragma_foreign_key_check(?) LIMIT 1", "t",
                 table));
    enum status status = sql_next(store, statement, &row, error);
    if (row) {
        (void)snprintf(finding, sizeof finding, "a row of %.60s refers to a row of %.60s that is not there",
                       sql_text(statement, 0), sql_text(statement, 1));
        status = sql_damaged(store, finding, error);
    }
    sql_done(statement);
    return status;
}

enum status columns_expect_references(struct store *store, struct error *error)
{
    static const char *const tables[] = {"driver", "test",        "job",        "build", "judgement", "outcome",
                                         "plan",   "planned_job", "resumption", "merge", "part"};
    sql_doing(store, "checking what its rows refer to");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        TRY(expect_references_of(store, tables[i], error));
    return STATUS_OK;
}

/* ---- whole tables ---- */

/* All columns of the tables with texts, in the order of schema.sql. The texts in `content` are
 * checked by merge_content. */
static const struct {
    const char *sql, *kinds, *doing;
} tables[] = {
    {"SELECT * FROM device", "ittttnu", "checking its devices"},
    {"SELECT * FROM driver", "iittttt", "checking its drivers"},
    {"SELECT * FROM test", "itttitb", "checking its tests"},
    {"SELECT * FROM environment", "itb", "checking its environments"},
    {"SELECT * FROM run", "itbbbbittT", "checking its runs"},
    {"SELECT * FROM part", "iitbbbbittT", "checking the parts of its runs"},
    {"SELECT * FROM resumption", "iibbbbt", "checking its resumptions"},
    {"SELECT * FROM merge", "iibbttnnt", "checking its merges"},
    {"SELECT * FROM job", "itiiiibtinttnntbbRtTt", "checking its jobs"},
    {"SELECT * FROM build", "iitiiruttb", "checking its builds"},
    {"SELECT * FROM batch", "iintinrrntb", "checking its batches"},
    {"SELECT * FROM outcome", "iitn", "checking its outcomes"},
    {"SELECT * FROM void_count", "itn", "checking its voids"},
    {"SELECT * FROM judgement", "iitttubbn", "checking its judgements"},
    {"SELECT * FROM verdict", "ittt", "checking its verdicts"},
    {"SELECT * FROM calibration", "itttttbt", "checking its calibrations"},
};

enum status columns_expect_tables(struct store *store, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == STATUS_OK; i++) {
        sqlite3_stmt *statement = NULL;
        bool row = false;
        sql_doing(store, "%s", tables[i].doing);
        TRY(sql_open(store, &statement, error, tables[i].sql, ""));
        do {
            status = sql_next(store, statement, &row, error);
            if (row)
                status = columns_expect(store, statement, tables[i].kinds, error);
        } while (row && status == STATUS_OK);
        sql_done(statement);
    }
    return status;
}
