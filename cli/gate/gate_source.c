// SPDX-License-Identifier: Apache-2.0
#include "cli/gate/gate_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "results/results.h"

/* ---- places ---- */

/* The number of a run, or 0. */
static int64_t run_number(const char *word)
{
    char *end;
    errno = 0;
    const long long number = strtoll(word, &end, 10);
    return isdigit((unsigned char)word[0]) && *end == '\0' && errno == 0 && number > 0 ? number : 0;
}

void gate_place_read(const char *word, const char *usual_file, struct gate_place *place)
{
    const char *colon = strrchr(word, ':');
    const bool is_file = access(word, F_OK) == 0;
    *place = (struct gate_place){.file = NULL};
    if (!is_file && usual_file && run_number(word) > 0)
        *place = (struct gate_place){memory_copy(usual_file), run_number(word)};
    else if (!is_file && colon && colon > word && run_number(colon + 1) > 0)
        *place = (struct gate_place){memory_copy_part(word, (size_t)(colon - word)), run_number(colon + 1)};
    else
        *place = (struct gate_place){memory_copy(word), 0};
}

void gate_place_release(struct gate_place *place)
{
    free(place->file);
    *place = (struct gate_place){.file = NULL};
}

/* ---- jobs ---- */

struct source_job {
    char *test, *dialect, *hash, *backend, *device, *uuid, *profile;
    char *text, *environment; /* of the test; canonical. NULL where an earlier job has the same */
    bool control;
    uint64_t seed;
    int64_t id;
};

static void release_job(struct source_job *job)
{
    free(job->test);
    free(job->dialect);
    free(job->hash);
    free(job->backend);
    free(job->device);
    free(job->uuid);
    free(job->profile);
    free(job->text);
    free(job->environment);
}

struct collecting {
    struct gate_source *source;
    size_t room;
    bool failed;
};

static bool take_job(const struct store_job_row *row, void *context)
{
    struct collecting *collecting = context;
    struct gate_source *source = collecting->source;
    if (source->count == collecting->room) {
        const size_t room = collecting->room ? 2 * collecting->room : 64;
        struct source_job *grown = realloc(source->jobs, room * sizeof *grown);
        collecting->failed = !grown;
        if (!grown)
            return false;
        source->jobs = grown;
        collecting->room = room;
    }
    struct source_job *job = &source->jobs[source->count++];
    *job = (struct source_job){.test = strdup(row->test),
                               .dialect = strdup(row->dialect),
                               .hash = strdup(row->test_hash),
                               .backend = strdup(row->backend),
                               .device = strdup(row->device),
                               .uuid = strdup(row->device_uuid),
                               .profile = strdup(row->profile),
                               .control = row->controls[0] != '\0',
                               .seed = row->seed,
                               .id = row->job_id};
    collecting->failed =
        !job->test || !job->dialect || !job->hash || !job->backend || !job->device || !job->uuid || !job->profile;
    return !collecting->failed;
}

static bool same_test(const struct source_job *a, const struct source_job *b)
{
    return strcmp(a->hash, b->hash) == 0 && strcmp(a->test, b->test) == 0 && strcmp(a->dialect, b->dialect) == 0;
}

/* Whether a job of before `at` is of the same test and no control. */
static bool is_repeated(const struct gate_source *source, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!source->jobs[i].control && same_test(&source->jobs[i], &source->jobs[at]))
            return true;
    return false;
}

static enum status read_texts(struct store *store, struct gate_source *source, struct error *error)
{
    for (size_t i = 0; i < source->count; i++) {
        struct source_job *job = &source->jobs[i];
        struct text text = {0}, doc = {0}, environment = {0};
        enum status status = store_read_environment(store, job->id, &environment, error);
        if (status == STATUS_OK && !job->control && !is_repeated(source, i)) {
            status = store_read_test(store, job->id, &text, &doc, error);
            job->text = text_take(&text);
        }
        job->environment = text_take(&environment);
        text_release(&doc);
        text_release(&text);
        text_release(&environment);
        TRY(status);
    }
    return STATUS_OK;
}

