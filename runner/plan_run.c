// SPDX-License-Identifier: Apache-2.0
#include "runner/plan_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "runner/related.h"

enum { MAXIMUM_CONTROLS = 8 }; /* of one test */

/* The controls of one selected test. */
struct control_list {
    const struct selected_test *tests[MAXIMUM_CONTROLS];
    size_t count;
};

void plan_job_key(const struct litmus_test *test, const struct environment *environment, unsigned replicate,
                  char key[65])
{
    char test_hash[65], environment_hex[65], joined[160];
    litmus_hash(test, test_hash);
    environment_hash(environment, environment_hex);
    (void)snprintf(joined, sizeof joined, "%s %s %u", test_hash, environment_hex, replicate);
    hash_hex(joined, strlen(joined), key);
}

/* A control of the plan by name, read once. */
static enum status find_control(struct run_plan *plan, const struct selection *selection, size_t room,
                                const struct litmus_test *test, const char *name, const struct selected_test **found,
                                struct error *error)
{
    struct error why;
    for (size_t i = 0; i < plan->control_count; i++) {
        *found = &plan->controls[i];
        if (strcmp((*found)->test->name, name) == 0 && (*found)->test->dialect == test->dialect)
            return STATUS_OK;
    }
    if (plan->control_count == room)
        return error_set(error, STATUS_LIMIT, "too many different controls");
    *found = &plan->controls[plan->control_count];
    if (selection_find(selection, name, test->dialect, &plan->controls[plan->control_count], &why) != STATUS_OK)
        return error_set(error, STATUS_USAGE, "%s names the control %s: %s; --no-controls runs without it", test->name,
                         name, why.text);
    plan->control_count++;
    return STATUS_OK;
}

static enum status find_controls(struct run_plan *plan, const struct selection *selection, size_t room,
                                 const struct litmus_test *test, struct control_list *list, struct error *error)
{
    char name[RELATED_NAME_SIZE];
    list->count = 0;
    for (const char *rest = NULL; related_next(test, related_controls, &rest, name);) {
        if (list->count == MAXIMUM_CONTROLS)
            return error_set(error, STATUS_LIMIT, "%s names more than %d controls", test->name, MAXIMUM_CONTROLS);
        TRY(find_control(plan, selection, room, test, name, &list->tests[list->count], error));
        list->count++;
    }
    return STATUS_OK;
}

bool plan_forbids(const struct litmus_test *test)
{
    const char *expect = litmus_metadata(test, "Expect");
    if (expect)
        return strcmp(expect, "forbidden") == 0;
    return test->quantifier == LITMUS_NOT_EXISTS || test->quantifier == LITMUS_FORALL;
}

static enum status check_expectation(const struct selected_test *selected, struct error *error)
{
    const char *expect = litmus_metadata(selected->test, "Expect");
    if (expect && strcmp(expect, "forbidden") != 0 && strcmp(expect, "allowed") != 0)
        return error_set(error, STATUS_SYNTAX, "%s: Expect=: expected allowed or forbidden, found '%s'", selected->file,
                         expect);
    return STATUS_OK;
}

static void add_job(struct run_plan *plan, const struct selected_test *test, const struct litmus_test *controlled,
                    const struct backend_device *device, const struct environment *environment)
{
    struct planned_job *job = &plan->jobs[plan->job_count++];
    *job = (struct planned_job){.test = test, .controlled = controlled, .device = device, .environment = environment};
    plan_job_key(controlled ? controlled : test->test, environment, 0, job->key);
}

enum status run_plan_make(const struct selection *selection, const struct backend_device *const *devices,
                          size_t device_count, const char *profile, bool with_controls, struct run_plan *plan,
                          struct error *error)
{
    const size_t control_room = selection->count * MAXIMUM_CONTROLS;
    *plan = (struct run_plan){0};
    plan->environments = calloc(device_count + 1, sizeof *plan->environments);
    plan->jobs = calloc(device_count * selection->count * (1 + MAXIMUM_CONTROLS) + 1, sizeof *plan->jobs);
    plan->controls = calloc(control_room + 1, sizeof *plan->controls);
    if (!plan->environments || !plan->jobs || !plan->controls)
        return error_set(error, STATUS_MEMORY, "no memory for %zu tests on %zu devices", selection->count,
                         device_count);
    for (size_t d = 0; d < device_count; d++) {
        struct environment *environment = &plan->environments[d];
        if (profile)
            TRY(environment_load(profile, devices[d], environment, error));
        else
            environment_default(devices[d], environment);
        for (size_t t = 0; t < selection->count; t++) {
            struct control_list controls = {.count = 0};
            TRY(check_expectation(&selection->tests[t], error));
            if (with_controls)
                TRY(find_controls(plan, selection, control_room, selection->tests[t].test, &controls, error));
            add_job(plan, &selection->tests[t], NULL, devices[d], environment);
            for (size_t c = 0; c < controls.count; c++)
                add_job(plan, controls.tests[c], selection->tests[t].test, devices[d], environment);
        }
    }
    return STATUS_OK;
}

void run_plan_release(struct run_plan *plan)
{
    for (size_t i = 0; i < plan->control_count; i++)
        selected_test_release(&plan->controls[i]);
    free(plan->controls);
    free(plan->environments);
    free(plan->jobs);
    *plan = (struct run_plan){0};
}
