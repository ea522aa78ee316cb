// SPDX-License-Identifier: Apache-2.0
/*
 * The kind of reader of a stream: a person at a terminal, with colours and a width, or a file.
 *
 * Colour never carries meaning alone: without colours every line says the same.
 */
#pragma once

#include <stdio.h>

#include "base/text.h"

/* Whether the stream takes colours: on a terminal (TERM is set and not "dumb"), or anywhere with CLICOLOR_FORCE set to
 * something but "0"; never with NO_COLOR set to anything (https://no-color.org). */
bool terminal_has_colours(FILE *stream);

/* Whether a person's terminal shows the characters of Unicode that lines are drawn with: the locale of the environment
 * (LC_ALL, else LC_CTYPE, else LANG) has UTF-8. */
bool terminal_has_unicode(void);

/* Whether the environment asks for messages in a language, such as "zh", in a locale that has its characters: the
 * locale of messages (LC_ALL, else LC_MESSAGES, else LANG) begins with its name, and terminal_has_unicode. */
bool terminal_wants(const char *language);

/* Columns that lines may have: the value of COLUMNS, whatever the stream is; else those of its terminal; 0 if there is
 * none or its width is unknown: lines are not broken. */
unsigned terminal_width(FILE *stream);

enum terminal_style { TERMINAL_PLAIN, TERMINAL_STRONG, TERMINAL_FAINT, TERMINAL_GOOD, TERMINAL_BAD, TERMINAL_WARNING };

/* The bytes that start a style and, for TERMINAL_PLAIN, end any style; "" if colours is false. */
const char *terminal_style(bool colours, enum terminal_style style);

/* ---- text from elsewhere ----
 *
 * A name, a description, a build log or a database may contain bytes that move a cursor, change colours or reverse the
 * letters around them. Everything that orchil prints for people passes through these functions: each byte that is not
 * UTF-8, each control character and each character that deceives (base/terminal/character.h) becomes '?'.
 * scripts/check-source refuses other ways to standard output and standard error. */

/* Appends a text that is one line: newlines and tabs become '?' too. */
void terminal_add_safe(struct text *text, const char *from);

/* Appends a text that may have lines: newlines (with a carriage return before them) and tabs stay. */
void terminal_add_safe_lines(struct text *text, const char *from);

/* Appends as text_add does. The format is trusted; each %s argument is one line from elsewhere and is made safe, except
 * the result of terminal_style. */
void terminal_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void terminal_add_list(struct text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Whether GitHub Actions reads what is printed, and obeys lines that begin with "::", and "##[" anywhere
 * (GITHUB_ACTIONS is "true"). All functions here that print, print neither then: ": :" and "# #[" are shown. */
bool terminal_obeys(void);

/* Appends lines as they may be printed where terminal_obeys, elsewhere as they are. */
void terminal_add_inert(struct text *text, const char *lines);

/* Appends the lines of a text from elsewhere, each after `indent`. */
void terminal_add_indented(struct text *text, const char *indent, const char *lines);

/* ---- printing ----
 *
 * The owner of the stream checks ferror at the end. */

/* Prints what terminal_add would append, as terminal_write does. */
void terminal_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints whole lines. Lines longer than terminal_width are broken at spaces; continuation lines are indented by two
 * more columns. */
void terminal_write(FILE *stream, const char *lines);

/* Prints lines that must not be broken: sources, JSON, logs for other programs. */
void terminal_write_source(FILE *stream, const char *lines);

/* The same for a text that is then released. */
void terminal_end(FILE *stream, struct text *lines);
void terminal_end_source(FILE *stream, struct text *lines);

/* Prints commands for GitHub Actions; texts from elsewhere in them are escaped (base/escape/escape.h). */
void terminal_write_commands(FILE *stream, const char *lines);

/* Columns that a text takes; styles take none. */
size_t terminal_columns(const char *text);

/* Bytes of a text that take at most so many columns. */
size_t terminal_bytes(const char *text, size_t columns);

/* Appends what terminal_write prints for lines of `width` columns; 0: no limit. */
void terminal_wrap(struct text *text, const char *lines, size_t width);

/* Appends the first `size` bytes of a line, broken if it is wider than `width`; continuation lines are indented by
 * `indent` spaces. */
void terminal_wrap_line(struct text *text, const char *line, size_t size, size_t width, size_t indent);

/* Columns of the lines of a text: 80, unless its reader has fewer. */
size_t terminal_fill_width(const struct text *text);

/* Appends a line, broken at that width. Parts that are two blanks apart stay whole if they fit into a line; others are
 * broken at blanks, and a word may be longer than the line. `used` columns of the first line are taken; the others
 * start with `indent` blanks. */
void terminal_fill(struct text *text, const char *line, size_t used, size_t indent);

/* ---- progress ---- */

/* Progress: on a terminal one line that is redrawn, elsewhere a line every ten seconds, and nowhere any with
 * ORCHIL_PROGRESS set to "never". Starts as {0}; a state belongs to one stream. */
struct progress_line {
    double last; /* by clock_seconds: when a line was shown; 0: never */
    bool drawn;  /* the terminal shows a redrawn line */
};

/* Whether a line is due; checked first, so that lines that are not shown are not built. */
bool progress_due(const struct progress_line *progress, FILE *stream);

/* Shows a line, made safe, and cut to the terminal's width. */
void progress_show(struct progress_line *progress, FILE *stream, const char *line);

/* Shows a line, made as text_add does, if one is due. */
void progress_say(struct progress_line *progress, FILE *stream, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Removes the redrawn line before other output. */
void progress_clear(struct progress_line *progress, FILE *stream);

/* The bytes of the style sequence, as from terminal_style, at the start of a text; 0 if there is none. */
size_t terminal_style_size(const char *text);

/* Columns of the longest part of a text that is not broken at a blank. */
size_t wrap_longest_word(const char *text);
