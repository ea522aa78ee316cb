// SPDX-License-Identifier: Apache-2.0
/* Checks whether a worker's messages can be true. A worker shares its process with a driver, which may write anywhere
 * in its memory, so every message is checked here before it is counted or stored. */
#pragma once

#include "base/circumstances.h"
#include "runner/protocol/protocol.h"

/* The phase of the worker, which decides which messages are valid. */
enum claims_phase {
    CLAIMS_OPENING,   /* the device, until it sends "opened", or "ended" with the reason */
    CLAIMS_COMPILING, /* a kernel, for later */
    CLAIMS_BUILDING,  /* the kernel of a job that it will run */
    CLAIMS_RUNNING    /* batches */
};

/* The messages that answer one order. */
struct claims {
    enum claims_phase phase;
    uint64_t order;              /* number; 0 for opening */
    const struct job *job;       /* with its test; NULL if no job is run */
    double since;                /* when the order was given, by clock_seconds */
    bool invents_seconds;        /* of the backend: see backend.h */
    bool stopping;               /* the worker was asked to stop: it may end before the job's limits */
    uint64_t batches, instances; /* of the job so far, including those before an interruption */
    double started;              /* of the last batch; before an interruption, the sum of its seconds */
};

struct worker_event {
    enum { WORKER_OPENED, WORKER_BUILT, WORKER_BATCH, WORKER_ENDED } kind;
    json_t *json; /* the texts of build and batch point into it */
    struct build build;
    struct batch batch;
    struct error ending; /* if ENDED: the job's status, text and detail */
    struct circumstances circumstances;
};

enum claims_verdict {
    CLAIMS_FINE,
    CLAIMS_STALE, /* the answer to an earlier order */
    CLAIMS_WRONG
};

struct claims claims_of_opening(void);
struct claims claims_of_compiling(uint64_t order);
struct claims claims_of_job(uint64_t order, const struct job *job, double now, bool invents_seconds);

/* Reads one line of a worker, received at `now` (clock_seconds). If FINE, *event has its content, which the caller
 * releases, and *claims is updated. Else *error says what is wrong, without quoting the line, and *event is empty. */
enum claims_verdict claims_hear(struct claims *claims, const char *line, size_t size, double now,
                                struct worker_event *event, struct error *error);
void worker_event_release(struct worker_event *event);
