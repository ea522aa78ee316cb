// SPDX-License-Identifier: Apache-2.0
/* The jobs of a run: tests on devices, each with its controls. */
#include "runner/run/plan_run.h"

#include "runner/supervise/devices.h"

enum { MAXIMUM_CONTROLS = 8 }; /* of one test */

/* The controls of one selected test. */
struct control_list {
    const struct selected_test *tests[MAXIMUM_CONTROLS];
    size_t count;
};

static void make_key(const char test_hash[65], const char environment_hex[65], unsigned replicate, char key[65])
{
    const char *const joined = PRINTED(160, "%s %s %u", test_hash, environment_hex, replicate);
    hash_hex(joined, strlen(joined), key);
}

void plan_job_key(const struct litmus_test *test, const struct environment *environment, unsigned replicate,
                  char key[65])
{
    char test_hash[65], environment_hex[65];
    litmus_hash(test, test_hash);
    environment_hash(environment, environment_hex);
    make_key(test_hash, environment_hex, replicate, key);
}

/* A plan in the making. */
struct plan_draft {
    struct run_plan *plan;
    const struct selection *selection;
    bool with_controls;
    struct hash_index tests;    /* of the selection's catalogue, by dialect and name */
    struct hash_index controls; /* of the plan, likewise */
    size_t device;              /* the present one */
    char environment_hex[65];   /* of its environment */
};

/* A control that is selected itself, or was found before; else NULL. */
static const struct selected_test *known_control(const struct plan_draft *planning, enum litmus_dialect dialect,
                                                 const char *name)
{
    const uint64_t key = hash_index_key((int)dialect, name);
    const struct hash_index *const indices[] = {&planning->tests, &planning->controls};
    const struct selected_test *const lists[] = {planning->selection->tests, planning->plan->controls};
    size_t item;
    for (int i = 0; i < 2; i++)
        for (size_t step = 0; hash_index_next(indices[i], key, &step, &item);)
            if (strcmp(lists[i][item].test->name, name) == 0 && lists[i][item].test->dialect == dialect)
                return &lists[i][item];
    return NULL;
}

/* Finds a control of the plan by name; reads it only once. */
static enum status find_control(struct plan_draft *planning, const struct litmus_test *test, const char *name,
                                const struct selected_test **found, struct error *error)
{
    struct run_plan *plan = planning->plan;
    struct error why;
    *found = known_control(planning, test->dialect, name);
    if (*found)
        return STATUS_OK;
    if (plan->control_count == planning->selection->count * MAXIMUM_CONTROLS)
        return error_set(error, STATUS_LIMIT, "too many different controls");
    struct selected_test *control = &plan->controls[plan->control_count];
    if (selection_find(planning->selection, name, test->dialect, control, &why) != STATUS_OK)
        return error_set(error, STATUS_USAGE, "%s names the control %s: %s; --no-controls runs without it", test->name,
                         name, why.text);
    hash_index_add(&planning->controls, hash_index_key((int)control->test->dialect, control->test->name),
                   plan->control_count++);
    *found = control;
    return STATUS_OK;
}

static enum status find_controls(struct plan_draft *planning, const struct litmus_test *test, struct control_list *list,
                                 struct error *error)
{
    char name[LITMUS_NAME_SIZE];
    list->count = 0;
    for (const char *rest = NULL; litmus_next_name(test, litmus_controls, &rest, name);) {
        if (list->count == MAXIMUM_CONTROLS)
            return error_set(error, STATUS_LIMIT, "%s names more than %d controls", test->name, MAXIMUM_CONTROLS);
        TRY(find_control(planning, test, name, &list->tests[list->count], error));
        list->count++;
    }
    return STATUS_OK;
}

static void add_job(const struct plan_draft *planning, const struct selected_test *test,
                    const struct litmus_test *controlled, const char *lowering, const char key[65])
{
    struct run_plan *plan = planning->plan;
    struct planned_job *job = &plan->jobs[plan->job_count++];
    *job = (struct planned_job){.test = test,
                                .controlled = controlled,
                                .device = plan->devices[planning->device].device,
                                .environment = &plan->environments[planning->device],
                                .lowering = lowering};
    if (!lowering)
        job->lowering = kernel_usual_lowering(test->test, job->device);
    memcpy(job->key, key, sizeof job->key);
}

