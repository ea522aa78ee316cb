// SPDX-License-Identifier: Apache-2.0
/* Storing a run's plan in the database, and recalling it with the devices that were used. */
#include "runner/run/plan_store.h"

#include "base/json.h"
#include "litmus/language/user_atomics.h"
#include "runner/run/job_record.h"

/* ---- storing ---- */

const char *const plan_until_words[] = {
    [UNTIL_LIMITS] = "limits", [UNTIL_WITNESS] = "witness", [UNTIL_FORBIDDEN] = "forbidden", NULL};

static json_t *pack_options(const struct run_options *options, const struct run_plan *plan)
{
    json_t *devices = json_array(), *unread = json_array();
    for (size_t d = 0; d < plan->device_count; d++)
        (void)json_array_append_new(devices, json_pack("{s:I, s:o}", "group", (json_int_t)plan->devices[d].group,
                                                       "device", field_described_device(plan->devices[d].device)));
    for (size_t i = 0; i < options->unread_count; i++)
        (void)json_array_append_new(unread, json_text(options->unread[i]));
    const char *const instances = PRINTED(24, "%" PRIu64, options->instances);
    return json_pack("{s:s, s:f, s:b, s:b, s:s, s:f, s:b, s:i, s:s, s:f, s:f, s:f, s:o, s:o}", "instances", instances,
                     "seconds", options->seconds, "pilot", options->pilot, "rerun", options->rerun, "until",
                     plan_until_words[options->until], "confidence", options->confidence, "strict", options->strict,
                     "score", (int)options->score, "kernels", frozen_option(options->frozen.use), "open_limit",
                     options->limits.open, "build_limit", options->limits.build, "batch_limit", options->limits.batch,
                     "devices", devices, "unread", unread);
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
    json_auto_t *object = pack_options(options, plan);
    FREED char *packed = json_dumps(object, JSON_COMPACT);
    FREED struct store_planned *planned = memory_take(plan->job_count, sizeof *planned);
    LOCAL(arena) arena = {0};
    LOCAL(hash_index) tests = {0};
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++) {
            const struct planned_job *job = &plan->jobs[i];
            const size_t twin = find_twin(plan, &tests, job->test);
            const bool again = i > 0 && job->environment == plan->jobs[i - 1].environment;
            planned[i] = (struct store_planned){
                .group = plan->units[u].group,
                .control = job->controlled != NULL,
                .test = twin ? planned[twin - 1].test : job_record_test(job, &arena),
                .twin = twin,
                .file = job->test->file,
                .lowering = job->lowering,
                .extent = job->extent,
                .environment = again ? planned[i - 1].environment : job_record_environment(job->environment, &arena)};
            if (!twin)
                hash_index_add(&tests, hash_index_object_key(job->test), i);
        }
    return store_add_plan(store, run_id, packed, planned, plan->job_count, error);
}

/* ---- the device of a stored job ---- */

/* The memory that a driver reports may vary with the memory that other processes and the kernel use, as with PoCL. No
 * draw depends on it, and a launch reports too little memory. */
static bool is_memory_alike(uint64_t then, uint64_t now)
{
    const uint64_t difference = then > now ? then - now : now - then;
    return difference <= then / 8;
}

static bool are_again(const struct backend_device *then, const struct backend_device *now, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!device_is_resumed(&then[k], &now[k]))
            return false;
    return true;
}

bool device_is_resumed(const struct backend_device *then, const struct backend_device *now)
{
    struct backend_device alike = *now;
    if (then->member_count == now->member_count && are_again(then->members, now->members, then->member_count))
        alike.members = then->members;
    if (is_memory_alike(then->memory_bytes, now->memory_bytes))
        alike.memory_bytes = then->memory_bytes;
    return device_is_equal(then, &alike);
}

/* A device's description as one object, without its place in the list, which changes as other devices come and go. */
static json_t *describe_device(const struct backend_device *device)
{
    json_t *json = field_described_device(device);
    (void)json_object_update(json, json_object_get(json, "capabilities"));
    (void)json_object_del(json, "capabilities");
    (void)json_object_del(json, "index");
    (void)json_object_del(json, "members"); /* compared one by one */
    return json;
}

