// SPDX-License-Identifier: Apache-2.0
/* What may stand for a word of a command line: the shells' scripts ask this when Tab is pressed. Private to this room. */
#ifndef ORCHIL_CLI_COMPLETION_COMPLETION_H
#define ORCHIL_CLI_COMPLETION_COMPLETION_H

#include <stddef.h>

#include "base/text.h"

/* Appends what may stand for the last of the words behind "orchil", of which it has what was typed so far, each in a line:
 *   WORD<tab>DESCRIPTION   a word that begins as typed; behind one that ends with '=' a value follows at once
 *   :files                 the names of all files; the words end there
 *   :folders               likewise
 *   :tests                 folders, and files that end with .litmus
 * Nothing where nothing fits. Opens no device. */
void completion_answer(char *const *words, size_t count, struct text *lines);

#endif