/* Plans a test with its controls on one device. lowering: NULL for each test's usual one. */
static enum status add_unit(struct plan_draft *planning, const struct selected_test *test, const char *lowering,
                            struct error *error)
{
    struct run_plan *plan = planning->plan;
    struct control_list controls = {.count = 0};
    char test_hash[65], key[65];
    TRY(selected_test_check_claim(test, error));
    if (planning->with_controls)
        TRY(find_controls(planning, test->test, &controls, error));
    litmus_hash(test->test, test_hash);
    make_key(test_hash, planning->environment_hex, 0, key);
    struct planned_unit *unit = &plan->units[plan->unit_count++];
    *unit = (struct planned_unit){.first = plan->job_count, .group = planning->device};
    add_job(planning, test, NULL, lowering, key);
    plan->jobs[unit->first].test_hash = arena_copy(&plan->arena, test_hash);
    for (size_t c = 0; c < controls.count; c++)
        add_job(planning, controls.tests[c], test->test, lowering, key);
    unit->end = plan->job_count;
    return STATUS_OK;
}

static const char lowering_source[] = "source";

/* Plans a test on one device: once, or by both lowerings. */
static enum status add_test(struct plan_draft *planning, const struct selected_test *test, enum run_lowering lowering,
                            struct error *error)
{
    const struct backend_device *device = planning->plan->devices[planning->device].device;
    const bool has_source =
        (device->takes & BACKEND_TAKES_CUDA) != 0 && kernel_has_lowering(test->test->dialect, lowering_source);
    if (lowering != RUN_LOWERING_SOURCE)
        TRY(add_unit(planning, test, NULL, error));
    if (lowering == RUN_LOWERING_SOURCE || (lowering == RUN_LOWERING_BOTH && has_source))
        TRY(add_unit(planning, test, kernel_user_lowering(lowering_source), error));
    return STATUS_OK;
}

enum status plan_set_homes(struct environment *environment, const struct backend_device *device, const char *homes,
                           struct error *error)
{
    static const char subject[] = "homes: "; /* of the error; here the option names the subject */
    struct error why = {0};
    if (!homes || device->member_count == 0 || environment_set_homes(environment, homes, &why) == STATUS_OK)
        return STATUS_OK;
    const bool said = strncmp(why.text, subject, sizeof subject - 1) == 0;
    return error_set(error, STATUS_USAGE, "--home %s: %s", homes, why.text + (said ? sizeof subject - 1 : 0));
}

/* Plans all tests on one device. */
static enum status plan_run_add_device(struct plan_draft *planning, size_t number, const struct backend_device *device,
                                       const char *profile, const char *homes, enum run_lowering lowering,
                                       struct error *error)
{
    struct run_plan *plan = planning->plan;
    struct environment *environment = &plan->environments[number];
    plan->devices[number] = (struct planned_device){device, number};
    if (profile)
        TRY(environment_load(profile, device, environment, error));
    else
        environment_default(device, environment);
    TRY(plan_set_homes(environment, device, homes, error));
    planning->device = number;
    environment_hash(environment, planning->environment_hex);
    for (size_t t = 0; t < planning->selection->count; t++)
        TRY(add_test(planning, &planning->selection->tests[t], lowering, error));
    return STATUS_OK;
}