/* Adds the difference: "its driver was '1.0' and is '2.0'". whose: "its", or "member 1's". */
static void add_own_difference(const struct backend_device *then, const struct backend_device *now, const char *whose,
                               struct text *text)
{
    json_auto_t *first = describe_device(then), *second = describe_device(now);
    const char *key;
    json_t *value;
    if (is_memory_alike(then->memory_bytes, now->memory_bytes))
        (void)json_object_del(first, "memory_bytes");
    json_object_foreach(first, key, value)
    {
        const json_t *other = json_object_get(second, key);
        if (json_equal(value, (json_t *)(uintptr_t)other))
            continue;
        FREED char *was = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        char *is = other ? json_dumps(other, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
        text_add(text, "%s%s %s was %s and is now %s", text->size > 0 ? ", " : "", whose, key, was, is ? is : "?");
        free(is);
    }
}

/* Returns NO_DEVICE, with the difference between the device then and now, or that it is gone. */
static enum status device_changed(const struct device_list *list, const struct backend_device *then, int64_t run_id,
                                  struct error *error)
{
    LOCAL(text) difference = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < list->count && difference.size == 0; i++) {
        const struct backend_device *now = &list->devices[i];
        const bool known = then->uuid[0] ? strcmp(then->uuid, now->uuid) == 0 : strcmp(then->name, now->name) == 0;
        if (known && strcmp(then->backend, now->backend) == 0) {
            add_own_difference(then, now, "its", &difference);
            for (unsigned k = 0; k < then->member_count && k < now->member_count; k++) {
                add_own_difference(&then->members[k], &now->members[k], PRINTED(24, "member %u's", k), &difference);
            }
        }
    }
    if (difference.size > 0)
        status = error_set(error, STATUS_NO_DEVICE,
                           "cannot resume run %" PRId64 ": %s %s has changed: %s; restore it, or start a new run",
                           run_id, device_address(then).text, then->name, text_string(&difference));
    else
        status = error_set(
            error, STATUS_NO_DEVICE, "cannot resume run %" PRId64 ": its device %s %s (driver %s%s%s) is not available",
            run_id, device_address(then).text, then->name, then->driver, then->uuid[0] ? ", UUID " : "", then->uuid);
    return status;
}

/* The device of the list that `then` describes (device_is_resumed) and that the plan does not have yet; the device at
 * the same place is tried first. NULL if it is gone or has changed. */
static const struct backend_device *device_find_resumed(const struct device_list *list, const struct run_plan *plan,
                                                        const struct backend_device *then)
{
    const struct backend_device *found = NULL;
    FOR_EACH(const struct backend_device, now, list->devices, list->count) {
        const bool taken = ANY_OF(one, plan->devices, plan->device_count, one->device == now);
        if (!taken && device_is_resumed(then, now) && (!found || now->index == then->index))
            found = now;
    }
    return found;
}

/* ---- finding ---- */

/* A run of the file, and the newest run. */
struct sought_run {
    int64_t id, newest;
    bool found, completed;
    uint64_t seed;
    char tool_version[128];
};

/* Looks for the run sought->id among all runs or, if only is true, fetches just that run. */
static enum status seek_run(struct store *store, struct sought_run *sought, bool only, struct error *error)
{
    struct store_cursor runs;
    store_query(store, STORE_RUNS, only ? sought->id : 0, &runs, error);
    while (store_next(&runs)) {
        sought->newest = runs.run.run_id;
        if (runs.run.run_id != sought->id)
            continue;
        sought->found = true;
        sought->seed = runs.run.run.seed;
        sought->completed = runs.run.state == RUN_COMPLETED;
        (void)snprintf(sought->tool_version, sizeof sought->tool_version, "%s", runs.run.run.tool_version);
    }
    return store_end(&runs, STATUS_OK);
}

