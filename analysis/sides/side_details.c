// SPDX-License-Identifier: Apache-2.0
/* Reads a job's batches, shares and outcomes, and the models' verdicts on them. */
#include <math.h>
#include <string.h>

#include "analysis/sides/side_job.h"
#include "litmus/litmus.h"

/* The backend of devices that play a test together: no other has homes. */
static const char several_devices[] = "ensemble";

struct details {
    struct arena *arena;
    struct side_job *job;
    size_t batch, outcome; /* place of the last row: rows come in order, so the next is near */
    uint64_t sum;          /* of the batch's outcomes so far */
    bool damaged;          /* a batch does not add up */
};

/* Without counts and verdicts. The label is borrowed. */
static struct sample_outcome new_outcome(const struct details *details, enum sample_measure of, const char *label)
{
    return (struct sample_outcome){.of = of,
                                   .label = label,
                                   .source = {.verdict = VERDICT_NONE, .axiom = ""},
                                   .target = {.verdict = VERDICT_NONE, .axiom = ""},
                                   .counts = arena_take(details->arena, 1, sizeof(const uint64_t *))};
}

/* ---- batches, and shares ---- */

static uint64_t *add_share(struct details *details, enum sample_measure of, const char *label)
{
    struct side_job *job = details->job;
    uint64_t *counts = arena_take(details->arena, job->run.batch_count, sizeof *counts);
    ARENA_ADD(details->arena, job->shares, job->share_count) = new_outcome(details, of, label);
    job->shares[job->share_count - 1].counts[0] = counts;
    return counts;
}

/* Most, so that no sum of a stored time overflows: some hours. */
static uint64_t nanoseconds_of(double seconds)
{
    return (uint64_t)fmin(fmax(1e9 * seconds, (double)SAMPLE_LEAST_TIME), 1e13);
}

static void take_batches(struct details *details, const struct store_batch_row *rows, size_t count)
{
    struct side_job *job = details->job;
    uint32_t *numbers = arena_take(details->arena, count, sizeof *numbers);
    uint64_t *arguments = arena_take(details->arena, count, sizeof *arguments);
    uint64_t *launched = arena_take(details->arena, count, sizeof *launched);
    uint64_t *counted = arena_take(details->arena, count, sizeof *counted);
    job->run.batch_count = count;
    uint64_t *times = count > 0 ? add_share(details, SAMPLE_TIME, SAMPLE_TIME_LABEL) : NULL;
    job->row.voids = 0; /* batches may have been stored since the row was read */
    for (size_t i = 0; i < count; i++) {
        details->damaged |= rows[i].voids > rows[i].instances;
        numbers[i] = (uint32_t)rows[i].number;
        arguments[i] = rows[i].arguments;
        launched[i] = rows[i].instances;
        counted[i] = rows[i].instances - rows[i].voids;
        times[i] = nanoseconds_of(rows[i].seconds);
        job->shares->count += times[i];
        job->row.voids += rows[i].voids;
        job->run.instances += counted[i];
    }
    job->run.numbers = numbers;
    job->run.arguments = arguments;
    job->run.launched = launched;
    job->run.counted = counted;
}

static enum status read_batches(struct store *store, struct details *details, struct error *error)
{
    struct arena scratch = {0};
    struct store_batch_row *rows = NULL;
    size_t count = 0;
    struct store_cursor cursor;
    store_query(store, STORE_BATCHES, details->job->row.job_id, &cursor, error);
    while (store_next(&cursor))
        ARENA_ADD(&scratch, rows, count) = cursor.batch;
    take_batches(details, rows, count);
    arena_release(&scratch);
    return store_end(&cursor, STATUS_OK);
}

