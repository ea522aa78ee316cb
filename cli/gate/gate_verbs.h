// SPDX-License-Identifier: Apache-2.0
/* The verbs of `orchil gate`. Private to the files gate*.c and verb_gate.c. */
#ifndef ORCHIL_CLI_GATE_GATE_VERBS_H
#define ORCHIL_CLI_GATE_GATE_VERBS_H

/* Each parses its own arguments and gives the process's exit code. */
int gate_verb_baseline(int argc, char **argv);
int gate_verb_calibrate(int argc, char **argv);

#endif