enum status run_plan_make(const struct selection *selection, const struct backend_device *const *devices,
                          size_t device_count, const char *profile, const char *homes, enum run_lowering lowering,
                          bool with_controls, struct run_plan *plan, struct error *error)
{
    const size_t units = device_count * selection->count * (lowering == RUN_LOWERING_BOTH ? 2 : 1);
    *plan = (struct run_plan){.device_count = 0};
    const bool any = !homes || ANY_OF(one, devices, device_count, (*one)->member_count > 0);
    if (!any)
        return error_set(error, STATUS_USAGE,
                         "--home %s: only devices that run a test together have homes; expected a --device like "
                         "cuda:0+cuda:1",
                         homes);
    plan->device_count = device_count;
    plan->environments = memory_take(device_count, sizeof *plan->environments);
    plan->devices = memory_take(device_count, sizeof *plan->devices);
    plan->units = memory_take(units, sizeof *plan->units);
    plan->jobs = memory_take(units * (1 + MAXIMUM_CONTROLS), sizeof *plan->jobs);
    plan->controls = memory_take(selection->count * MAXIMUM_CONTROLS, sizeof *plan->controls);
    struct plan_draft planning = {.plan = plan, .selection = selection, .with_controls = with_controls};
    for (size_t t = 0; t < selection->count && with_controls; t++)
        if (selection_would_find(selection, &selection->tests[t]))
            hash_index_add(&planning.tests,
                           hash_index_key((int)selection->tests[t].test->dialect, selection->tests[t].test->name), t);
    enum status status = STATUS_OK;
    for (size_t d = 0; d < device_count && status == STATUS_OK; d++)
        status = plan_run_add_device(&planning, d, devices[d], profile, homes, lowering, error);
    hash_index_release(&planning.tests);
    hash_index_release(&planning.controls);
    return status;
}

/* ---- leaving parts out ---- */

/* keep: of each unit, whether it stays; freed here. */
static void drop_units(struct run_plan *plan, bool *keep)
{
    size_t units = 0, jobs = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        struct planned_unit unit = plan->units[u];
        const size_t count = unit.end - unit.first;
        if (!keep[u])
            continue;
        memmove(&plan->jobs[jobs], &plan->jobs[unit.first], count * sizeof *plan->jobs);
        unit.first = jobs;
        unit.end = jobs += count;
        plan->units[units++] = unit;
    }
    plan->unit_count = units;
    plan->job_count = jobs;
    free(keep);
}

/* Whether they are equal in everything that can affect a result: hardware, software and environment. */
static bool are_equal(const struct run_plan *plan, size_t first, size_t second)
{
    const struct backend_device *device = plan->devices[first].device;
    struct backend_device other = *plan->devices[second].device;
    char hash[HASH_HEX_SIZE], other_hash[HASH_HEX_SIZE];
    environment_hash(&plan->environments[first], hash);
    environment_hash(&plan->environments[second], other_hash);
    memcpy(other.uuid, device->uuid, sizeof other.uuid);
    other.memory_bytes = device->memory_bytes; /* makes no difference to a test that has enough */
    return device_is_equal(device, &other) && strcmp(hash, other_hash) == 0;
}

void run_plan_share(struct run_plan *plan)
{
    for (size_t d = 1; d < plan->device_count; d++)
        for (size_t e = 0; e < d && plan->devices[d].group == d; e++)
            if (are_equal(plan, e, d))
                plan->devices[d].group = plan->devices[e].group;
    bool *keep = memory_take(plan->unit_count, sizeof *keep);
    for (size_t u = 0; u < plan->unit_count; u++) /* a group is numbered by its first device */
        keep[u] = plan->devices[plan->units[u].group].group == plan->units[u].group;
    drop_units(plan, keep);
}

void run_plan_shard(struct run_plan *plan, unsigned shard, unsigned shards)
{
    bool *keep = memory_take(plan->unit_count, sizeof *keep);
    for (size_t u = 0; u < plan->unit_count; u++)
        keep[u] = hash_number(plan->jobs[plan->units[u].first].key) % shards == shard - 1;
    drop_units(plan, keep);
}

void run_plan_pick(const struct run_plan *plan, bool (*wanted)(const struct planned_job *job, void *context),
                   void *context, struct run_plan *picked)
{
    *picked = (struct run_plan){
        .job_count = plan->job_count, .unit_count = plan->unit_count, .device_count = plan->device_count};
    picked->jobs = memory_take(plan->job_count, sizeof *picked->jobs);
    picked->units = memory_take(plan->unit_count, sizeof *picked->units);
    picked->devices = memory_take(plan->device_count, sizeof *picked->devices);
    memcpy(picked->jobs, plan->jobs, plan->job_count * sizeof *picked->jobs);
    memcpy(picked->units, plan->units, plan->unit_count * sizeof *picked->units);
    memcpy(picked->devices, plan->devices, plan->device_count * sizeof *picked->devices);
    bool *keep = memory_take(plan->unit_count, sizeof *keep);
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end && !keep[u]; i++)
            keep[u] = wanted(&plan->jobs[i], context);
    drop_units(picked, keep);
}

