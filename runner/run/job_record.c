// SPDX-License-Identifier: Apache-2.0
/* Storing a run and its jobs' events in the database. */
#include "runner/run/job_record.h"

#include "runner/supervise/devices.h"

enum { GATHERED_AT_MOST = 256 };
static const double gathered_for_at_most = 0.25; /* seconds */

enum status job_record_open(const char *database, const struct provenance *provenance, uint64_t seed, bool only,
                            struct store **store, int64_t *run_id, struct error *error)
{
    TRY(store_open(database, STORE_WRITE, store, error));
    const struct store_run stored = {.tool_version = provenance->tool_version,
                                     .command_line = provenance->command_line,
                                     .host = provenance->host,
                                     .environment_variables = provenance->environment_variables,
                                     .seed = seed,
                                     .only = only};
    return *run_id == 0 ? store_begin_run(*store, &stored, run_id, error)
                        : store_resume_run(*store, *run_id, &stored, error);
}

static struct store_device describe_device(const struct planned_job *planned, const char *capabilities)
{
    const struct backend_device *device = planned->device;
    return (struct store_device){.backend = device->backend,
                                 .name = device->name,
                                 .vendor = device->vendor,
                                 .uuid = device->uuid,
                                 .architecture = device->architecture,
                                 .gpu = device->gpu,
                                 .compute_units = device->compute_units,
                                 .platform = device->platform,
                                 .driver = device->driver,
                                 .compiler = planned->compiler ? planned->compiler : device->compiler,
                                 .capabilities = capabilities};
}

static const char *list_capabilities(const struct backend_device *device, struct arena *arena)
{
    json_auto_t *json = field_described_device(device);
    FREED char *text = json_dumps(json, JSON_COMPACT);
    return arena_copy(arena, text);
}

enum status job_record_resume(struct job_record *record, const struct planned_job *planned, struct error *error)
{
    LOCAL(arena) arena = {0};
    const struct store_device device = describe_device(planned, list_capabilities(planned->device, &arena));
    record->job_id = planned->begun->job_id;
    return store_resume_job(record->store, record->job_id, &device, error);
}

/* Moves a text into the arena. */
static const char *keep_text(struct text *text, struct arena *arena)
{
    const char *kept = arena_copy(arena, text_string(text));
    text_release(text);
    return kept;
}

struct store_test job_record_test(const struct planned_job *planned, struct arena *arena)
{
    const struct litmus_test *test = planned->test->test;
    struct text text = {0}, condition = {0};
    char hash[HASH_HEX_SIZE];
    litmus_print(test, &text);
    litmus_print_condition(test, &condition);
    if (!planned->test_hash)
        litmus_hash(test, hash);
    return (struct store_test){litmus_dialect_name(test->dialect),
                               test->name,
                               arena_copy(arena, planned->test_hash ? planned->test_hash : hash),
                               keep_text(&text, arena),
                               keep_text(&condition, arena),
                               test->doc};
}

struct store_environment job_record_environment(const struct environment *environment, struct arena *arena)
{
    struct text text = {0};
    char hash[HASH_HEX_SIZE];
    environment_print(environment, &text);
    environment_hash(environment, hash);
    return (struct store_environment){arena_copy(arena, hash), keep_text(&text, arena), environment->name};
}

/* Its texts live in the arena. */
static struct store_job describe_job(int64_t run_id, const struct planned_job *planned, uint64_t seed,
                                     unsigned replicate, struct arena *arena)
{
    return (struct store_job){
        .run_id = run_id,
        .device = describe_device(planned, list_capabilities(planned->device, arena)),
        .test = job_record_test(planned, arena),
        .environment = job_record_environment(planned->environment, arena),
        .key = planned->key,
        .lowering = planned->lowering,
        .extent = planned->extent,
        .seed = seed,
        .replicate = replicate,
        .controls = planned->controlled ? planned->controlled->name : "",
        .planned = planned->stored,
        .planned_number = planned->number,
    };
}

enum status job_record_begin(struct job_record *record, int64_t run_id, const struct planned_job *planned,
                             uint64_t seed, unsigned replicate, struct error *error)
{
    LOCAL(arena) arena = {0};
    const struct store_job stored = describe_job(run_id, planned, seed, replicate, &arena);
    return store_begin_job(record->store, &stored, &record->job_id, error);
}

enum status job_record_skip(struct store *store, int64_t run_id, const struct planned_job *planned, size_t count,
                            uint64_t seed, const char *reason, struct error *error)
{
    LOCAL(arena) arena = {0};
    FREED struct store_job *jobs = memory_take(count, sizeof *jobs);
    for (size_t i = 0; i < count; i++)
        jobs[i] = describe_job(run_id, &planned[i], seed, 0, &arena);
    return store_skip_jobs(store, jobs, count, reason, error);
}