enum status gate_source_read(const struct gate_place *place, struct gate_source *source, struct error *error)
{
    struct store *store = NULL;
    struct collecting collecting = {.source = source};
    *source = (struct gate_source){.file = place->file};
    enum status status = store_open(place->file, STORE_READ, &store, error);
    if (status == STATUS_OK)
        status = store_each_job(store, place->run, take_job, &collecting, error);
    if (status == STATUS_OK && collecting.failed)
        status = error_set(error, STATUS_MEMORY, "%s: no memory for its jobs", place->file);
    if (status == STATUS_OK && source->count == 0)
        status = error_set(error, STATUS_USAGE, "%s: there are no jobs in it%s", place->file,
                           place->run > 0 ? " under that run" : "");
    if (status == STATUS_OK)
        status = read_texts(store, source, error);
    store_close(store);
    return status;
}

void gate_source_release(struct gate_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        release_job(&source->jobs[i]);
    free(source->jobs);
    *source = (struct gate_source){.file = ""};
}

/* ---- devices ---- */

static bool is_of(const struct source_job *job, const struct backend_device *device)
{
    return strcmp(job->backend, device->backend) == 0 &&
           (*job->uuid && device->uuid[0] ? strcasecmp(job->uuid, device->uuid) == 0
                                          : strcmp(job->device, device->name) == 0);
}

bool gate_source_has(const struct gate_source *source, const struct backend_device *device)
{
    for (size_t i = 0; i < source->count; i++)
        if (is_of(&source->jobs[i], device))
            return true;
    return false;
}

const char *gate_source_backend(const struct gate_source *source)
{
    for (size_t i = 1; i < source->count; i++)
        if (strcmp(source->jobs[i].backend, source->jobs[0].backend) != 0)
            return NULL;
    return source->count > 0 ? source->jobs[0].backend : NULL;
}

void gate_source_narrow(const struct gate_source *source, const struct backend_device *const *chosen, size_t count,
                        struct selector *selector)
{
    if (count != 1 || !gate_source_has(source, chosen[0]))
        return;
    for (size_t i = 0; i < source->count; i++) {
        if (strcmp(source->jobs[i].backend, chosen[0]->backend) != 0)
            selector->backend = chosen[0]->backend;
        else if (!is_of(&source->jobs[i], chosen[0]))
            selector->device = chosen[0]->uuid[0] ? chosen[0]->uuid : chosen[0]->name;
    }
}

/* ---- how it was taken ---- */

uint64_t gate_source_seed(const struct gate_source *source)
{
    uint64_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < source->count; i++) {
        size_t equal = 0;
        if (i > 0 && source->jobs[i].seed == source->jobs[i - 1].seed)
            continue; /* counted already */
        for (size_t k = 0; k < source->count; k++)
            equal += source->jobs[k].seed == source->jobs[i].seed;
        if (equal > most) {
            most = equal;
            best = source->jobs[i].seed;
        }
    }
    return best;
}

enum status gate_source_select(const struct gate_source *source, struct selection *selection, struct error *error)
{
    *selection = (struct selection){.count = 0};
    catalogue_open(&selection->catalogue);
    selection->tests = calloc(source->count + 1, sizeof *selection->tests);
    if (!selection->tests)
        return error_set(error, STATUS_MEMORY, "no memory for the tests of %s", source->file);
    for (size_t i = 0; i < source->count; i++) {
        const struct source_job *job = &source->jobs[i];
        struct selected_test *test = &selection->tests[selection->count];
        struct text file = {0};
        if (!job->text)
            continue;
        text_add(&file, "%s/%s", source->file, job->test);
        test->file = text_take(&file);
        if (!test->file)
            return error_set(error, STATUS_MEMORY, "no memory for the tests of %s", source->file);
        selection->count++;
        TRY(litmus_parse(test->file, job->text, strlen(job->text), &test->test, error));
    }
    return selection->count > 0
               ? STATUS_OK
               : error_set(error, STATUS_USAGE, "%s: there is no test in it that is no control", source->file);
}

enum status gate_source_environment(const struct gate_source *source, const struct backend_device *device,
                                    struct environment *environment, struct error *error)
{
    const struct source_job *found = &source->jobs[0];
    for (size_t i = 0; i < source->count; i++) {
        if (is_of(&source->jobs[i], device)) {
            found = &source->jobs[i];
            break;
        }
    }
    if (!found->environment)
        return error_set(error, STATUS_MEMORY, "no memory for the environment of %s", source->file);
    TRY(environment_parse(found->environment, environment, error));
    (void)snprintf(environment->name, sizeof environment->name, "%s", found->profile);
    return STATUS_OK;
}
