// SPDX-License-Identifier: Apache-2.0
/* The PTX that a driver's own compiler made of a job's kernel is read back into a PTX test, which `ptx` judges as the job's target. */
#include "runner/inspect/compiled_ptx.h"
#include "runner/kernel/kernel.h"
#include "runner/run/run.h"

/* A test is not read back, and its job has no target, where the code is no PTX, or not that of a PTX test. */
static enum status read_back(const struct running_job *job, const struct kernel *kernel, const char *code,
                             struct compiled_test *compiled, struct error *error)
{
    const struct litmus_test *test = job->planned.test->test;
    const struct compiled_ptx ptx = {test, kernel, kernel_unit_line(backend_find(job->planned.device->backend), 1),
                                     code};
    struct inspection inspection;
    if (!compiled_ptx_is(kernel, code))
        return STATUS_UNSUPPORTED;
    const enum status status = compiled_ptx_read(&ptx, &inspection, compiled, error);
    inspection_release(&inspection);
    return status;
}

enum status run_judge_compiled(struct running_job *job, const struct build *build, const struct judge_options *limits,
                               struct error *error)
{
    struct kernel kernel;
    struct compiled_test compiled = {0};
    if ((build->marks & MARK_FROZEN) || !*build->binary ||
        kernel_generate(job->planned.test->test, job->planned.device, &kernel, error) != STATUS_OK)
        return STATUS_OK;
    enum status status = read_back(job, &kernel, build->binary, &compiled, error);
    if (status == STATUS_OK)
        status = verdicts_add_compiled(&job->verdicts, &compiled, limits, error);
    kernel_release(&kernel);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}
