// SPDX-License-Identifier: Apache-2.0
/* What is stored, and storing it. Part of results/results.h, which says what is promised. */
#ifndef ORCHIL_RESULTS_WRITE_H
#define ORCHIL_RESULTS_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/status.h"

struct store;

/* The most instances of a job, in all its batches: 2^60. At 10^10 a second they take more than three years, so a job with
 * more is damaged: it is neither stored nor merged, and read as STORE_COUNTS_DAMAGED says. */
#define STORE_JOB_INSTANCES_MAX (UINT64_C(1) << 60)

/* Host, tool and intent of one invocation. */
struct store_run {
    const char *tool_version; /* "0.1.0" and the commit, if known */
    const char *command_line;
    const char *host;                  /* host name, kernel and machine in one line */
    const char *environment_variables; /* JSON object: those that change drivers (OCL_ICD_*, POCL_*, CUDA_*, ...) */
    uint64_t seed;
};
enum status store_begin_run(struct store *store, const struct store_run *run, int64_t *run_id, struct error *error);

/* INTERNAL for RUN_STARTED. */
enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error);

/* A device and the driver that runs it: two tables; the same pair is stored once. capabilities is a JSON object. */
struct store_device {
    const char *backend, *name, *vendor, *uuid, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *platform, *driver, *compiler;
    const char *capabilities;
};

/* A test by content. hash names the content; name and text are those that it was run under. */
struct store_test {
    const char *dialect, *name, *hash, *text, *condition, *doc;
};

/* An environment by content: hash and its canonical text (JSON). profile is the name it was asked for under. */
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
    const char *controls; /* name of the test that this job is a control of, or empty */
    const char *lowering; /* by which its kernel is made; NULL or empty where nothing is known */
    bool planned;         /* the run's plan has it, as planned_number */
    uint64_t planned_number;
};
/* Stores the job in state "started" before anything of it runs. */
enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error);

/* Stores jobs that are not run at all, in state "not-run" for one reason, in one transaction. */
enum status store_skip_jobs(struct store *store, const struct store_job *jobs, size_t count, const char *reason,
                            struct error *error);

/* Kernel text and device code are kept once per hash. */
enum status store_add_build(struct store *store, int64_t job_id, const struct build *build, struct error *error);

/* The code of a job that has a build was made again, and what became of its test is another: as struct build has it. */
enum status store_change_kept(struct store *store, int64_t job_id, enum kept kept, const char *reason,
                              struct error *error);

/* Stores count batches in one transaction; invalid ones are kept and never summed. INTERNAL for batches that do not add up,
 * and for those with which the job has more than STORE_JOB_INSTANCES_MAX instances. */
enum status store_add_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                              struct error *error);

/* What a model says of one outcome of a job. */
struct store_verdict {
    const char *label; /* as in struct count: equal text is the same outcome */
    enum verdict verdict;
    const char *axiom; /* where forbidden, the axiom that it breaks; else empty */
};

/* What a model says of a job. verdicts holds every outcome that the model lists, seen or not, and those that were seen and
 * are forbidden because no execution of the test has them, with no axiom. An outcome that was seen and is not among them has
 * no verdict: cut, racy or a verdict `unspecified` says why. */
struct store_judgement {
    const char *role;       /* "source": of the test as written; "target": of the instructions that were emitted */
    const char *model;      /* its id; never empty */
    const char *model_hash; /* of all that its verdicts depend on, 64 digits; empty where the model was not asked */
    unsigned
        mapping; /* what made the judged instructions of the test's (its version); 0: the text was judged as it is */
    const char *unjudged; /* why there are no verdicts; empty where there are some */
    const char *cut; /* empty: the model listed every outcome that it allows; else the bound that cut executions off */
    bool racy;
    const struct store_verdict *verdicts;
    size_t verdict_count;
};
/* Stores a judgement with all its verdicts, before the job's end or after it. It replaces the job's judgement of that
 * role. INTERNAL, and nothing is changed, where a label has two verdicts, one is VERDICT_NONE, or unjudged and
 * verdict_count contradict each other. */
enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error);

/* The end of a job; INTERNAL for JOB_STARTED. reason and detail (the end of stderr or of a build log) may be empty. seconds
 * runs from the first launch to the last read-back. */
enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error);

/* What was read of the device and the host while the job ran, a JSON object (base/circumstances.h), before the job's end or
 * after it. Until then a job has {}. */
enum status store_put_circumstances(struct store *store, int64_t job_id, const char *circumstances,
                                    struct error *error);

/* ---- taking up a run again: its plan is kept in the file where it was begun ---- */

/* A job of a run's plan. */
struct store_planned {
    size_t group; /* of equal devices, as options numbers them */
    bool control; /* of the last planned job before it that is not a control */
    struct store_test test;
    const char *file; /* where the test was found, for messages */
    const char *lowering;
    struct store_environment environment;
};
/* Stores what a run is about to do, before it does: options is JSON and the caller's own; jobs are numbered from 0. */
enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error);

/* Makes a run "started" again and stores by whom; seed is not used. */
enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error);

/* Makes a job "started" again that is "started", "interrupted" or "not-run": its build and its batches stay, so further
 * batches have further numbers; its judgements go, to be stored again. device: where it goes on. */
enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error);

#endif
