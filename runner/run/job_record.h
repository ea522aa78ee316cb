// SPDX-License-Identifier: Apache-2.0
/* Storing a run and its jobs' events in the database. Batches are gathered briefly and stored together. */
#pragma once

#include "runner/run/plan_run.h"
#include "runner/run/provenance.h"
#include "verdicts/verdicts.h"

struct job_record {
    struct store *store;
    int64_t job_id;
    struct batch *batches; /* gathered */
    size_t count;
    struct arena arena;    /* for them and what they point to, until they are stored */
    double gathered_since; /* clock_seconds of the first batch */
};

/* Opens the database and begins a run in it, with the tool, the host and the command line; or, if *run_id is not 0,
 * sets that run back to "started". only: not if it has a run with this command line. The caller owns the store, also
 * after a failure, when it may be NULL. */
enum status job_record_open(const char *database, const struct provenance *provenance, uint64_t seed, bool only,
                            struct store **store, int64_t *run_id, struct error *error);

/* A job's test, and an environment, as they are stored; their texts live in the arena. */
struct store_test job_record_test(const struct planned_job *planned, struct arena *arena);
struct store_environment job_record_environment(const struct environment *environment, struct arena *arena);

/* Sets a job that was begun before back to "started". */
enum status job_record_resume(struct job_record *record, const struct planned_job *planned, struct error *error);

/* Stores a job, in state "started", before it runs. */
enum status job_record_begin(struct job_record *record, int64_t run_id, const struct planned_job *planned,
                             uint64_t seed, unsigned replicate, struct error *error);

/* Stores jobs that are not run, with the reason. */
enum status job_record_skip(struct store *store, int64_t run_id, const struct planned_job *planned, size_t count,
                            uint64_t seed, const char *reason, struct error *error);

/* Stores one opinion on a job, with store_put_judgement or store_rejudge. Its verdicts include outcomes that were seen
 * although no execution of the test has them: they are forbidden, by no axiom. */
typedef enum status judgement_put(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                  struct error *error);
enum status job_record_opinion(struct store *store, int64_t job_id, const struct opinion *opinion, const char *role,
                               const struct tally *seen, judgement_put *put, struct error *error);

/* Stores the models' verdicts on the job's outcomes, replacing earlier ones. */
enum status job_record_verdicts(struct job_record *record, const struct verdicts *verdicts, const struct tally *seen,
                                struct error *error);

/* Stores the circumstances read from the device and the host while the job ran, if any. */
enum status job_record_circumstances(struct job_record *record, const struct circumstances *circumstances,
                                     struct error *error);

/* Gathers a batch, and stores the gathered batches once they are old or many. */
enum status job_record_batch(struct job_record *record, const struct batch *batch, struct error *error);

/* Stores the gathered batches. */
enum status job_record_flush(struct job_record *record, struct error *error);

void job_record_release(struct job_record *record);
