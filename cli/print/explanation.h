// SPDX-License-Identifier: Apache-2.0
/* Prints an outcome's cycle. */
#ifndef ORCHIL_CLI_PRINT_EXPLANATION_H
#define ORCHIL_CLI_PRINT_EXPLANATION_H

/* Prints the lines of a cycle (struct judged_outcome) on standard output, each indented by so many
 * blanks. On a terminal, a line that is too long continues on the next one, below the
 * instruction. */
void explanation_print(const char *cycle, unsigned indent);

#endif
