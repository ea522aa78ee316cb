// SPDX-License-Identifier: Apache-2.0
/* Checks what a browser reports, and plans it as a run. */
#include "web/import.h"

#include "backends/webgpu/recorded.h"
#include "base/json.h"
#include "web/web.h"

/* A job that is being checked. */
struct import_check {
    const struct recorded *recorded;
    const struct recorded_job *job;
    struct import *import;
    struct litmus_test *test;
    uint64_t instances; /* of all its batches */
};

static enum status import_refuse(struct error *error, const char *reason)
{
    return error_set(error, STATUS_USAGE, "%s", reason);
}

/* ---- the test and its kernel ---- */

static enum status check_test(struct import_check *check, struct error *error)
{
    const struct recorded_job *job = check->job;
    char hash[HASH_HEX_SIZE];
    TRY(litmus_parse(job->name, job->text, strlen(job->text), &check->test, error));
    litmus_hash(check->test, hash);
    if (strcmp(hash, job->hash) != 0 || strcmp(check->test->name, job->name) != 0)
        return import_refuse(error, "its text does not match the name and hash in the page");
    return STATUS_OK;
}

static enum status check_kernel(const struct import_check *check, const struct kernel *kernel, struct error *error)
{
    LOCAL(text) wgsl = {0};
    char hash[HASH_HEX_SIZE];
    TRY(kernel_print_wgsl(kernel, &wgsl, error));
    hash_hex(text_string(&wgsl), wgsl.size, hash);
    return strcmp(hash, check->job->kernel_hash) == 0
               ? STATUS_OK
               : error_set(error, STATUS_USAGE,
                           "orchil %.40s, which wrote the page, generates another kernel for it: use that orchil",
                           check->recorded->version);
}

/* ---- batches ---- */

struct import_sum {
    const struct litmus_test *test;
    uint64_t sum;
};

static void add_outcome(UNUSED const int64_t *values, uint64_t count, void *context)
{
    ((struct import_sum *)context)->sum += count;
}

/* Whether the counters of a batch account for each of its instances, as the worker asks it. */
static bool adds_up(const struct import_check *check, const struct kernel *kernel, const struct draw *draw,
                    const uint32_t *counters)
{
    struct import_sum sum = {.test = check->test};
    kernel_outcomes(check->test, kernel, counters, add_outcome, &sum);
    sum.sum += (uint64_t)counters[COUNTER_GAVE_UP] + counters[COUNTER_UNMET] + counters[COUNTER_UNRECORDED] +
               counters[COUNTER_STALE];
    return sum.sum == draw->instances && (counters[COUNTER_STALE] == 0 || counters[COUNTER_LEFT] > 0);
}

static enum status check_batch(struct import_check *check, const struct kernel *kernel,
                               const struct draw_limits *limits, size_t number, uint32_t *counters, struct error *error)
{
    const struct recorded_batch *batch = &check->job->batches[number];
    LOCAL(draw) draw = {0};
    TRY(draw_make(&check->import->environment, kernel, limits, check->import->seed, check->job->key, number, &draw,
                  error));
    if (recorded_hash(draw.words, draw.word_count) != batch->draw)
        return error_set(error, STATUS_USAGE, "its batch %zu was played with another draw than its seed gives", number);
    if (!recorded_counters(batch, counters, kernel->counter_words) || !adds_up(check, kernel, &draw, counters))
        return error_set(error, STATUS_USAGE, "its batch %zu does not add up to its %" PRIu64 " instances", number,
                         draw.instances);
    check->instances += draw.instances;
    return STATUS_OK;
}

static enum status check_batches(struct import_check *check, const struct kernel *kernel, struct error *error)
{
    const struct backend_device *device = &check->import->own;
    struct draw_limits limits = {.resident_groups = check->job->resident_groups,
                                 .max_group_size = device->max_group_size,
                                 .sub_group_size = device->sub_group_size,
                                 .local_bytes = device->local_bytes,
                                 .batch_instances = check->job->batch_instances};
    FREED uint32_t *counters = memory_take(kernel->counter_words, sizeof *counters);
    for (size_t number = 0; number < check->job->batch_count; number++)
        TRY(check_batch(check, kernel, &limits, number, counters, error));
    return STATUS_OK;
}

/* ---- the plan ---- */

static bool names_control(const struct litmus_test *test, const struct litmus_test *control)
{
    char name[LITMUS_NAME_SIZE];
    for (const char *rest = NULL; litmus_next_name(test, litmus_controls, &rest, name);)
        if (strcmp(name, control->name) == 0 && test->dialect == control->dialect)
            return true;
    return false;
}

/* The test that this job controls: the last one before it, if it names it and has its key. */
static const struct litmus_test *controlled_by(const struct import_check *check, const char *key)
{
    const struct run_plan *plan = &check->import->plan;
    if (plan->unit_count == 0)
        return NULL;
    const struct planned_job *first = &plan->jobs[plan->units[plan->unit_count - 1].first];
    return strcmp(first->key, key) == 0 && names_control(first->test->test, check->test) ? first->test->test : NULL;
}

/* Whether the job has the key that a run gives it for the test. *key: as a run has it. */
static bool key_of(const struct import_check *check, const struct litmus_test *test, char key[65])
{
    plan_job_key(test, &check->import->environment, 0, key);
    return hash_number(key) == check->job->key;
}

