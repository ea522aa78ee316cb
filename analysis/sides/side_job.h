// SPDX-License-Identifier: Apache-2.0
/* A job as it was read, before it becomes part of a sample. */
#pragma once

#include "analysis/sides/side.h"
#include "base/hash_index.h"

struct side_job {
    struct store_job_row row;
    const char *database; /* the file that it is from */
    const char *apart;    /* as in struct sample; NULL until side_tell_apart has been called */
    const char *source_model, *target_model;
    bool claimed;                    /* the test's file says that its witness, which was seen, must never appear */
    bool mutant;                     /* it counts for the mutation score of its run, which asked for one */
    struct sample_run run;           /* once the side is read, its row is the one above */
    struct sample_outcome *outcomes; /* counts has one run */
    size_t outcome_count;
    struct sample_outcome *shares; /* likewise; the time first */
    size_t share_count;
    struct sample_home *homes;
    size_t home_count;
};

/* Decides what it means that the job's outcomes were seen, from their counts and the models' opinions. */
void side_settle(struct side_job *job);

/* The texts of tests that were parsed, and whether they say that their witness must never appear. Starts as {0}. */
struct side_claims {
    struct side_claim {
        const char *text;
        bool claimed, progress; /* its witness must never appear; how often a thread gives up is its answer */
    } * list;
    size_t count;
    struct hash_index index; /* of the list, by text */
    struct arena arena;
};
void side_release_claims(struct side_claims *claims);

/* Marks the mutants among the jobs of the side, which are read. */
enum status side_mark_mutants(struct store *store, struct side_claims *claims, struct side *side, struct error *error);

/* Reads the batches, outcomes and verdicts of a job whose row has been taken. */
enum status side_read_details(struct store *store, struct arena *arena, struct side_claims *claims,
                              struct side_job *job, struct error *error);

/* Reads the side from an open store, as side_read does. The caller calls side_release, whatever the result. */
enum status side_read_store(struct store *store, const struct selector *selector, struct side *side,
                            struct error *error);

/* The list with an item added, separated by ", ", unless it already has it. */
const char *side_join(struct arena *arena, const char *list, const char *item);
