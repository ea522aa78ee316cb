// SPDX-License-Identifier: Apache-2.0
/* Gathers jobs that count as the same into samples. */
#include <jansson.h>

#include "analysis/sides/side_job.h"
#include "analysis/statistics/statistics.h"
#include "litmus/litmus.h"

/* Which jobs count for the mutation score of their run: only a run whose plan asks for a score has one. */

/* The plan of a merged run is in the database where it was begun, so a merged run asks for nothing. */
static enum status asks_for_score(struct store *store, int64_t run, bool *asks, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_text_row plan;
    const enum status status = store_load_text(store, STORE_PLAN, run, &arena, &plan, error);
    json_auto_t *options = status == STATUS_OK && plan.text ? json_loads(plan.text, 0, NULL) : NULL;
    *asks = json_integer_value(json_object_get(options, "score")) == 1; /* SELECTION_SCORES_MUTANTS */
    return status;
}

/* Whether the test's file says that its witness must never appear. Jobs of one test follow each other in many runs:
 * each text is parsed once. A text that cannot be read claims nothing. */
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

/* What the file of a job's test says; NULL if there is no text. */
static enum status side_read_claim(struct store *store, struct side_claims *claims, const struct side_job *job,
                                   const struct side_claim **claim, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_text_row text;
    const enum status status = store_load_text(store, STORE_TEST, job->row.job_id, &arena, &text, error);
    *claim = status == STATUS_OK && text.text ? find_claim(claims, job->row.test, text.text) : NULL;
    return status;
}

enum status side_mark_mutants(struct store *store, struct side_claims *claims, struct side *side, struct error *error)
{
    const struct side_claim *claim;
    bool asks = false;
    for (size_t i = 0; i < side->job_count; i++) {
        struct side_job *job = &side->jobs[i];
        if (i == 0 || job->row.run_id != side->jobs[i - 1].row.run_id)
            TRY(asks_for_score(store, job->row.run_id, &asks, error));
        if (!asks)
            continue;
        TRY(side_read_claim(store, claims, job, &claim, error));
        job->mutant = mutation_score_has(*job->row.controls, claim && claim->claimed, job->row.state);
    }
    return STATUS_OK;
}

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
        /* Most, so that no sum of a stored time overflows: some hours. */
        times[i] = (uint64_t)fmin(fmax(1e9 * rows[i].seconds, (double)SAMPLE_LEAST_TIME), 1e13);
        job->shares->count += times[i];
        job->row.voids += rows[i].voids;
        job->run.instances += counted[i];
    }
    job->run.numbers = numbers;
    job->run.arguments = arguments;
    job->run.launched = launched;
    job->run.counted = counted;
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

