// SPDX-License-Identifier: Apache-2.0
/* Writing and reading requests and events as lines of JSON. */
#include "runner/protocol/protocol.h"

#include "base/json.h"

/* ---- jobs ---- */

bool job_has_delays(const struct backend_device *device, const struct environment *environment, enum frozen_use use)
{
    return device->takes & BACKEND_TAKES_WGSL ||
           (use == FROZEN_NONE && environment_highest(environment, PARAMETER_delay_chance) > 0);
}

static json_t *pack_u64(uint64_t value)
{
    const char *const digits = PRINTED(24, "%" PRIu64, value);
    return json_string(digits);
}

static json_t *protocol_parse(const char *line, size_t size)
{
    return size > PROTOCOL_LINE_MAXIMUM ? NULL : json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);
}

/* ---- requests ---- */

char *protocol_request(uint64_t order, const struct job *job, const char *test_text, const char *file)
{
    LOCAL(text) environment = {0};
    environment_print(&job->environment, &environment);
    json_auto_t *request = json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:f, s:o, s:o, s:f}", "order", pack_u64(order),
        "test", json_text(test_text), "file", json_text(file), "environment", text_string(&environment), "lowering",
        job->lowering ? job->lowering : "", "seed", pack_u64(job->seed), "key", pack_u64(job->key), "resident_limit",
        pack_u64(job->extent.resident_groups), "instances", pack_u64(job->extent.instances), "batch_instances",
        pack_u64(job->extent.batch_instances), "seconds", job->extent.seconds, "pilot", job->pilot, "deadline",
        job->deadline, "done_batches", pack_u64(job->done_batches), "done_instances", pack_u64(job->done_instances),
        "done_seconds", job->done_seconds);
    return json_dumps(request, JSON_COMPACT);
}

/* Reads the numbers of a request. */
static bool read_limits(const json_t *request, uint64_t *order, struct job *job)
{
    uint64_t resident_limit = 0;
    const bool read = json_read_u64(json_object_get(request, "order"), order) &&
                      json_read_u64(json_object_get(request, "seed"), &job->seed) &&
                      json_read_u64(json_object_get(request, "key"), &job->key) &&
                      json_read_u64(json_object_get(request, "resident_limit"), &resident_limit) &&
                      json_read_u64(json_object_get(request, "instances"), &job->extent.instances) &&
                      json_read_u64(json_object_get(request, "batch_instances"), &job->extent.batch_instances) &&
                      json_read_u64(json_object_get(request, "done_batches"), &job->done_batches) &&
                      json_read_u64(json_object_get(request, "done_instances"), &job->done_instances);
    job->extent.resident_groups = (uint32_t)resident_limit;
    return read && resident_limit <= UINT32_MAX && job->extent.seconds >= 0 && job->deadline >= 0 &&
           job->done_seconds >= 0;
}

enum status protocol_read_request(const char *line, size_t size, uint64_t *order, struct job *job,
                                  struct litmus_test **test, struct error *error)
{
    const char *text = NULL, *file = NULL, *environment = NULL, *lowering = "";
    const json_t *number;
    int pilot = 0;
    enum status status = STATUS_OK;
    json_auto_t *request = protocol_parse(line, size);
    *order = 0;
    *job = (struct job){0};
    *test = NULL;
    if (!request ||
        json_unpack_ex(request, NULL, JSON_STRICT,
                       "{s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:F, s:b, s:F, s:o, s:o, s:F}", "order",
                       &number, "test", &text, "file", &file, "environment", &environment, "lowering", &lowering,
                       "seed", &number, "key", &number, "resident_limit", &number, "instances", &number,
                       "batch_instances", &number, "seconds", &job->extent.seconds, "pilot", &pilot, "deadline",
                       &job->deadline, "done_batches", &number, "done_instances", &number, "done_seconds",
                       &job->done_seconds) != 0 ||
        !read_limits(request, order, job))
        status = error_set(error, STATUS_INTERNAL, "malformed request to the worker");
    else if (!(job->extent.instances > 0 || job->extent.seconds > 0 || job->deadline > 0))
        status = error_set(error, STATUS_INTERNAL, "request to the worker for a job without a limit");
    THEN(status, environment_parse(environment, &job->environment, error));
    THEN(status, litmus_parse(file, text, strlen(text), test, error));
    job->test = *test;
    job->pilot = pilot != 0;
    job->lowering = kernel_lowering_word(lowering);
    if (status == STATUS_OK && lowering[0] && !job->lowering[0]) /* never another kernel in its place */
        status = error_set(error, STATUS_INTERNAL, "the worker has no lowering '%s'", lowering);
    return status;
}

