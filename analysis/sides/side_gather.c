// SPDX-License-Identifier: Apache-2.0
/* Gathering jobs that count as the same into samples. */
#include <stdlib.h>
#include <string.h>

#include "analysis/sides/side_job.h"

static const char *device_identity(const struct side_job *job)
{
    return *job->device_uuid ? job->device_uuid : job->device;
}

/* ---- what may differ ---- */

static const char *backend_of(const struct side_job *job)
{
    return job->backend;
}

/* Whether each side has one value of what `of` gives, and the two differ. */
static bool is_free(const struct side *a, const struct side *b, const char *(*of)(const struct side_job *job))
{
    const struct side *const sides[] = {a, b};
    for (int side = 0; side < 2; side++)
        for (size_t i = 1; i < sides[side]->job_count; i++)
            if (strcmp(of(&sides[side]->jobs[0]), of(&sides[side]->jobs[i])) != 0)
                return false;
    return a->job_count > 0 && b->job_count > 0 && strcmp(of(&a->jobs[0]), of(&b->jobs[0])) != 0;
}

static bool same_driver(const struct side_job *a, const struct side_job *b)
{
    return strcmp(a->driver, b->driver) == 0 && strcmp(a->platform, b->platform) == 0;
}

/* The jobs of one device, on both sides. */
struct group {
    const struct side_job *first[2];
    bool several[2]; /* drivers */
};

static bool is_of_group(const struct group *group, const struct side_job *job, unsigned dimensions)
{
    const struct side_job *known = group->first[0] ? group->first[0] : group->first[1];
    return (dimensions & DIMENSION_BACKEND || strcmp(known->backend, job->backend) == 0) &&
           (dimensions & DIMENSION_DEVICE || strcmp(device_identity(known), device_identity(job)) == 0);
}

/* The devices are few, the jobs are many. */
static bool find_groups(struct side *const sides[2], unsigned dimensions, struct group **groups, size_t *count)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides[side]->job_count; i++) {
            const struct side_job *job = &sides[side]->jobs[i];
            size_t at = 0;
            while (at < *count && !is_of_group(&(*groups)[at], job, dimensions))
                at++;
            if (at == *count) {
                struct group *grown = arena_grow(&sides[0]->arena, *groups, *count, sizeof *grown);
                if (!grown)
                    return false;
                *groups = grown;
                grown[(*count)++] = (struct group){.first = {NULL}};
            }
            struct group *group = &(*groups)[at];
            if (!group->first[side])
                group->first[side] = job;
            group->several[side] |= !same_driver(group->first[side], job);
        }
    }
    return true;
}

