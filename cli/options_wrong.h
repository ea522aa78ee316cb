// SPDX-License-Identifier: Apache-2.0
/* Explains which option of a command line is wrong. Private to this folder. */
#ifndef ORCHIL_CLI_OPTIONS_WRONG_H
#define ORCHIL_CLI_OPTIONS_WRONG_H

#include <argp.h>

#include "base/text.h"

/* Appends what is wrong with the option at which getopt_long stopped: it is unknown, ambiguous,
 * lacks its value or must not have one. state->next is the argument after it, or the argument
 * itself if it is several letters. options: those given to argp. */
void options_wrong(const struct argp_option *options, const struct argp_state *state, struct text *text);

#endif
