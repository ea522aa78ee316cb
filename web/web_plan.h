// SPDX-License-Identifier: Apache-2.0
/* The plan of a page, from which its scripts play. */
#pragma once

#include <jansson.h>

#include "kernel/kernel.h"
#include "web/web.h"

/* The kernel of a test for a browser. UNSUPPORTED, with the reason, if there is none. The caller releases it. */
enum status web_kernel_make(const struct litmus_test *test, struct kernel *kernel, struct error *error);

/* The plan of the selected tests with their controls. Counts them in the page, and lists the tests without a kernel
 * there. The caller owns *plan; NULL on failure. */
enum status web_plan_make(const struct selection *selection, const struct web_options *options, struct web_page *page,
                          json_t **plan, struct error *error);
