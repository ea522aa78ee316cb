// SPDX-License-Identifier: Apache-2.0
/* Sets of parameters, neutral and single values, for the minimiser. Private. */
#ifndef ORCHIL_RUNNER_HUNT_MINIMISE_MINIMISE_PARAMETER_H
#define ORCHIL_RUNNER_HUNT_MINIMISE_MINIMISE_PARAMETER_H

#include "runner/environment/environment.h"

/* The parameters of a mechanism. */
parameter_set minimise_mechanism(enum mechanism_group group);

/* The parameters that are not neutral and have an effect: for example, no size of stress without
 * stress. */
parameter_set minimise_active(const struct environment *environment);

/* The set without the parameters that have no effect once all parameters outside it are neutral. */
parameter_set minimise_effective(parameter_set set);

/* The environment with every parameter outside the set neutral; sizes keep their values. */
struct environment minimise_neutral(const struct environment *environment, parameter_set kept);

/* The environment of a draw: one value for each parameter; for a chance, the coin's 0 or 1. */
struct environment minimise_drawn(const struct environment *of, const uint32_t values[PARAMETER_COUNT]);

/* The environment in the middle of its ranges; for a chance, the more likely value. */
struct environment minimise_middle(const struct environment *environment);

/* The environment with the single values of `values` instead of its ranges. */
struct environment minimise_fixed(const struct environment *environment, const struct environment *values);

/* Whether each parameter, including neutral ones, has a single value; for a chance 0 or 100. */
bool minimise_is_fixed(const struct environment *environment);

/* Appends "jitter, stride": first mechanisms, if the set has all their parameters in `of`, then
 * single parameters. */
void minimise_print_set(parameter_set set, parameter_set of, struct text *text);

/* Appends the active parameters with their values: "stride 64, jitter of up to 32 steps"; nothing
 * if there are none. */
void minimise_print_values(const struct environment *environment, struct text *text);

#endif
