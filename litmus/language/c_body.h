// SPDX-License-Identifier: Apache-2.0
/* What the parsers of C statements, expressions and calls share; private to parse_c*.c. */
#ifndef ORCHIL_LITMUS_LANGUAGE_C_BODY_H
#define ORCHIL_LITMUS_LANGUAGE_C_BODY_H

#include "litmus/language/c_language.h"

struct c_body {
    struct parser *parser;
    struct draft *draft;
    const struct c_language *language;
};

/* What a call turned out to be: an access, or a statement of its own. */
struct c_call {
    enum litmus_statement_kind kind; /* PERFORM, FENCE or BARRIER */
    struct litmus_expression *value; /* PERFORM */
    struct litmus_fence fence;
    struct litmus_barrier barrier;
};

enum status parse_c_expression(struct c_body *body, struct litmus_expression **result);

/* The operand of '*' with the star taken: x, (x + e), a pointer-valued register. *is_volatile: it stands behind a cast to
 * a volatile type, "(volatile int*)x". */
enum status parse_c_pointee(struct c_body *body, struct litmus_expression **result, bool *is_volatile);

/* x[e] with the name taken and '[' at hand. */
enum status parse_c_element(struct c_body *body, const struct token *name, struct litmus_expression **result);

/* A pointer as functions take it: x, x + e, &x[e], a pointer-valued register. */
enum status parse_c_pointer(struct c_body *body, struct litmus_expression **result);

/* "x, e": an image that is a parameter and the coordinate of a pixel, as the address of the pixel. */
enum status parse_c_pixel(struct c_body *body, struct litmus_expression **result);

/* A plain or volatile access of the address: a load, or a store of operand where that is not NULL. */
enum status make_c_access(struct c_body *body, struct litmus_expression *address, struct litmus_expression *operand,
                          bool is_volatile, struct litmus_expression **result);

/* Refuses a type that is not that of what the address points to; place is where the type stands. */
enum status check_c_type(struct c_body *body, const struct litmus_expression *address, enum litmus_type type,
                         struct litmus_place place);

/* A name, or several joined as in cuda::memory_order_relaxed; what: what an error says was expected. */
enum status parse_c_name(struct c_body *body, const char *what, struct token *name);

/* With the name taken: is this a call? */
bool is_c_call(const struct c_body *body, const struct token *name);

/* A call with the name taken. */
enum status parse_c_call(struct c_body *body, const struct token *name, struct c_call *call);

#endif
