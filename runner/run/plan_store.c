// SPDX-License-Identifier: Apache-2.0
/* Storing a run's plan in the database. */
#include "runner/run/plan_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/hash_index.h"
#include "base/json.h"
#include "base/memory.h"
#include "runner/supervise/devices.h"

const char *const plan_until_words[] = {
    [UNTIL_LIMITS] = "limits", [UNTIL_WITNESS] = "witness", [UNTIL_FORBIDDEN] = "forbidden", NULL};

static json_t *pack_options(const struct run_options *options, const struct run_plan *plan)
{
    char instances[24];
    json_t *devices = json_array(), *unread = json_array();
    for (size_t d = 0; d < plan->device_count; d++)
        (void)json_array_append_new(devices, json_pack("{s:I, s:o}", "group", (json_int_t)plan->devices[d].group,
                                                       "device", device_to_json(plan->devices[d].device)));
    for (size_t i = 0; i < options->unread_count; i++)
        (void)json_array_append_new(unread, json_text(options->unread[i]));
    (void)snprintf(instances, sizeof instances, "%" PRIu64, options->instances);
    return json_pack("{s:s, s:f, s:b, s:s, s:f, s:b, s:b, s:s, s:f, s:f, s:f, s:o, s:o}", "instances", instances,
                     "seconds", options->seconds, "pilot", options->pilot, "until", plan_until_words[options->until],
                     "confidence", options->confidence, "strict", options->strict, "score", options->score, "kernels",
                     frozen_option(options->frozen.use), "open_limit", options->limits.open, "build_limit",
                     options->limits.build, "batch_limit", options->limits.batch, "devices", devices, "unread", unread);
}

/* A planned job with the texts that it owns. */
struct kept_job {
    struct text text, condition;
    char test_hash[65];
};

/* The environment of jobs that follow each other. */
struct kept_environment {
    const struct environment *environment;
    char *text;
    char hex[65];
};

static void release_kept(struct kept_job *kept, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_release(&kept[i].text);
        text_release(&kept[i].condition);
    }
    free(kept);
}

static struct store_environment keep_environment(const struct planned_job *job, struct arena *arena,
                                                 struct kept_environment **last)
{
    if (!*last || (*last)->environment != job->environment) {
        struct text text = {0};
        environment_print(job->environment, &text);
        *last = arena_take(arena, 1, sizeof **last);
        **last = (struct kept_environment){job->environment, arena_copy(arena, text_string(&text)), {0}};
        environment_hash(job->environment, (*last)->hex);
        text_release(&text);
    }
    return (struct store_environment){(*last)->hex, (*last)->text, job->environment->name};
}

static struct store_test keep_test(const struct planned_job *job, struct kept_job *kept)
{
    const struct litmus_test *test = job->test->test;
    litmus_print(test, &kept->text);
    litmus_print_condition(test, &kept->condition);
    if (!job->test_hash)
        litmus_hash(test, kept->test_hash);
    return (struct store_test){litmus_dialect_name(test->dialect),
                               test->name,
                               job->test_hash ? job->test_hash : kept->test_hash,
                               text_string(&kept->text),
                               text_string(&kept->condition),
                               test->doc};
}

/* The number of the first job with this test so far, one more; 0: there is none. */
static size_t find_twin(const struct run_plan *plan, const struct hash_index *tests, const struct selected_test *test)
{
    size_t number;
    for (size_t step = 0; hash_index_next(tests, hash_index_object_key(test), &step, &number);)
        if (plan->jobs[number].test == test)
            return number + 1;
    return 0;
}

enum status plan_keep(struct store *store, int64_t run_id, const struct run_options *options,
                      const struct run_plan *plan, struct error *error)
{
    json_t *object = pack_options(options, plan);
    char *packed = json_dumps(object, JSON_COMPACT);
    struct kept_job *kept = memory_take(plan->job_count, sizeof *kept);
    struct store_planned *planned = memory_take(plan->job_count, sizeof *planned);
    struct arena environments = {0};
    struct kept_environment *last = NULL;
    struct hash_index tests = {0};
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++) {
            const struct planned_job *job = &plan->jobs[i];
            const size_t twin = find_twin(plan, &tests, job->test);
            planned[i] = (struct store_planned){.group = plan->units[u].group,
                                                .control = job->controlled != NULL,
                                                .test = twin ? planned[twin - 1].test : keep_test(job, &kept[i]),
                                                .twin = twin,
                                                .file = job->test->file,
                                                .lowering = job->lowering,
                                                .extent = job->extent,
                                                .environment = keep_environment(job, &environments, &last)};
            if (!twin)
                hash_index_add(&tests, hash_index_object_key(job->test), i);
        }
    const enum status status = store_add_plan(store, run_id, packed, planned, plan->job_count, error);
    release_kept(kept, plan->job_count);
    arena_release(&environments);
    hash_index_release(&tests);
    free(planned);
    free(packed);
    json_decref(object);
    return status;
}