/* ---- events ---- */

json_t *protocol_opened(void)
{
    return json_pack("{s:s, s:o}", "event", "opened", "order", pack_u64(0));
}

/* The end of a text, at most `most` bytes. */
static json_t *pack_end(const char *text, size_t most)
{
    const size_t size = strlen(text);
    const char *end = size > most ? text + size - most : text;
    while (size > most && (*end & 0xc0) == 0x80)
        end++; /* the rest of a cut character */
    return json_text(end);
}

/* The start of a reason, as one line. */
static json_t *pack_reason(const char *reason)
{
    size_t size = strcspn(reason ? reason : "", "\n");
    if (size >= KEPT_REASON_SIZE) {
        size = KEPT_REASON_SIZE - 1;
        while (size > 0 && (reason[size] & 0xc0) == 0x80)
            size--; /* the start of a cut character */
    }
    LOCAL(text) text = {0};
    text_add_bytes(&text, reason ? reason : "", size);
    json_t *packed = json_text(text_string(&text));
    return packed;
}

json_t *protocol_built(uint64_t order, const struct build *build)
{
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:f, s:I, s:I, s:s, s:s, s:o}", "event", "built", "order",
                     pack_u64(order), "kernel", build->kernel, "binary",
                     pack_end(build->binary, PROTOCOL_BINARY_MAXIMUM), "log",
                     pack_end(build->log, PROTOCOL_LOG_MAXIMUM), "seconds", build->seconds, "resident_groups",
                     (json_int_t)build->resident_groups, "marks", (json_int_t)build->marks, "lowering", build->lowering,
                     "kept", kept_word(build->kept), "kept_reason", pack_reason(build->kept_reason));
}

static json_t *pack_counts(const struct count *counts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(
            array, json_pack("[s, o, b]", counts[i].label, pack_u64(counts[i].count), counts[i].witness));
    return array;
}

json_t *protocol_batch(uint64_t order, const struct batch *batch)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:f, s:f, s:s*, s:s, s:s, s:o, s:o}", "event", "batch", "order",
                     pack_u64(order), "number", pack_u64(batch->number), "instances", pack_u64(batch->instances),
                     "seconds", batch->seconds, "started", batch->started, "invalid", batch->invalid, "draw",
                     batch->draw, "liveness", batch->liveness, "outcomes",
                     pack_counts(batch->outcomes, batch->outcome_count), "voids",
                     pack_counts(batch->voids, batch->void_count));
}

json_t *protocol_ended(uint64_t order, enum status status, const struct error *error,
                       const struct circumstances *circumstances)
{
    LOCAL(text) text = {0};
    circumstances_print(circumstances, &text);
    json_t *event = json_pack("{s:s, s:o, s:s, s:o, s:o, s:o}", "event", "ended", "order", pack_u64(order), "status",
                              status_name(status), "text", json_text(status == STATUS_OK ? "" : error->text), "detail",
                              json_text(status == STATUS_OK ? "" : error->detail), "circumstances",
                              json_loads(text_string(&text), 0, NULL));
    return event;
}

json_t *protocol_read_event(const char *line, size_t size)
{
    uint64_t order;
    json_t *event = protocol_parse(line, size);
    if (json_is_string(json_object_get(event, "event")) && json_read_u64(json_object_get(event, "order"), &order))
        return event;
    json_decref(event);
    return NULL;
}

const char *protocol_kind(const json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "event"));
    return kind ? kind : "";
}

uint64_t protocol_order(const json_t *event)
{
    uint64_t order = 0;
    return json_read_u64(json_object_get(event, "order"), &order) ? order : 0;
}

/* As json_unpack, for an event's own members: adds the members that all events have, and allows no others. */
#define UNPACK(event, format, ...)                                                                                     \
    (json_unpack_ex((json_t *)(uintptr_t)(event), NULL, JSON_STRICT, "{s:o, s:o, " format "}", "event",                \
                    &(const json_t *){NULL}, "order", &(const json_t *){NULL}, __VA_ARGS__) == 0)