static void side_gather_add_count(struct details *details, uint64_t number, const struct count *count)
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
        side_gather_add_count(details, cursor.number, &cursor.count);
    TRY(store_end(&cursor, STATUS_OK));
    while (details->batch < details->job->run.batch_count)
        leave_batch(details);
    return STATUS_OK;
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
    FOR_EACH(const struct store_verdict, verdict, judgement->verdicts, judgement->verdict_count) {
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
    FOR_EACH(struct sample_outcome, outcome, job->outcomes, job->outcome_count) {
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

/* A job that counted nothing shows nothing, unless it asks how often its threads give up. */
static enum status condemn_uncounted(struct store *store, struct side_claims *claims, struct side_job *job,
                                     struct error *error)
{
    const struct side_claim *claim;
    if (job->row.state != JOB_COMPLETED || job->run.instances > 0)
        return STATUS_OK;
    TRY(side_read_claim(store, claims, job, &claim, error));
    if (!claim || !claim->progress) {
        job->row.state = JOB_INVALID;
        job->row.reason = "no instance was counted";
    }
    return STATUS_OK;
}

static enum status read_rulings(struct store *store, struct side_claims *claims, struct details *details,
                                struct error *error)
{
    struct side_job *job = details->job;
    struct store_judgements judgements;
    const struct side_claim *claim = NULL;
    TRY(store_load_judgements(store, job->row.job_id, details->arena, &judgements, error));
    if (judgements.source.model)
        read_opinions(details, &judgements.source, false);
    if (judgements.target.model)
        read_opinions(details, &judgements.target, true);
    job->source_model = judgements.source.model ? judgements.source.model : "";
    job->target_model = judgements.target.model ? judgements.target.model : "";
    const bool witnessed = ANY_OF(outcome, job->outcomes, job->outcome_count, outcome->witness && outcome->count > 0);
    if (witnessed && !*job->row.controls)
        TRY(side_read_claim(store, claims, job, &claim, error));
    job->claimed = claim && claim->claimed;
    side_settle(job);
    return STATUS_OK;
}

void sample_add_home(struct arena *arena, struct sample_home **homes, size_t *count, const struct sample_home *home)
{
    const size_t i = INDEX_OF(one, *homes, *count, strcmp(one->homes, home->homes) == 0);
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
    LOCAL(arena) scratch = {0};
    struct store_batch_row *rows = NULL;
    size_t count = 0;
    struct store_cursor cursor;
    store_query(store, STORE_BATCHES, details.job->row.job_id, &cursor, error);
    while (store_next(&cursor))
        ARENA_ADD(&scratch, rows, count) = cursor.batch;
    take_batches(&details, rows, count);
    TRY(store_end(&cursor, STATUS_OK));
    TRY(read_counts(store, &details, error));
    if (job->row.voids > 0)
        TRY(read_voids(store, &details, error));
    if (details.damaged) {
        /* Such a job is discarded as a whole; the others of the file may be sound. */
        job->row.state = JOB_INVALID;
        job->row.reason = "its counts are damaged: a batch does not add up to its instances";
        job->row.instances = job->row.voids = job->row.batches = 0;
        job->run.instances = job->run.batch_count = 0;
        job->outcomes = job->shares = NULL;
        job->outcome_count = job->share_count = 0;
    } else if (strcmp(job->row.backend, several_devices) == 0)
        TRY(read_homes(store, &details, error));
    TRY(condemn_uncounted(store, claims, job, error));
    return read_rulings(store, claims, &details, error);
}

static const char *device_identity(const struct store_job_row *row)
{
    return *row->device_uuid ? row->device_uuid : row->device;
}

/* ---- what may differ ---- */

static const char *apart_of(const char *apart)
{
    return apart ? apart : "";
}

static const char *backend_of(const struct store_job_row *row)
{
    return row->backend;
}

/* Whether `of` gives one value for each side, and the two differ. */
static bool is_free(const struct side *a, const struct side *b, const char *(*of)(const struct store_job_row *row))
{
    const struct side *const sides[] = {a, b};
    return !ANY_NUMBER(int, side, 0, 2,
                       ANY_NUMBER(size_t, i, 1, sides[side]->job_count,
                                  strcmp(of(&sides[side]->jobs[0].row), of(&sides[side]->jobs[i].row)) != 0)) &&
           a->job_count > 0 && b->job_count > 0 && strcmp(of(&a->jobs[0].row), of(&b->jobs[0].row)) != 0;
}

/* Whether devices of one name are told apart. */
static bool has_apart(const struct side *side)
{
    return ANY_OF(job, side->jobs, side->job_count, *apart_of(job->apart));
}

/* Whether B has a run of several devices of the name and hardware of A's one device, and no run has a test on two of
 * them: shards that ran on like machines, and are taken for one device. */
static bool is_spread(const struct side *a, const struct side *b)
{
    bool several = false;
    for (size_t i = 0; i < a->job_count + b->job_count; i++) {
        const struct store_job_row *of = &a->jobs[0].row;
        const struct store_job_row *row = i < a->job_count ? &a->jobs[i].row : &b->jobs[i - a->job_count].row;
        if (strcmp(row->backend, of->backend) != 0 || strcmp(row->device, of->device) != 0 ||
            strcmp(row->hardware, of->hardware) != 0 ||
            (i < a->job_count && strcmp(row->device_uuid, of->device_uuid) != 0))
            return false;
        const bool of_first = i < a->job_count || strcmp(row->device_uuid, b->jobs[0].row.device_uuid) == 0;
        for (size_t k = 0; !of_first && k < b->job_count; k++) {
            const struct store_job_row *other = &b->jobs[k].row;
            const bool beside =
                strcmp(other->device_uuid, row->device_uuid) != 0 && strcmp(other->run_uuid, row->run_uuid) == 0;
            several |= beside;
            if (beside && strcmp(other->test_hash, row->test_hash) == 0)
                return false;
        }
    }
    return several;
}

static bool same_driver(const struct side_job *a, const struct side_job *b)
{
    return strcmp(a->row.driver, b->row.driver) == 0 && strcmp(a->row.platform, b->row.platform) == 0;
}

/* The jobs of one device, on both sides. */
struct device_group {
    const struct side_job *first[2];
    bool several[2]; /* drivers */
};

static bool is_of_group(const struct device_group *group, const struct side_job *job, unsigned dimensions)
{
    const struct side_job *known = group->first[0] ? group->first[0] : group->first[1];
    return (dimensions & DIMENSION_BACKEND || strcmp(known->row.backend, job->row.backend) == 0) &&
           (dimensions & DIMENSION_DEVICE || (strcmp(device_identity(&known->row), device_identity(&job->row)) == 0 &&
                                              strcmp(apart_of(known->apart), apart_of(job->apart)) == 0));
}

/* The group of a job, added if there is none yet. There are few devices and many jobs. */
static struct device_group *group_of(struct arena *arena, struct device_group **groups, size_t *count,
                                     const struct side_job *job, unsigned dimensions)
{
    for (size_t i = 0; i < *count; i++)
        if (is_of_group(&(*groups)[i], job, dimensions))
            return &(*groups)[i];
    ARENA_ADD(arena, *groups, *count) = (struct device_group){.first = {NULL}};
    return &(*groups)[*count - 1];
}

unsigned side_find_dimensions(const struct side *a, const struct side *b, unsigned given)
{
    const struct side *const sides[] = {a, b};
    const unsigned dimensions =
        given | (is_free(a, b, backend_of) ? DIMENSION_BACKEND : 0U) |
        ((is_free(a, b, device_identity) || is_spread(a, b)) && !has_apart(a) && !has_apart(b) ? DIMENSION_DEVICE
                                                                                               : 0U) |
        (is_free(a, b, store_requested_lowering) ? DIMENSION_LOWERING : 0U);
    LOCAL(arena) scratch = {0};
    struct device_group *groups = NULL;
    size_t count = 0;
    bool differ = false, single = true;
    for (int side = 0; side < 2; side++) {
        FOR_EACH(const struct side_job, job, sides[side]->jobs, sides[side]->job_count) {
            struct device_group *group = group_of(&scratch, &groups, &count, job, dimensions);
            if (!group->first[side])
                group->first[side] = job;
            group->several[side] |= !same_driver(group->first[side], job);
        }
    }
    FOR_EACH(const struct device_group, group, groups, count) {
        if (!group->first[0] || !group->first[1])
            continue;
        single &= !group->several[0] && !group->several[1];
        differ |= !same_driver(group->first[0], group->first[1]);
    }
    return dimensions | (differ && single ? DIMENSION_DRIVER : 0U);
}

ORDERED_BY(compare_ids, const struct side_job, ORDER(a->row.job_id, b->row.job_id))

/* Jobs were read in order of their ids. */
size_t side_shared_jobs(const struct side *a, const struct side *b)
{
    if (!a->database || !b->database || strcmp(a->database, b->database) != 0 || b->job_count == 0)
        return 0;
    return SUM_OF(size_t, job, a->jobs, a->job_count,
                  bsearch(job, b->jobs, b->job_count, sizeof *b->jobs, compare_ids) != NULL);
}

/* ---- order ---- */

struct sample_job {
    const struct side_job *job;
    struct sample sample; /* of the job's row alone, without batches and outcomes */
    unsigned dimensions;
};

int sample_compare_devices(const struct sample *a, const struct sample *b, unsigned dimensions)
{
    int order = dimensions & DIMENSION_BACKEND ? 0 : strcmp(a->row.backend, b->row.backend);
    if (order == 0 && !(dimensions & DIMENSION_DEVICE)) {
        order = strcmp(device_identity(&a->row), device_identity(&b->row));
        order = order ? order : strcmp(apart_of(a->apart), apart_of(b->apart));
    }
    return order;
}

int sample_compare(const struct sample *a, const struct sample *b, unsigned dimensions)
{
    const struct store_job_row *x = &a->row, *y = &b->row;
    const bool any_backend = dimensions & DIMENSION_BACKEND, any_driver = dimensions & DIMENSION_DRIVER;
    const bool any_lowering = dimensions & DIMENSION_LOWERING;
    const struct {
        bool any;
        const char *a, *b;
    } texts[] = {
        {false, x->test, y->test},
        {false, x->dialect, y->dialect},
        {false, x->test_hash, y->test_hash},
        {false, x->controls, y->controls},
        {any_backend, x->backend, y->backend},
        {dimensions & DIMENSION_DEVICE, device_identity(x), device_identity(y)},
        {dimensions & DIMENSION_DEVICE, apart_of(a->apart), apart_of(b->apart)},
        {any_driver, x->platform, y->platform},
        {any_driver, x->driver, y->driver},
        {any_lowering, store_requested_lowering(x), store_requested_lowering(y)},
        {false, x->environment_hash, y->environment_hash},
        {false, a->source_model, b->source_model},
        {any_backend || any_lowering, a->target_model, b->target_model},
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        const int order = texts[i].any ? 0 : strcmp(texts[i].a, texts[i].b);
        if (order != 0)
            return order;
    }
    return 0;
}

ORDERED_BY(side_gather_compare_entries, const struct sample_job,
           sample_compare(&a->sample, &b->sample, a->dimensions) ?: ORDER(a->job->row.seed, b->job->row.seed)
               ?: ORDER(a->job->run.key, b->job->run.key) ?: ORDER(a->job->row.replicate, b->job->row.replicate)
               ?: strcmp(a->job->row.started_at, b->job->row.started_at)
               ?: ORDER(a->job->row.job_id, b->job->row.job_id))

ORDERED_BY(compare_outcomes, const struct sample_outcome, strcmp(a->label, b->label))

/* ---- samples ---- */

const char *side_join(struct arena *arena, const char *list, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = list; (at = strstr(at, item)) && length > 0; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return list;
    if (length == 0 || !*list)
        return *list ? list : item;
    return arena_print(arena, "%s, %s", list, item);
}

static void add_row(struct arena *arena, struct store_job_row *sum, const struct store_job_row *row)
{
    sum->backend = side_join(arena, sum->backend, row->backend);
    sum->device = side_join(arena, sum->device, row->device);
    sum->device_uuid = side_join(arena, sum->device_uuid, row->device_uuid);
    sum->platform = side_join(arena, sum->platform, row->platform);
    sum->driver = side_join(arena, sum->driver, row->driver);
    sum->compiler = side_join(arena, sum->compiler, row->compiler);
    sum->marks = sum->built && row->built ? marks_unite(sum->marks, row->marks) : sum->marks | row->marks;
    if (row->state > sum->state) { /* the list of states goes from harmless to grave */
        sum->state = row->state;
        sum->reason = row->reason;
    }
    if (row->built && (!sum->built || kept_is_worse(row->kept, sum->kept))) {
        sum->kept = row->kept;
        sum->kept_reason = row->kept_reason;
    }
    sum->built |= row->built;
    sum->batches += row->batches;
    sum->invalid_batches += row->invalid_batches;
    sum->instances += row->instances;
    sum->voids += row->voids;
    sum->seconds += row->seconds;
}

static uint64_t count_of(const struct sample *sample, const struct sample_outcome *outcome, size_t run)
{
    return outcome->counts[run] ? SUM_OF(uint64_t, count, outcome->counts[run], sample->runs[run].batch_count, *count)
                                : 0;
}

uint64_t sample_shown(const struct sample *sample)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < sample->outcome_count; i++)
        for (size_t r = 0; r < sample->run_count && sample->outcomes[i].witness; r++)
            sum += ruling_shown(sample->runs[r].row->marks, count_of(sample, &sample->outcomes[i], r));
    return sum;
}

