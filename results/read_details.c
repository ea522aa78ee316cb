// SPDX-License-Identifier: Apache-2.0
/* Reading a job in detail: batch by batch, and with what the models say of it. */
#include <inttypes.h>

#include "results/results.h"
#include "results/sql.h"

enum status store_each_batch(struct store *store, int64_t job_id,
                             bool (*visit)(const struct store_batch *batch, uint64_t void_sum, void *context),
                             void *context, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the batches of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT batch, instances, voids, seconds, started FROM v_batch WHERE job = ? AND valid ORDER BY batch",
                 "i", job_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct store_batch batch = {.number = (uint64_t)sqlite3_column_int64(statement, 0),
                                          .instances = (uint64_t)sqlite3_column_int64(statement, 1),
                                          .seconds = sqlite3_column_double(statement, 3),
                                          .started = sqlite3_column_double(statement, 4),
                                          .valid = true};
        if (!visit(&batch, (uint64_t)sqlite3_column_int64(statement, 2), context))
            break;
        sql_doing(store, "reading the batches of job %" PRId64, job_id); /* visit may have used the store */
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_each_batch_outcome(struct store *store, int64_t job_id,
                                     bool (*visit)(uint64_t number, const struct count *outcome, void *context),
                                     void *context, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the outcomes of the batches of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT b.number, o.label, c.count, o.witness FROM batch b "
                 "JOIN outcome_count c ON c.batch_id = b.id JOIN outcome o ON o.id = c.outcome_id "
                 "WHERE b.job_id = ? AND b.valid ORDER BY b.number, o.label, o.witness",
                 "i", job_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct count outcome = {.label = sql_text(statement, 1),
                                      .count = (uint64_t)sqlite3_column_int64(statement, 2),
                                      .witness = sqlite3_column_int(statement, 3) != 0};
        if (!visit((uint64_t)sqlite3_column_int64(statement, 0), &outcome, context))
            break;
        sql_doing(store, "reading the outcomes of the batches of job %" PRId64, job_id);
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_each_judgement(struct store *store, int64_t job_id,
                                 bool (*visit)(const struct store_judgement *judgement, void *context), void *context,
                                 struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the judgements of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT role, model, unjudged, cut, racy, "
                 "(SELECT count(*) FROM verdict WHERE judgement_id = g.id) FROM judgement g WHERE job_id = ? "
                 "ORDER BY role",
                 "i", job_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct store_judgement judgement = {.role = sql_text(statement, 0),
                                                  .model = sql_text(statement, 1),
                                                  .unjudged = sql_text(statement, 2),
                                                  .cut = sql_text(statement, 3),
                                                  .racy = sqlite3_column_int(statement, 4) != 0,
                                                  .verdict_count = (size_t)sqlite3_column_int64(statement, 5)};
        if (!visit(&judgement, context))
            break;
        sql_doing(store, "reading the judgements of job %" PRId64, job_id);
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_each_verdict(struct store *store, int64_t job_id, const char *role,
                               bool (*visit)(const struct store_verdict *verdict, void *context), void *context,
                               struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the %s verdicts of job %" PRId64, role, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT label, verdict, axiom FROM verdict "
                 "WHERE judgement_id = (SELECT id FROM judgement WHERE job_id = ? AND role = ?) ORDER BY label",
                 "it", job_id, role));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct store_verdict verdict = {sql_text(statement, 0), sql_text(statement, 1), sql_text(statement, 2)};
        if (!visit(&verdict, context))
            break;
        sql_doing(store, "reading the %s verdicts of job %" PRId64, role, job_id);
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_read_test(struct store *store, int64_t job_id, struct text *text, struct text *doc,
                            struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the test of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT c.text, t.doc FROM job j JOIN test t ON t.id = j.test_id JOIN content c ON c.id = t.text_id "
                 "WHERE j.id = ?",
                 "i", job_id));
    const enum status status = sql_next(store, statement, &row, error);
    if (row) {
        text_add(text, "%s", sql_text(statement, 0));
        text_add(doc, "%s", sql_text(statement, 1));
    }
    sql_done(statement);
    return status;
}

enum status store_read_environment(struct store *store, int64_t job_id, struct text *text, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the environment of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT e.text FROM job j JOIN environment e ON e.id = j.environment_id WHERE j.id = ?", "i", job_id));
    const enum status status = sql_next(store, statement, &row, error);
    if (row)
        text_add(text, "%s", sql_text(statement, 0));
    sql_done(statement);
    return status;
}

enum status store_read_capabilities(struct store *store, int64_t job_id, struct text *json, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the device of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT p.capabilities FROM job j JOIN driver p ON p.id = j.driver_id WHERE j.id = ?", "i", job_id));
    const enum status status = sql_next(store, statement, &row, error);
    if (row)
        text_add(json, "%s", sql_text(statement, 0));
    sql_done(statement);
    return status;
}
