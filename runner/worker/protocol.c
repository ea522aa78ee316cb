// SPDX-License-Identifier: Apache-2.0
/* Requests and events as lines of JSON, and back. */
#include "runner/worker/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

static json_t *pack_u64(uint64_t value)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    return json_string(digits);
}

static bool read_u64(const json_t *json, uint64_t *value)
{
    const char *digits = json_string_value(json);
    char *end;
    if (!digits || *digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *value = strtoull(digits, &end, 10);
    return errno == 0 && *end == '\0';
}

/* ---- requests ---- */

char *protocol_request(const struct job *job, const char *test_text, const char *file)
{
    struct text environment = {0};
    environment_print(&job->environment, &environment);
    json_t *request = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:f}", "test",
                                json_text(test_text), "file", json_text(file), "environment", text_string(&environment),
                                "seed", pack_u64(job->seed), "key", pack_u64(job->key), "resident_limit",
                                pack_u64(job->resident_limit), "instances", pack_u64(job->instances), "seconds",
                                job->seconds, "deadline", job->deadline, "done_batches", pack_u64(job->done_batches),
                                "done_instances", pack_u64(job->done_instances), "done_seconds", job->done_seconds);
    char *line = json_dumps(request, JSON_COMPACT);
    json_decref(request);
    text_release(&environment);
    return line;
}

enum status protocol_read_request(const char *line, struct job *job, struct litmus_test **test, struct error *error)
{
    const char *text = NULL, *file = NULL, *environment = NULL;
    const json_t *seed = NULL, *key = NULL, *instances = NULL, *resident = NULL;
    const json_t *done_batches = NULL, *done_instances = NULL;
    uint64_t resident_limit = 0;
    enum status status = STATUS_OK;
    json_t *request = json_loads(line, 0, NULL);
    *job = (struct job){0};
    *test = NULL;
    if (!request ||
        json_unpack(request, "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:F, s:F, s:o, s:o, s:F}", "test", &text, "file",
                    &file, "environment", &environment, "seed", &seed, "key", &key, "resident_limit", &resident,
                    "instances", &instances, "seconds", &job->seconds, "deadline", &job->deadline, "done_batches",
                    &done_batches, "done_instances", &done_instances, "done_seconds", &job->done_seconds) != 0 ||
        !read_u64(seed, &job->seed) || !read_u64(key, &job->key) || !read_u64(resident, &resident_limit) ||
        !read_u64(instances, &job->instances) || !read_u64(done_batches, &job->done_batches) ||
        !read_u64(done_instances, &job->done_instances))
        status = error_set(error, STATUS_INTERNAL, "the worker was sent a request that it cannot read");
    if (status == STATUS_OK)
        status = environment_parse(environment, &job->environment, error);
    if (status == STATUS_OK)
        status = litmus_parse(file, text, strlen(text), test, error);
    job->resident_limit = (uint32_t)resident_limit;
    job->test = *test;
    json_decref(request);
    return status;
}

/* ---- events ---- */

json_t *protocol_built(const struct build *build)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:f, s:i, s:i, s:s}", "event", "built", "kernel", build->kernel, "binary",
                     json_text(build->binary), "log", json_text(build->log), "seconds", build->seconds,
                     "resident_groups", (int)build->resident_groups, "marks", (int)build->marks, "lowering",
                     build->lowering);
}

static json_t *pack_counts(const struct count *counts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(
            array, json_pack("[s, o, b]", counts[i].label, pack_u64(counts[i].count), counts[i].witness));
    return array;
}

json_t *protocol_batch(const struct batch *batch)
{
    return json_pack("{s:s, s:o, s:o, s:f, s:f, s:s*, s:s, s:s, s:o, s:o}", "event", "batch", "number",
                     pack_u64(batch->number), "instances", pack_u64(batch->instances), "seconds", batch->seconds,
                     "started", batch->started, "invalid", batch->invalid, "draw", batch->draw, "liveness",
                     batch->liveness, "outcomes", pack_counts(batch->outcomes, batch->outcome_count), "voids",
                     pack_counts(batch->voids, batch->void_count));
}

