// SPDX-License-Identifier: Apache-2.0
/* Minimising a reproducer, on a device of this machine. */
#ifndef ORCHIL_RUNNER_HUNT_REPRODUCE_REDUCE_H
#define ORCHIL_RUNNER_HUNT_REPRODUCE_REDUCE_H

#include "runner/hunt/minimise/minimise.h"
#include "runner/hunt/reproduce/reproduce.h"
#include "runner/supervise/devices.h"

/* The device of the list that `then` describes; NULL if it is not there or has changed. */
const struct backend_device *reproduce_find_device(const struct device_list *list, const struct backend_device *then);

/* The outcome that a test asks for: its only witness. USAGE, with the choices, if it has several or
 * none. The caller frees *label. */
enum status reproduce_choose_witness(const struct litmus_test *test, char **label, struct error *error);

/* As minimise, with a cache of kernels; SIGINT and SIGTERM end it, and *signal is the signal's
 * number, else 0. Fills in options->cache and options->stop. */
enum status reproduce_minimise(struct minimise_options *options, const struct minimise_listener *listener,
                               struct minimal *minimal, int *signal, struct error *error);

/* Replaces the test, the outcome, the environment and the rate in *facts by the minimised ones. If
 * no single values keep the rate, the facts keep their draw, if any. needed: receives the text on
 * needed parameters. The facts then point into *minimal and *needed. */
void reproduce_take_minimal(const struct minimal *minimal, struct text *needed, struct reproduce_facts *facts);

#endif
