// SPDX-License-Identifier: Apache-2.0
/* From the PTX of a kernel to the inspection and the test that was compiled. */
#include "runner/inspect/compiled_ptx.h"

#include <string.h>

#include "runner/inspect/needs.h"
#include "runner/kernel/lower.h"

bool compiled_ptx_is(const struct kernel *kernel, const char *code)
{
    return kernel->lowering->is_opencl && strstr(code, ".version") && strstr(code, ".entry");
}

enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct compiled_test *compiled, struct error *error)
{
    struct listing listing;
    *inspection = (struct inspection){0};
    *compiled = (struct compiled_test){0};
    enum status status = listing_read_ptx(ptx->text, &listing, error);
    if (status == STATUS_OK) {
        const struct inspect_subject subject = {
            .test = ptx->test, .kernel = ptx->kernel, .listing = &listing, .first_line = ptx->first_line};
        inspect_compare(&subject, rules_ptx, inspection);
        status = compiled_test_make(ptx->test, ptx->kernel, ptx->first_line, &listing, inspection, compiled, error);
    } else
        inspect_skip(inspection, error->text);
    listing_release(&listing);
    return status == STATUS_SYNTAX ? error->status = STATUS_UNSUPPORTED : status;
}
