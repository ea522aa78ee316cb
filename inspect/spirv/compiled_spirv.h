// SPDX-License-Identifier: Apache-2.0
/* Reads the SPIR-V that a compiler made from a kernel: which test was compiled. */
#ifndef ORCHIL_INSPECT_SPIRV_COMPILED_SPIRV_H
#define ORCHIL_INSPECT_SPIRV_COMPILED_SPIRV_H

#include "inspect/inspect.h"
#include "verdicts/verdicts.h"

/* Makes the VULKAN test that was compiled. inspection: of the same code. UNSUPPORTED, with the reason, if no
 * VULKAN test has this code. The caller releases *compiled, whatever the result. */
enum status compiled_spirv_read(const struct inspect_code *code, const struct litmus_test *test,
                                const struct kernel *kernel, const struct inspection *inspection,
                                struct compiled_test *compiled, struct error *error);

#endif
