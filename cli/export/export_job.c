// SPDX-License-Identifier: Apache-2.0
/* A stored job, as `run` knew it when it printed it. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/export/export.h"
#include "runner/run/plan_run.h"
#include "runner/supervise/devices.h"

enum status stored_tally_add(struct store *store, const struct store_job_row *row, struct tally *tally,
                             struct error *error)
{
    tally->batches += row->batches;
    tally->invalid_batches += row->invalid_batches;
    tally->instances += row->instances;
    tally->launched += row->instances;
    tally->seconds += row->seconds;
    return tally_load(tally, store, row->job_id, error);
}

/* ---- what the models said ---- */

static void take_judgement(const struct store_judgement *stored, struct opinion *opinion)
{
    struct judgement *judgement = &opinion->judgement;
    if (!stored->model)
        return;
    (void)snprintf(opinion->model, sizeof opinion->model, "%s", stored->model);
    (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%s", stored->unjudged);
    judgement->cut = *stored->cut ? memory_copy(stored->cut) : NULL;
    judgement->racy = stored->racy;
    judgement->outcomes = memory_take(stored->verdict_count, sizeof *judgement->outcomes);
    judgement->outcome_count = stored->verdict_count;
    opinion->labels = memory_take(stored->verdict_count, sizeof *opinion->labels);
    for (size_t i = 0; i < stored->verdict_count; i++) {
        const struct store_verdict *verdict = &stored->verdicts[i];
        opinion->labels[i] = memory_copy(verdict->label);
        judgement->outcomes[i].verdict = verdict->verdict;
        judgement->outcomes[i].axiom = *verdict->axiom ? memory_copy(verdict->axiom) : NULL;
    }
}

static enum status read_verdicts(struct store *store, int64_t job_id, struct arena *arena, struct verdicts *verdicts,
                                 struct error *error)
{
    struct store_judgements judgements;
    TRY(store_load_judgements(store, job_id, arena, &judgements, error));
    take_judgement(&judgements.source, &verdicts->source);
    take_judgement(&judgements.target, &verdicts->target);
    return STATUS_OK;
}

/* ---- the job ---- */

static enum status read_test(struct store *store, int64_t job_id, struct arena *arena, struct litmus_test **test,
                             struct error *error)
{
    struct store_text_row text;
    const char *name = arena_print(arena, "%s: the test of job %" PRId64, store_path(store), job_id);
    TRY(store_load_text(store, STORE_TEST, job_id, arena, &text, error));
    const char *source = text.text ? text.text : "";
    return litmus_parse(name, source, strlen(source), test, error);
}

/* The device's report when it ran; if that cannot be read, the values of the job's row. */
static enum status read_device(struct store *store, const struct store_job_row *row, struct arena *arena,
                               struct backend_device *device, struct error *error)
{
    struct store_text_row text;
    struct error ignored;
    TRY(store_load_text(store, STORE_CAPABILITIES, row->job_id, arena, &text, error));
    json_t *json = json_loads(text.text ? text.text : "", 0, NULL);
    if (!json || device_from_json(json, device, &ignored) != STATUS_OK)
        *device = (struct backend_device){.index = 0};
    (void)snprintf(device->backend, sizeof device->backend, "%s", row->backend);
    (void)snprintf(device->name, sizeof device->name, "%s", row->device);
    (void)snprintf(device->driver, sizeof device->driver, "%s", row->driver);
    (void)snprintf(device->compiler, sizeof device->compiler, "%s", row->compiler);
    json_decref(json);
    return STATUS_OK;
}

static void set_report(struct stored_job *job)
{
    const struct store_job_row *row = &job->row;
    const bool controls = row->controls[0] != '\0';
    job->controlled.name = (char *)(uintptr_t)row->controls;
    job->result.state = row->state;
    (void)snprintf(job->result.reason, sizeof job->result.reason, "%s", row->reason);
    job->report = (struct job_report){
        .test = job->test,
        .controlled = controls ? &job->controlled : NULL,
        .device = &job->device,
        .compiler = job->device.compiler,
        .result = &job->result,
        .tally = &job->tally,
        .run_id = row->run_id,
        .seed = row->seed,
        .environment = row->environment_hash,
        .profile = row->profile,
        .lowering = row->lowering,
        .marks = row->marks,
        .built = row->built,
        .kept = row->kept,
        .kept_reason = row->kept_reason,
        .verdicts = job->verdicts.source.model[0] || job->verdicts.target.model[0] ? &job->verdicts : NULL,
    };
}

enum status stored_job_read(struct store *store, const struct store_job_row *row, struct stored_job *job,
                            struct error *error)
{
    job->row = store_keep_job(&job->arena, row);
    TRY(read_test(store, row->job_id, &job->arena, &job->test, error));
    TRY(read_device(store, row, &job->arena, &job->device, error));
    TRY(stored_tally_add(store, row, &job->tally, error));
    TRY(read_verdicts(store, row->job_id, &job->arena, &job->verdicts, error));
    set_report(job);
    return STATUS_OK;
}

void stored_job_release(struct stored_job *job)
{
    litmus_release(job->test);
    tally_release(&job->tally);
    verdicts_release(&job->verdicts);
    arena_release(&job->arena);
    device_release(&job->device);
}
