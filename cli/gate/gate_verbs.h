// SPDX-License-Identifier: Apache-2.0
/* The verbs of `orchil gate`. Private to the files gate*.c and verb_gate.c. */
#ifndef ORCHIL_CLI_GATE_GATE_VERBS_H
#define ORCHIL_CLI_GATE_GATE_VERBS_H

#include "cli/verb.h"

extern const struct verb verb_gate_baseline, verb_gate_calibrate;

#endif
