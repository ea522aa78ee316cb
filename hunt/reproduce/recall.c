// SPDX-License-Identifier: Apache-2.0
/* Reading a stored job for a reproducer, and minimising that on a device of this machine. */
#include "hunt/reproduce/recall.h"

#include "hunt/tune/tune_bench.h"
#include "kernel/kernel_cache.h"
#include "kernel/target.h"
#include "models/models.h"
#include "models/ruling.h"
#include "runner/run/plan_store.h"

/* ---- the job ---- */

static enum status recall_load(struct store *store, enum store_what what, int64_t job_id, struct reproduce_job *job,
                               const char **text, struct error *error)
{
    struct store_text_row row;
    TRY(store_load_text(store, what, job_id, &job->arena, &row, error));
    *text = row.text;
    return row.text ? STATUS_OK
                    : error_set(error, STATUS_DATABASE, "%s: job %" PRId64 " is damaged: a text is missing",
                                store_path(store), job_id);
}

enum status reproduce_check_device(const struct backend_device *device, struct error *error)
{
    return device->member_count == 0
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED,
                           "a reproducer is a program for one device, but %s is several; 'orchil run' with the job's "
                           "--seed and --profile on %s shows the outcome again",
                           device_address(device).text, device_address(device).text);
}

static enum status read_texts(struct store *store, const struct store_job_row *row, struct reproduce_job *job,
                              struct error *error)
{
    const char *text;
    TRY(recall_load(store, STORE_TEST, row->job_id, job, &text, error));
    TRY(litmus_parse(row->test, text, strlen(text), &job->test, error));
    TRY(reproduce_check_test(job->test, error));
    TRY(recall_load(store, STORE_ENVIRONMENT, row->job_id, job, &text, error));
    TRY(environment_parse(text, &job->environment, error));
    TRY(recall_load(store, STORE_CAPABILITIES, row->job_id, job, &text, error));
    json_auto_t *json = json_loads(text, 0, NULL);
    const enum status status = device_from_json(json, &job->device, error);
    TRY(status);
    return reproduce_check_device(&job->device, error);
}

static enum status read_resident(struct store *store, const struct store_job_row *row, uint32_t *resident,
                                 struct error *error)
{
    struct store_cursor facts;
    store_query(store, STORE_FACTS, row->job_id, &facts, error);
    *resident = store_next(&facts) ? facts.facts.resident_groups : 0;
    TRY(store_end(&facts, STATUS_OK));
    if (*resident == 0)
        return error_set(error, STATUS_USAGE, "%s: job %" PRId64 " (%s) has no kernel: it is %s%s%s", store_path(store),
                         row->job_id, row->test, job_state_word(row->state), row->reason[0] ? ": " : "", row->reason);
    return STATUS_OK;
}

/* ---- the outcome ---- */

static bool is_forbidden(const struct store_judgements *judgements, const char *label)
{
    const struct sighting sighting = {.source = store_verdict_on(&judgements->source, label),
                                      .target = store_verdict_on(&judgements->target, label)};
    return ruling_of(&sighting).kind == RULING_FORBIDDEN;
}

/* The outcome with this label; else an outcome that a model forbids, else a witness. The most frequent counts come
 * first. */
static const struct count *recall_choose(const struct count *counts, size_t count,
                                         const struct store_judgements *judgements, const char *label)
{
    for (size_t i = 0; label && i < count; i++)
        if (strcmp(counts[i].label, label) == 0)
            return &counts[i];
    for (size_t i = 0; !label && i < count; i++)
        if (is_forbidden(judgements, counts[i].label))
            return &counts[i];
    for (size_t i = 0; !label && i < count; i++)
        if (counts[i].witness)
            return &counts[i];
    return NULL;
}

static enum status no_outcome(const struct store_job_row *row, const char *label, const struct count *counts,
                              size_t count, struct error *error)
{
    LOCAL(text) seen = {0};
    for (size_t i = 0; i < count && i < 8; i++)
        text_add(&seen, "%s'%s'", i > 0 ? ", " : "", counts[i].label);
    if (count == 0)
        error_set(error, STATUS_USAGE, "job %" PRId64 " (%s) has seen no outcome", row->job_id, row->test);
    else if (label)
        error_set(error, STATUS_USAGE, "job %" PRId64 " (%s) has not seen the outcome '%s'; it has seen %s%s",
                  row->job_id, row->test, label, text_string(&seen), count > 8 ? " and others" : "");
    else
        error_set(error, STATUS_USAGE,
                  "job %" PRId64 " (%s) has seen neither a forbidden outcome nor the one that the test asks for; "
                  "choose one with --outcome: %s%s",
                  row->job_id, row->test, text_string(&seen), count > 8 ? " or others" : "");
    return error->status;
}

static enum status choose_outcome(struct store *store, const struct store_job_row *row, const char *label,
                                  struct reproduce_job *job, struct error *error)
{
    struct store_judgements judgements;
    struct count *counts;
    size_t count;
    TRY(store_load_counts(store, STORE_OUTCOMES, row->job_id, &job->arena, &counts, &count, error));
    TRY(store_load_judgements(store, row->job_id, &job->arena, &judgements, error));
    const struct count *chosen = recall_choose(counts, count, &judgements, label);
    if (!chosen)
        return no_outcome(row, label, counts, count, error);
    job->facts.outcome = chosen->label;
    job->facts.seen = chosen->count;
    return STATUS_OK;
}

