// SPDX-License-Identifier: Apache-2.0
/* Escapes texts of any origin for what is written: documents, programs, comments. */
#pragma once

#include "base/base.h"

/* A byte that is not UTF-8, a control character, or one that reorders or hides others becomes '?', unless the form says
 * otherwise. */
enum escape {
    ESCAPE_PLAIN,    /* nothing else is changed */
    ESCAPE_XML,      /* for content and for quoted attributes */
    ESCAPE_HTML,     /* the same; invalid bytes, and marks that reorder or hide others, as numbers: [U+202E], [0x07] */
    ESCAPE_MARKDOWN, /* for a line or a cell: what could be markup, a mention or an address is a character reference */
    ESCAPE_COMMAND,  /* for a workflow command of GitHub */
    ESCAPE_PROPERTY, /* for a property of one */
    ESCAPE_PROSE,    /* for a line or a cell of Markdown that is also read as text: a backslash before what could be
                      * markup, except marks that only begin a line */
    ESCAPE_CODE,     /* for code between single backticks in a line or a cell of Markdown */
    ESCAPE_SPAN,     /* for escape_add_span */
    ESCAPE_LATEX,    /* for a text of LaTeX */
    ESCAPE_STRING,   /* for a string of C, between its quotes */
    ESCAPE_COMMENT   /* for a comment of C up to the line's end, by escape_add_line */
};

/* Adds the next characters: as many of the next `most` bytes as need no escape, or one escaped character. Returns their
 * size. */
size_t escape_add_some(struct text *text, enum escape form, const char *from, size_t most);

/* escape_format(text, form, markup, argument...) adds the markup, which must be a literal, with each `$` in it replaced
 * by the next argument, a text of any origin. In HTML, in Markdown prose and code, and in C strings, a line break or a
 * tab of such a text becomes a blank. */
#define escape_format(text, form, ...) escape_format_list(text, form, (const char *const[]){__VA_ARGS__, NULL})
void escape_format_list(struct text *text, enum escape form, const char *const *markup_and_arguments);

/* Adds a text as code in a line or a cell of Markdown, between more backticks than it has in a row. A `|` would end the
 * cell, and cannot be escaped for a reader who copies the text and for Markdown at once: such a text is not code. */
void escape_add_span(struct text *text, const char *from);

/* The bytes of a text's first line, without its end. Lines end at every kind of line end: line feed, carriage return,
 * both, vertical tab, form feed, U+0085, U+2028 and U+2029. */
size_t escape_line_size(const char *text);

/* Adds a text's first line, without its end; a tab becomes a blank. Returns its bytes, its end included. */
size_t escape_add_line(struct text *text, enum escape form, const char *from);