bool side_find_dimensions(struct side *a, struct side *b, unsigned given, unsigned *dimensions)
{
    struct group *groups = NULL;
    size_t count = 0;
    bool differ = false, single = true;
    *dimensions = given | (is_free(a, b, backend_of) ? DIMENSION_BACKEND : 0U) |
                  (is_free(a, b, device_identity) ? DIMENSION_DEVICE : 0U);
    if (!find_groups((struct side *const[]){a, b}, *dimensions, &groups, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct group *group = &groups[i];
        if (!group->first[0] || !group->first[1])
            continue;
        single &= !group->several[0] && !group->several[1];
        differ |= !same_driver(group->first[0], group->first[1]);
    }
    if (differ && single)
        *dimensions |= DIMENSION_DRIVER;
    return true;
}

static int compare_ids(const void *left, const void *right)
{
    const struct side_job *a = left, *b = right;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Jobs were read in order of their ids. */
size_t side_shared_jobs(const struct side *a, const struct side *b)
{
    size_t shared = 0;
    if (!a->database || !b->database || strcmp(a->database, b->database) != 0 || b->job_count == 0)
        return 0;
    for (size_t i = 0; i < a->job_count; i++)
        shared += bsearch(&a->jobs[i], b->jobs, b->job_count, sizeof *b->jobs, compare_ids) != NULL;
    return shared;
}

/* ---- order ---- */

struct entry {
    const struct side_job *job;
    struct sample identity; /* the texts alone */
    unsigned dimensions;
};

static const char *sample_device(const struct sample *sample)
{
    return *sample->device_uuid ? sample->device_uuid : sample->device;
}

int sample_compare(const struct sample *a, const struct sample *b, unsigned dimensions)
{
    const unsigned free_ones = dimensions;
    const char *const texts[][2] = {
        {a->test, b->test},
        {a->dialect, b->dialect},
        {a->test_hash, b->test_hash},
        {a->controls, b->controls},
        {free_ones & DIMENSION_BACKEND ? "" : a->backend, free_ones & DIMENSION_BACKEND ? "" : b->backend},
        {free_ones & DIMENSION_DEVICE ? "" : sample_device(a), free_ones & DIMENSION_DEVICE ? "" : sample_device(b)},
        {free_ones & DIMENSION_DRIVER ? "" : a->platform, free_ones & DIMENSION_DRIVER ? "" : b->platform},
        {free_ones & DIMENSION_DRIVER ? "" : a->driver, free_ones & DIMENSION_DRIVER ? "" : b->driver},
        {a->environment_hash, b->environment_hash},
        {a->source_model, b->source_model},
        {free_ones & DIMENSION_BACKEND ? "" : a->target_model, free_ones & DIMENSION_BACKEND ? "" : b->target_model},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const int order = strcmp(texts[i][0], texts[i][1]);
        if (order != 0)
            return order;
    }
    return 0;
}

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = sample_compare(&a->identity, &b->identity, a->dimensions);
    if (order == 0)
        order = ORDER(a->job->seed, b->job->seed);
    if (order == 0)
        order = ORDER(a->job->key, b->job->key);
    if (order == 0)
        order = ORDER(a->job->replicate, b->job->replicate);
    return order ? order : ORDER(a->job->id, b->job->id);
}

static int compare_outcomes(const void *left, const void *right)
{
    const struct sample_outcome *a = left, *b = right;
    return strcmp(a->label, b->label);
}

/* ---- samples ---- */

/* The list with one item more, unless it has it. */
static const char *joined(struct arena *arena, const char *list, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = list; (at = strstr(at, item)) && length > 0; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return list;
    if (length == 0 || !*list)
        return *list ? list : item;
    const char *longer = arena_print(arena, "%s, %s", list, item);
    return longer ? longer : list;
}

static struct sample start_sample(const struct side_job *job)
{
    return (struct sample){
        .test = job->test,
        .dialect = job->dialect,
        .test_hash = job->test_hash,
        .condition = job->condition,
        .backend = job->backend,
        .device = job->device,
        .device_uuid = job->device_uuid,
        .platform = job->platform,
        .driver = job->driver,
        .compiler = job->compiler,
        .environment_hash = job->environment_hash,
        .profile = job->profile,
        .source_model = job->source_model,
        .target_model = job->target_model,
        .controls = job->controls,
        .state = job->state,
        .reason = job->reason,
        .first_job = job->id,
    };
}

static void add_facts(struct arena *arena, struct sample *sample, const struct side_job *job)
{
    sample->backend = joined(arena, sample->backend, job->backend);
    sample->device = joined(arena, sample->device, job->device);
    sample->device_uuid = joined(arena, sample->device_uuid, job->device_uuid);
    sample->platform = joined(arena, sample->platform, job->platform);
    sample->driver = joined(arena, sample->driver, job->driver);
    sample->compiler = joined(arena, sample->compiler, job->compiler);
    sample->undeclared |= job->undeclared;
    sample->states[job->state]++;
    if (job->state > sample->state) { /* the list of states goes from harmless to grave */
        sample->state = job->state;
        sample->reason = job->reason;
    }
    sample->jobs++;
    sample->voids += job->voids;
    sample->invalid_batches += job->invalid_batches;
    sample->seconds += job->seconds;
}

static struct sample_outcome *find_outcome(const struct sample *sample, const char *label)
{
    for (size_t i = 0; i < sample->outcome_count; i++)
        if (strcmp(sample->outcomes[i].label, label) == 0)
            return &sample->outcomes[i];
    return NULL;
}

static bool add_outcomes(struct arena *arena, struct sample *sample, const struct side_job *job, size_t first_batch)
{
    for (size_t i = 0; i < job->outcome_count; i++) {
        const struct sample_outcome *from = &job->outcomes[i];
        struct sample_outcome *outcome = find_outcome(sample, from->label);
        if (!outcome) {
            struct sample_outcome *grown = arena_grow(arena, sample->outcomes, sample->outcome_count, sizeof *grown);
            if (!grown)
                return false;
            sample->outcomes = grown;
            outcome = &grown[sample->outcome_count++];
            *outcome = *from;
            outcome->count = 0;
            outcome->counts = arena_take(arena, sample->batch_count, sizeof *outcome->counts);
            if (!outcome->counts)
                return false;
        }
        outcome->witness |= from->witness;
        outcome->count += from->count;
        for (size_t batch = 0; batch < job->batch_count; batch++)
            outcome->counts[first_batch + batch] = from->counts[batch];
    }
    return true;
}

static bool fill_sample(struct arena *arena, struct sample *sample, const struct entry *entries, size_t count)
{
    size_t batch = 0;
    *sample = start_sample(entries[0].job);
    for (size_t i = 0; i < count; i++)
        sample->batch_count += entries[i].job->batch_count;
    sample->batches = arena_take(arena, sample->batch_count, sizeof *sample->batches);
    if (!sample->batches)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct side_job *job = entries[i].job;
        add_facts(arena, sample, job);
        if (!add_outcomes(arena, sample, job, batch))
            return false;
        for (size_t b = 0; b < job->batch_count; b++) {
            sample->batches[batch] = job->batches[b];
            sample->batches[batch++].job = job->id;
            sample->counted += job->batches[b].counted;
        }
    }
    if (sample->outcome_count > 0)
        qsort(sample->outcomes, sample->outcome_count, sizeof *sample->outcomes, compare_outcomes);
    return true;
}

