// SPDX-License-Identifier: Apache-2.0
/* Texts of unknown size: checks that they are complete, and writes them as a page. Private to this
 * folder. */
#ifndef ORCHIL_CLI_PAGE_FILE_H
#define ORCHIL_CLI_PAGE_FILE_H

#include "base/status.h"
#include "base/text.h"

/* Writes the text to the file path, or to standard output if path is "-". An existing file is
 * replaced atomically; if writing fails, the old one stays. Errors as for file_write_whole, and
 * LIMIT if the text has passed its maximum. */
enum status page_file_write(const char *path, const struct text *text, struct error *error);

/* LIMIT if the text (what: "the comparison") has passed its maximum and is therefore incomplete. */
enum status page_text_check(const struct text *text, const char *what, struct error *error);

#endif
