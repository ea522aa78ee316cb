// SPDX-License-Identifier: Apache-2.0
/* Reads everything that belongs to a job at once, into an arena. */
#include <string.h>

#include "results/results.h"

static void keep_texts(struct arena *arena, const char **const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *texts[i] = arena_copy(arena, *texts[i]);
}

const char *store_requested_lowering(const struct store_job_row *row)
{
    return row->lowering && strcmp(row->lowering, "source") == 0 ? row->lowering : "";
}

struct store_job_row store_keep_job(struct arena *arena, const struct store_job_row *row)
{
    struct store_job_row kept = *row;
    const char **const texts[] = {
        &kept.test,          &kept.dialect,     &kept.condition,        &kept.test_hash,
        &kept.backend,       &kept.device,      &kept.device_uuid,      &kept.platform,
        &kept.driver,        &kept.compiler,    &kept.environment_hash, &kept.profile,
        &kept.key,           &kept.controls,    &kept.reason,           &kept.run_uuid,
        &kept.tool_version,  &kept.host,        &kept.started_at,       &kept.kernel_hash,
        &kept.circumstances, &kept.kept_reason, &kept.lowering,         &kept.hardware,
    };
    keep_texts(arena, texts, sizeof texts / sizeof *texts);
    return kept;
}

struct store_run_row store_keep_run(struct arena *arena, const struct store_run_row *row)
{
    struct store_run_row kept = *row;
    const char **const texts[] = {
        &kept.run.tool_version,          &kept.run.command_line, &kept.run.host,
        &kept.run.environment_variables, &kept.started_at,       &kept.finished_at,
    };
    keep_texts(arena, texts, sizeof texts / sizeof *texts);
    return kept;
}

enum status store_load_counts(struct store *store, enum store_what what, int64_t job_id, struct arena *arena,
                              struct count **counts, size_t *count, struct error *error)
{
    struct store_cursor cursor;
    *counts = NULL;
    *count = 0;
    store_query(store, what, job_id, &cursor, error);
    while (store_next(&cursor)) {
        struct count *added = &ARENA_ADD(arena, *counts, *count);
        *added = cursor.count;
        added->label = arena_copy(arena, added->label);
    }
    return store_end(&cursor, STATUS_OK);
}

/* Adds a row's verdict to its judgement. verdicts: those of the judgement. */
static void add_verdict(struct arena *arena, const struct store_verdict_row *row, struct store_judgement *judgement,
                        struct store_verdict **verdicts)
{
    if (!judgement->model)
        *judgement = (struct store_judgement){.role = arena_copy(arena, row->judgement.role),
                                              .model = arena_copy(arena, row->judgement.model),
                                              .model_hash = arena_copy(arena, row->judgement.model_hash),
                                              .mapping = row->judgement.mapping,
                                              .unjudged = arena_copy(arena, row->judgement.unjudged),
                                              .cut = arena_copy(arena, row->judgement.cut),
                                              .racy = row->judgement.racy};
    if (row->verdict.label)
        ARENA_ADD(arena, *verdicts, judgement->verdict_count) = (struct store_verdict){
            arena_copy(arena, row->verdict.label), row->verdict.verdict, arena_copy(arena, row->verdict.axiom)};
    judgement->verdicts = *verdicts;
}

enum status store_load_judgements(struct store *store, int64_t job_id, struct arena *arena,
                                  struct store_judgements *judgements, struct error *error)
{
    struct store_cursor cursor;
    struct store_verdict *source = NULL, *target = NULL;
    *judgements = (struct store_judgements){.source = {.model = NULL}};
    store_query(store, STORE_VERDICTS, job_id, &cursor, error);
    while (store_next(&cursor)) {
        if (strcmp(cursor.verdict.judgement.role, "target") == 0)
            add_verdict(arena, &cursor.verdict, &judgements->target, &target);
        else
            add_verdict(arena, &cursor.verdict, &judgements->source, &source);
    }
    return store_end(&cursor, STATUS_OK);
}

enum verdict store_verdict_on(const struct store_judgement *judgement, const char *label)
{
    for (size_t i = 0; judgement->model && i < judgement->verdict_count; i++)
        if (strcmp(judgement->verdicts[i].label, label) == 0)
            return judgement->verdicts[i].verdict;
    return VERDICT_NONE;
}

enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error)
{
    struct store_cursor cursor;
    *text = (struct store_text_row){NULL, NULL};
    store_query(store, what, id, &cursor, error);
    if (store_next(&cursor))
        *text = (struct store_text_row){arena_copy(arena, cursor.text.text), arena_copy(arena, cursor.text.doc)};
    return store_end(&cursor, STATUS_OK);
}
