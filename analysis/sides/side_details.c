// SPDX-License-Identifier: Apache-2.0
/* Reads a job's batches and outcomes, and the models' verdicts on them. */
#include <string.h>

#include "analysis/sides/side_job.h"
#include "litmus/litmus.h"

/* The backend of devices that play a test together: no other has homes. */
static const char several_devices[] = "ensemble";

struct details {
    struct arena *arena;
    struct side_job *job;
    uint32_t *numbers;
    uint64_t *counted;
    size_t room;           /* of these two */
    size_t batch, outcome; /* place of the last row: rows come in order, so the next is near */
    uint64_t sum;          /* of the batch's outcomes so far */
    bool damaged;          /* a batch does not add up */
};

/* The row knows how many batches there were when it was read: there may be a few more by now. */
static void make_room(struct details *details)
{
    const size_t count = details->job->run.batch_count;
    if (count < details->room)
        return;
    details->room = details->room == 0 ? (size_t)details->job->row.batches + 1 : 2 * details->room;
    uint32_t *numbers = arena_take(details->arena, details->room, sizeof *numbers);
    uint64_t *counted = arena_take(details->arena, details->room, sizeof *counted);
    if (count > 0) {
        memcpy(numbers, details->numbers, count * sizeof *numbers);
        memcpy(counted, details->counted, count * sizeof *counted);
    }
    details->numbers = numbers;
    details->counted = counted;
}

static enum status read_batches(struct store *store, struct details *details, struct error *error)
{
    struct side_job *job = details->job;
    struct store_cursor cursor;
    job->row.voids = 0; /* batches may have been stored since the row was read */
    store_query(store, STORE_BATCHES, job->row.job_id, &cursor, error);
    while (store_next(&cursor)) {
        const struct store_batch_row *batch = &cursor.batch;
        make_room(details);
        details->damaged |= batch->voids > batch->instances;
        job->row.voids += batch->voids;
        job->run.instances += batch->instances - batch->voids;
        details->numbers[job->run.batch_count] = (uint32_t)batch->number;
        details->counted[job->run.batch_count++] = batch->instances - batch->voids;
    }
    job->run.numbers = details->numbers;
    job->run.counted = details->counted;
    return store_end(&cursor, STATUS_OK);
}

/* The job's outcome of a label, added if there is none yet. */
static struct sample_outcome *find_outcome(struct details *details, const char *label, bool witness)
{
    struct side_job *job = details->job;
    for (size_t step = 1; step <= job->outcome_count; step++) {
        struct sample_outcome *outcome = &job->outcomes[(details->outcome + step) % job->outcome_count];
        if (strcmp(outcome->label, label) == 0) {
            details->outcome = (details->outcome + step) % job->outcome_count;
            return outcome;
        }
    }
    details->outcome = job->outcome_count;
    ARENA_ADD(details->arena, job->outcomes, job->outcome_count) =
        (struct sample_outcome){.label = arena_copy(details->arena, label),
                                .witness = witness,
                                .source = {.verdict = VERDICT_NONE, .axiom = ""},
                                .target = {.verdict = VERDICT_NONE, .axiom = ""},
                                .counts = arena_take(details->arena, 1, sizeof(const uint64_t *))};
    return &job->outcomes[details->outcome];
}

/* Most outcomes that a model lists are never seen: those have no counts. */
static uint64_t *counts_of(struct details *details, struct sample_outcome *outcome)
{
    uint64_t *counts = outcome->counts[0] ? (uint64_t *)(uintptr_t)outcome->counts[0]
                                          : arena_take(details->arena, details->job->run.batch_count, sizeof *counts);
    outcome->counts[0] = counts;
    return counts;
}

/* Orchil stores no batch whose outcomes and voids are not its instances. */
static void leave_batch(struct details *details)
{
    details->damaged |= details->sum != details->counted[details->batch++];
    details->sum = 0;
}