/* The verdicts of an opinion as they are stored. Freed with free(). */
static struct store_verdict *list_verdicts(const struct opinion *opinion, const struct tally *seen, size_t *count)
{
    const struct judgement *judgement = &opinion->judgement;
    struct store_verdict *verdicts = memory_take(judgement->outcome_count + seen->outcome_count, sizeof *verdicts);
    *count = 0;
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (judgement->outcomes[i].verdict != VERDICT_NONE)
            verdicts[(*count)++] =
                (struct store_verdict){.label = opinion->labels[i],
                                       .verdict = judgement->outcomes[i].verdict,
                                       .axiom = judgement->outcomes[i].axiom ? judgement->outcomes[i].axiom : ""};
    for (size_t i = 0; i < seen->outcome_count; i++)
        if (seen->outcomes[i].count > 0 && opinion_lacks(opinion, seen->outcomes[i].label))
            verdicts[(*count)++] = (struct store_verdict){seen->outcomes[i].label, VERDICT_FORBIDDEN, ""};
    return verdicts;
}

enum status job_record_opinion(struct store *store, int64_t job_id, const struct opinion *opinion, const char *role,
                               const struct tally *seen, judgement_put *put, struct error *error)
{
    const struct judgement *judgement = &opinion->judgement;
    size_t count;
    FREED struct store_verdict *verdicts = list_verdicts(opinion, seen, &count);
    const struct store_judgement stored = {.role = role,
                                           .model = opinion->model,
                                           .model_hash = opinion->model_hash,
                                           .mapping = opinion->mapping,
                                           .unjudged = opinion->unjudged,
                                           .cut = judgement->cut ? judgement->cut : "",
                                           .racy = judgement->racy,
                                           .verdicts = verdicts,
                                           .verdict_count = count};
    return put(store, job_id, &stored, error);
}

enum status job_record_verdicts(struct job_record *record, const struct verdicts *verdicts, const struct tally *seen,
                                struct error *error)
{
    struct store *store = record->store;
    TRY(job_record_opinion(store, record->job_id, &verdicts->source, "source", seen, store_put_judgement, error));
    return verdicts->target.model[0] ? job_record_opinion(store, record->job_id, &verdicts->target, "target", seen,
                                                          store_put_judgement, error)
                                     : STATUS_OK;
}

enum status job_record_circumstances(struct job_record *record, const struct circumstances *circumstances,
                                     struct error *error)
{
    LOCAL(text) text = {0};
    if (!circumstances->known && !circumstances->throttle[0])
        return STATUS_OK;
    circumstances_print(circumstances, &text);
    return store_put_circumstances(record->store, record->job_id, text_string(&text), error);
}

static const struct count *copy_counts(struct arena *arena, const struct count *counts, size_t count)
{
    struct count *copies = arena_take(arena, count, sizeof *copies);
    for (size_t i = 0; i < count; i++)
        copies[i] = (struct count){arena_copy(arena, counts[i].label), counts[i].count, counts[i].witness};
    return copies;
}

static bool adds_up(const struct batch *batch)
{
    uint64_t sum = SUM_OF(uint64_t, outcome, batch->outcomes, batch->outcome_count, outcome->count);
    for (size_t i = 0; i < batch->void_count; i++)
        sum += batch->voids[i].count;
    return sum == batch->instances;
}

/* The batch as it can be stored. If a device's counts do not add up, all of them are void. */
static struct batch keep_batch(struct arena *arena, const struct batch *batch)
{
    const struct count all_void = {void_reason_word(VOID_MISCOUNTED), batch->instances, false};
    struct batch kept = *batch;
    if (batch->invalid && !adds_up(batch)) {
        kept.outcome_count = 0;
        kept.voids = &all_void;
        kept.void_count = 1;
    }
    kept.invalid = batch->invalid ? arena_copy(arena, batch->invalid) : NULL;
    kept.draw = arena_copy(arena, batch->draw);
    kept.liveness = arena_copy(arena, batch->liveness);
    kept.outcomes = copy_counts(arena, kept.outcomes, kept.outcome_count);
    kept.voids = copy_counts(arena, kept.voids, kept.void_count);
    return kept;
}

enum status job_record_batch(struct job_record *record, const struct batch *batch, struct error *error)
{
    if (record->count == 0)
        record->gathered_since = clock_seconds();
    ARENA_ADD(&record->arena, record->batches, record->count) = keep_batch(&record->arena, batch);
    if (record->count >= GATHERED_AT_MOST || clock_seconds() - record->gathered_since > gathered_for_at_most)
        return job_record_flush(record, error);
    return STATUS_OK;
}

static void forget_batches(struct job_record *record)
{
    arena_release(&record->arena);
    record->arena = (struct arena){0};
    record->batches = NULL;
    record->count = 0;
}

enum status job_record_flush(struct job_record *record, struct error *error)
{
    if (record->count > 0)
        TRY(store_add_batches(record->store, record->job_id, record->batches, record->count, error));
    forget_batches(record);
    return STATUS_OK;
}

void job_record_release(struct job_record *record)
{
    forget_batches(record);
    *record = (struct job_record){0};
}