enum status plan_find_run(struct store *store, const char *name, int64_t *run_id, struct error *error)
{
    struct sought_run sought = {0};
    char *end = NULL;
    sought.id = strtoll(name, &end, 10);
    const bool last = strcmp(name, "last") == 0;
    if (!last && (sought.id <= 0 || *end != '\0'))
        return error_set(error, STATUS_USAGE, "--resume %s: expected the number of a run, last or auto", name);
    TRY(seek_run(store, &sought, false, error));
    if (sought.newest == 0)
        return error_set(error, STATUS_USAGE, "--resume %s: the database has no run", name);
    if (!last && !sought.found)
        return error_set(error, STATUS_USAGE, "--resume %s: the database has no run %s; its newest is %" PRId64, name,
                         name, sought.newest);
    *run_id = last ? sought.newest : sought.id;
    return STATUS_OK;
}

static enum status read_begun(struct store *store, struct begun_run *begun, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_text_row plan = {.text = NULL};
    const enum status status = store_load_text(store, STORE_PLAN, begun->run_id, &arena, &plan, error);
    json_auto_t *options = status == STATUS_OK && plan.text ? json_loads(plan.text, 0, NULL) : NULL;
    begun->planned = status == STATUS_OK && plan.text;
    begun->strict = json_is_true(json_object_get(options, "strict"));
    begun->rerun = json_is_true(json_object_get(options, "rerun"));
    return status;
}

enum status plan_list_begun(struct store *store, const char *command_line, int64_t first, struct arena *arena,
                            struct begun_run **begun, size_t *count, struct error *error)
{
    struct store_cursor runs;
    *begun = NULL;
    *count = 0;
    store_query(store, STORE_RUNS, 0, &runs, error);
    while (store_next(&runs))
        if (first > 0 ? runs.run.run_id >= first
                      : !command_line || strcmp(runs.run.run.command_line, command_line) == 0)
            ARENA_ADD(arena, *begun, *count) = (struct begun_run){
                .run_id = runs.run.run_id, .seed = runs.run.run.seed, .completed = runs.run.state == RUN_COMPLETED};
    TRY(store_end(&runs, STATUS_OK));
    if (first > 0 && (*count == 0 || (*begun)->run_id != first))
        return error_set(error, STATUS_USAGE, "--resume %" PRId64 ": the database has no such run", first);
    for (size_t i = 0; i < *count; i++) {
        TRY(read_begun(store, &(*begun)[i], error));
        if (first > 0 && i > 0 && !(*begun)[i].rerun)
            *count = i;
    }
    return STATUS_OK;
}

/* Parses the options of a plan; the caller releases them. */
static enum status read_options(struct store *store, int64_t run_id, json_t **options, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_text_row plan;
    *options = NULL;
    TRY(store_load_text(store, STORE_PLAN, run_id, &arena, &plan, error));
    if (!plan.text)
        return error_set(error, STATUS_USAGE,
                         "cannot resume run %" PRId64 ": this file has no plan of it; it is not a run of `orchil "
                         "run`, it was merged from another file (resume it there), or it ended before its first job",
                         run_id);
    if (!(*options = json_loads(plan.text, 0, NULL)))
        return error_set(error, STATUS_DATABASE, "the plan of run %" PRId64 " is damaged: its options are not JSON",
                         run_id);
    return STATUS_OK;
}

/* Another version of orchil may generate other kernels for the same tests, and a run must not mix two kinds. */
static enum status check_version(struct store *store, int64_t run_id, struct sought_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    *run = (struct sought_run){.id = run_id};
    TRY(seek_run(store, run, true, error));
    FREED char *version = provenance_tool_version();
    if (strcmp(run->tool_version, version) != 0)
        status =
            error_set(error, STATUS_USAGE,
                      "run %" PRId64 " was made by orchil %s, but this is orchil %s, whose kernels may differ; resume "
                      "it with that version, or start a new run",
                      run_id, run->tool_version, version);
    return status;
}

