// SPDX-License-Identifier: Apache-2.0
/* Reads results.json, and what a browser says of its device. */
#include "backends/webgpu/recorded.h"

#include "backends/driver.h"
#include "base/json.h"

uint32_t recorded_hash(const uint32_t *words, size_t count)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 16777619U;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool is_u32(const json_t *json)
{
    const json_int_t value = json_integer_value(json);
    return json_is_integer(json) && value >= 0 && value <= UINT32_MAX;
}

bool recorded_counters(const struct recorded_batch *batch, uint32_t *counters, size_t count)
{
    const size_t size = json_array_size(batch->pairs);
    json_int_t last = -1;
    memset(counters, 0, count * sizeof *counters);
    for (size_t i = 0; i + 1 < size; i += 2) {
        const json_t *place = json_array_get(batch->pairs, i), *value = json_array_get(batch->pairs, i + 1);
        if (!is_u32(place) || !is_u32(value) || json_integer_value(place) <= last ||
            (size_t)json_integer_value(place) >= count)
            return false;
        last = json_integer_value(place);
        counters[last] = (uint32_t)json_integer_value(value);
    }
    return size % 2 == 0;
}

/* ---- the device ---- */

/* "Firefox 153" of "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0". Browsers claim to be
 * others, so the rarer names come first. */
