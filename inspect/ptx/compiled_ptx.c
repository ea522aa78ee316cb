// SPDX-License-Identifier: Apache-2.0
/* From the PTX of a kernel to the inspection and the test that was compiled. */
#include "inspect/ptx/compiled_ptx.h"

#include <string.h>

#include "inspect/needs.h"
#include "inspect/rebuild/compiled_step.h"
#include "inspect/rebuild/rebuild_test.h"
#include "kernel/lower.h"

bool compiled_ptx_is(const struct kernel *kernel, const char *code)
{
    return (kernel->lowering->is_opencl || kernel->lowering->is_cuda) && strstr(code, ".version") &&
           strstr(code, ".entry");
}

static enum status read_listing(const struct compiled_ptx *ptx, struct listing *listing, struct error *error)
{
    const unsigned before = ptx->first_line - 1;
    enum status status = listing_read_ptx(ptx->text, listing, error);
    if (status == STATUS_OK)
        status =
            listing_refuse_ptx(listing, ptx->kernel->helpers_line + before, ptx->kernel->functions_end + before, error);
    return status == STATUS_SYNTAX ? error->status = STATUS_UNSUPPORTED : status;
}

static void add_opcodes(const struct compiled_step *compiled, struct text *text)
{
    for (size_t i = 0; i < compiled->count; i++)
        text_add(text, "%s%.*s", i > 0 ? "; " : "", (int)strcspn(compiled->instructions[i]->text, " "),
                 compiled->instructions[i]->text);
}

enum status compiled_ptx_list(const struct compiled_ptx *ptx,
                              void (*tell)(const struct kernel_step *step, const char *opcodes, void *context),
                              void *context, struct error *error)
{
    struct listing listing;
    const enum status status = read_listing(ptx, &listing, error);
    for (size_t i = 0; status == STATUS_OK && i < ptx->kernel->step_count; i++) {
        const struct compiled_code code = {ptx->kernel, &listing, ptx->first_line};
        struct arena arena = {0};
        struct compiled_step compiled;
        struct text opcodes = {0};
        (void)compiled_step_list(&code, &ptx->kernel->steps[i], &arena, &compiled);
        add_opcodes(&compiled, &opcodes);
        tell(&ptx->kernel->steps[i], text_string(&opcodes), context);
        text_release(&opcodes);
        arena_release(&arena);
    }
    listing_release(&listing);
    return status;
}

enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct compiled_test *compiled, struct error *error)
{
    struct listing listing;
    *inspection = (struct inspection){0};
    *compiled = (struct compiled_test){0};
    enum status status = read_listing(ptx, &listing, error);
    if (status == STATUS_OK) {
        const struct inspect_subject subject = {
            .test = ptx->test, .kernel = ptx->kernel, .listing = &listing, .first_line = ptx->first_line};
        inspect_compare(&subject, rules_ptx, inspection);
        status = compiled_test_make(ptx->test, ptx->kernel, ptx->first_line, &listing, inspection, LITMUS_PTX, compiled,
                                    error);
    } else
        inspect_skip(inspection, error->text);
    listing_release(&listing);
    return status;
}

enum status compiled_ptx_of_build(const struct litmus_test *test, const struct backend_device *device,
                                  const char *lowering, bool delays, const struct build *build,
                                  struct compiled_test *compiled, struct error *error)
{
    struct kernel kernel;
    struct inspection inspection;
    *compiled = (struct compiled_test){0};
    if (build->marks & MARK_FROZEN)
        return error_set(error, STATUS_UNSUPPORTED, "the kernel was saved earlier, and its lines are not known");
    TRY(kernel_generate(test, device, lowering[0] ? lowering : NULL, delays, &kernel, error));
    const struct compiled_ptx ptx = {test, &kernel, kernel_unit_line(backend_find(device->backend), 1), build->binary};
    enum status status = STATUS_UNSUPPORTED;
    if (compiled_ptx_is(&kernel, build->binary)) {
        status = compiled_ptx_read(&ptx, &inspection, compiled, error);
        inspection_release(&inspection);
    } else
        (void)error_set(error, status, "no compiler made PTX from the test");
    kernel_release(&kernel);
    return status;
}
