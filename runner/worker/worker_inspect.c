// SPDX-License-Identifier: Apache-2.0
/* The worker that lets a driver compile tests and inspects the compiled code: a line of JSON for
 * each. It launches nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/terminal/terminal.h"
#include "catalogue/selection.h"
#include "inspect/ptx/compiled_ptx.h"
#include "runner/worker/worker.h"
#include "verdicts/verdicts.h"

/* A device and the requested tests. */
struct inspecting {
    const struct backend *backend;
    struct job_session session;
    unsigned part, parts; /* of the catalogue: every parts-th test from number part */
    const char *name;     /* or one test, whose code is also reported */
};

static const double judging_seconds = 5; /* of one test */

static void add_limit(const char *label, void *context)
{
    json_append(context, json_text(label));
}

/* "store release device global int" */
static void name_step(const struct litmus_test *test, const struct kernel_step *step, struct text *text)
{
    const struct litmus_access *access = step->access;
    if (step->fence)
        litmus_print_opencl_fence(step->fence, text);
    else if (step->barrier)
        litmus_print_opencl_barrier(step->barrier, text);
    else {
        const struct litmus_expression *address = access->address;
        const struct litmus_location *location =
            address->kind == LITMUS_EXPRESSION_ADDRESS ? &test->locations[address->index] : NULL;
        text_add(text, "%s %s %s %s%s %s",
                 access->operation == LITMUS_LOAD    ? "load"
                 : access->operation == LITMUS_STORE ? "store"
                                                     : litmus_operation_name(LITMUS_OPENCL, access->operation),
                 access->order == LITMUS_PLAIN ? "plain" : litmus_order_name(LITMUS_OPENCL, access->order),
                 access->order == LITMUS_PLAIN ? "" : litmus_scope_name(LITMUS_OPENCL, access->scope),
                 location && location->is_volatile ? "volatile " : "",
                 !location                          ? "pointer"
                 : location->region == LITMUS_LOCAL ? "local"
                                                    : "global",
                 litmus_type_name(access->type));
    }
}

struct step_list {
    const struct litmus_test *test;
    json_t *steps;
};

static void add_step(const struct kernel_step *step, const char *opcodes, void *context)
{
    const struct step_list *list = context;
    struct text name = {0};
    name_step(list->test, step, &name);
    json_append(list->steps,
                json_pack("{s:o, s:o}", "step", json_text(text_string(&name)), "code", json_text(opcodes)));
    text_release(&name);
}

static json_t *findings_to_json(const struct inspection *inspection)
{
    json_t *list = json_array();
    for (size_t i = 0; i < inspection->finding_count; i++)
        json_append(list, json_pack("{s:s, s:o}", "fault", inspect_fault_word(inspection->findings[i].fault), "text",
                                    json_text(inspection->findings[i].text)));
    return list;
}

/* Judges the compiled test, and reports the result. */
static void judge(const struct inspecting *inspecting, const struct litmus_test *test, struct compiled_test *compiled,
                  json_t *answer)
{
    const struct judge_options limits = {.deadline = clock_seconds() + judging_seconds};
    struct verdicts verdicts = {.source = {.model = ""}};
    struct error error;
    struct text text = {0};
    json_t *allows = json_array();
    if (compiled_test_print(compiled, &text))
        (void)json_object_set_new(answer, "compiled", json_text(text_string(&text)));
    text_release(&text);
    enum status status = verdicts_make(test, &inspecting->session.device, &limits, &verdicts, &error);
    if (status == STATUS_OK)
        status = verdicts_add_compiled(&verdicts, compiled, &limits, &error);
    if (status == STATUS_OK)
        verdicts_list_limits(&verdicts, add_limit, allows);
    const char *unjudged = status != STATUS_OK              ? error.text
                           : verdicts.source.unjudged[0]    ? verdicts.source.unjudged
                           : verdicts.target.unjudged[0]    ? verdicts.target.unjudged
                           : verdicts.source.judgement.cut  ? verdicts.source.judgement.cut
                           : verdicts.source.judgement.racy ? "the test is racy"
                                                            : "";
    (void)json_object_set_new(answer, "unjudged", json_text(unjudged));
    (void)json_object_set_new(answer, "allows", allows);
    verdicts_release(&verdicts);
}

