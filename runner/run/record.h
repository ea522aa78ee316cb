// SPDX-License-Identifier: Apache-2.0
/* From a run and its jobs' events to the database: batches are gathered for a moment and stored together. */
#ifndef ORCHIL_RUNNER_RUN_RECORD_H
#define ORCHIL_RUNNER_RUN_RECORD_H

#include "base/arena.h"
#include "results/results.h"
#include "runner/run/plan_run.h"
#include "runner/run/verdicts.h"
#include "runner/worker/job.h"

struct record {
    struct store *store;
    int64_t job_id;
    struct batch *batches; /* gathered */
    size_t count;
    struct arena arena;    /* for them and all they point to, until they are stored */
    double gathered_since; /* clock_seconds of the first of them */
};

/* Opens the database and begins a run in it, with the tool, the host and the command line. The store is the caller's, also
 * after a failure, where it may be NULL. */
enum status record_open(const char *database, int argc, char *const *argv, uint64_t seed, struct store **store,
                        int64_t *run_id, struct error *error);

/* Likewise, but makes a run of the database "started" again. */
enum status record_reopen(const char *database, int argc, char *const *argv, int64_t run_id, struct store **store,
                          struct error *error);

/* Makes a job that was begun before "started" again. */
enum status record_resume(struct record *record, const struct planned_job *planned, struct error *error);

/* Stores a job, in state "started", before anything of it runs. */
enum status record_begin(struct record *record, int64_t run_id, const struct planned_job *planned, uint64_t seed,
                         unsigned replicate, struct error *error);

/* Stores jobs that are not run at all, and why. */
enum status record_skip(struct store *store, int64_t run_id, const struct planned_job *planned, size_t count,
                        uint64_t seed, const char *reason, struct error *error);

/* Hands one opinion on a job to the store: to store_put_judgement, or to store_judge_again. With its verdicts go those on
 * outcomes that were seen and that no execution of the test has: they are forbidden, by no axiom. */
typedef enum status judgement_put(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                  struct error *error);
enum status record_opinion(struct store *store, int64_t job_id, const struct opinion *opinion, const char *role,
                           const struct tally *seen, judgement_put *put, struct error *error);

/* Stores what models say of the job's outcomes, instead of what they said before. */
enum status record_verdicts(struct record *record, const struct verdicts *verdicts, const struct tally *seen,
                            struct error *error);

/* Stores what was read of the device and the host while the job ran, if anything was. */
enum status record_circumstances(struct record *record, const struct circumstances *circumstances, struct error *error);

/* Stores the result of a build. */
enum status record_build(struct record *record, const struct build *build, struct error *error);

/* The job's code was built again, and what became of its test is worse. */
enum status record_kept(struct record *record, const struct build *build, struct error *error);

/* Gathers a batch, and stores what was gathered when that is old or much. */
enum status record_batch(struct record *record, const struct batch *batch, struct error *error);

/* Stores what was gathered. */
enum status record_flush(struct record *record, struct error *error);

void record_release(struct record *record);

#endif
