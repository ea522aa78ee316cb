// SPDX-License-Identifier: Apache-2.0
/* Builds tests that no text describes: the pieces that generators of tests share. What is built is in the test's
 * arena. */
#pragma once

#include "litmus/litmus.h"

struct litmus_builder {
    struct litmus_test *test;
    struct litmus_thread *thread; /* under construction; the caller gives room for its registers */
    struct litmus_block *block;   /* that gets the next statement; the caller gives room for its statements */
    unsigned reads, temps;        /* registers of the thread that have names so far */
};

/* Zeroed memory. */
void *build_take(const struct litmus_builder *builder, size_t count, size_t size);

/* An expression of that kind, with index LITMUS_NONE. */
struct litmus_expression *build_expression(const struct litmus_builder *builder, enum litmus_expression_kind kind);
struct litmus_expression *build_constant(const struct litmus_builder *builder, int64_t value);
struct litmus_expression *build_register(const struct litmus_builder *builder, int index);
struct litmus_expression *build_binary(const struct litmus_builder *builder, enum litmus_operator op,
                                       struct litmus_expression *left, struct litmus_expression *right);

/* Adds a statement of that kind to the block, without a target and a label. */
struct litmus_statement *build_statement(struct litmus_builder *builder, enum litmus_statement_kind kind);
void build_assign(struct litmus_builder *builder, int target, struct litmus_expression *value);

/* A new register of the thread: r0, r1, ... for what is observed and t0, t1, ... for the rest. */
int build_new_register(struct litmus_builder *builder, bool observed);

/* The rest of the thread runs if left and right are equal. Room: for the statements of the rest. */
void build_only_if_equal(struct litmus_builder *builder, struct litmus_expression *left,
                         struct litmus_expression *right, size_t room);

/* The end of a thread: the label to which branches jump, if there are any. */
void build_thread_end(struct litmus_builder *builder);

/* Adds "variable=value" to the condition, and the variable to the test's, which have room for it. */
void build_condition_atom(const struct litmus_builder *builder, struct litmus_variable variable, int64_t value);
