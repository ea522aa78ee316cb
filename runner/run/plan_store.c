// SPDX-License-Identifier: Apache-2.0
/* Storing a run's plan in the database. */
#include "runner/run/plan_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
    return json_pack("{s:s, s:f, s:s, s:f, s:b, s:s, s:f, s:f, s:f, s:o, s:o}", "instances", instances, "seconds",
                     options->seconds, "until", plan_until_words[options->until], "confidence", options->confidence,
                     "strict", options->strict, "kernels", frozen_option(options->frozen.use), "open_limit",
                     options->limits.open, "build_limit", options->limits.build, "batch_limit", options->limits.batch,
                     "devices", devices, "unread", unread);
}

/* A planned job with the texts that it owns. */
struct kept_job {
    struct text text, condition, environment;
    char test_hash[65], environment_hex[65];
};

static void release_kept(struct kept_job *kept, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_release(&kept[i].text);
        text_release(&kept[i].condition);
        text_release(&kept[i].environment);
    }
    free(kept);
}

static void keep_job(const struct run_plan *plan, const struct planned_unit *unit, size_t number, struct kept_job *kept,
                     struct store_planned *planned)
{
    const struct planned_job *job = &plan->jobs[number];
    const struct litmus_test *test = job->test->test;
    litmus_print(test, &kept->text);
    litmus_print_condition(test, &kept->condition);
    litmus_hash(test, kept->test_hash);
    environment_print(job->environment, &kept->environment);
    environment_hash(job->environment, kept->environment_hex);
    *planned = (struct store_planned){
        .group = unit->group,
        .control = job->controlled != NULL,
        .test = {litmus_dialect_name(test->dialect), test->name, kept->test_hash, text_string(&kept->text),
                 text_string(&kept->condition), test->doc},
        .file = job->test->file,
        .lowering = job->lowering,
        .environment = {kept->environment_hex, text_string(&kept->environment), job->environment->name},
    };
}

enum status plan_keep(struct store *store, int64_t run_id, const struct run_options *options,
                      const struct run_plan *plan, struct error *error)
{
    json_t *object = pack_options(options, plan);
    char *packed = json_dumps(object, JSON_COMPACT);
    struct kept_job *kept = memory_take(plan->job_count, sizeof *kept);
    struct store_planned *planned = memory_take(plan->job_count, sizeof *planned);
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            keep_job(plan, &plan->units[u], i, &kept[i], &planned[i]);
    const enum status status = store_add_plan(store, run_id, packed, planned, plan->job_count, error);
    release_kept(kept, plan->job_count);
    free(planned);
    free(packed);
    json_decref(object);
    return status;
}
