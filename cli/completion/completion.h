// SPDX-License-Identifier: Apache-2.0
/* Completions of a word of a command line; the shells' scripts request them when Tab is pressed.
 * Private to this room. */
#ifndef ORCHIL_CLI_COMPLETION_COMPLETION_H
#define ORCHIL_CLI_COMPLETION_COMPLETION_H

#include <stddef.h>

#include "base/text.h"

/* Appends the completions of the last word, which may be half typed. words: those after "orchil". A
 * completion is one line:
 *   WORD<tab>DESCRIPTION   a word that begins as typed; a value follows at once if WORD ends with '='
 *   :files                 the shell adds the names of all files
 *   :folders               the shell adds the names of folders
 *   :tests                 the shell adds folders and files whose names end with .litmus
 * Appends nothing if nothing fits. Opens no device. */
void completion_answer(char *const *words, size_t count, struct text *lines);

#endif
