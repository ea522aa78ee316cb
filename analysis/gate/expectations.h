// SPDX-License-Identifier: Apache-2.0
/*
 * What a gate should expect: an INI file with a section per glob of test names.
 *
 *   [MP+relaxed]
 *   device = H100                    ; optional, a part of the device's name; likewise driver and backend
 *   known.rate = slower since the clocks are capped, https://tracker/123
 *   flaky.lost = seen in every tenth run only
 *
 *   [lock-*]
 *   skip = the test needs two devices
 *
 * known: a reason of this kind is there and does not count; the entry is stale when it is gone. flaky: it comes and
 * goes and does not count. skip: nothing of the test counts. The kinds are those of gate.h, or `any`. Every entry says why.
 */
#ifndef ORCHIL_ANALYSIS_GATE_EXPECTATIONS_H
#define ORCHIL_ANALYSIS_GATE_EXPECTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

enum expectation_effect { EXPECT_KNOWN, EXPECT_FLAKY, EXPECT_SKIP };

struct expectation {
    const char *test;                      /* a glob */
    const char *device, *driver, *backend; /* NULL: any */
    enum expectation_effect effect;
    const char *kind; /* NULL: any */
    const char *why;
    int line;
};

struct expectations {
    const char *path;
    struct expectation *entries;
    size_t count;
    struct arena arena;
};

/* Reads a file. SYNTAX, as FILE:LINE:COLUMN, for a key, a kind or an empty reason. Where it fails nothing is left to
 * release. */
enum status expectations_read(const char *path, struct expectations *expectations, struct error *error);
void expectations_release(struct expectations *expectations);

#endif
