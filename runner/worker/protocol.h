// SPDX-License-Identifier: Apache-2.0
/*
 * What the supervisor and a worker say to each other: one JSON object per line. Numbers of 64 bits without a sign travel
 * as decimal strings. Texts of unknown origin (logs, test files) lose their bytes that are not UTF-8. Each order has a number,
 * which the events that answer it bear; those of opening the device bear 0. A line with other members, or without one of
 * these, is not a message. Here messages are read; whether an event can be true is the business of supervise/claims.h.
 *
 *   supervisor -> worker   {"order": "1", "test": "...", "file": "...", "environment": "{...}", "seed": "7", "key": "123",
 *                           "resident_limit": "0", "instances": "1000000", "seconds": 2.5, "deadline": 0,
 *                           "done_batches": "0", "done_instances": "0", "done_seconds": 0}   run this job
 *                          any line while a job runs, or the end of input    stop after the present batch
 *   worker -> supervisor   {"event": "opened", "order": "0"}                 the device is open
 *                          {"event": "built", "order": "1", ...}             fields of struct build
 *                          {"event": "batch", "order": "1", ...}             fields of struct batch
 *                          {"event": "ended", "order": "1", "status": "OK", "text": "", "detail": "",
 *                           "circumstances": {...}}                        of a job, or of opening
 */
#ifndef ORCHIL_RUNNER_WORKER_PROTOCOL_H
#define ORCHIL_RUNNER_WORKER_PROTOCOL_H

#include <jansson.h>

#include "runner/worker/job.h"

enum {
    PROTOCOL_LINE_MAXIMUM = 16 * 1024 * 1024, /* bytes of a line, either way */
    PROTOCOL_LOG_MAXIMUM =
        512 * 1024, /* of a build's log: of a longer one only the end is sent, so that the line fits */
    PROTOCOL_BINARY_MAXIMUM = 4 * 1024 * 1024 /* of its code, likewise */
};

/* A request as text, freed by the caller with free(). file names the test in errors. */
char *protocol_request(uint64_t order, const struct job *job, const char *test_text, const char *file);

/* Reads a request; *job then points into *test and must not outlive it. The caller releases *test. *order is 0 where the line
 * has none that can be read. INTERNAL if the line is not a request, or asks for a job without an end. */
enum status protocol_read_request(const char *line, size_t size, uint64_t *order, struct job *job,
                                  struct litmus_test **test, struct error *error);

/* Events as JSON objects, which the caller drops. */
json_t *protocol_opened(void);
json_t *protocol_built(uint64_t order, const struct build *build);
json_t *protocol_batch(uint64_t order, const struct batch *batch);
json_t *protocol_ended(uint64_t order, enum status status, const struct error *error,
                       const struct circumstances *circumstances);

/* An event as it was sent, which the caller drops; NULL where the line is none. */
json_t *protocol_read_event(const char *line, size_t size);

/* The kind of an event ("built", ...), and the order that it answers. */
const char *protocol_kind(const json_t *event);
uint64_t protocol_order(const json_t *event);

/* Reads events back. The strings point into the event. A batch's lists are allocated: protocol_release_batch frees them,
 * also after a failure. INTERNAL if a field is missing, unknown or of another type, or a circumstance is not believed. */
enum status protocol_read_opened(const json_t *event, struct error *error);
enum status protocol_read_built(const json_t *event, struct build *build, struct error *error);
enum status protocol_read_batch(const json_t *event, struct batch *batch, struct error *error);
void protocol_release_batch(struct batch *batch);
enum status protocol_read_ended(const json_t *event, struct error *told, struct circumstances *circumstances,
                                struct error *error);

#endif
