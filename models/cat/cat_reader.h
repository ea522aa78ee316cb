// SPDX-License-Identifier: Apache-2.0
/* Reading cat: words, expressions, and their translation. Private to the cat_*.c files. */
#ifndef ORCHIL_MODELS_CAT_CAT_READER_H
#define ORCHIL_MODELS_CAT_CAT_READER_H

#include "models/cat/cat_program.h"

struct cat_place {
    const char *file;
    unsigned line, column;
};

enum cat_token_kind { CAT_END, CAT_NAME, CAT_KEYWORD, CAT_REFUSED, CAT_STRING, CAT_TAG, CAT_SYMBOL };

/* Names, strings (without quotes) and tags (without their mark) are what bytes and size say. */
struct cat_token {
    enum cat_token_kind kind;
    struct cat_place place;
    const char *bytes;
    size_t size;
};

/* A text that is being read. */
struct cat_source {
    const char *file;
    const char *text, *at;
    unsigned line, column;
    struct cat_token token; /* the next one */
    struct cat_source *includer;
};

enum cat_expression_kind {
    CAT_E_NAME,
    CAT_E_CALL,
    CAT_E_TAG,
    CAT_E_ZERO,
    CAT_E_OPERATION /* `operation` on left and, for binary ones, right */
};

struct cat_expression {
    enum cat_expression_kind kind;
    struct cat_place place;
    struct cat_token word;
    enum cat_operation operation;
    struct cat_expression *left, *right;
    struct cat_expression *next; /* the next argument of the same call; of a CALL, left is the first */
};

/* What an expression stands for. `0` is the empty set or relation, as its neighbour needs it. */
enum cat_type { CAT_T_SET, CAT_T_RELATION, CAT_T_ZERO, CAT_T_TAG };
struct cat_value_of {
    enum cat_type type;
    int node;
    const struct cat_token *tag;
};

enum { CAT_MAXIMUM_PARAMETERS = 8 };

struct cat_function {
    unsigned count;
    struct cat_token parameters[CAT_MAXIMUM_PARAMETERS];
    struct cat_expression *body;
    const struct cat_binding *known; /* what its body may name */
};

struct cat_binding {
    const char *name;
    size_t size;
    const struct cat_function *function; /* or NULL: a value */
    struct cat_value_of value;
    const struct cat_binding *next; /* the one that was bound before */
};

struct cat_reading {
    struct cat *cat;
    struct cat_source *source;
    const struct cat_binding *bindings; /* newest first */
    cat_reader *read_include;
    const void *context;
    unsigned includes, nesting, steps;
    bool in_prelude;
    bool partial_declared, total_declared, titled_ptx;
    struct error *error;
};

/* FILE:LINE:COLUMN: and a formatted message; returns the status. */
enum status cat_fail(struct cat_reading *reading, const struct cat_place *place, enum status status, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* A copy, of the cat, of what a token says. */
char *cat_copy(struct cat_reading *reading, const struct cat_token *token);

/* Does the token say this word? */
bool cat_token_is(const struct cat_token *token, const char *word);

/* Moves to the next token. */
enum status cat_advance(struct cat_reading *reading);
bool cat_at(const struct cat_reading *reading, const char *word);
enum status cat_take(struct cat_reading *reading, const char *word);
enum status cat_take_if(struct cat_reading *reading, const char *word, bool *taken);
enum status cat_take_name(struct cat_reading *reading, const char *what, struct cat_token *name);

/* "expected WHAT, found THE TOKEN" at the next token. */
enum status cat_expected(struct cat_reading *reading, const char *what);

enum status cat_read_expression(struct cat_reading *reading, struct cat_expression **result);

/* Translates an expression with the names that `known` binds. */
enum status cat_translate(struct cat_reading *reading, const struct cat_expression *expression,
                          const struct cat_binding *known, struct cat_value_of *result);

/* A value as a relation or a set, where one is needed. */
enum status cat_need(struct cat_reading *reading, const struct cat_place *place, struct cat_value_of value,
                     enum cat_type type, int *node);

#endif
