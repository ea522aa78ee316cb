// SPDX-License-Identifier: Apache-2.0
/* A stored job, as `run` knew it when it printed it. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/export/export.h"
#include "runner/run/plan_run.h"
#include "runner/supervise/devices.h"

static bool add_outcome(const struct count *stored, void *context)
{
    tally_add_outcome(context, stored);
    return true;
}

static bool add_void(const struct count *stored, void *context)
{
    tally_add_void(context, stored);
    return true;
}

enum status stored_tally_add(struct store *store, const struct store_job_row *row, struct tally *tally,
                             struct error *error)
{
    TRY(store_each_outcome(store, row->job_id, add_outcome, tally, error));
    TRY(store_each_void(store, row->job_id, add_void, tally, error));
    tally->batches += row->batches;
    tally->invalid_batches += row->invalid_batches;
    tally->instances += row->instances;
    tally->launched += row->instances;
    tally->seconds += row->seconds;
    return STATUS_OK;
}

/* ---- what the models said ---- */

struct reading_verdicts {
    struct verdicts *verdicts;
    struct opinion *opinion;
    size_t room;
};

static bool take_judgement(const struct store_judgement *stored, void *context)
{
    struct reading_verdicts *reading = context;
    struct opinion *opinion =
        strcmp(stored->role, "target") == 0 ? &reading->verdicts->target : &reading->verdicts->source;
    (void)snprintf(opinion->model, sizeof opinion->model, "%s", stored->model);
    (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%s", stored->unjudged);
    opinion->judgement.cut = stored->cut[0] ? memory_copy(stored->cut) : NULL;
    opinion->judgement.racy = stored->racy;
    opinion->judgement.outcomes = memory_take(stored->verdict_count, sizeof *opinion->judgement.outcomes);
    opinion->labels = memory_take(stored->verdict_count, sizeof *opinion->labels);
    return true;
}

static bool take_verdict(const struct store_verdict *stored, void *context)
{
    struct reading_verdicts *reading = context;
    struct judgement *judgement = &reading->opinion->judgement;
    if (judgement->outcome_count == reading->room)
        return false;
    struct judged_outcome *judged = &judgement->outcomes[judgement->outcome_count];
    (void)verdict_from_word(stored->verdict, &judged->verdict);
    judged->axiom = stored->axiom[0] ? memory_copy(stored->axiom) : NULL;
    reading->opinion->labels[judgement->outcome_count++] = memory_copy(stored->label);
    return true;
}

/* How many verdicts there is room for: asked again, as the file tells it between two statements of one transaction. */
static bool count_verdicts(const struct store_judgement *stored, void *context)
{
    struct reading_verdicts *reading = context;
    const bool target = strcmp(stored->role, "target") == 0;
    if (reading->opinion == (target ? &reading->verdicts->target : &reading->verdicts->source))
        reading->room = stored->verdict_count;
    return true;
}

static enum status read_verdicts(struct store *store, int64_t job_id, struct verdicts *verdicts, struct error *error)
{
    struct reading_verdicts reading = {.verdicts = verdicts};
    TRY(store_each_judgement(store, job_id, take_judgement, &reading, error));
    for (int target = 0; target < 2; target++) {
        reading.opinion = target ? &verdicts->target : &verdicts->source;
        reading.room = 0;
        if (!reading.opinion->model[0])
            continue;
        TRY(store_each_judgement(store, job_id, count_verdicts, &reading, error));
        TRY(store_each_verdict(store, job_id, target ? "target" : "source", take_verdict, &reading, error));
    }
    return STATUS_OK;
}

/* ---- the job ---- */

static enum status read_test(struct store *store, int64_t job_id, struct litmus_test **test, struct error *error)
{
    struct text text = {0}, doc = {0};
    char name[64];
    (void)snprintf(name, sizeof name, "the test of job %" PRId64, job_id);
    enum status status = store_read_test(store, job_id, &text, &doc, error);
    if (status == STATUS_OK)
        status = litmus_parse(name, text_string(&text), text.size, test, error);
    text_release(&text);
    text_release(&doc);
    return status;
}

/* What the device told when it ran; where that cannot be read, what the job's row says. */
static enum status read_device(struct store *store, const struct store_job_row *row, struct backend_device *device,
                               struct error *error)
{
    struct text text = {0};
    struct error ignored;
    const enum status status = store_read_capabilities(store, row->job_id, &text, error);
    json_t *json = json_loads(text_string(&text), 0, NULL);
    if (!json || device_from_json(json, device, &ignored) != STATUS_OK)
        *device = (struct backend_device){.index = 0};
    (void)snprintf(device->backend, sizeof device->backend, "%s", row->backend);
    (void)snprintf(device->name, sizeof device->name, "%s", row->device);
    (void)snprintf(device->driver, sizeof device->driver, "%s", row->driver);
    (void)snprintf(device->compiler, sizeof device->compiler, "%s", row->compiler);
    json_decref(json);
    text_release(&text);
    return status;
}

static void set_result(const struct store_job_row *row, struct job_result *result)
{
    result->state = JOB_STARTED;
    (void)job_state_from_word(row->state, &result->state);
    (void)snprintf(result->reason, sizeof result->reason, "%s", row->reason);
}

static void set_report(const struct store_job_row *row, struct stored_job *job)
{
    const unsigned marks = marks_parse(row->marks);
    const bool undeclared = marks & MARK_UNDECLARED, controls = row->controls[0] != '\0';
    (void)snprintf(job->environment, sizeof job->environment, "%s", row->environment_hash);
    (void)snprintf(job->profile, sizeof job->profile, "%s", row->profile);
    (void)snprintf(job->name, sizeof job->name, "%s", row->controls);
    job->controlled.name = job->name;
    job->report = (struct job_report){
        .test = job->test,
        .controlled = controls ? &job->controlled : NULL,
        .device = &job->device,
        .result = &job->result,
        .tally = &job->tally,
        .run_id = row->run_id,
        .seed = row->seed,
        .environment = job->environment,
        .profile = job->profile,
        .marks = marks,
        .must_not_appear = (controls || plan_forbids(job->test)) && !undeclared,
        .excused = undeclared,
        .verdicts = job->verdicts.source.model[0] || job->verdicts.target.model[0] ? &job->verdicts : NULL,
    };
}

enum status stored_job_read(struct store *store, const struct store_job_row *row, struct stored_job *job,
                            struct error *error)
{
    TRY(read_test(store, row->job_id, &job->test, error));
    TRY(read_device(store, row, &job->device, error));
    TRY(stored_tally_add(store, row, &job->tally, error));
    TRY(read_verdicts(store, row->job_id, &job->verdicts, error));
    set_result(row, &job->result);
    set_report(row, job);
    return STATUS_OK;
}

void stored_job_release(struct stored_job *job)
{
    litmus_release(job->test);
    tally_release(&job->tally);
    verdicts_release(&job->verdicts);
}