/* Adds the SPEC with which to find a device again: its backend, or the ensemble; nothing if its record is damaged. */
static void add_spec(const json_t *json, struct text *specs)
{
    struct backend_device device;
    struct error damaged;
    const char *separator = specs->size > 0 ? "," : "";
    if (device_from_json(json, &device, &damaged) != STATUS_OK)
        return;
    if (device.member_count > 0)
        text_add(specs, "%s%s", separator, device_address(&device).text);
    else if (backend_find(device.backend))
        text_add(specs, "%s%s", separator, device.backend);
    device_release(&device);
}

enum status plan_recall_specs(struct store *store, int64_t run_id, struct text *specs, struct error *error)
{
    json_auto_t *options = NULL;
    struct sought_run run;
    TRY(read_options(store, run_id, &options, error));
    const json_t *devices = json_object_get(options, "devices");
    for (size_t d = 0; d < json_array_size(devices); d++)
        add_spec(json_object_get(json_array_get(devices, d), "device"), specs);
    return check_version(store, run_id, &run, error);
}

/* ---- recalling ---- */

struct recalling {
    struct store *store;
    int64_t run_id;
    struct run_plan *plan;
    char **devices; /* as text, as stored with each job; owned */
};

static enum status plan_damaged(const struct recalling *recalling, const char *what, struct error *error)
{
    return error_set(error, STATUS_DATABASE, "the plan of run %" PRId64 " is damaged: %s", recalling->run_id, what);
}

static enum status recall_options(const struct recalling *recalling, const json_t *json, struct run_options *options,
                                  struct error *error)
{
    const char *instances = NULL, *until = NULL, *kernels = "";
    int strict = 0, score = 0, pilot = 0, rerun = 0;
    size_t word = 0;
    if (json_unpack((json_t *)(uintptr_t)json, "{s:s, s:F, s:b, s:b, s:s, s:F, s:b, s?i, s?s, s:F, s:F, s:F}",
                    "instances", &instances, "seconds", &options->seconds, "pilot", &pilot, "rerun", &rerun, "until",
                    &until, "confidence", &options->confidence, "strict", &strict, "score", &score, "kernels", &kernels,
                    "open_limit", &options->limits.open, "build_limit", &options->limits.build, "batch_limit",
                    &options->limits.batch) != 0)
        return plan_damaged(recalling, "an option is missing", error);
    while (plan_until_words[word] && strcmp(plan_until_words[word], until) != 0)
        word++;
    if (!plan_until_words[word])
        return plan_damaged(recalling, "it has an unknown limit", error);
    if (frozen_use_of(kernels) != options->frozen.use)
        return error_set(error, STATUS_USAGE,
                         kernels[0] ? "run %" PRId64 " was started with %s; give it and its folder with --resume, too"
                                    : "run %" PRId64 " was started without a folder of kernels%s; give none with "
                                      "--resume",
                         recalling->run_id, kernels);
    options->until = (enum run_until)word;
    options->instances = strtoull(instances, NULL, 10);
    options->pilot = pilot != 0;
    options->rerun = rerun != 0;
    options->strict = strict != 0;
    options->score = score < 0 || score > SELECTION_SCORES_ASSUMPTIONS ? 0 : (enum selection_score)score;
    return STATUS_OK;
}

static enum status recall_devices(struct recalling *recalling, const json_t *json, const struct device_list *list,
                                  struct error *error)
{
    struct run_plan *plan = recalling->plan;
    const size_t count = json_array_size(json);
    plan->devices = memory_take(count, sizeof *plan->devices);
    plan->environments = memory_take(count, sizeof *plan->environments);
    recalling->devices = memory_take(count, sizeof *recalling->devices);
    for (size_t d = 0; d < count; d++) {
        const json_t *entry = json_array_get(json, d), *described = json_object_get(entry, "device");
        const json_int_t group = json_integer_value(json_object_get(entry, "group"));
        struct backend_device then;
        TRY(device_from_json(described, &then, error));
        const struct backend_device *now = device_find_resumed(list, plan, &then);
        const enum status status = now ? STATUS_OK : device_changed(list, &then, recalling->run_id, error);
        device_release(&then);
        if (status != STATUS_OK)
            return status;
        if (group < 0 || (size_t)group > d)
            return plan_damaged(recalling, "a device belongs to no group", error);
        recalling->devices[d] = json_dumps(described, JSON_COMPACT);
        plan->devices[d] = (struct planned_device){now, (size_t)group};
        plan->device_count++;
    }
    return STATUS_OK;
}

