// SPDX-License-Identifier: Apache-2.0
/* A running job, and its parts that have their own files. */
#ifndef ORCHIL_RUNNER_WORKER_JOB_PLAY_H
#define ORCHIL_RUNNER_WORKER_JOB_PLAY_H

#include "base/arena.h"
#include "kernel/kernel.h"
#include "runner/worker/job_run.h"

/* The state of a running job that outlives a batch. */
struct job_play {
    struct job_session *session;
    const struct job *job;
    const struct job_listener *listener;
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS]; /* of each agent; draws are made for the first */
    unsigned agents;
    struct frozen_kernel frozen; /* the replayed kernel, if any */
    struct backend_program *program;
    struct draw_limits limits;
    uint32_t resident_groups; /* held at once: by each GPU; in an ensemble of processors, the most that one holds */
    uint32_t *counters;       /* counter_words of each agent, in order */
    struct count *outcomes;
    size_t outcome_count, outcome_room;
    struct arena labels; /* of the outcomes */
    uint64_t filtered;   /* instances whose outcome the test's filter excludes */
    bool stopped;        /* the listener stopped the job */
};

/* Generates the job's kernels and builds its program, with code from the cache if it is there. *log: what
 * the compilers said; *binary: what the driver returned. The job is built once. */
enum status job_play_build(struct job_play *running, struct text *log, struct text *binary, struct error *error);

/* Releases the kernels; nothing happens if there are none. */
void job_play_release_kernels(struct job_play *running);

/* Whether saved kernels are executed. */
bool job_play_is_replay(const struct job_play *running);

/* Whether the code is also for older devices, which lack clusters, bulk copies and naps. */
bool job_play_is_for_any(const struct job_play *running);

#endif
