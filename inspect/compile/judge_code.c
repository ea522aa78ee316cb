// SPDX-License-Identifier: Apache-2.0
/* Outcomes that a compiled test allows and the test forbids. */
#include "inspect/compile/judge_code.h"

#include "base/clock.h"
#include "verdicts/verdicts.h"

static const double judging_seconds = 10; /* of one test */

static void add_outcome(const char *label, void *context)
{
    struct inspection *inspection = context;
    ARENA_ADD(&inspection->arena, inspection->findings, inspection->finding_count) = (struct inspect_finding){
        .fault = INSPECT_ALLOWS,
        .text = arena_print(&inspection->arena, "the compiled code allows %s, which the test forbids", label)};
}

static void list_outcomes(const struct litmus_test *test, const struct backend_device *device,
                          struct kernel_target *compiled, struct inspection *inspection)
{
    const struct judge_options limits = {.deadline = clock_seconds() + judging_seconds};
    const size_t before = inspection->finding_count;
    struct verdicts verdicts = {.source = {.model = ""}};
    struct error error;
    if (verdicts_make(test, device, &limits, &verdicts, &error) == STATUS_OK &&
        verdicts_add_compiled(&verdicts, compiled, &limits, &error) == STATUS_OK)
        verdicts_list_limits(&verdicts, add_outcome, inspection);
    verdicts_release(&verdicts);
    if (inspection->finding_count == before)
        return;
    if (inspection->kept != TEST_NOT_KEPT)
        inspection->reason = inspection->findings[before].text;
    inspection->kept = TEST_NOT_KEPT;
}

void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection)
{
    struct inspection of_ptx;
    struct kernel_target compiled;
    struct error error;
    const enum status status = compiled_ptx_read(ptx, &of_ptx, &compiled, &error);
    if (inspection->kept == TEST_NOT_INSPECTED) {
        inspection_release(inspection);
        *inspection = of_ptx;
        judge_merged(ptx->test, device, inspection);
    } else
        inspection_release(&of_ptx);
    if (status == STATUS_OK && ptx->kernel->agents < 2) /* one kernel has all threads */
        list_outcomes(ptx->test, device, &compiled, inspection);
    kernel_target_release(&compiled);
}

/* The same for SPIR-V that is not kept: the findings of its inspection say what differs, and these what may come of
 * it. */
static void judge_compiled_spirv(const struct inspect_code *code, const struct litmus_test *test,
                                 const struct kernel *kernel, const struct backend_device *device,
                                 struct inspection *inspection)
{
    struct kernel_target compiled;
    struct error error;
    if (inspection->kept != TEST_NOT_KEPT)
        return;
    if (compiled_spirv_read(code, test, kernel, inspection, &compiled, &error) == STATUS_OK)
        list_outcomes(test, device, &compiled, inspection);
    kernel_target_release(&compiled);
}

void inspect_compiled(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                      const struct backend_device *device, struct inspection *inspection)
{
    const struct compiled_ptx ptx = {test, kernel, code->first_line, code->ptx ? code->ptx : code->text};
    inspect_and_judge(code, test, kernel, device, inspection);
    if (code->machine == INSPECT_SPIRV)
        judge_compiled_spirv(code, test, kernel, device, inspection);
    else if (code->machine != INSPECT_AMDGCN && compiled_ptx_is(kernel, ptx.text))
        judge_compiled(&ptx, device, inspection);
}