/* There are few reasons. */
static struct sample_outcome *find_void(struct details *details, const char *reason)
{
    struct side_job *job = details->job;
    for (size_t i = 0; i < job->share_count; i++)
        if (job->shares[i].of == SAMPLE_VOID && strcmp(job->shares[i].label + strlen(SAMPLE_VOID_LABEL), reason) == 0)
            return &job->shares[i];
    (void)add_share(details, SAMPLE_VOID, arena_print(details->arena, SAMPLE_VOID_LABEL "%s", reason));
    return &job->shares[job->share_count - 1];
}

static enum status read_voids(struct store *store, struct details *details, struct error *error)
{
    const struct sample_run *run = &details->job->run;
    struct store_cursor cursor;
    size_t at = 0;
    store_query(store, STORE_BATCH_VOIDS, details->job->row.job_id, &cursor, error);
    while (store_next(&cursor)) {
        while (at < run->batch_count && run->numbers[at] < cursor.number)
            at++;
        if (at == run->batch_count || run->numbers[at] != cursor.number)
            continue; /* stored by another process since the batches were read */
        struct sample_outcome *share = find_void(details, cursor.count.label);
        ((uint64_t *)(uintptr_t)share->counts[0])[at] += cursor.count.count;
        share->count += cursor.count.count;
    }
    return store_end(&cursor, STATUS_OK);
}

/* ---- outcomes ---- */

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
        new_outcome(details, SAMPLE_OUTCOME, arena_copy(details->arena, label));
    job->outcomes[details->outcome].witness = witness;
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
    details->damaged |= details->sum != details->job->run.counted[details->batch++];
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
    job->outcomes = job->shares = NULL;
    job->outcome_count = job->share_count = 0;
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
static const struct side_claim *find_claim(struct side_claims *claims, const char *name, const char *text)
{
    const uint64_t key = hash_index_key(0, text);
    struct litmus_test *test = NULL;
    struct error ignored;
    size_t at;
    for (size_t step = 0; hash_index_next(&claims->index, key, &step, &at);)
        if (strcmp(claims->list[at].text, text) == 0)
            return &claims->list[at];
    hash_index_add(&claims->index, key, claims->count);
    struct side_claim *claim = &ARENA_ADD(&claims->arena, claims->list, claims->count);
    claim->text = arena_copy(&claims->arena, text);
    const bool is_read = litmus_parse(name, text, strlen(text), &test, &ignored) == STATUS_OK;
    claim->claimed = is_read && litmus_forbids_witness(test);
    claim->progress = is_read && litmus_is_progress(test);
    litmus_release(test);
    return claim;
}

/* A job that counted nothing shows nothing, unless it asks how often its threads give up. */
static enum status condemn_uncounted(struct store *store, struct side_claims *claims, struct side_job *job,
                                     struct error *error)
{
    struct arena arena = {0};
    struct store_text_row text;
    if (job->row.state != JOB_COMPLETED || job->run.instances > 0)
        return STATUS_OK;
    const enum status status = store_load_text(store, STORE_TEST, job->row.job_id, &arena, &text, error);
    if (status == STATUS_OK && !(text.text && find_claim(claims, job->row.test, text.text)->progress)) {
        job->row.state = JOB_INVALID;
        job->row.reason = "no instance was counted";
    }
    arena_release(&arena);
    return status;
}

enum status side_read_claim(struct store *store, struct side_claims *claims, const struct side_job *job, bool *claimed,
                            struct error *error)
{
    struct arena arena = {0};
    struct store_text_row text;
    const enum status status = store_load_text(store, STORE_TEST, job->row.job_id, &arena, &text, error);
    *claimed = status == STATUS_OK && text.text && find_claim(claims, job->row.test, text.text)->claimed;
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
    if (job->row.voids > 0)
        TRY(read_voids(store, &details, error));
    if (details.damaged)
        drop_counts(job);
    else if (strcmp(job->row.backend, several_devices) == 0)
        TRY(read_homes(store, &details, error));
    TRY(condemn_uncounted(store, claims, job, error));
    return read_rulings(store, claims, &details, error);
}