static void inspect(const struct inspecting *inspecting, const struct litmus_test *test, const struct kernel *kernel,
                    const char *code, json_t *answer)
{
    const struct compiled_ptx ptx = {test, kernel, kernel_unit_line(inspecting->backend, 1), code};
    struct step_list list = {test, json_array()};
    struct inspection inspection;
    struct compiled_test compiled;
    struct error error;
    if (!compiled_ptx_is(kernel, code)) {
        (void)json_object_set_new(answer, "kept", json_string(kept_word(TEST_NOT_INSPECTED)));
        (void)json_object_set_new(answer, "reason", json_string("the driver does not return PTX"));
        json_decref(list.steps);
        return;
    }
    (void)compiled_ptx_list(&ptx, add_step, &list, &error);
    const enum status status = compiled_ptx_read(&ptx, &inspection, &compiled, &error);
    (void)json_object_set_new(answer, "kept", json_string(kept_word(inspection.kept)));
    (void)json_object_set_new(answer, "reason", json_text(inspection.reason));
    (void)json_object_set_new(answer, "findings", findings_to_json(&inspection));
    (void)json_object_set_new(answer, "steps", list.steps);
    if (status == STATUS_OK)
        judge(inspecting, test, &compiled, answer);
    else
        (void)json_object_set_new(answer, "unjudged", json_text(error.text));
    compiled_test_release(&compiled);
    inspection_release(&inspection);
}

/* Compiles the test's kernel and reports the result. */
static bool tell_test(const struct inspecting *inspecting, const struct litmus_test *test)
{
    struct kernel kernel;
    struct error error;
    struct text log = {0}, code = {0};
    struct backend_program *program = NULL;
    json_t *answer = json_pack("{s:s, s:s}", "test", test->name, "dialect", litmus_dialect_name(test->dialect));
    enum status status = kernel_generate(test, &inspecting->session.device, NULL, false, &kernel, &error);
    if (status == STATUS_OK) {
        const struct backend_source source = {
            .name = test->name, .kernel = kernel.source, .functions_line = kernel.functions_line};
        status =
            backend_build(inspecting->backend, inspecting->session.session, &source, &program, &log, &code, &error);
        if (status == STATUS_OK)
            inspect(inspecting, test, &kernel, text_string(&code), answer);
        if (program)
            inspecting->backend->release(inspecting->session.session, program);
        kernel_release(&kernel);
    }
    if (status != STATUS_OK) {
        (void)json_object_set_new(answer, "kept", json_string(kept_word(TEST_NOT_INSPECTED)));
        (void)json_object_set_new(answer, "reason", json_text(error.text));
    }
    if (inspecting->name)
        (void)json_object_set_new(answer, "code", json_text(text_string(&code)));
    text_release(&log);
    text_release(&code);
    const bool told = json_dumpf(answer, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF;
    json_decref(answer);
    return told && status != STATUS_DEVICE_LOST;
}

static bool is_asked_for(const struct inspecting *inspecting, const struct litmus_test *test, size_t number)
{
    if (test->dialect != LITMUS_OPENCL)
        return false;
    return inspecting->name ? strcmp(inspecting->name, test->name) == 0
                            : number % inspecting->parts == inspecting->part;
}

int worker_inspect(const struct backend *backend, unsigned index, const char *what, const char *parts)
{
    struct inspecting inspecting = {.backend = backend, .name = parts ? NULL : what};
    struct selection selection;
    struct error error;
    bool told = true;
    if (parts) {
        inspecting.part = (unsigned)strtoul(what, NULL, 10);
        inspecting.parts = (unsigned)strtoul(parts, NULL, 10);
        if (inspecting.parts == 0)
            return WORKER_NOT_MEANT;
    }
    enum status status = worker_open(backend, index, &inspecting.session, &error);
    if (status == STATUS_OK)
        status = selection_all(&selection, &error);
    if (status != STATUS_OK) {
        terminal_print(stderr, "%s\n", error.text);
        return status_exit_code(status);
    }
    for (size_t i = 0; i < selection.count && told; i++)
        if (is_asked_for(&inspecting, selection.tests[i].test, i))
            told = tell_test(&inspecting, selection.tests[i].test);
    selection_release(&selection);
    backend->close(inspecting.session.session);
    return told ? 0 : status_exit_code(STATUS_SYSTEM);
}
