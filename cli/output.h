// SPDX-License-Identifier: Apache-2.0
/* What a verb writes: the error that ended it, its files and pages. */
#pragma once

#include "analysis/sides/side.h"
#include "base/document/document.h"

/* Prints an error to standard error, with its detail indented below, and returns its exit code. verb is "orchil list",
 * or NULL for no prefix. It is left out before FILE:LINE:COLUMN, which editors look for at the start of a line. */
int complain(const char *verb, const struct error *error);

/* Complains of each database of a folder that could not be read. Returns their number. */
size_t complain_of_unread(const char *verb, const struct side *side);

/* Writes the text to the file path, or to standard output if path is "-". An existing file is replaced atomically; if
 * writing fails, the old one stays. Errors as for file_write_whole, and LIMIT if the text has passed its maximum. */
enum status page_file_write(const char *path, const struct text *text, struct error *error);

/* Writes a document in a form (DOCUMENT_PRINTER_LIST) to the file path, as page_file_write does; nothing if path is
 * NULL. */
enum status output_document(const struct document *document, int printer, const char *path, struct error *error);

/* What a verb ends with: a text for standard output, and perhaps a page. */
struct output {
    const char *what;         /* "the comparison" */
    struct document document; /* is printed as the text, if it has an answer */
    struct text text, page;
    bool source;      /* the text is JSON; else it is broken into lines of the terminal's width */
    const char *path; /* of the page, which takes the text's place if this is "-"; NULL: there is none */
};

/* Prints it, and releases the texts and the document. Errors as for page_text_check and page_file_write. */
enum status output_end(struct output *output, struct error *error);

/* LIMIT if the text (what: "the comparison") has passed its maximum and is therefore incomplete. */
enum status page_text_check(const struct text *text, const char *what, struct error *error);

enum { EXIT_USAGE = 2, EXIT_OUTPUT = 4 };

/* Writes what is left of standard output. Returns the code to exit with: the given one, or EXIT_OUTPUT instead of 0 if
 * some of it was lost, which is reported. A reader that has gone ends the process, as it does `head`'s writers. */
int finish_output(int code);
