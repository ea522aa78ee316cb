// SPDX-License-Identifier: Apache-2.0
/* Escapes texts of any origin for a form of document. Private to analysis/. */
#ifndef ORCHIL_ANALYSIS_PAGE_ESCAPE_H
#define ORCHIL_ANALYSIS_PAGE_ESCAPE_H

#include <stddef.h>

#include "base/text.h"

/* A byte that is not UTF-8, a control character, or one that reorders or hides others becomes '?', unless the form says
 * otherwise. */
enum escape {
    ESCAPE_PLAIN,    /* nothing else is changed */
    ESCAPE_XML,      /* for content and for quoted attributes */
    ESCAPE_HTML,     /* the same; invalid bytes, and marks that reorder or hide others, as numbers: [U+202E], [0x07] */
    ESCAPE_MARKDOWN, /* for a line or a cell: what could be markup is a character reference */
    ESCAPE_COMMAND,  /* for a workflow command of GitHub */
    ESCAPE_PROPERTY  /* for a property of one */
};

/* Adds the next characters: as many of the next `most` bytes as need no escape, or one escaped
 * character. Returns their size. */
size_t escape_add_some(struct text *text, enum escape form, const char *from, size_t most);

/* escape_format(text, form, markup, argument...) adds the markup, which must be a literal, with
 * each `$` in it replaced by the next argument, a text of any origin. In HTML a line break of such
 * a text becomes a blank. */
#define escape_format(text, form, ...) escape_format_list(text, form, (const char *const[]){__VA_ARGS__, NULL})
void escape_format_list(struct text *text, enum escape form, const char *const *markup_and_arguments);

#endif
