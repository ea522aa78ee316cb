// SPDX-License-Identifier: Apache-2.0
/* A browser that counts what it is told: results.json as a page would write it. */
#pragma once

#include <jansson.h>

#include "litmus/litmus.h"

struct browser {
    uint64_t seed;
    unsigned batches; /* of each job */
    unsigned bin;     /* in which all instances end */
};

/* The results of tests that have kernels in WGSL, the first with its controls after it. Ends the process if one has
 * none. The caller owns it. */
json_t *browser_play(const struct browser *browser, struct litmus_test *const *tests, size_t count);