const struct sample_opinion *sample_deciding(const struct sample_outcome *outcome)
{
    const struct sample_opinion *source = &outcome->source, *target = &outcome->target;
    const bool by_target = target->verdict != VERDICT_NONE || (source->verdict == VERDICT_NONE && target->unjudged);
    return by_target ? target : source;
}

enum verdict sample_verdict(const struct sample_outcome *outcome)
{
    return sample_deciding(outcome)->verdict;
}

static const struct sample_outcome *find_label(const struct sample_outcome *list, size_t count, const char *label)
{
    return FIRST_OF(one, list, count, strcmp(one->label, label) == 0);
}

const struct sample_outcome *sample_outcome(const struct sample *sample, const char *label)
{
    return find_label(sample->outcomes, sample->outcome_count, label);
}

const struct sample_outcome *sample_same(const struct sample *sample, const struct sample_outcome *as)
{
    return as->of == SAMPLE_OUTCOME ? sample_outcome(sample, as->label)
                                    : find_label(sample->shares, sample->share_count, as->label);
}

const uint64_t *sample_sizes(const struct sample_run *run, enum sample_measure of)
{
    return of == SAMPLE_OUTCOME ? run->counted : run->launched;
}

uint64_t sample_size(const struct sample *sample, enum sample_measure of)
{
    return of == SAMPLE_OUTCOME ? sample->counted : sample->launched;
}

