// SPDX-License-Identifier: Apache-2.0
/* What a page of `orchil web` has recorded in a browser: its results.json. The file comes from a stranger. Here only
 * its form is read; web/import.c checks that it can be true. */
#pragma once

#include <jansson.h>

#include "backends/backend.h"

enum {
    RECORDED_MAXIMUM_FILE = 64 * 1024 * 1024, /* bytes */
    RECORDED_FORMAT = 1
};

/* The file that the backend takes its device and its batches from. Users do not set it. */
#define RECORDED_VARIABLE "ORCHIL_BROWSER_RESULTS"

struct recorded_batch {
    double seconds;
    uint32_t draw;       /* recorded_hash of its draw buffer */
    const json_t *pairs; /* of the counters that are not 0: position and value in turn */
};

/* A kernel played in a browser. Its texts are NULL if `refused` says why it cannot be read. */
struct recorded_job {
    const char *name, *text, *hash, *kernel_hash;
    uint64_t key;
    uint32_t resident_groups;
    uint64_t batch_instances;
    struct recorded_batch *batches; /* number 0, 1, ... */
    size_t batch_count;
    const char *refused;
};

struct recorded {
    json_t *root; /* owns the texts */
    struct arena arena;
    const char *version, *began; /* of orchil; when the page began, as the browser says */
    const json_t *ranges;        /* of the environment */
    uint64_t seed;
    bool score; /* the page's suite asks for a mutation score */
    struct backend_device device;
    struct recorded_job *jobs;
    size_t job_count;
};

/* Reads a file. SYNTAX if it is no results.json of this format; a job that is malformed is refused alone. The caller
 * releases *recorded, whatever the result. */
enum status recorded_read(const char *text, size_t size, struct recorded *recorded, struct error *error);
void recorded_release(struct recorded *recorded);

/* A number that tells draws apart, as the page computes it. */
uint32_t recorded_hash(const uint32_t *words, size_t count);

/* invent_kept of WebGPU, whether a browser plays or a library. */
enum kept webgpu_kept(struct backend_session *opened, struct backend_program *built, unsigned member,
                      struct text *reason);

/* Writes the counters of a batch, `count` words. False if its pairs are not positions in ascending order with values of
 * 32 bits. */
bool recorded_counters(const struct recorded_batch *batch, uint32_t *counters, size_t count);
