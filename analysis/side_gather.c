// SPDX-License-Identifier: Apache-2.0
/* Gathering jobs that count as the same into samples. */
#include <stdlib.h>
#include <string.h>

#include "analysis/side_job.h"

static const char *device_identity(const struct side_job *job)
{
    return *job->device_uuid ? job->device_uuid : job->device;
}

/* ---- what may differ ---- */

/* Whether each side has one value of what `of` gives. */
static bool is_single(const struct side *side, const char *(*of)(const struct side_job *job))
{
    for (size_t i = 1; i < side->job_count; i++)
        if (strcmp(of(&side->jobs[0]), of(&side->jobs[i])) != 0)
            return false;
    return side->job_count > 0;
}

static bool is_free(const struct side *a, const struct side *b, const char *(*of)(const struct side_job *job))
{
    return is_single(a, of) && is_single(b, of) && strcmp(of(&a->jobs[0]), of(&b->jobs[0])) != 0;
}

static const char *backend_of(const struct side_job *job)
{
    return job->backend;
}

static const char *driver_of(const struct side_job *job)
{
    return job->driver;
}

static const char *platform_of(const struct side_job *job)
{
    return job->platform;
}

unsigned side_free_dimensions(const struct side *a, const struct side *b)
{
    return (is_free(a, b, backend_of) ? DIMENSION_BACKEND : 0U) |
           (is_free(a, b, device_identity) ? DIMENSION_DEVICE : 0U) |
           (is_free(a, b, driver_of) || is_free(a, b, platform_of) ? DIMENSION_DRIVER : 0U);
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
            outcome->counts = arena_make(arena, sample->batch_count, sizeof *outcome->counts);
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
    sample->batches = arena_make(arena, sample->batch_count, sizeof *sample->batches);
    if (!sample->batches)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct side_job *job = entries[i].job;
        add_facts(arena, sample, job);
        if (!add_outcomes(arena, sample, job, batch))
            return false;
        for (size_t b = 0; b < job->batch_count; b++) {
            sample->batches[batch++] = job->batches[b];
            sample->counted += job->batches[b].counted;
        }
    }
    if (sample->outcome_count > 0)
        qsort(sample->outcomes, sample->outcome_count, sizeof *sample->outcomes, compare_outcomes);
    return !arena->failed;
}

enum status side_gather(struct side *side, unsigned dimensions, struct error *error)
{
    struct entry *entries = arena_make(&side->arena, side->job_count, sizeof *entries);
    side->samples = arena_make(&side->arena, side->job_count, sizeof *side->samples);
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
    return done ? STATUS_OK : error_set(error, STATUS_MEMORY, "%s: no memory for its samples", side->title);
}

const struct sample_outcome *sample_outcome(const struct sample *sample, const char *label)
{
    return find_outcome(sample, label);
}
