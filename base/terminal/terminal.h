// SPDX-License-Identifier: Apache-2.0
/*
 * What a stream's reader is: a person at a terminal, with colours and a width, or a file.
 *
 * Meaning never hangs on a colour alone: without them every line still says the same.
 */
#ifndef ORCHIL_BASE_TERMINAL_TERMINAL_H
#define ORCHIL_BASE_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

/* Whether the stream takes colours: on a terminal (TERM is set and not "dumb"), or anywhere with CLICOLOR_FORCE set to
 * something but "0"; never with NO_COLOR set to anything (https://no-color.org). */
bool terminal_has_colours(FILE *stream);

/* Columns of the stream's terminal; 0 where it is none, or does not say. */
unsigned terminal_width(FILE *stream);

enum terminal_style { TERMINAL_PLAIN, TERMINAL_STRONG, TERMINAL_FAINT, TERMINAL_GOOD, TERMINAL_BAD, TERMINAL_WARNING };

/* The bytes that start a style and, for TERMINAL_PLAIN, those that end any; "" where colours is false. */
const char *terminal_style(bool colours, enum terminal_style style);

/* Appends text with '?' for each byte that could steer a terminal (control bytes, newlines too). */
void terminal_add_safe(struct text *text, const char *from);

/* Progress: on a terminal one line that is drawn anew, elsewhere a line every ten seconds. Starts as {0}; a state
 * belongs to one stream. */
struct progress {
    double last; /* by clock_seconds: when a line was shown; 0: never */
    bool drawn;  /* a redrawn line stands on the terminal */
};

/* Whether it is time for a line; asked first, so that lines that nobody sees are not made. */
bool progress_due(const struct progress *progress, FILE *stream);

/* Shows a line (cut to the terminal's width). */
void progress_show(struct progress *progress, FILE *stream, const char *line);

/* Takes the redrawn line away, before something else is printed. */
void progress_clear(struct progress *progress, FILE *stream);

#endif
