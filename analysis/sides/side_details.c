// SPDX-License-Identifier: Apache-2.0
/* Reading a job's batches and outcomes, and what the models say of them. */
#include <string.h>

#include "analysis/sides/side_job.h"

struct details {
    struct arena *arena;
    struct side_job *job;
    size_t batch, outcome; /* where the last row belonged: rows come in order, so the next is near */
    bool failed;
};

static bool take_batch(const struct store_batch *batch, uint64_t void_sum, void *context)
{
    struct details *details = context;
    struct side_job *job = details->job;
    struct sample_batch *grown = arena_grow(details->arena, job->batches, job->batch_count, sizeof *grown);
    details->failed = !grown;
    if (!grown)
        return false;
    job->batches = grown;
    job->voids += void_sum;
    job->batches[job->batch_count++] = (struct sample_batch){.key = job->key,
                                                             .seed = job->seed,
                                                             .number = batch->number,
                                                             .counted = batch->instances - void_sum,
                                                             .seconds = batch->seconds};
    return true;
}

/* The job's outcome of a label, added if there is none yet; NULL if memory ran out. */
static struct sample_outcome *outcome_of(struct details *details, const char *label, bool witness)
{
    struct side_job *job = details->job;
    for (size_t step = 1; step <= job->outcome_count; step++) {
        struct sample_outcome *outcome = &job->outcomes[(details->outcome + step) % job->outcome_count];
        if (strcmp(outcome->label, label) == 0) {
            details->outcome = (details->outcome + step) % job->outcome_count;
            return outcome;
        }
    }
    struct sample_outcome *grown = arena_grow(details->arena, job->outcomes, job->outcome_count, sizeof *grown);
    if (grown) {
        job->outcomes = grown;
        grown[job->outcome_count] =
            (struct sample_outcome){.label = arena_copy(details->arena, label),
                                    .witness = witness,
                                    .axiom = "",
                                    .counts = arena_take(details->arena, job->batch_count, sizeof(uint64_t))};
        details->outcome = job->outcome_count++;
    }
    details->failed = !grown;
    return details->failed ? NULL : &job->outcomes[details->outcome];
}

static bool take_count(uint64_t number, const struct count *count, void *context)
{
    struct details *details = context;
    struct side_job *job = details->job;
    while (details->batch < job->batch_count && job->batches[details->batch].number < number)
        details->batch++;
    if (details->batch == job->batch_count || job->batches[details->batch].number != number)
        return true; /* stored by another process since the batches were read */
    struct sample_outcome *outcome = outcome_of(details, count->label, count->witness);
    if (!outcome)
        return false;
    outcome->counts[details->batch] += count->count;
    outcome->count += count->count;
    outcome->witness |= count->witness;
    return true;
}

/* ---- verdicts ---- */

struct opinion {
    struct details *details;
    const char *role, *model; /* model: "" where none judged */
    const char *unjudged;     /* why an outcome may be without a verdict; "" where there is no reason */
    bool judged, exhaustive;  /* exhaustive: what it does not list cannot happen */
};

static bool take_judgement(const struct store_judgement *judgement, void *context)
{
    struct opinion *opinion = context;
    if (strcmp(judgement->role, opinion->role) != 0)
        return true;
    opinion->model = arena_copy(opinion->details->arena, judgement->model);
    opinion->judged = !*judgement->unjudged;
    opinion->exhaustive = opinion->judged && !*judgement->cut && !judgement->racy;
    opinion->unjudged =
        arena_copy(opinion->details->arena, *judgement->unjudged ? judgement->unjudged : judgement->cut);
    opinion->details->failed |= !opinion->model || !opinion->unjudged;
    return opinion->model != NULL;
}

static const char *known_verdict(const char *verdict)
{
    static const char *const words[] = {"sc", "weak", "forbidden", "undefined", "unspecified"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], verdict) == 0)
            return words[i];
    return NULL;
}

static bool take_verdict(const struct store_verdict *verdict, void *context)
{
    struct opinion *opinion = context;
    struct details *details = opinion->details;
    const char *word = known_verdict(verdict->verdict);
    struct sample_outcome *outcome = outcome_of(details, verdict->label, false);
    if (!outcome)
        return false;
    outcome->verdict = word;
    if (word && strcmp(word, "unspecified") == 0)
        opinion->exhaustive = false;
    if (word && strcmp(word, "forbidden") == 0) {
        outcome->model = opinion->model;
        outcome->axiom = arena_copy(details->arena, verdict->axiom);
    }
    return true;
}

static void forbid(struct sample_outcome *outcome, const struct opinion *opinion)
{
    outcome->verdict = "forbidden";
    outcome->model = opinion->model;
    outcome->axiom = "no execution of the test has it";
}

/* Settles one outcome after its role's verdicts were read: the target comes after the source and overrules it. What the
 * source forbids and the target allows is a limit of the mapping and accuses nobody. */
static void settle(struct sample_outcome *outcome, const struct sample_outcome *before, const struct opinion *opinion)
{
    if (!outcome->verdict && opinion->exhaustive)
        forbid(outcome, opinion);
    if (!outcome->verdict) {
        *outcome = *before;
        if (!outcome->verdict && *opinion->unjudged)
            outcome->unjudged = opinion->unjudged;
    } else if (before->model && !outcome->model)
        outcome->limit = before->model;
}

/* Reads one role's judgement. */
static enum status read_opinion(struct store *store, struct details *details, const char *role, const char **model,
                                struct error *error)
{
    struct side_job *job = details->job;
    struct opinion opinion = {.details = details, .role = role, .model = "", .unjudged = ""};
    TRY(store_each_judgement(store, job->id, take_judgement, &opinion, error));
    *model = opinion.model;
    const size_t known = job->outcome_count;
    struct sample_outcome *before = arena_take(details->arena, known + 1, sizeof *before);
    if (!*opinion.model || details->failed || !before)
        return STATUS_OK;
    for (size_t i = 0; i < known; i++) {
        before[i] = job->outcomes[i];
        job->outcomes[i].verdict = job->outcomes[i].model = job->outcomes[i].unjudged = NULL;
        job->outcomes[i].axiom = "";
    }
    if (opinion.judged)
        TRY(store_each_verdict(store, job->id, role, take_verdict, &opinion, error));
    for (size_t i = 0; i < known; i++)
        settle(&job->outcomes[i], &before[i], &opinion);
    return STATUS_OK;
}

enum status side_read_details(struct store *store, struct arena *arena, struct side_job *job, struct error *error)
{
    struct details details = {.arena = arena, .job = job};
    job->source_model = job->target_model = "";
    TRY(store_each_batch(store, job->id, take_batch, &details, error));
    if (!details.failed)
        TRY(store_each_batch_outcome(store, job->id, take_count, &details, error));
    if (!details.failed)
        TRY(read_opinion(store, &details, "source", &job->source_model, error));
    if (!details.failed)
        TRY(read_opinion(store, &details, "target", &job->target_model, error));
    if (details.failed)
        return error_set(error, STATUS_MEMORY, "no memory for the batches of %s", job->test);
    return STATUS_OK;
}
