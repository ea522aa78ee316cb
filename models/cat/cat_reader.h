// SPDX-License-Identifier: Apache-2.0
/* Reading cat: words, expressions, and their translation. */
#pragma once

#include "models/cat/cat_program.h"

struct cat_place {
    const char *file;
    unsigned line, column;
};

enum cat_token_kind { CAT_END, CAT_NAME, CAT_KEYWORD, CAT_REFUSED, CAT_STRING, CAT_TAG, CAT_SYMBOL };

/* For names, strings (without quotes) and tags (without their mark), bytes and size give the text. */
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
    CAT_E_LIST,     /* {a, b}: a set of sets, relations or tags; left is the first */
    CAT_E_FUNCTION, /* `definitions` without a name */
    CAT_E_MATCH,    /* left is matched by `definitions`, its clauses */
    CAT_E_SQUARE,   /* left by itself: a product of sets, a composition of relations */
    CAT_E_LET,      /* `definitions` in right */
    CAT_E_TRY,      /* left, or right if left has an unknown name */
    CAT_E_OPERATION /* `operation` on left and, for binary ones, right */
};

enum { CAT_MAXIMUM_PARAMETERS = 8 };

struct cat_parameters {
    unsigned count;
    struct cat_token names[CAT_MAXIMUM_PARAMETERS];
};

/* A definition of a `let`, and the next one that `and` joins to it. Or a clause of a `match`, whose name is a tag, `_`,
 * the `{` of `{}`, or the x of `x ++ rest`, which are then its parameters. */
struct cat_definition {
    bool recursive; /* of a `let rec` */
    struct cat_token name;
    struct cat_parameters *parameters; /* of a function; NULL: a value */
    struct cat_expression *body;
    struct cat_definition *next;
};

struct cat_expression {
    enum cat_expression_kind kind;
    struct cat_place place;
    struct cat_token word;
    enum cat_operation operation;
    struct cat_expression *left, *right;
    struct cat_definition *definitions; /* of a LET, FUNCTION or MATCH */
    struct cat_expression
        *next; /* the next argument of the same call; of a CALL, left is the first, right the function */
};

/* The value of an expression. `0` is the empty set or relation, whichever the other operand needs; also an empty list.
 * A list is known when the model is read, and so is what a `match` chooses. */
enum cat_type { CAT_T_SET, CAT_T_RELATION, CAT_T_ZERO, CAT_T_TAG, CAT_T_LIST, CAT_T_FUNCTION };
struct cat_value_of {
    enum cat_type type;
    int node;
    const struct cat_token *tag;
    const struct cat_list *list;           /* of a LIST, which is not empty */
    const struct cat_definition *function; /* of a FUNCTION */
    const struct cat_binding *known;       /* names that its body may use */
};

struct cat_list {
    struct cat_value_of value;
    const struct cat_list *rest;
};

/* Statements that `call` reads again, with the names of its parameters bound. */
struct cat_procedure {
    struct cat_token name;
    struct cat_parameters parameters;
    struct cat_source body; /* up to its `end` */
    size_t size;            /* of the body, in bytes */
    const struct cat_binding *known;
    const struct cat_procedure *next; /* defined earlier */
};

struct cat_binding {
    const char *name;
    size_t size;
    struct cat_value_of value;
    const struct cat_binding *next; /* bound earlier */
};

struct cat_reading {
    struct cat *cat;
    struct cat_source *source;
    const struct cat_binding *bindings;     /* newest first */
    const struct cat_procedure *procedures; /* newest first */
    const struct cat_token *call_name;      /* of checks that have no other name, or NULL */
    cat_reader *read_include;
    const void *context;
    unsigned includes, nesting, steps;
    size_t called;              /* bytes of procedures that calls have read */
    struct cat_place generated; /* of a `with` that generates coherence; its file is NULL: there is none */
    bool in_prelude;
    bool dead;         /* statements are read without effect: a variant is off, or a procedure is being defined */
    bool unknown_name; /* the error is an undefined name */
    bool partial_declared, total_declared, titled_ptx;
    bool single_declared, split_declared; /* read-modify-writes are single events; are two all the same */
    bool titled_old, titled_withsc;       /* the title has one of herd's old options; has this one */
    bool titled_rcpc;                     /* the title has this variant of aarch64fences.cat */
    struct error *error;
};

/* FILE:LINE:COLUMN: and a formatted message; returns the status. */
enum status cat_fail(struct cat_reading *reading, const struct cat_place *place, enum status status, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* A copy of a token's text, owned by the cat. */
char *cat_copy(struct cat_reading *reading, const struct cat_token *token);

/* Is the token this word? Are two tokens the same word? */
bool cat_token_is(const struct cat_token *token, const char *word);
bool cat_token_equal(const struct cat_token *a, const struct cat_token *b);

/* Moves to the next token. */
enum status cat_advance(struct cat_reading *reading);
bool cat_at(const struct cat_reading *reading, const char *word);
enum status cat_take(struct cat_reading *reading, const char *word);
enum status cat_take_if(struct cat_reading *reading, const char *word, bool *taken);
enum status cat_take_name(struct cat_reading *reading, const char *what, struct cat_token *name);

enum status cat_enter_level(struct cat_reading *reading);

/* "expected WHAT, found THE TOKEN" at the next token. */
enum status cat_expected(struct cat_reading *reading, const char *what);

enum status cat_read_expression(struct cat_reading *reading, struct cat_expression **result);

/* (a, b) or one operand; *first is NULL for (). */
enum status cat_read_arguments(struct cat_reading *reading, struct cat_expression **first);

/* The names of parameters: (a, b), or one name. */
enum status cat_read_parameters(struct cat_reading *reading, struct cat_parameters *parameters);

/* The condition after `if`: whether it holds with all variants off. */
enum status cat_read_variant(struct cat_reading *reading, bool *on);

/* The text after `let`. */
enum status cat_read_let(struct cat_reading *reading, struct cat_definition **definitions);

/* Binds the names that a `let` defines, on top of *scope. */
enum status cat_define(struct cat_reading *reading, const struct cat_definition *definitions,
                       const struct cat_binding **scope);
void cat_bind(struct cat_reading *reading, const struct cat_token *name, struct cat_value_of value,
              const struct cat_binding **scope);

/* Binds the parameters of the function or procedure `name` to its arguments, which are translated with `known`. */
enum status cat_bind_arguments(struct cat_reading *reading, const struct cat_token *name,
                               const struct cat_parameters *parameters, const struct cat_expression *argument,
                               const struct cat_binding *known, const struct cat_binding **scope);

/* A list with one more member at its beginning. */
struct cat_value_of cat_list_add(struct cat_reading *reading, struct cat_value_of first, const struct cat_list *rest);

/* "a set", "a function", ... */
const char *cat_type_name(enum cat_type type);

/* As cat_translate. If the expression has a name that is not known, *unknown is true and nothing has been done. */
enum status cat_translate_known(struct cat_reading *reading, const struct cat_expression *expression,
                                const struct cat_binding *known, struct cat_value_of *result, bool *unknown);

/* Translates an expression, with the names bound in `known`. */
enum status cat_translate(struct cat_reading *reading, const struct cat_expression *expression,
                          const struct cat_binding *known, struct cat_value_of *result);

/* A new operation's value. */
enum status cat_new_node(struct cat_reading *reading, const struct cat_place *place, enum cat_operation operation,
                         enum cat_type type, int left, int right, struct cat_value_of *result);

/* A value as the required type, relation or set. */
enum status cat_need(struct cat_reading *reading, const struct cat_place *place, struct cat_value_of value,
                     enum cat_type type, int *node);
