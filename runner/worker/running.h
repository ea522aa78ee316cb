// SPDX-License-Identifier: Apache-2.0
/* A job that runs, and the parts of it that have files of their own. Private to this folder. */
#ifndef ORCHIL_RUNNER_WORKER_RUNNING_H
#define ORCHIL_RUNNER_WORKER_RUNNING_H

#include "base/arena.h"
#include "runner/kernel/kernel.h"
#include "runner/worker/job.h"

/* Everything of a running job that outlives a batch. */
struct running {
    struct job_session *session;
    const struct job *job;
    const struct job_listener *listener;
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS]; /* of each agent; what is drawn, is drawn for the first */
    unsigned agents;
    struct frozen_kernel frozen; /* what is replayed */
    struct backend_program *program;
    struct draw_limits limits;
    uint32_t resident_groups; /* at once: of each GPU; of an ensemble of processors, the most that one holds */
    uint32_t *counters;       /* counter_words of each agent, one after the other */
    struct count *outcomes;
    size_t outcome_count, outcome_room;
    struct arena labels; /* of the outcomes */
    uint64_t filtered;   /* instances whose outcome the test's filter excludes */
    bool stopped;        /* the listener has heard enough */
};

bool running_is_replay(const struct running *running);

/* What the backend is asked to launch of a draw. read_words: of the counters of each agent. */
struct backend_launch running_describe(const struct running *running, const struct draw *draw, uint64_t batch,
                                       bool first, size_t read_words);

/* A batch of a test of several launches. */
enum status running_play_launches(struct running *running, struct draw *draw, uint64_t batch, double *seconds,
                                  struct error *error);

/* One launch of a draw. */
enum status running_launch(struct running *running, struct draw *draw, unsigned steps, uint64_t batch, bool first,
                           size_t read_words, double *seconds, struct error *error);

/* Finds how many work-groups of the largest size that may be drawn the device, or each member of an ensemble, holds at once: what the
 * driver says, else what a probe finds. Fills what the limits have of it. */
enum status running_find_resident(struct running *running, struct error *error);

/* What is known of the code that was built: of an ensemble what is known of all its members' code. binary: what the build gave. */
enum kept running_find_kept(const struct running *running, const char *binary, struct text *reason);

#endif
