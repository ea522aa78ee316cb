// SPDX-License-Identifier: Apache-2.0
/* Writing, and the structs to be stored. Part of results/results.h, which states the guarantees. */
#ifndef ORCHIL_RESULTS_WRITE_H
#define ORCHIL_RESULTS_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/status.h"

struct store;

/* The most instances of a job, in all its batches: 2^60. At 10^10 a second they take more than
 * three years, so a job with more is damaged: it is neither stored nor merged, and is read as
 * described at STORE_COUNTS_DAMAGED. */
#define STORE_JOB_INSTANCES_MAX (UINT64_C(1) << 60)

/* Host, tool and intent of one invocation. */
struct store_run {
    const char *tool_version; /* "0.1.0" and the commit, if known */
    const char *command_line;
    const char *host; /* host name, kernel and machine in one line */
    const char
        *environment_variables; /* JSON object: the variables that affect drivers (OCL_ICD_*, POCL_*, CUDA_*, ...) */
    uint64_t seed;
    bool only; /* begin it only if no run of the file has this command line: otherwise USAGE */
};
enum status store_begin_run(struct store *store, const struct store_run *run, int64_t *run_id, struct error *error);

/* INTERNAL for RUN_STARTED. */
enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error);

/* A device and its driver, in two tables; equal pairs are stored once. capabilities is a JSON
 * object. */
struct store_device {
    const char *backend, *name, *vendor, *uuid, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *platform, *driver, *compiler;
    const char *capabilities;
};

/* A test by content. hash identifies the content; name and text are as it was run. */
struct store_test {
    const char *dialect, *name, *hash, *text, *condition, *doc;
};

/* An environment by content: hash and canonical text (JSON). profile is the name by which it was
 * requested. */
struct store_environment {
    const char *hash, *text, *profile;
};

struct store_job {
    int64_t run_id;
    struct store_device device;
    struct store_test test;
    struct store_environment environment;
    const char *key; /* hash(test, environment, replicate), hexadecimal */
    uint64_t seed;
    unsigned replicate;
    const char *controls;     /* name of the test that this job is the control of, or empty */
    const char *lowering;     /* how its kernel is made; NULL or empty if unknown */
    struct job_extent extent; /* of which the instances are stored; the build has its work-groups */
    bool planned;             /* it is job planned_number of the run's plan */
    uint64_t planned_number;
};
/* Stores the job in state "started" before any part of it runs. */
enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error);

/* Stores jobs that are not run, in state "not-run" with one reason, in one transaction. */
enum status store_skip_jobs(struct store *store, const struct store_job *jobs, size_t count, const char *reason,
                            struct error *error);

/* Kernel text and device code are stored once per hash. */
enum status store_add_build(struct store *store, int64_t job_id, const struct build *build, struct error *error);

/* The code of a job that has a build was made again, with a different result of its inspection;
 * kept and reason are as in struct build. */
enum status store_change_kept(struct store *store, int64_t job_id, enum kept kept, const char *reason,
                              struct error *error);

/* Stores batches in one transaction; invalid ones are stored but never summed. INTERNAL for batches
 * that do not add up, or that would give the job more than STORE_JOB_INSTANCES_MAX instances. */
enum status store_add_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                              struct error *error);

/* A model's verdict on one outcome of a job. */
struct store_verdict {
    const char *label; /* as in struct count: equal texts are the same outcome */
    enum verdict verdict;
    const char *axiom; /* for a forbidden outcome, the axiom that it violates; else empty */
};

/* A model's judgement of a job. verdicts holds every outcome that the model lists, seen or not, and
 * the seen outcomes that are forbidden, without an axiom, because no execution of the test has
 * them. Other seen outcomes have no verdict: cut, racy or a verdict `unspecified` says why. */
struct store_judgement {
    const char *role;       /* "source": of the test as written; "target": of the generated instructions */
    const char *model;      /* its id; never empty */
    const char *model_hash; /* of everything that its verdicts depend on, 64 digits; empty if the model was not used */
    unsigned
        mapping; /* version of the mapping from the test to the judged instructions; 0: the text itself was judged */
    const char *unjudged; /* why there are no verdicts; empty if there are some */
    const char *cut; /* empty: the model lists every outcome that it allows; else the bound that cut off executions */
    bool racy;
    const struct store_verdict *verdicts;
    size_t verdict_count;
};
/* Stores a judgement with all its verdicts, before or after the job's end. It replaces the job's
 * judgement of that role. INTERNAL, with nothing changed, if a label has two verdicts, one is
 * VERDICT_NONE, or unjudged and verdict_count contradict each other. */
enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error);

/* Ends a job; INTERNAL for JOB_STARTED. reason and detail (the end of stderr or of a build log) may
 * be empty. seconds: from the first launch to the last read-back. */
enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error);

/* Stores what was read from the device and the host while the job ran, as a JSON object
 * (base/circumstances.h), before or after the job's end. Until then a job has {}. */
enum status store_put_circumstances(struct store *store, int64_t job_id, const char *circumstances,
                                    struct error *error);

/* ---- resuming a run: its plan is kept in the file where it was begun ---- */

/* A job of a run's plan. */
struct store_planned {
    size_t group; /* of equal devices, as numbered in options */
    bool control; /* of the last planned job before it that is not a control */
    struct store_test test;
    size_t twin;      /* one more than the number of an earlier job with this test, if that is known; else 0 */
    const char *file; /* where the test was found, for messages */
    const char *lowering;
    struct store_environment environment;
    struct job_extent extent;
};
/* Stores the plan of a run before it starts: options is the caller's own JSON; jobs are numbered
 * from 0. */
enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error);

/* Makes a run "started" again and records by which invocation; seed is not used. */
enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error);

/* Makes a job "started" again that is "started", "interrupted" or "not-run". Its build and its
 * batches stay, so the numbers of further batches continue; its judgements are removed, to be
 * stored again. device: where it continues. */
enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error);

/* ---- calibration: what a gate learned about tests on a machine ---- */

/* A note on a test in an environment on a device. It does not belong to a run. */
struct store_calibration {
    const char *test_hash, *dialect, *environment_hash;
    const char *backend, *device; /* its UUID, or its name if it has none */
    const char *note;             /* a JSON object, the caller's own */
};

/* Stores notes in one transaction; each replaces an older note on the same test, environment and
 * device. */
enum status store_put_calibrations(struct store *store, const struct store_calibration *notes, size_t count,
                                   struct error *error);

#endif
