// SPDX-License-Identifier: Apache-2.0
/*
 * The messages between the supervisor and a worker: one JSON object per line. Unsigned 64-bit numbers are sent as
 * decimal strings. Texts of unknown origin (logs, test files) lose any bytes that are not UTF-8. Each order has a
 * number, which the events that answer it repeat; for opening the device it is 0. A line with other members, or with
 * one of these missing, is not a message. Messages are parsed here; supervise/claims.h checks whether an event can be
 * true.
 *
 *   supervisor -> worker   {"order": "1", "test": "...", "file": "...", "environment": "{...}", "seed": "7",
 *                           "key": "123", "resident_limit": "0", "instances": "1000000", "batch_instances": "33333",
 *                           "seconds": 2.5, "pilot": false, "deadline": 0,
 *                           "done_batches": "0", "done_instances": "0", "done_seconds": 0}   run this job
 *                          any line while a job runs, or the end of input    stop after the current batch
 *   worker -> supervisor   {"event": "opened", "order": "0"}                 the device is open
 *                          {"event": "built", "order": "1", ...}             fields of struct build
 *                          {"event": "batch", "order": "1", ...}             fields of struct batch
 *                          {"event": "ended", "order": "1", "status": "OK", "text": "", "detail": "",
 *                           "circumstances": {...}}                        of a job, or of opening
 */
#pragma once

#include <jansson.h>

#include "backends/backend.h"
#include "base/circumstances.h"
#include "base/record.h"
#include "kernel/frozen_kernels.h"
#include "litmus/litmus.h"
#include "runner/environment/environment.h"

/* ---- jobs ---- */

struct job {
    const struct litmus_test *test;
    struct environment environment;
    const char *lowering; /* see kernel.h; "" or NULL: the device's usual one */
    uint64_t seed;
    uint64_t key; /* hash_number of the job key */
    struct job_extent extent;
    bool pilot;      /* its batches start small and double, to find out how long they take */
    double deadline; /* by clock_seconds, the same in all processes: no batch starts after it; 0: none. Some limit is
                   * set. */

    /* What an interrupted run already did of the job; it counts towards the limits. All 0 for a new job. */
    uint64_t done_batches, done_instances;
    double done_seconds;
};

/* The events of a running job. Each returns false to stop the job after the event. */
struct job_listener {
    bool (*built)(const struct build *build, void *context);
    bool (*batch)(const struct batch *batch, void *context);
    void *context;
};

/* Whether a job's kernel on the device has sites of delays: its environment can draw some, and the kernel is not also
 * for older devices. A kernel in WGSL always has them, because a page has one for all its environments. */
bool job_has_delays(const struct backend_device *device, const struct environment *environment, enum frozen_use use);

enum {
    PROTOCOL_LINE_MAXIMUM = 16 * 1024 * 1024, /* bytes of a line, either way */
    PROTOCOL_LOG_MAXIMUM = 512 * 1024,        /* of a build's log; of a longer log only the end is sent */
    PROTOCOL_BINARY_MAXIMUM = 4 * 1024 * 1024 /* of its code, in the same way */
};

/* A request as text, freed by the caller with free(). file names the test in errors. */
char *protocol_request(uint64_t order, const struct job *job, const char *test_text, const char *file);

/* Reads a request; *job then points into *test and must not outlive it. The caller releases *test.
 * *order is 0 if it cannot be read. INTERNAL if the line is not a request, or requests a job
 * without an end. */
enum status protocol_read_request(const char *line, size_t size, uint64_t *order, struct job *job,
                                  struct litmus_test **test, struct error *error);

/* Events as JSON objects, which the caller releases. */
json_t *protocol_opened(void);
json_t *protocol_built(uint64_t order, const struct build *build);
json_t *protocol_batch(uint64_t order, const struct batch *batch);
json_t *protocol_ended(uint64_t order, enum status status, const struct error *error,
                       const struct circumstances *circumstances);

/* Parses an event, which the caller releases; NULL if the line is not an event. */
json_t *protocol_read_event(const char *line, size_t size);

/* The kind of an event ("built", ...), and the number of its order. */
const char *protocol_kind(const json_t *event);
uint64_t protocol_order(const json_t *event);

/* Reads events back. The strings point into the event. A batch's lists are allocated: protocol_release_batch frees
 * them, also after a failure. INTERNAL if a field is missing, unknown or of another type, or if a circumstance is out
 * of range. */
enum status protocol_read_opened(const json_t *event, struct error *error);
enum status protocol_read_built(const json_t *event, struct build *build, struct error *error);
enum status protocol_read_batch(const json_t *event, struct batch *batch, struct error *error);
void protocol_release_batch(struct batch *batch);
enum status protocol_read_ended(const json_t *event, struct error *ending, struct circumstances *circumstances,
                                struct error *error);
