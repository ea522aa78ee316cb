// SPDX-License-Identifier: Apache-2.0
/* One job on one open device: build the test's kernel, then draw, launch and count batch after batch. This runs in a
 * worker process, and is independent of the supervisor, JSON and the database. */
#pragma once

#include "backends/backend.h"
#include "base/circumstances.h"
#include "inspect/inspect.h"
#include "kernel/kernel.h"
#include "runner/protocol/protocol.h"

/* ---- reading the circumstances of running jobs, rarely enough not to slow them ---- */

/* For an open device, over its jobs. Starts as {0}. */
struct observer {
    struct circumstances last; /* the last reading */
    double read_at;            /* when, by clock_seconds; 0: never */
};

/* Called after a batch, when the device has just worked, of a job that started at `started`, by clock_seconds. Reads at
 * most once a second over all jobs, and within a job after 1, 2, 4, 8, ... seconds. So the last reading is from the
 * second half of the job or, for a job of less than two seconds, from its batches or from batches of other jobs in the
 * second before it. */
void observe(struct observer *observer, const struct backend *backend, struct backend_session *session, double started);

/* An open device, job after job. */
struct job_session {
    const struct backend *backend;
    struct backend_session *session;
    struct backend_device device;
    const char *cache;           /* folder of compiled kernels, see kernel_cache.h; NULL: none */
    struct frozen_folder frozen; /* to save kernels in, or to replay them from */
    /* For CPUs, where it is the same for every kernel and is found by the first job; else 0. For an ensemble, of each
     * member. */
    uint32_t resident_groups[BACKEND_MAXIMUM_MEMBERS];
    bool knows_clock; /* the clock of its device was measured */
    struct observer observer;
    struct circumstances circumstances; /* of the last job; empty if it had no batch */
};

/* Whether the session's cache has the job's kernel, for a session whose device need not be open. False if that cannot
 * be known: for a kernel that includes headers of the backend's library. */
bool job_is_compiled(const struct job_session *session, const struct job *job);

/* Compiles the job's kernel into the session's cache, and launches nothing. Does nothing, and returns OK, if the
 * backend does not compile ahead or the cache has the kernel. */
enum status job_compile(struct job_session *session, const struct job *job, struct error *error);

/* Runs the job. STATUS_OK if it reached its limits or a listener stopped it. A failed build's log is error->detail. */
enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error);

/* ---- a running job, and its parts that have their own files ---- */

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

/* Generates the job's kernels and builds its program, with code from the cache if it is there. *log: what the compilers
 * said; *binary: what the driver returned. The job is built once. */
enum status job_play_build(struct job_play *play, struct text *log, struct text *binary, struct error *error);

/* Releases the kernels; nothing happens if there are none. */
void job_release_kernels(struct kernel *kernels, unsigned count);

/* Whether saved kernels are executed. */
bool job_is_replay(const struct job_session *session);

/* Whether the code is also for older devices, which lack clusters, bulk copies and naps. */
bool job_is_for_any(const struct job_session *session);

/* ---- inspecting the machine code ---- */

/* The code of a test's kernel. */
struct inspected_machine {
    const struct backend *backend;
    const struct backend_device *device;
    const struct litmus_test *test;
    const struct kernel *kernel;
    const char *ptx;           /* from which the machine code was made; or empty */
    const struct text *object; /* the machine code, an ELF object, or SPIR-V; empty if the driver gives none */
};

/* Disassembles and inspects the code, and appends the reason as in struct build. cache: a folder of kernel_cache.h that
 * keeps the result for the next job with this code and this test; or NULL. */
enum kept inspect_machine_code(const struct inspected_machine *machine, const char *cache, struct text *reason);

/* The same for PTX that a driver's own compiler made from OpenCL C. */
enum kept inspect_machine_ptx(const struct backend *backend, const struct backend_device *device, const char *ptx,
                              const struct litmus_test *test, const struct kernel *kernel, struct text *reason);