static void add_count(struct details *details, uint64_t number, const struct count *count)
{
    const struct sample_run *run = &details->job->run;
    while (details->batch < run->batch_count && run->numbers[details->batch] < number)
        leave_batch(details);
    if (details->batch == run->batch_count || run->numbers[details->batch] != number)
        return; /* stored by another process since the batches were read */
    struct sample_outcome *outcome = find_outcome(details, count->label, count->witness);
    counts_of(details, outcome)[details->batch] += count->count;
    outcome->count += count->count;
    outcome->witness |= count->witness;
    details->damaged |= __builtin_add_overflow(details->sum, count->count, &details->sum);
}

static enum status read_counts(struct store *store, struct details *details, struct error *error)
{
    struct store_cursor cursor;
    store_query(store, STORE_BATCH_OUTCOMES, details->job->row.job_id, &cursor, error);
    while (store_next(&cursor))
        add_count(details, cursor.number, &cursor.count);
    TRY(store_end(&cursor, STATUS_OK));
    while (details->batch < details->job->run.batch_count)
        leave_batch(details);
    return STATUS_OK;
}

/* Such a job is discarded as a whole; the others of the file may be sound. */
static void drop_counts(struct side_job *job)
{
    job->row.state = JOB_INVALID;
    job->row.reason = "its counts are damaged: a batch does not add up to its instances";
    job->row.instances = job->row.voids = job->row.batches = 0;
    job->run.instances = job->run.batch_count = 0;
    job->outcomes = NULL;
    job->outcome_count = 0;
}

/* ---- verdicts ---- */

/* An opinion on an outcome that the model forbids says why. */
static struct sample_opinion opinion_of(const char *model, enum verdict verdict, const char *axiom)
{
    static const char not_listed[] = "no execution of the test has it";
    const char *why = *axiom ? axiom : not_listed;
    return (struct sample_opinion){
        .verdict = verdict, .model = model, .axiom = verdict == VERDICT_FORBIDDEN ? why : ""};
}

/* Takes the verdicts of one model. What it does not list cannot happen if its list is exhaustive. */
static void read_opinions(struct details *details, const struct store_judgement *judgement, bool is_target)
{
    struct side_job *job = details->job;
    const char *unjudged = *judgement->unjudged ? judgement->unjudged : judgement->cut;
    bool exhaustive = !*judgement->unjudged && !*judgement->cut && !judgement->racy;
    for (size_t i = 0; i < judgement->verdict_count; i++) {
        const struct store_verdict *verdict = &judgement->verdicts[i];
        struct sample_outcome *outcome = find_outcome(details, verdict->label, false);
        *(is_target ? &outcome->target : &outcome->source) =
            opinion_of(judgement->model, verdict->verdict, verdict->axiom);
        exhaustive &= verdict->verdict != VERDICT_UNSPECIFIED;
    }
    for (size_t i = 0; i < job->outcome_count; i++) {
        struct sample_opinion *opinion = is_target ? &job->outcomes[i].target : &job->outcomes[i].source;
        if (opinion->verdict != VERDICT_NONE)
            continue;
        *opinion = opinion_of(judgement->model, exhaustive ? VERDICT_FORBIDDEN : VERDICT_NONE, "");
        opinion->unjudged = !exhaustive && *unjudged ? unjudged : NULL;
    }
}

void side_settle(struct side_job *job)
{
    for (size_t i = 0; i < job->outcome_count; i++) {
        struct sample_outcome *outcome = &job->outcomes[i];
        const struct sighting sighting = {.source = outcome->source.verdict,
                                          .target = outcome->target.verdict,
                                          .witness = outcome->witness,
                                          .control = *job->row.controls,
                                          .claimed = job->claimed,
                                          .marks = job->row.marks};
        outcome->ruling = outcome->count > 0 ? ruling_of(&sighting) : (struct ruling){.kind = RULING_NONE};
    }
}