enum status protocol_read_opened(const json_t *event, struct error *error)
{
    return json_object_size(event) == 2
               ? STATUS_OK
               : error_set(error, STATUS_INTERNAL, "malformed `opened` message from the worker");
}

enum status protocol_read_built(const json_t *event, struct build *build, struct error *error)
{
    const char *kept = "";
    json_int_t resident = 0, marks = 0;
    *build = (struct build){0};
    if (!UNPACK(event, "s:s, s:s, s:s, s:F, s:I, s:I, s:s, s:s, s:s", "kernel", &build->kernel, "binary",
                &build->binary, "log", &build->log, "seconds", &build->seconds, "resident_groups", &resident, "marks",
                &marks, "lowering", &build->lowering, "kept", &kept, "kept_reason", &build->kept_reason) ||
        (build->kept = kept_from_word(kept, KEPT_COUNT)) == KEPT_COUNT || resident < 0 || resident > UINT32_MAX ||
        marks < 0 || marks > UINT32_MAX)
        return error_set(error, STATUS_INTERNAL, "malformed `built` message from the worker");
    build->resident_groups = (uint32_t)resident;
    build->marks = (unsigned)marks;
    return STATUS_OK;
}

static bool read_count(const json_t *row, struct count *count)
{
    count->label = json_string_value(json_array_get(row, 0));
    count->witness = json_is_true(json_array_get(row, 2));
    return json_array_size(row) == 3 && count->label && json_read_u64(json_array_get(row, 1), &count->count) &&
           json_is_boolean(json_array_get(row, 2));
}

static bool read_counts(const json_t *array, const struct count **counts, size_t *count)
{
    const size_t rows = json_array_size(array);
    struct count *list = memory_take(rows, sizeof *list);
    *counts = list;
    *count = rows;
    if (!json_is_array(array))
        return false;
    for (size_t i = 0; i < rows; i++)
        if (!read_count(json_array_get(array, i), &list[i]))
            return false;
    return true;
}

/* Only tests of several launches have the count. */
static bool read_overlapped(const char *liveness)
{
    if (!strstr(liveness, "\"" BATCH_OVERLAPPED "\""))
        return false;
    json_auto_t *json = json_loads(liveness, 0, NULL);
    return json_integer_value(json_object_get(json, BATCH_OVERLAPPED)) > 0;
}

enum status protocol_read_batch(const json_t *event, struct batch *batch, struct error *error)
{
    const json_t *number = NULL, *instances = NULL, *outcomes = NULL, *voids = NULL;
    *batch = (struct batch){0};
    if (UNPACK(event, "s:o, s:o, s:F, s:F, s?s, s:s, s:s, s:o, s:o", "number", &number, "instances", &instances,
               "seconds", &batch->seconds, "started", &batch->started, "invalid", &batch->invalid, "draw", &batch->draw,
               "liveness", &batch->liveness, "outcomes", &outcomes, "voids", &voids) &&
        json_read_u64(number, &batch->number) && json_read_u64(instances, &batch->instances) &&
        read_counts(outcomes, &batch->outcomes, &batch->outcome_count) &&
        read_counts(voids, &batch->voids, &batch->void_count)) {
        batch->overlapped = read_overlapped(batch->liveness);
        return STATUS_OK;
    }
    return error_set(error, STATUS_INTERNAL, "malformed `batch` message from the worker");
}

void protocol_release_batch(struct batch *batch)
{
    free((struct count *)(uintptr_t)batch->outcomes);
    free((struct count *)(uintptr_t)batch->voids);
    *batch = (struct batch){0};
}

enum status protocol_read_ended(const json_t *event, struct error *ending, struct circumstances *circumstances,
                                struct error *error)
{
    const char *name = NULL, *text = NULL, *detail = NULL;
    enum status status;
    if (!circumstances_read(json_object_get(event, "circumstances"), circumstances) ||
        !UNPACK(event, "s:s, s:s, s:s, s:o", "status", &name, "text", &text, "detail", &detail, "circumstances",
                &(const json_t *){NULL}) ||
        !status_from_name(name, &status))
        return error_set(error, STATUS_INTERNAL, "malformed `ended` message from the worker");
    (void)error_set(ending, status, "%s", text);
    error_set_detail(ending, detail);
    return STATUS_OK;
}