/* Samples of one name are looked up by the first of that name, of which there are few. */
static bool find_namesakes(struct side *side)
{
    struct sample **firsts = NULL;
    bool *several = NULL;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < side->sample_count; i++) {
            struct sample *sample = &side->samples[i];
            size_t at = 0;
            while (at < count && (strcmp(firsts[at]->device, sample->device) != 0 ||
                                  strcmp(firsts[at]->backend, sample->backend) != 0))
                at++;
            if (at == count) {
                struct sample **grown = arena_grow(&side->arena, firsts, count, sizeof *grown);
                bool *grown_flags = arena_grow(&side->arena, several, count, sizeof *grown_flags);
                if (!grown || !grown_flags)
                    return false;
                firsts = grown;
                several = grown_flags;
                firsts[count] = sample;
                several[count++] = false;
            }
            several[at] |= strcmp(firsts[at]->device_uuid, sample->device_uuid) != 0;
            sample->has_namesake = several[at];
        }
    }
    return true;
}

enum status side_gather(struct side *side, unsigned dimensions, struct error *error)
{
    struct entry *entries = arena_take(&side->arena, side->job_count, sizeof *entries);
    side->samples = arena_take(&side->arena, side->job_count, sizeof *side->samples);
    side->sample_count = 0;
    bool done = entries && side->samples;
    for (size_t i = 0; done && i < side->job_count; i++)
        entries[i] = (struct entry){&side->jobs[i], start_sample(&side->jobs[i]), dimensions};
    if (done)
        qsort(entries, side->job_count, sizeof *entries, compare_entries);
    for (size_t first = 0, end; done && first < side->job_count; first = end) {
        for (end = first + 1; end < side->job_count &&
                              sample_compare(&entries[first].identity, &entries[end].identity, dimensions) == 0;)
            end++;
        done = fill_sample(&side->arena, &side->samples[side->sample_count++], &entries[first], end - first);
    }
    done = done && find_namesakes(side);
    return done ? STATUS_OK : error_set(error, STATUS_MEMORY, "%s: no memory for its samples", side->title);
}

bool sample_condemns(const struct sample_outcome *outcome, const char *controls)
{
    return outcome->model || (*controls && outcome->witness && !outcome->limit);
}

const struct sample_outcome *sample_outcome(const struct sample *sample, const char *label)
{
    return find_outcome(sample, label);
}

struct sample_spread sample_spread(const struct sample *sample, const struct sample_outcome *outcome)
{
    struct sample_spread spread = {.batches = 0};
    for (size_t i = 0; i < sample->batch_count; i++) {
        if (sample->batches[i].counted == 0)
            continue;
        spread.batches++;
        spread.seen_in += outcome && outcome->counts[i] > 0;
    }
    return spread;
}