void side_release_claims(struct side_claims *claims)
{
    hash_index_release(&claims->index);
    arena_release(&claims->arena);
}

/* Whether the test's file says that its witness must never appear. Jobs of one test follow each other in many runs: each
 * text is parsed once. A text that cannot be read claims nothing. */
static bool find_claim(struct side_claims *claims, const char *name, const char *text)
{
    const uint64_t key = hash_index_key(0, text);
    struct litmus_test *test = NULL;
    struct error ignored;
    size_t at;
    for (size_t step = 0; hash_index_next(&claims->index, key, &step, &at);)
        if (strcmp(claims->list[at].text, text) == 0)
            return claims->list[at].claimed;
    hash_index_add(&claims->index, key, claims->count);
    struct side_claim *claim = &ARENA_ADD(&claims->arena, claims->list, claims->count);
    claim->text = arena_copy(&claims->arena, text);
    claim->claimed =
        litmus_parse(name, text, strlen(text), &test, &ignored) == STATUS_OK && litmus_forbids_witness(test);
    litmus_release(test);
    return claim->claimed;
}

enum status side_read_claim(struct store *store, struct side_claims *claims, const struct side_job *job, bool *claimed,
                            struct error *error)
{
    struct arena arena = {0};
    struct store_text_row text;
    const enum status status = store_load_text(store, STORE_TEST, job->row.job_id, &arena, &text, error);
    *claimed = status == STATUS_OK && text.text && find_claim(claims, job->row.test, text.text);
    arena_release(&arena);
    return status;
}

static enum status read_rulings(struct store *store, struct side_claims *claims, struct details *details,
                                struct error *error)
{
    struct side_job *job = details->job;
    struct store_judgements judgements;
    bool witnessed = false;
    TRY(store_load_judgements(store, job->row.job_id, details->arena, &judgements, error));
    if (judgements.source.model)
        read_opinions(details, &judgements.source, false);
    if (judgements.target.model)
        read_opinions(details, &judgements.target, true);
    job->source_model = judgements.source.model ? judgements.source.model : "";
    job->target_model = judgements.target.model ? judgements.target.model : "";
    for (size_t i = 0; i < job->outcome_count; i++)
        witnessed |= job->outcomes[i].witness && job->outcomes[i].count > 0;
    if (witnessed && !*job->row.controls)
        TRY(side_read_claim(store, claims, job, &job->claimed, error));
    side_settle(job);
    return STATUS_OK;
}

void sample_add_home(struct arena *arena, struct sample_home **homes, size_t *count, const struct sample_home *home)
{
    size_t i = 0;
    while (i < *count && strcmp((*homes)[i].homes, home->homes) != 0)
        i++;
    if (i == *count)
        ARENA_ADD(arena, *homes, *count) = (struct sample_home){.homes = home->homes};
    (*homes)[i].counted += home->counted;
    (*homes)[i].witnesses += home->witnesses;
}

static enum status read_homes(struct store *store, struct details *details, struct error *error)
{
    struct side_job *job = details->job;
    struct store_cursor cursor;
    store_query(store, STORE_HOMES, job->row.job_id, &cursor, error);
    while (store_next(&cursor)) {
        const struct sample_home home = {arena_copy(details->arena, cursor.homes.homes), cursor.homes.instances,
                                         cursor.homes.witnesses};
        sample_add_home(details->arena, &job->homes, &job->home_count, &home);
    }
    return store_end(&cursor, STATUS_OK);
}

enum status side_read_details(struct store *store, struct arena *arena, struct side_claims *claims,
                              struct side_job *job, struct error *error)
{
    struct details details = {.arena = arena, .job = job};
    TRY(read_batches(store, &details, error));
    TRY(read_counts(store, &details, error));
    if (details.damaged)
        drop_counts(job);
    else if (strcmp(job->row.backend, several_devices) == 0)
        TRY(read_homes(store, &details, error));
    return read_rulings(store, claims, &details, error);
}
