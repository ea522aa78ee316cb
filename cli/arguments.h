// SPDX-License-Identifier: Apache-2.0
/* Values of options that several verbs take, for their argp parsers: each reports a wrong value as argp does and then gives
 * EINVAL, else 0. Private to this folder. */
#ifndef ORCHIL_CLI_ARGUMENTS_H
#define ORCHIL_CLI_ARGUMENTS_H

#include <argp.h>
#include <stdint.h>

#include "base/status.h"

error_t argument_bad(const struct argp_state *state, const char *option, const char *expected, const char *value);

/* Seconds, or with m or h behind them. */
error_t argument_seconds(const struct argp_state *state, const char *option, const char *value, double *seconds);

/* A number between two others, which are none of its values. */
error_t argument_number(const struct argp_state *state, const char *option, const char *value, double low, double high,
                        double *number);

/* A seed ends at 2^63-1: JSON's readers and SQLite know no larger integer. */
error_t argument_seed(const struct argp_state *state, const char *value, uint64_t *seed);

/* Where no option says it: a new seed, below 2^32, so short enough to be typed again. */
enum status argument_new_seed(uint64_t *seed, struct error *error);

/* What stands behind the options: the TESTs. For ARGP_KEY_ARGS. */
error_t argument_tests(const struct argp_state *state, char ***tests, size_t *count);

/* That there are none, where there must be some. For ARGP_KEY_NO_ARGS. */
error_t argument_no_tests(const struct argp_state *state);

#endif
