// SPDX-License-Identifier: Apache-2.0
/* A stranger's results.json as a run. What the file says is believed only as far as it can be computed again: the texts
 * and kernels by their hashes, the keys and the draws from the seed, the batches by their sums. Only that the browser
 * counted what it says cannot be checked. */
#pragma once

#include "backends/webgpu/recorded.h"
#include "runner/run/run_jobs.h"

struct import_refusal {
    const char *name, *reason;
};

struct import {
    struct run_plan plan;
    uint64_t seed;
    enum selection_score score;
    char hash[65];     /* SHA-256 of the file */
    const char *began; /* when the page began, as the browser says; in the arena */
    size_t batches;
    struct import_refusal *refusals; /* jobs that do not fit; they are not in the plan */
    size_t refusal_count;
    struct backend_device own; /* to which the plan points */
    struct environment environment;
    struct selected_test *tests; /* owned */
    size_t test_count;
    struct arena arena;
};

/* Reads a file and plans the run of what fits. SYNTAX or UNREADABLE if the file cannot be read; USAGE if no job is
 * left, with the reason of the first. The caller calls import_release, whatever the result. */
enum status import_read(const char *path, struct import *import, struct error *error);
void import_release(struct import *import);

/* The same for the bytes of a file. */
enum status import_take(const char *text, size_t size, struct import *import, struct error *error);