/* The device of the plan on which a job began: its index in the plan, or device_count. A later part of the run may have
 * seen the device at another place, or with a little more memory; an exact match with the plan's description comes
 * first. */
static size_t begun_on(const struct recalling *recalling, const struct store_planned_row *row)
{
    const struct run_plan *plan = recalling->plan;
    struct backend_device described;
    struct error error;
    size_t d = INDEX_OF(one, recalling->devices, plan->device_count, strcmp(*one, row->device) == 0);
    if (d < plan->device_count)
        return d;
    json_auto_t *json = json_loads(row->device, 0, NULL);
    const bool known = device_from_json(json, &described, &error) == STATUS_OK;
    for (d = 0; d < plan->device_count; d++)
        if (known && device_is_resumed(&described, plan->devices[d].device))
            break;
    if (known)
        device_release(&described);
    return d;
}

static enum status recall_begun(struct recalling *recalling, const struct store_planned_row *row,
                                struct planned_unit *unit, struct planned_job *job, struct error *error)
{
    struct run_plan *plan = recalling->plan;
    const size_t device = begun_on(recalling, row);
    if (row->progress.job_id == 0)
        return STATUS_OK;
    if (device == plan->device_count)
        return plan_damaged(recalling, "a job was run on a device that is not in it", error);
    if (row->progress.launched > STORE_JOB_INSTANCES_MAX)
        return plan_damaged(recalling, "a job has more than 2^60 instances", error);
    struct store_progress *begun = arena_take(&plan->arena, 1, sizeof *begun);
    *begun = row->progress;
    begun->reason = arena_copy(&plan->arena, begun->reason);
    begun->invalid = arena_copy(&plan->arena, begun->invalid);
    begun->kept_reason = arena_copy(&plan->arena, begun->kept_reason);
    if (begun->state == JOB_STARTED)
        begun->state = JOB_INTERRUPTED; /* its supervisor was killed */
    job->begun = begun;
    job->begun_on = plan->devices[device].device;
    if (begun->state != JOB_NOT_RUN)
        unit->pinned = job->begun_on;
    return STATUS_OK;
}

/* The first job of a group gives the group's environment. */
static enum status recall_environment(struct recalling *recalling, const struct store_planned *planned,
                                      struct error *error)
{
    struct environment *environment = &recalling->plan->environments[planned->group];
    char hash[65];
    if (environment->name[0] == '\0') {
        TRY(environment_parse(planned->environment.text, environment, error));
        (void)snprintf(environment->name, sizeof environment->name, "%s", planned->environment.profile);
    }
    environment_hash(environment, hash);
    return strcmp(hash, planned->environment.hash) == 0
               ? STATUS_OK
               : plan_damaged(recalling, "an environment does not have its hash", error);
}

