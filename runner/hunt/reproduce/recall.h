// SPDX-License-Identifier: Apache-2.0
/* The data of a stored job for a reproducer. */
#ifndef ORCHIL_RUNNER_HUNT_REPRODUCE_RECALL_H
#define ORCHIL_RUNNER_HUNT_REPRODUCE_RECALL_H

#include "results/results.h"
#include "runner/hunt/reproduce/reproduce.h"

/* Starts as {0}; reproduce_forget frees what it holds. */
struct reproduce_job {
    struct arena arena; /* of the texts */
    struct litmus_test *test;
    struct environment environment;
    struct backend_device device;
    /* Of the job, with the outcome and the draw of the batch that showed it most often. The caller
     * fills in tool, command and when. */
    struct reproduce_facts facts;
};

/* Reads job number job_id and chooses the outcome: the outcome with this label; else, of the
 * outcomes seen, the most frequent one that a model forbids, or the most frequent witness. USAGE,
 * with the outcomes seen, if there is no such job, no kernel of it, or no such outcome. The caller
 * calls reproduce_forget, whatever the result. */
enum status reproduce_recall(struct store *store, int64_t job_id, const char *label, struct reproduce_job *job,
                             struct error *error);
void reproduce_forget(struct reproduce_job *job);

/* UNSUPPORTED, with what to do instead, for an ensemble: a reproducer is a program for one device. */
enum status reproduce_check_device(const struct backend_device *device, struct error *error);

#endif
