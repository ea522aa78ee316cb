// SPDX-License-Identifier: Apache-2.0
/* The terminal of a gate: what runner/gate tells goes to standard error. */
#ifndef ORCHIL_CLI_GATE_GATE_TERMINAL_H
#define ORCHIL_CLI_GATE_GATE_TERMINAL_H

#include "cli/options.h"
#include "runner/gate/gate_suite.h"
#include "runner/run/provenance.h"

extern const struct gate_listener gate_terminal;

/* Completes the request of a verb, whose options are parsed: its TEST arguments, who listens, and the
 * provenance, which the caller releases. */
void gate_terminal_attach(struct gate_request *request, const struct verb_arguments *tests, int argc, char **argv,
                          struct provenance *provenance);

#endif