static enum status find_key(const struct import_check *check, char key[65], const struct litmus_test **controlled,
                            struct error *error)
{
    const struct run_plan *plan = &check->import->plan;
    *controlled = NULL;
    if (key_of(check, check->test, key))
        return STATUS_OK;
    if (plan->unit_count > 0 && key_of(check, plan->jobs[plan->units[plan->unit_count - 1].first].test->test, key))
        *controlled = controlled_by(check, key);
    return *controlled ? STATUS_OK : import_refuse(error, "its key does not match the test and the page's environment");
}

/* Whether the file had a job of that name and key before: a test can be the control of several. */
static bool is_planned(const struct import_check *check, const char *key)
{
    return ANY_OF(job, check->import->plan.jobs, check->import->plan.job_count,
                  strcmp(job->key, key) == 0 && strcmp(job->test->test->name, check->test->name) == 0);
}

static void plan_job(struct import_check *check, const char *key, const struct litmus_test *controlled)
{
    struct import *import = check->import;
    struct run_plan *plan = &import->plan;
    struct selected_test *selected = &import->tests[import->test_count++];
    *selected = (struct selected_test){.test = check->test, .file = memory_copy(check->test->name)};
    check->test = NULL;
    if (!controlled)
        plan->units[plan->unit_count++] = (struct planned_unit){.first = plan->job_count};
    struct planned_job *job = &plan->jobs[plan->job_count++];
    *job = (struct planned_job){.test = selected,
                                .controlled = controlled,
                                .device = &import->own,
                                .environment = &plan->environments[0],
                                .lowering = "wgsl",
                                .extent = {.instances = check->instances,
                                           .batch_instances = check->job->batch_instances,
                                           .resident_groups = check->job->resident_groups}};
    (void)snprintf(job->key, sizeof job->key, "%s", key);
    plan->units[plan->unit_count - 1].end = plan->job_count;
    import->batches += check->job->batch_count;
}

static enum status take_job(struct import_check *check, struct error *error)
{
    LOCAL(kernel) kernel = {0};
    const struct litmus_test *controlled;
    char key[65];
    if (check->job->refused)
        return import_refuse(error, check->job->refused);
    TRY(check_test(check, error));
    TRY(find_key(check, key, &controlled, error));
    if (is_planned(check, key))
        return import_refuse(error, "the file contains it twice");
    TRY(web_kernel_make(check->test, &kernel, error));
    TRY(check_kernel(check, &kernel, error));
    TRY(check_batches(check, &kernel, error));
    plan_job(check, key, controlled);
    return STATUS_OK;
}

static void begin_plan(struct import *import, size_t jobs)
{
    struct run_plan *plan = &import->plan;
    import->tests = memory_take(jobs, sizeof *import->tests);
    plan->jobs = memory_take(jobs, sizeof *plan->jobs);
    plan->units = memory_take(jobs, sizeof *plan->units);
    plan->devices = memory_take(1, sizeof *plan->devices);
    plan->environments = memory_take(1, sizeof *plan->environments);
    plan->environments[0] = import->environment;
    plan->devices[0] = (struct planned_device){&import->own, 0};
    plan->device_count = 1;
}

static enum status take_environment(const struct recorded *recorded, struct environment *environment,
                                    struct error *error)
{
    FREED char *ranges = json_dumps(recorded->ranges, JSON_COMPACT);
    if (!ranges)
        return error_set(error, STATUS_SYNTAX, "ranges: expected an object");
    TRY(environment_parse(ranges, environment, error));
    (void)snprintf(environment->name, sizeof environment->name, RECORD_PAGE_PROFILE);
    return STATUS_OK;
}

enum status import_take(const char *text, size_t size, struct import *import, struct error *error)
{
    LOCAL(recorded) recorded = {0};
    *import = (struct import){.seed = 0};
    hash_hex(text, size, import->hash);
    TRY(recorded_read(text, size, &recorded, error));
    TRY(take_environment(&recorded, &import->environment, error));
    import->seed = recorded.seed;
    import->began = arena_copy(&import->arena, recorded.began);
    import->score = recorded.score ? SELECTION_SCORES_MUTANTS : SELECTION_SCORES_NOTHING;
    import->own = recorded.device;
    begin_plan(import, recorded.job_count);
    for (size_t i = 0; i < recorded.job_count; i++) {
        struct import_check check = {.recorded = &recorded, .job = &recorded.jobs[i], .import = import};
        if (take_job(&check, error) != STATUS_OK)
            ARENA_ADD(&import->arena, import->refusals, import->refusal_count) = (struct import_refusal){
                arena_copy(&import->arena, recorded.jobs[i].name ? recorded.jobs[i].name : "a job"),
                arena_copy(&import->arena, error->text)};
        litmus_release(check.test);
    }
    return import->plan.job_count > 0 ? STATUS_OK
                                      : error_set(error, STATUS_USAGE, "nothing in it fits: %s: %s",
                                                  import->refusals[0].name, import->refusals[0].reason);
}

enum status import_read(const char *path, struct import *import, struct error *error)
{
    LOCAL(text) text = {0};
    *import = (struct import){.seed = 0};
    TRY(file_read_whole(path, RECORDED_MAXIMUM_FILE, &text, error));
    return import_take(text_string(&text), text.size, import, error);
}

void import_release(struct import *import)
{
    run_plan_release(&import->plan);
    for (size_t i = 0; i < import->test_count; i++)
        selected_test_release(&import->tests[i]);
    free(import->tests);
    arena_release(&import->arena);
    *import = (struct import){.seed = 0};
}
