// SPDX-License-Identifier: Apache-2.0
/* A stored job, as `run` knew it when it printed it, and logs as litmus7 and herd7 print them. */
#include "cli/export/export.h"
#include "runner/protocol/device.h"
#include "runner/run/plan_run.h"
#include "runner/supervise/devices.h"

/* Adds the outcomes and the voids of a stored job to those of *tally. */
static enum status stored_tally_add(struct store *store, const struct store_job_row *row, struct tally *tally,
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

/* ---- the job ---- */

/* The device's report when it ran; if that cannot be read, the values of the job's row. */
static enum status read_device(struct store *store, const struct store_job_row *row, struct arena *arena,
                               struct backend_device *device, struct error *error)
{
    struct store_text_row text;
    struct error ignored;
    TRY(store_load_text(store, STORE_CAPABILITIES, row->job_id, arena, &text, error));
    json_auto_t *json = json_loads(text.text ? text.text : "", 0, NULL);
    if (!json || device_from_json(json, device, &ignored) != STATUS_OK)
        *device = (struct backend_device){.index = 0};
    (void)snprintf(device->backend, sizeof device->backend, "%s", row->backend);
    (void)snprintf(device->name, sizeof device->name, "%s", row->device);
    (void)snprintf(device->driver, sizeof device->driver, "%s", row->driver);
    (void)snprintf(device->compiler, sizeof device->compiler, "%s", row->compiler);
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
    struct store_text_row text;
    const char *name = arena_print(&job->arena, "%s: the test of job %" PRId64, store_path(store), row->job_id);
    TRY(store_load_text(store, STORE_TEST, row->job_id, &job->arena, &text, error));
    const char *source = text.text ? text.text : "";
    TRY(litmus_parse(name, source, strlen(source), &job->test, error));
    TRY(read_device(store, row, &job->arena, &job->device, error));
    TRY(stored_tally_add(store, row, &job->tally, error));
    struct store_judgements judgements;
    TRY(store_load_judgements(store, row->job_id, &job->arena, &judgements, error));
    take_judgement(&judgements.source, &job->verdicts.source);
    take_judgement(&judgements.target, &job->verdicts.target);
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

/* ---- the logs of litmus7 and herd7 ---- */

/* Their readers (mcompare7 and the like) add up the blocks of one test, and stop
 * at two tests of one name. So a test's jobs become one block per device. */

/* What a device did, in the form of litmus7; with a judgement what a model says, in that of herd7. */
static void add_log_block(const struct job_report *report, const struct judgement *judgement, struct text *text)
{
    static const char *const kinds[] = {[LITMUS_EXISTS] = "Allowed",
                                        [LITMUS_NOT_EXISTS] = "Forbidden",
                                        [LITMUS_FORALL] = "Required",
                                        [LITMUS_NO_CONDITION] = "Allowed"};
    const struct litmus_test *test = report->test;
    const struct tally *tally = report->tally;
    const uint64_t witnesses = tally->witnesses, others = tally->instances - tally->void_instances - witnesses;
    /* What is positive satisfies the condition, with its ~; the observation is of its proposition. */
    const bool exists = test->quantifier == LITMUS_EXISTS, forall = test->quantifier == LITMUS_FORALL;
    const uint64_t positive = exists ? witnesses : others, negative = exists ? others : witnesses;
    const uint64_t seen = forall ? others : witnesses, unseen = forall ? witnesses : others;
    const bool holds = exists ? positive > 0 : negative == 0;
    const char *const answer = judgement && judgement->undefined_by ? "Undef" : holds ? "Ok" : "No";
    terminal_add(text, "Test %s %s\n", test->name, kinds[test->quantifier]);
    terminal_add(text, judgement ? "States %zu\n" : "Histogram (%zu states)\n", tally->outcome_count);
    FOR_EACH(const struct count, outcome, tally->outcomes, tally->outcome_count) {
        if (!judgement)
            terminal_add(text, "%-8" PRIu64 "%c>", outcome->count, outcome->witness ? '*' : ':');
        terminal_add(text, "%s\n", test->variable_count > 0 ? outcome->label : ""); /* mcompare7 cannot read "-" */
    }
    terminal_add(text, judgement ? "%s%s\nWitnesses\n" : "%s%s\n\nWitnesses\n",
                 judgement && judgement->cut ? "Loop " : "", answer);
    terminal_add(text, "Positive: %" PRIu64 "%s Negative: %" PRIu64 "\n", positive, judgement ? "" : ",", negative);
    if (judgement && judgement->undefined_by)
        terminal_add(text, "Flag %s\n", judgement->undefined_by);
    terminal_add(text, "Condition ");
    litmus_print_condition(test, text);
    if (!judgement) {
        char hash[65];
        litmus_hash(test, hash);
        terminal_add(text, " is %svalidated\nHash=%s", holds ? "" : "NOT ", hash);
    }
    terminal_add(text, "\nObservation %s %s %" PRIu64 " %" PRIu64 "\n", test->name,
                 seen == 0     ? "Never"
                 : unseen == 0 ? "Always"
                               : "Sometimes",
                 seen, unseen);
    if (!judgement)
        terminal_add(text, "Device=%s\n", device_address(report->device).text);
    terminal_add(text, "Time %s %.2f\n\n", test->name, tally->seconds);
}

void export_log_block(const struct job_report *report, struct text *text)
{
    if (report->tally->batches > 0) /* an empty histogram would be read as one without witnesses */
        add_log_block(report, NULL, text);
}

/* Registers by thread and name come before locations by name, and those before elements of arrays. */
static int herd_compare_variables(const void *left, const void *right, void *context)
{
    const struct litmus_test *test = context;
    const struct litmus_variable *a = &test->variables[*(const size_t *)left],
                                 *b = &test->variables[*(const size_t *)right];
    const bool locations = a->thread == LITMUS_NONE && b->thread == LITMUS_NONE;
    return ORDER((unsigned)a->thread, (unsigned)b->thread)
               ?: (locations ? ORDER(test->locations[a->index].array, test->locations[b->index].array) : 0)
               ?: strcmp(litmus_variable_name(test, a), litmus_variable_name(test, b)) ?: ORDER(a->element, b->element);
}

void export_herd_block(const struct litmus_test *test, const struct judgement *judgement, double seconds,
                       struct text *text)
{
    const size_t count = test->variable_count;
    struct arena arena = {0};
    size_t *order = arena_take(&arena, count + 1, sizeof *order);
    int64_t *values = arena_take(&arena, judgement->outcome_count * count + 1, sizeof *values);
    struct litmus_test sorted = *test; /* its variables and their values are in the order of herd7 */
    struct tally tally = {.seconds = seconds};
    sorted.variables = arena_take(&arena, count + 1, sizeof *sorted.variables);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, herd_compare_variables, (void *)(uintptr_t)test); /* which is only read */
    for (size_t i = 0; i < count; i++)
        sorted.variables[i] = test->variables[order[i]];
    FOR_EACH(const struct judged_outcome, outcome, judgement->outcomes, judgement->outcome_count) {
        if (!outcome->consistent)
            continue;
        for (size_t i = 0; i < count; i++)
            values[tally.instances * count + i] = outcome->values[order[i]];
        tally.instances++;
        tally.witnesses += outcome->witness;
    }
    qsort_r(values, tally.instances, count * sizeof *values, litmus_compare_values, &sorted);
    while (tally.outcome_count < tally.instances) {
        LOCAL(text) label = {0};
        litmus_print_outcome(&sorted, values + tally.outcome_count * count, &label);
        ARENA_ADD(&arena, tally.outcomes, tally.outcome_count).label = arena_copy(&arena, text_string(&label));
    }
    add_log_block(&(struct job_report){.test = test, .tally = &tally}, judgement, text);
    arena_release(&arena);
}

struct log_entry {
    struct store_job_row job;
    const char *device; /* the identity of a test */
};

struct gathering {
    const struct export_log_wanted *wanted;
    struct arena arena;
    struct log_entry *entries;
    size_t count;
};

static bool export_job_is_wanted(const struct export_log_wanted *wanted, const struct store_job_row *row)
{
    if (wanted->dialect && strcmp(wanted->dialect, row->dialect) != 0)
        return false;
    return !wanted->device || strcasestr(row->device, wanted->device) ||
           strcasecmp(wanted->device, row->device_uuid) == 0;
}

static enum status gather_jobs(struct store *store, struct gathering *gathering, struct error *error)
{
    struct store_cursor jobs;
    store_query(store, STORE_JOBS, gathering->wanted->run_id, &jobs, error);
    while (store_next(&jobs)) {
        const struct store_job_row *row = &jobs.job;
        if (!export_job_is_wanted(gathering->wanted, row) || row->batches == 0)
            continue;
        ARENA_ADD(&gathering->arena, gathering->entries, gathering->count) =
            (struct log_entry){store_keep_job(&gathering->arena, row),
                               arena_print(&gathering->arena, "%s\n%s\n%s\n%s\n%s\n%s", row->backend, row->device,
                                           row->device_uuid, row->platform, row->driver, row->compiler)};
    }
    return store_end(&jobs, STATUS_OK);
}

ORDERED_BY(export_job_compare_entries, const struct log_entry,
           strcmp(a->job.test, b->job.test) ?: strcmp(a->job.test_hash, b->job.test_hash)
               ?: strcmp(a->device, b->device) ?: ORDER(a->job.job_id, b->job.job_id))

static enum status refuse_namesakes(const struct store *store, const struct gathering *gathering, struct error *error)
{
    for (size_t i = 1; i < gathering->count; i++) {
        const struct store_job_row *one = &gathering->entries[i - 1].job, *other = &gathering->entries[i].job;
        if (strcmp(one->test, other->test) == 0 && strcmp(one->test_hash, other->test_hash) != 0)
            return error_set(error, STATUS_USAGE,
                             "%s: two different tests are called '%.60s', and mcompare7 stops at that: choose one with "
                             "--dialect or --run",
                             store_path(store), one->test);
    }
    return STATUS_OK;
}

static enum status export_block(struct store *store, const struct log_entry *entries, size_t count, FILE *out,
                                struct error *error)
{
    LOCAL(stored_job) job = {.test = NULL}; /* the first; its tally gets the others' */
    LOCAL(text) text = {0};
    enum status status = stored_job_read(store, &entries[0].job, &job, error);
    for (size_t i = 1; i < count && status == STATUS_OK; i++)
        status = stored_tally_add(store, &entries[i].job, &job.tally, error);
    if (status == STATUS_OK) {
        tally_sort(&job.tally);
        export_log_block(&job.report, &text);
        terminal_write_source(out, text_string(&text));
    }
    return status;
}

static bool same_block(const struct log_entry *a, const struct log_entry *b)
{
    return strcmp(a->job.test, b->job.test) == 0 && strcmp(a->device, b->device) == 0;
}

static enum status print_blocks(struct store *store, const struct gathering *gathering, FILE *out, struct error *error)
{
    for (size_t first = 0, end; first < gathering->count && !ferror(out); first = end) {
        for (end = first + 1;
             end < gathering->count && same_block(&gathering->entries[first], &gathering->entries[end]); end++)
            ;
        TRY(export_block(store, &gathering->entries[first], end - first, out, error));
    }
    return STATUS_OK;
}

enum status export_log(struct store *store, const struct export_log_wanted *wanted, FILE *out, struct error *error)
{
    struct gathering gathering = {.wanted = wanted};
    enum status status = gather_jobs(store, &gathering, error);
    if (status == STATUS_OK)
        SORT(gathering.entries, gathering.count, export_job_compare_entries);
    THEN(status, refuse_namesakes(store, &gathering, error));
    THEN(status, print_blocks(store, &gathering, out, error));
    arena_release(&gathering.arena);
    return status;
}