/* The sample's outcome or share with the label of another, added without counts if there is none yet. */
static struct sample_outcome *outcome_of(struct arena *arena, struct sample *sample, const struct sample_outcome *from)
{
    const bool is_share = from->of != SAMPLE_OUTCOME;
    struct sample_outcome **list = is_share ? &sample->shares : &sample->outcomes;
    size_t *count = is_share ? &sample->share_count : &sample->outcome_count;
    const struct sample_outcome *known = sample_same(sample, from);
    if (known)
        return &(*list)[known - *list];
    ARENA_ADD(arena, *list, *count) = *from;
    struct sample_outcome *outcome = &(*list)[*count - 1];
    outcome->count = 0;
    outcome->ruling = (struct ruling){.kind = RULING_NONE};
    outcome->counts = arena_take(arena, sample->run_count, sizeof *outcome->counts);
    return outcome;
}

void sample_add_ruling(struct ruling *sum, const struct ruling *of)
{
    sum->kind = of->kind > sum->kind ? of->kind : sum->kind;
    sum->fails |= of->fails;
}

void sample_add_outcome(struct sample_outcome *sum, const struct sample_outcome *of)
{
    if (of->ruling.kind > sum->ruling.kind) {
        sum->source = of->source;
        sum->target = of->target;
    }
    sum->witness |= of->witness;
    sum->count += of->count;
    sample_add_ruling(&sum->ruling, &of->ruling);
}

