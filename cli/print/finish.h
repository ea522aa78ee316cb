// SPDX-License-Identifier: Apache-2.0
/* The end of the program. Private to cli/. */
#ifndef ORCHIL_CLI_PRINT_FINISH_H
#define ORCHIL_CLI_PRINT_FINISH_H

enum { EXIT_OUTPUT = 4 };

/* Writes what is left of standard output. Returns the code to exit with: the given one, or EXIT_OUTPUT instead of 0 if some
 * of it was lost, which is reported. A reader that has gone ends the process, as it does `head`'s writers. */
int finish_output(int code);

#endif