/* Both are single devices; at least one is a member of an ensemble, so a copy of a device of the list. */
static bool is_same_member(const struct backend_device *a, const struct backend_device *b)
{
    return (a->uuid[0] != '\0' && strcmp(a->uuid, b->uuid) == 0) ||
           (a->index == b->index && strcmp(a->backend, b->backend) == 0);
}

bool plan_same_hardware(const struct backend_device *a, const struct backend_device *b)
{
    bool same = a == b || (a->uuid[0] != '\0' && strcmp(a->uuid, b->uuid) == 0);
    const struct backend_device *const first = a->member_count > 0 ? a->members : a;
    const struct backend_device *const second = b->member_count > 0 ? b->members : b;
    const unsigned first_count = a->member_count > 0 ? a->member_count : 1;
    const unsigned second_count = b->member_count > 0 ? b->member_count : 1;
    for (unsigned i = 0; i < first_count && a->member_count + b->member_count > 0; i++)
        for (unsigned k = 0; k < second_count; k++)
            same |= is_same_member(&first[i], &second[k]);
    return same;
}

/* An earlier job whose kernel is the same, because a test controls several others; or NULL. */
static const struct planned_job *find_same_kernel(const struct run_plan *plan, const struct hash_index *checked,
                                                  const struct planned_job *job)
{
    size_t number;
    for (size_t step = 0; hash_index_next(checked, hash_index_object_key(job->test), &step, &number);) {
        const struct planned_job *other = &plan->jobs[number];
        if (other->test == job->test && other->device == job->device && strcmp(other->lowering, job->lowering) == 0)
            return other;
    }
    return NULL;
}

void run_plan_refuse(struct run_plan *plan)
{
    LOCAL(hash_index) checked = {0};
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        const struct planned_job *same = find_same_kernel(plan, &checked, job);
        if (same) {
            job->refused = same->refused;
            job->refusal = same->refusal;
            continue;
        }
        struct error why;
        const enum status status =
            kernel_check_agents(job->test->test, job->device, job->lowering[0] ? job->lowering : NULL, &why);
        job->refused = status == STATUS_UNSUPPORTED;
        job->refusal = job->refused ? arena_copy(&plan->arena, why.text) : NULL;
        hash_index_add(&checked, hash_index_object_key(job->test), i);
    }
}

/* The jobs left in a unit; whole jobs if left is NULL. */
static double plan_unit_left(const struct run_plan *plan, const struct planned_unit *unit, const double *left)
{
    double sum = 0;
    for (size_t i = unit->first; i < unit->end; i++)
        if (!plan->jobs[i].refused)
            sum += left ? left[i] : 1;
    return sum;
}

/* The jobs left for the busiest device of a group if the devices share evenly and units stay whole; whole jobs if left
 * is NULL. */
static double plan_group_left(const struct run_plan *plan, size_t group, const double *left)
{
    double sum = 0, largest = 0;
    const size_t sharing = SUM_OF(size_t, one, plan->devices, plan->device_count, one->group == group);
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (plan->units[u].group != group)
            continue;
        const double unit = plan_unit_left(plan, &plan->units[u], left);
        sum += unit;
        largest = fmax(largest, unit);
    }
    return fmax(largest, left ? sum / (double)sharing : ceil(sum / (double)sharing));
}

double run_plan_longest(const struct run_plan *plan, const double *left)
{
    double longest = 0;
    for (size_t d = 0; d < plan->device_count; d++) {
        double jobs = 0;
        for (size_t e = 0; e < plan->device_count; e++)
            if (plan_same_hardware(plan->devices[d].device, plan->devices[e].device))
                jobs += plan_group_left(plan, plan->devices[e].group, left);
        longest = fmax(longest, jobs);
    }
    return longest;
}

void run_plan_release(struct run_plan *plan)
{
    for (size_t i = 0; i < plan->control_count; i++)
        selected_test_release(&plan->controls[i]);
    arena_release(&plan->arena);
    free(plan->controls);
    free(plan->environments);
    free(plan->devices);
    free(plan->units);
    free(plan->jobs);
    *plan = (struct run_plan){0};
}