enum status reproduce_recall(struct store *store, int64_t job_id, const char *label, struct reproduce_job *job,
                             struct error *error)
{
    struct store_job_row row = {0};
    TRY(store_find_job(store, job_id, &job->arena, &row, error));
    job->facts =
        (struct reproduce_facts){.environment = &job->environment,
                                 .device = &job->device,
                                 .lowering = *store_requested_lowering(&row) ? store_requested_lowering(&row) : NULL,
                                 .seed = row.seed,
                                 .key = hash_number(row.key),
                                 .instances = row.instances - row.voids,
                                 .seconds = row.seconds};
    TRY(read_resident(store, &row, &job->facts.resident_groups, error));
    TRY(read_texts(store, &row, job, error));
    job->facts.test = job->test;
    TRY(choose_outcome(store, &row, label, job, error));
    /* Chooses the batch that showed the outcome most often. */
    struct store_cursor batches;
    uint64_t most = 0;
    store_query(store, STORE_BATCH_OUTCOMES, job_id, &batches, error);
    while (store_next(&batches)) {
        if (strcmp(batches.count.label, job->facts.outcome) != 0 || batches.count.count <= most)
            continue;
        most = batches.count.count;
        job->facts.batch = batches.number;
    }
    return store_end(&batches, STATUS_OK);
}

void reproduce_forget(struct reproduce_job *job)
{
    litmus_release(job->test);
    device_release(&job->device);
    arena_release(&job->arena);
    *job = (struct reproduce_job){0};
}

/* ---- reducing ---- */

const struct backend_device *reproduce_find_device(const struct device_list *list, const struct backend_device *then)
{
    return FIRST_OF(device, list->devices, list->count, device_is_resumed(then, device));
}

/* ---- the outcome ---- */

/* Appends the labels of the witnesses; returns their number. */
static size_t list_witnesses(const struct litmus_test *test, const struct judgement *judgement, struct text *list)
{
    size_t count = 0;
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        if (!judgement->outcomes[i].witness)
            continue;
        text_add(list, count > 0 ? "', '" : "");
        litmus_print_outcome(test, judgement->outcomes[i].values, list);
        count++;
    }
    return count;
}

enum status reproduce_choose_witness(const struct litmus_test *test, char **label, struct error *error)
{
    const struct judge_options wanted = {0};
    struct judgement judgement;
    struct model *model = NULL;
    LOCAL(text) list = {0};
    TRY(model_load(model_default(test->dialect), &model, error));
    enum status status = kernel_judge(model, test, &wanted, &judgement, error);
    model_release(model);
    if (status != STATUS_OK)
        return status;
    const size_t count = list_witnesses(test, &judgement, &list);
    judgement_release(&judgement);
    if (count == 1)
        *label = text_take(&list);
    else if (count == 0)
        status = error_set(error, STATUS_USAGE,
                           "%s asks for an outcome that cannot occur; choose another with --outcome", test->name);
    else
        status = error_set(error, STATUS_USAGE, "%s asks for %zu outcomes; choose one with --outcome: '%.700s'",
                           test->name, count, text_string(&list));
    return status;
}

/* ---- minimising ---- */

static enum status minimise_cached(struct minimise_options *options, const struct minimise_listener *listener,
                                   struct minimal *minimal, struct error *error)
{
    struct kernel_cache cache = {.folder = ""};
    struct temporary_folder driver_cache = {.path = ""};
    TRY(kernel_cache_open(false, &cache, error));
    enum status status = tune_cache_open(&driver_cache, error);
    options->cache = cache.folder;
    THEN(status, minimise(options, listener, minimal, error));
    temporary_folder_close(&driver_cache);
    kernel_cache_close(&cache);
    return status;
}

enum status reproduce_minimise(struct minimise_options *options, const struct minimise_listener *listener,
                               struct minimal *minimal, int *signal, struct error *error)
{
    LOCAL(stop_signals) stop = {.descriptor = -1};
    TRY(stop_signals_catch(&stop, error));
    options->stop = &stop;
    const enum status status = minimise_cached(options, listener, minimal, error);
    *signal = stop.first;
    options->stop = NULL;
    stop_signals_forget();
    return status;
}

void reproduce_take_minimal(const struct minimal *minimal, struct text *needed, struct reproduce_facts *facts)
{
    const bool keeps_draw = !minimal->fixed && !minimal->reduced && facts->environment;
    minimal_print_needed(minimal, needed);
    facts->needed = text_string(needed);
    facts->test = minimal->test;
    facts->outcome = minimal->outcome;
    facts->resident_groups = minimal->resident_groups;
    facts->run_seconds = minimal->run_seconds;
    if (!keeps_draw) {
        facts->environment = &minimal->environment;
        facts->seed = minimal->seed;
        facts->key = minimal->key;
        facts->batch = minimal->batch;
    }
    facts->seen = facts->instances = 0;
    facts->seconds = 0;
    for (unsigned i = 0; i < minimal->run_count; i++) {
        facts->seen += minimal->runs[i].seen;
        facts->instances += minimal->runs[i].instances;
        facts->seconds += minimal->runs[i].seconds;
    }
}
