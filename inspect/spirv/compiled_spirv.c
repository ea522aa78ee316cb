// SPDX-License-Identifier: Apache-2.0
/* From the SPIR-V of a kernel to the test that was compiled. */
#include "inspect/spirv/compiled_spirv.h"

#include "inspect/rebuild/rebuild_test.h"

enum status compiled_spirv_read(const struct inspect_code *code, const struct litmus_test *test,
                                const struct kernel *kernel, const struct inspection *inspection,
                                struct compiled_test *compiled, struct error *error)
{
    struct listing listing;
    *compiled = (struct compiled_test){0};
    enum status status = listing_read_spirv(code->text, code->size, &listing, error);
    if (status == STATUS_SYNTAX)
        status = error->status = STATUS_UNSUPPORTED;
    else if (status == STATUS_OK && test->edge_count > 0)
        status = error_set(error, STATUS_UNSUPPORTED, "its launches are ordered by the host, which has no code");
    else if (status == STATUS_OK)
        status =
            compiled_test_make(test, kernel, code->first_line, &listing, inspection, LITMUS_VULKAN, compiled, error);
    listing_release(&listing);
    return status;
}
