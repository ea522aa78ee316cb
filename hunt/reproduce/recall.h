// SPDX-License-Identifier: Apache-2.0
/* The data of a stored job for a reproducer, and minimising that. */
#pragma once

#include "hunt/minimise/minimise.h"
#include "hunt/reproduce/reproduce.h"
#include "results/results.h"
#include "runner/supervise/devices.h"

/* Starts as {0}; reproduce_forget frees what it holds. */
struct reproduce_job {
    struct arena arena; /* of the texts */
    struct litmus_test *test;
    struct environment environment;
    struct backend_device device;
    /* Of the job, with the outcome and the draw of the batch that showed it most often. The caller fills in tool,
     * command and when. */
    struct reproduce_facts facts;
};

/* Reads job number job_id and chooses the outcome: the outcome with this label; else, of the outcomes seen, the most
 * frequent one that a model forbids, or the most frequent witness. USAGE, with the outcomes seen, if there is no such
 * job, no kernel of it, or no such outcome. The caller calls reproduce_forget, whatever the result. */
enum status reproduce_recall(struct store *store, int64_t job_id, const char *label, struct reproduce_job *job,
                             struct error *error);
void reproduce_forget(struct reproduce_job *job);

/* UNSUPPORTED, with what to do instead, for an ensemble: a reproducer is a program for one device. */
enum status reproduce_check_device(const struct backend_device *device, struct error *error);

/* ---- reducing ---- */

/* The device of the list that `then` describes; NULL if it is not there or has changed. */
const struct backend_device *reproduce_find_device(const struct device_list *list, const struct backend_device *then);

/* The outcome that a test asks for: its only witness. USAGE, with the choices, if it has several or none. The caller
 * frees *label. */
enum status reproduce_choose_witness(const struct litmus_test *test, char **label, struct error *error);

/* As minimise, with a cache of kernels; SIGINT and SIGTERM end it, and *signal is the signal's number, else 0. Fills in
 * options->cache and options->stop. */
enum status reproduce_minimise(struct minimise_options *options, const struct minimise_listener *listener,
                               struct minimal *minimal, int *signal, struct error *error);

/* Replaces the test, the outcome, the environment and the rate in *facts by the minimised ones. If no single values
 * keep the rate, the facts keep their draw, if any. needed: receives the text on needed parameters. The facts then
 * point into *minimal and *needed. */
void reproduce_take_minimal(const struct minimal *minimal, struct text *needed, struct reproduce_facts *facts);
