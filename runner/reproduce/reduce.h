// SPDX-License-Identifier: Apache-2.0
/* Minimising what a reproducer shows, on a device that is here. */
#ifndef ORCHIL_RUNNER_REPRODUCE_REDUCE_H
#define ORCHIL_RUNNER_REPRODUCE_REDUCE_H

#include "runner/minimise/minimise.h"
#include "runner/reproduce/reproduce.h"
#include "runner/supervise/devices.h"

/* The device of the list that is the one described as then; NULL where it is not there or is not the same any more. */
const struct backend_device *reproduce_find_device(const struct device_list *list, const struct backend_device *then);

/* The outcome that a test asks for: its one witness. USAGE, with the choice, where it has several or none. *label is the
 * caller's to free. */
enum status reproduce_choose_witness(const struct litmus_test *test, char **label, struct error *error);

/* minimise, with a cache of kernels; SIGINT and SIGTERM end it: *signal is then its number, else 0. options->cache and
 * options->stop are filled in. */
enum status reproduce_minimise(struct minimise_options *options, const struct minimise_listener *listener,
                               struct minimal *minimal, int *signal, struct error *error);

/* Puts what is left in the place of what the facts had: the test, the outcome, the environment and the rate. Where no single
 * values were found to keep the rate, the draw stays the one that the facts have, if there is one. needed: room for the words
 * that say which parameters are needed. The facts then point into *minimal and *needed. */
void reproduce_take_minimal(const struct minimal *minimal, struct text *needed, struct reproduce_facts *facts);

#endif