static enum status recall_job(struct recalling *recalling, const struct store_planned_row *row, struct error *error)
{
    struct run_plan *plan = recalling->plan;
    const struct store_planned *planned = &row->planned;
    const size_t number = plan->job_count;
    struct selected_test *test = &plan->controls[number];
    struct planned_job *job = &plan->jobs[number];
    char hash[65];
    if (planned->group >= plan->device_count || plan->devices[planned->group].group != planned->group)
        return plan_damaged(recalling, "a job has no devices", error);
    if (planned->control && plan->unit_count == 0)
        return plan_damaged(recalling, "a control comes before its test", error);
    TRY(recall_environment(recalling, planned, error));
    TRY(litmus_parse(planned->file, planned->test.text, strlen(planned->test.text), &test->test, error));
    plan->control_count++;
    test->file = memory_copy(planned->file);
    litmus_hash(test->test, hash);
    if (strcmp(hash, planned->test.hash) != 0)
        return plan_damaged(recalling, "a test does not have its hash", error);
    if (!planned->control)
        plan->units[plan->unit_count++] = (struct planned_unit){.first = number, .group = planned->group};
    struct planned_unit *unit = &plan->units[plan->unit_count - 1];
    const struct litmus_test *controlled = planned->control ? plan->jobs[unit->first].test->test : NULL;
    const struct environment *environment = &plan->environments[planned->group];
    if (lowering_header(planned->lowering) ? strcmp(kernel_lowering_word(planned->lowering), planned->lowering) != 0
                                           : planned->lowering[0] && user_atomics_loaded())
        return error_set(error, STATUS_USAGE,
                         "the run's kernels are %s: resume the run with the same --atomics, --atomics-define and "
                         "--atomics-only",
                         planned->lowering);
    *job = (struct planned_job){.test = test,
                                .controlled = controlled,
                                .device = plan->devices[planned->group].device,
                                .environment = environment,
                                .lowering = kernel_lowering_word(planned->lowering),
                                .extent = planned->extent};
    plan_job_key(controlled ? controlled : test->test, environment, 0, job->key);
    unit->end = ++plan->job_count;
    return recall_begun(recalling, row, unit, job, error);
}

static enum status recall_jobs(struct recalling *recalling, struct error *error)
{
    struct run_plan *plan = recalling->plan;
    struct store_cursor jobs;
    enum status status = STATUS_OK;
    size_t room = 0;
    store_query(recalling->store, STORE_PLANNED, recalling->run_id, &jobs, error);
    while (store_next(&jobs))
        room++;
    TRY(store_end(&jobs, STATUS_OK));
    plan->jobs = memory_take(room, sizeof *plan->jobs);
    plan->units = memory_take(room, sizeof *plan->units);
    plan->controls = memory_take(room, sizeof *plan->controls);
    store_query(recalling->store, STORE_PLANNED, recalling->run_id, &jobs, error);
    while (status == STATUS_OK && store_next(&jobs))
        status = plan->job_count < room ? recall_job(recalling, &jobs.planned, error)
                                        : plan_damaged(recalling, "it has grown", error);
    return store_end(&jobs, status);
}

enum status plan_recall_unread(struct store *store, int64_t run_id, struct selection *selection, struct error *error)
{
    json_auto_t *options = NULL;
    *selection = (struct selection){0};
    TRY(read_options(store, run_id, &options, error));
    const json_t *unread = json_object_get(options, "unread");
    selection->unread = memory_take(json_array_size(unread), sizeof *selection->unread);
    for (size_t i = 0; i < json_array_size(unread); i++) {
        const char *message = json_string_value(json_array_get(unread, i));
        selection->unread[selection->unread_count++] = memory_copy(message ? message : "");
    }
    return STATUS_OK;
}

enum status plan_recall(struct store *store, int64_t run_id, const struct device_list *devices,
                        struct run_options *options, struct run_plan *plan, struct error *error)
{
    struct recalling recalling = {.store = store, .run_id = run_id, .plan = plan};
    struct sought_run run = {0};
    json_auto_t *json = NULL;
    *plan = (struct run_plan){0};
    enum status status = read_options(store, run_id, &json, error);
    THEN(status, check_version(store, run_id, &run, error));
    options->seed = run.seed;
    plan->completed = run.completed;
    THEN(status, recall_options(&recalling, json, options, error));
    THEN(status, recall_devices(&recalling, json_object_get(json, "devices"), devices, error));
    THEN(status, recall_jobs(&recalling, error));
    for (size_t d = 0; d < plan->device_count; d++)
        free(recalling.devices[d]);
    free(recalling.devices);
    return status;
}