/* The counts are not copied. */
static void add_outcomes(struct arena *arena, struct sample *sample, const struct sample_outcome *list, size_t count,
                         size_t run)
{
    FOR_EACH(const struct sample_outcome, from, list, count) {
        struct sample_outcome *outcome = outcome_of(arena, sample, from);
        sample_add_outcome(outcome, from);
        outcome->counts[run] = from->counts[0];
    }
}

static void fill_sample(struct arena *arena, struct sample *sample, const struct sample_job *entries, size_t count)
{
    *sample = entries[0].sample;
    sample->jobs = sample->run_count = count;
    sample->runs = arena_take(arena, count, sizeof *sample->runs);
    for (size_t i = 0; i < count; i++) {
        const struct side_job *job = entries[i].job;
        if (i > 0)
            add_row(arena, &sample->row, &job->row);
        sample->states[job->row.state]++;
        sample->runs[i] = job->run;
        sample->runs[i].row = &job->row;
        sample->counted += job->run.instances;
        for (size_t b = 0; b < job->run.batch_count; b++)
            sample->launched += job->run.launched[b];
        add_outcomes(arena, sample, job->outcomes, job->outcome_count, i);
        add_outcomes(arena, sample, job->shares, job->share_count, i);
        for (size_t h = 0; h < job->home_count; h++)
            sample_add_home(arena, &sample->homes, &sample->home_count, &job->homes[h]);
    }
    SORT(sample->outcomes, sample->outcome_count, compare_outcomes);
    SORT(sample->shares, sample->share_count, compare_outcomes);
}

/* The devices of one name; there are few. */
struct namesake {
    const struct sample *first;
    bool several; /* of other UUIDs */
};

/* Two passes, because the first sample must know of the last one's name. */
static void find_namesakes(struct side *side)
{
    LOCAL(arena) scratch = {0};
    struct namesake *names = NULL;
    size_t count = 0;
    for (size_t i = 0; i < 2 * side->sample_count; i++) {
        struct sample *sample = &side->samples[i % side->sample_count];
        const size_t at = INDEX_OF(each, names, count,
                                   strcmp(each->first->row.device, sample->row.device) == 0 &&
                                       strcmp(each->first->row.backend, sample->row.backend) == 0);
        if (at == count)
            ARENA_ADD(&scratch, names, count) = (struct namesake){.first = sample};
        names[at].several |= sample_compare_devices(names[at].first, sample, 0) != 0;
        sample->has_namesake = names[at].several;
    }
}

