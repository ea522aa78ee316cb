// SPDX-License-Identifier: Apache-2.0
/* The source of a merge: attached to the target's connection for reading only. */
#include "results/merge.h"
#include "results/open.h"

/* A file that bears orchil's mark but has a view or a virtual table in a table's place was not made by orchil. */
static enum status expect_tables(struct merge *merge, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool lacks = false;
    TRY(sql_open(merge->into, &statement, error,
                 "SELECT name FROM main.sqlite_schema m WHERE type = 'table' AND NOT EXISTS (SELECT 1 FROM "
                 "source.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = m.name) ORDER BY rootpage",
                 ""));
    enum status status = sql_next(merge->into, statement, &lacks, error);
    if (lacks)
        status = merge_refuse(merge, error, "is damaged: it bears orchil's mark but has no table '%s'",
                              sql_text(statement, 0));
    sql_done(statement);
    return status;
}

enum status merge_attach(struct merge *merge, const struct store *source, struct error *error)
{
    struct text uri = {0};
    const bool immutable = source->journal[0] == 'i';
    sql_doing(merge->into, "opening %.100s to merge it", merge->from);
    open_add_uri(&uri, source->path, immutable ? "mode=ro&immutable=1" : "mode=ro");
    enum status status = sql_do(merge->into, NULL, error, "ATTACH ? AS source", "t", text_string(&uri));
    text_release(&uri);
    TRY(status);
    status = expect_tables(merge, error);
    if (status != STATUS_OK)
        merge_detach(merge);
    return status;
}

void merge_detach(struct merge *merge)
{
    /* It was only read: a failure loses nothing, and the next attachment would tell. */
    (void)sql_do(merge->into, NULL, NULL, "DETACH source", "");
}