static void name_browser(const char *agent, char *name, size_t size)
{
    static const char *const browsers[][2] = {
        {"Edg/", "Edge"},        {"OPR/", "Opera"},     {"SamsungBrowser/", "Samsung Internet"},
        {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Version/", "Safari"}};
    (void)snprintf(name, size, "an unknown browser");
    for (size_t i = 0; i < COUNT(browsers); i++) {
        const char *at = strstr(agent, browsers[i][0]);
        if (!at)
            continue;
        at += strlen(browsers[i][0]);
        (void)snprintf(name, size, "%s %.*s", browsers[i][1], (int)strspn(at, "0123456789"), at);
        return;
    }
}

/* What compiles WGSL there. */
static const char *compiler_of(const char *browser)
{
    return strncmp(browser, "Firefox", 7) == 0  ? "Naga"
           : strncmp(browser, "Safari", 6) == 0 ? "WebKit's compiler"
                                                : "Tint";
}

static enum status read_device(json_t *root, struct backend_device *device, struct error *error)
{
    const char *agent, *vendor, *architecture, *own, *description, *model;
    json_error_t why;
    int fallback, size;
    json_int_t local_bytes;
    char browser[64];
    if (json_unpack_ex(root, &why, 0, "{s:{s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:i,s:I}}", "device", "browser", &agent,
                       "vendor", &vendor, "architecture", &architecture, "device", &own, "description", &description,
                       "model", &model, "fallback", &fallback, "max_group_size", &size, "local_bytes",
                       &local_bytes) != 0)
        return error_set(error, STATUS_SYNTAX, "%s", why.text);
    if (size < 1 || size > 65536 || local_bytes < 1024 || local_bytes > 1 << 24)
        return error_set(error, STATUS_SYNTAX, "device: no work-group has %d items and %lld bytes of memory", size,
                         (long long)local_bytes);
    name_browser(agent, browser, sizeof browser);
    *device = (struct backend_device){.backend = "webgpu",
                                      .takes = BACKEND_TAKES_WGSL,
                                      .atomic_orders = BACKEND_ORDER_RELAXED,
                                      .atomic_scopes = BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE,
                                      .gpu = !fallback,
                                      .max_group_size = (unsigned)size,
                                      .sub_group_size = 1,
                                      .local_bytes = (uint64_t)local_bytes,
                                      .memory_bytes = (uint64_t)1 << 30};
    const char *const names[] = {model, description, own, architecture, vendor, "a device without a name"};
    const char *const *name = FIRST_OF(word, names, COUNT(names), (*word)[0] != '\0');
    driver_copy(device->name, sizeof device->name, *name);
    driver_copy(device->vendor, sizeof device->vendor, vendor);
    driver_copy(device->architecture, sizeof device->architecture, architecture);
    (void)snprintf(device->driver, sizeof device->driver, "%s", browser);
    (void)snprintf(device->compiler, sizeof device->compiler, "%s of %s", compiler_of(browser), browser);
    driver_copy(device->platform, sizeof device->platform, agent);
    return STATUS_OK;
}

/* ---- jobs ---- */

static bool read_batch(json_t *json, size_t number, struct recorded_batch *batch)
{
    json_int_t own, draw;
    json_t *pairs;
    if (json_unpack(json, "{s:I,s:F,s:I,s:o}", "number", &own, "seconds", &batch->seconds, "draw", &draw, "counters",
                    &pairs) != 0)
        return false;
    batch->draw = (uint32_t)draw;
    batch->pairs = pairs;
    return own == (json_int_t)number && draw >= 0 && draw <= UINT32_MAX && json_is_array(pairs) &&
           batch->seconds >= 0 && batch->seconds < 86400;
}

static void read_job(json_t *json, struct arena *arena, struct recorded_job *job)
{
    json_error_t why;
    json_t *batches, *key;
    json_int_t instances, groups;
    if (json_unpack_ex(json, &why, 0, "{s:s,s:s,s:s,s:o,s:s,s:I,s:I,s:o}", "name", &job->name, "text", &job->text,
                       "hash", &job->hash, "key", &key, "kernel_hash", &job->kernel_hash, "resident_groups", &groups,
                       "batch_instances", &instances, "batches", &batches) != 0) {
        job->refused = arena_copy(arena, why.text);
        return;
    }
    job->resident_groups = (uint32_t)groups;
    job->batch_instances = (uint64_t)instances;
    job->batch_count = json_array_size(batches);
    job->batches = arena_take(arena, job->batch_count, sizeof *job->batches);
    if (!json_read_u64(key, &job->key) || groups < 1 || groups > 1 << 20 || instances < 1 ||
        instances > (json_int_t)1 << 40 || job->batch_count == 0)
        job->refused = "it has no batches, no key, or sizes that are impossible";
    for (size_t i = 0; i < job->batch_count && !job->refused; i++)
        if (!read_batch(json_array_get(batches, i), i, &job->batches[i]))
            job->refused = arena_print(arena, "its batch %zu is malformed, or does not have the number %zu", i, i);
}

enum status recorded_read(const char *text, size_t size, struct recorded *recorded, struct error *error)
{
    json_error_t why;
    json_t *jobs, *ranges, *seed;
    int format;
    *recorded = (struct recorded){.root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why)};
    if (!recorded->root)
        return error_set(error, STATUS_SYNTAX, "%d:%d: %s", why.line, why.column, why.text);
    if (json_unpack_ex(recorded->root, &why, 0, "{s:i,s:s,s:o,s:s,s:o,s:o}", "format", &format, "orchil",
                       &recorded->version, "seed", &seed, "began", &recorded->began, "ranges", &ranges, "jobs",
                       &jobs) != 0)
        return error_set(error, STATUS_SYNTAX, "no results of a page of orchil: %s", why.text);
    if (format != RECORDED_FORMAT)
        return error_set(error, STATUS_SYNTAX, "its format is %d, not %d: use its orchil", format, RECORDED_FORMAT);
    recorded->ranges = ranges;
    recorded->score = json_is_true(json_object_get(recorded->root, "score"));
    if (!json_read_u64(seed, &recorded->seed))
        return error_set(error, STATUS_SYNTAX, "seed: expected a text of a number of 64 bits");
    TRY(read_device(recorded->root, &recorded->device, error));
    recorded->job_count = json_array_size(jobs);
    if (recorded->job_count == 0)
        return error_set(error, STATUS_SYNTAX, "it has no jobs");
    recorded->jobs = arena_take(&recorded->arena, recorded->job_count, sizeof *recorded->jobs);
    for (size_t i = 0; i < recorded->job_count; i++)
        read_job(json_array_get(jobs, i), &recorded->arena, &recorded->jobs[i]);
    recorded->device.compute_units = recorded->jobs[0].resident_groups;
    return STATUS_OK;
}

void recorded_release(struct recorded *recorded)
{
    json_decref(recorded->root);
    arena_release(&recorded->arena);
    *recorded = (struct recorded){.root = NULL};
}