/* A judged job of the same test and backend: the backend determines the target's code. */
static const struct side_job *find_judged(const struct side *side, const struct side_job *job)
{
    return FIRST_OF(one, side->jobs, side->job_count,
                    *one->source_model && strcmp(one->row.test_hash, job->row.test_hash) == 0 &&
                        strcmp(one->row.backend, job->row.backend) == 0);
}

void side_lend_models(struct side *a, struct side *b)
{
    struct side *const sides[] = {a, b};
    for (int side = 0; side < 2; side++) {
        FOR_EACH(struct side_job, job, sides[side]->jobs, sides[side]->job_count) {
            if (*job->source_model || job->run.batch_count > 0)
                continue;
            const struct side_job *judged = find_judged(sides[side], job);
            judged = judged ? judged : find_judged(sides[1 - side], job);
            job->source_model = judged ? judged->source_model : "";
            job->target_model = judged ? judged->target_model : "";
        }
    }
}

void side_gather(struct side *side, unsigned dimensions)
{
    struct sample_job *entries = arena_take(&side->arena, side->job_count, sizeof *entries);
    side->samples = arena_take(&side->arena, side->job_count, sizeof *side->samples);
    side->sample_count = 0;
    for (size_t i = 0; i < side->job_count; i++) {
        const struct side_job *job = &side->jobs[i];
        entries[i] = (struct sample_job){job,
                                         {.row = job->row,
                                          .source_model = job->source_model,
                                          .target_model = job->target_model,
                                          .apart = apart_of(job->apart),
                                          .database = job->database},
                                         dimensions};
    }
    SORT(entries, side->job_count, side_gather_compare_entries);
    for (size_t first = 0, end; first < side->job_count; first = end) {
        for (end = first + 1;
             end < side->job_count && sample_compare(&entries[first].sample, &entries[end].sample, dimensions) == 0;)
            end++;
        fill_sample(&side->arena, &side->samples[side->sample_count++], &entries[first], end - first);
    }
    find_namesakes(side);
}

bool sample_same_device(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.backend, b->row.backend) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.device_uuid, b->row.device_uuid) == 0 && strcmp(apart_of(a->apart), apart_of(b->apart)) == 0 &&
           strcmp(a->row.driver, b->row.driver) == 0;
}

const struct sample *side_find_test(const struct side *side, const struct sample *sample)
{
    return FIRST_OF(one, side->samples, side->sample_count,
                    strcmp(one->row.test, sample->row.test) == 0 &&
                        strcmp(one->row.dialect, sample->row.dialect) == 0 &&
                        strcmp(one->row.controls, sample->row.controls) == 0);
}

bool sample_is_test(const struct sample *sample)
{
    return !sample->row.built || sample->row.kept != TEST_NOT_KEPT;
}

bool side_is_mutant(const struct side *side, const struct sample *sample, unsigned dimensions)
{
    return !*sample->row.controls && ANY_OF(one, side->samples, side->sample_count,
                                            strcmp(one->row.controls, sample->row.test) == 0 &&
                                                strcmp(one->row.dialect, sample->row.dialect) == 0 &&
                                                sample_compare_devices(one, sample, dimensions) == 0);
}

static void add_run(const struct sample_run *run, const uint64_t *sizes, const uint64_t *counts,
                    struct sample_spread *spread)
{
    const size_t batches_before = spread->batches, seen_before = spread->seen_in;
    for (size_t i = 0; i < run->batch_count; i++) {
        spread->batches += sizes[i] > 0;
        spread->seen_in += sizes[i] > 0 && counts && counts[i] > 0;
    }
    spread->runs += spread->batches > batches_before;
    spread->seen_in_runs += spread->seen_in > seen_before;
}

struct sample_spread sample_spread(const struct sample *sample, const struct sample_outcome *outcome)
{
    struct sample_spread spread = {.batches = 0};
    for (size_t i = 0; i < sample->run_count; i++)
        add_run(&sample->runs[i], sample_sizes(&sample->runs[i], outcome ? outcome->of : SAMPLE_OUTCOME),
                outcome ? outcome->counts[i] : NULL, &spread);
    return spread;
}
