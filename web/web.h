// SPDX-License-Identifier: Apache-2.0
/* A page that plays litmus tests in a browser, through WebGPU. Its plan, as JSON, has the tests, their kernels in WGSL,
 * what the models say of each outcome, and all that a draw needs. Its scripts draw as runner/environment/draw.c. */
#pragma once

#include "catalogue/selection.h"
#include "kernel/kernel.h"

struct web_options {
    const char *profile; /* of both environments; NULL: "gpu" and "cpu" */
    const char *post;    /* the address to which the page can send its results; NULL: it cannot */
    uint64_t seed;
    double seconds; /* for each test, its controls included */
    bool controls;
};

/* A test that the page lacks. name: "MP+rel+acq", or "MP+rel+acq, the control of MP+relaxed,". */
struct web_omission {
    const char *name, *reason;
};

struct web_page {
    struct text text;
    size_t tests, controls; /* that it plays */
    struct web_omission *omissions;
    size_t omission_count;
    struct arena arena;
};

/* USAGE if the address to send results to is none, or no test is left; then the omissions say why. The caller calls
 * web_page_release, whatever the result. */
enum status web_page_make(const struct selection *selection, const struct web_options *options, struct web_page *page,
                          struct error *error);
void web_page_release(struct web_page *page);

/* The kernel of a test for a browser. UNSUPPORTED, with the reason, if there is none. The caller releases it. */
enum status web_kernel_make(const struct litmus_test *test, struct kernel *kernel, struct error *error);
