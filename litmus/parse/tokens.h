// SPDX-License-Identifier: Apache-2.0
/* The scanner: text to tokens with places. The sections of a file differ in their comments and marks, so the parser
 * sets the mode before it takes the first token of a section. */
#pragma once

#include "litmus/litmus.h"

enum scanner_mode {
    SCAN_SECTIONS, /* "(*" starts a comment, and so do "//" and "/ *" */
    SCAN_C,        /* bodies of C: "(*" is a parenthesis and a star */
    SCAN_PTX       /* rows of PTX: as SCAN_SECTIONS, and "||" is two marks: an empty cell */
};

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* "..."; text and size leave the quotes out */
    TOKEN_MARK,
    TOKEN_FAULT /* no token starts here: `expected` says what should, text and size hold what was found */
};

struct token {
    enum token_kind kind;
    struct litmus_place place;
    const char *text; /* not terminated; points into the scanned text */
    size_t size;
    uint64_t number;         /* NUMBER */
    enum litmus_type suffix; /* NUMBER: as in struct litmus_expression */
    const char *expected;    /* FAULT */
};

/* A copy of a scanner is a place to return to. */
struct scanner {
    const char *text;
    size_t size, at;
    struct litmus_place place;
    enum scanner_mode mode;
    bool names; /* names may begin with a digit, and numbers are names: "00" */
};

/* Skips blanks and comments and takes the next token. */
struct token scanner_next(struct scanner *scanner);

/* Takes the rest of the line, without blanks at both ends and without the line's end. */
struct token scanner_line(struct scanner *scanner);

/* The line and column of a byte of a text. */
struct litmus_place scanner_place(const char *text, size_t at);

/* Drops the byte order mark that some editors put before UTF-8, and refuses what no test has: UTF-16, control
 * characters other than tabs, line feeds and the carriage return before one. SYNTAX, with the place. */
enum status litmus_clean(const char *file, const char **text, size_t *size, struct error *error);

bool token_is(const struct token *token, const char *text); /* a WORD or a MARK with that text */
