// SPDX-License-Identifier: Apache-2.0
/*
 * What the supervisor and a worker say to each other: one JSON object per line. Numbers of 64 bits without a sign travel
 * as decimal strings. Texts of unknown origin (logs, test files) lose their bytes that are not UTF-8.
 *
 *   supervisor -> worker   {"test": "...", "file": "...", "environment": "{...}", "seed": "7", "key": "123",
 *                           "resident_limit": "0", "instances": "1000000", "seconds": 2.5,
 *                           "done_batches": "0", "done_instances": "0", "done_seconds": 0}   run this job
 *                          any line while a job runs, or the end of input    stop after the present batch
 *   worker -> supervisor   {"event": "opened"}                               the device is open
 *                          {"event": "built", ...}                           fields of struct build
 *                          {"event": "batch", ...}                           fields of struct batch
 *                          {"event": "ended", "status": "OK", "text": "", "detail": "",
 *                           "circumstances": {...}}                        of a job, or of opening
 */
#ifndef ORCHIL_RUNNER_WORKER_PROTOCOL_H
#define ORCHIL_RUNNER_WORKER_PROTOCOL_H

#include <jansson.h>

#include "runner/worker/job.h"

/* A request as text, freed by the caller with free(). file names the test in errors. */
char *protocol_request(const struct job *job, const char *test_text, const char *file);

/* Reads a request; *job then points into *test and must not outlive it. The caller releases *test. */
enum status protocol_read_request(const char *line, struct job *job, struct litmus_test **test, struct error *error);

/* Events as JSON objects, which the caller drops. */
json_t *protocol_built(const struct build *build);
json_t *protocol_batch(const struct batch *batch);
json_t *protocol_ended(enum status status, const struct error *error, const struct circumstances *circumstances);

/* The kind of an event ("built", ...), or "" if the line is none. */
const char *protocol_kind(const json_t *event);

/* Reads events back. The strings point into the event. A batch's lists are allocated: protocol_release_batch frees them,
 * also after a failure. INTERNAL if a field is missing or of another type, or a circumstance is not believed. */
enum status protocol_read_built(const json_t *event, struct build *build, struct error *error);
enum status protocol_read_batch(const json_t *event, struct batch *batch, struct error *error);
void protocol_release_batch(struct batch *batch);
enum status protocol_read_ended(const json_t *event, struct error *told, struct circumstances *circumstances,
                                struct error *error);

#endif