json_t *protocol_ended(enum status status, const struct error *error, const struct circumstances *circumstances)
{
    struct text text = {0};
    circumstances_print(circumstances, &text);
    json_t *event = json_pack("{s:s, s:s, s:o, s:o, s:o}", "event", "ended", "status", status_name(status), "text",
                              json_text(status == STATUS_OK ? "" : error->text), "detail",
                              json_text(status == STATUS_OK ? "" : error->detail), "circumstances",
                              json_loads(text_string(&text), 0, NULL));
    text_release(&text);
    return event;
}

const char *protocol_kind(const json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "event"));
    return kind ? kind : "";
}

enum status protocol_read_built(const json_t *event, struct build *build, struct error *error)
{
    int resident = 0, marks = 0;
    *build = (struct build){0};
    if (json_unpack((json_t *)(uintptr_t)event, "{s:s, s:s, s:s, s:F, s:i, s:i, s:s}", "kernel", &build->kernel,
                    "binary", &build->binary, "log", &build->log, "seconds", &build->seconds, "resident_groups",
                    &resident, "marks", &marks, "lowering", &build->lowering) != 0)
        return error_set(error, STATUS_INTERNAL, "the worker told of a build in words that cannot be read");
    build->resident_groups = (uint32_t)resident;
    build->marks = (unsigned)marks;
    return STATUS_OK;
}

static bool read_counts(const json_t *array, struct count **counts, size_t *count)
{
    *count = json_array_size(array);
    *counts = memory_take(*count, sizeof **counts);
    if (!json_is_array(array))
        return false;
    for (size_t i = 0; i < *count; i++) {
        const json_t *row = json_array_get(array, i);
        struct count *one = &(*counts)[i];
        one->label = json_string_value(json_array_get(row, 0));
        one->witness = json_is_true(json_array_get(row, 2));
        if (!one->label || !read_u64(json_array_get(row, 1), &one->count))
            return false;
    }
    return true;
}

enum status protocol_read_batch(const json_t *event, struct batch *batch, struct error *error)
{
    const json_t *number = NULL, *instances = NULL, *outcomes = NULL, *voids = NULL;
    struct count *outcome_list = NULL, *void_list = NULL;
    *batch = (struct batch){0};
    bool good = json_unpack((json_t *)(uintptr_t)event, "{s:o, s:o, s:F, s:F, s?:s, s:s, s:s, s:o, s:o}", "number",
                            &number, "instances", &instances, "seconds", &batch->seconds, "started", &batch->started,
                            "invalid", &batch->invalid, "draw", &batch->draw, "liveness", &batch->liveness, "outcomes",
                            &outcomes, "voids", &voids) == 0 &&
                read_u64(number, &batch->number) && read_u64(instances, &batch->instances);
    if (good) {
        good = read_counts(outcomes, &outcome_list, &batch->outcome_count) &&
               read_counts(voids, &void_list, &batch->void_count);
        batch->outcomes = outcome_list;
        batch->voids = void_list;
    }
    return good ? STATUS_OK
                : error_set(error, STATUS_INTERNAL, "the worker told of a batch in words that cannot be read");
}

void protocol_release_batch(struct batch *batch)
{
    free((struct count *)(uintptr_t)batch->outcomes);
    free((struct count *)(uintptr_t)batch->voids);
    *batch = (struct batch){0};
}

enum status protocol_read_ended(const json_t *event, struct error *told, struct circumstances *circumstances,
                                struct error *error)
{
    const char *name = NULL, *text = NULL, *detail = NULL;
    enum status status;
    if (!circumstances_read(json_object_get(event, "circumstances"), circumstances) ||
        json_unpack((json_t *)(uintptr_t)event, "{s:s, s:s, s:s}", "status", &name, "text", &text, "detail", &detail) !=
            0 ||
        !status_from_name(name, &status))
        return error_set(error, STATUS_INTERNAL, "the worker ended a job in words that cannot be read");
    (void)error_set(told, status, "%s", text);
    error_set_detail(told, detail);
    return STATUS_OK;
}
