// SPDX-License-Identifier: Apache-2.0
/* What the two halves of the reader share: read_kernel.c reads functions and statements, read_expression.c expressions
 * and calls. */
#pragma once

#include "tests/kernel/mapping/read_instructions.h"
#include "tests/kernel/mapping/read_kernel.h"

struct read_helper {
    const char *name, *parameters, *body; /* the words between the parentheses and between the braces */
};

struct reader {
    const char *at;  /* what is read next */
    const char *why; /* it cannot be read, or NULL */
    enum litmus_dialect target;
    struct litmus_test *test;
    struct arena *arena;
    struct read_helper *helpers;
    size_t helper_count;
    unsigned body;              /* of test->threads */
    struct litmus_block *block; /* the statements so far */
    /* Of the statement that is read: its accesses, the fences around them, and how deep it is in right sides of && and
     * ||. */
    unsigned accesses, conditional, before_count, after_count;
    bool fence_of_choice;
    struct litmus_fence before[MOST_FENCES], after[MOST_FENCES];
    struct litmus_vector *vector; /* a call that accesses several words fills it */
};

/* Keeps the first reason, and reads no further. */
void reader_fail(struct reader *reader, const char *why);
/* Past blanks: whether these characters come next; the same, and past them; past them, or a failure. */
bool reader_sees(struct reader *reader, const char *words);
bool reader_takes(struct reader *reader, const char *words);
void reader_expects(struct reader *reader, const char *words);
/* Past an identifier, up to 159 characters of which it copies; "" if there is none. */
void reader_word(struct reader *reader, char word[160]);
/* Past "p0_r3" with the letter r, of the thread that is read: 3. LITMUS_NONE, and nothing is taken, if it is something
 * else. */
int reader_name(struct reader *reader, char letter);
/* Past the next bracket that closes one which is open before it. */
void reader_skip_group(struct reader *reader);
const struct read_helper *reader_helper(const struct reader *reader, const char *name);

struct litmus_expression *read_expression(struct reader *reader);
/* What is asked of a number that is used as a condition, which GLSL compares with 0. */
struct litmus_expression *read_truth(const struct reader *reader, struct litmus_expression *expression);
/* A call of a helper, past its name. NULL if it is of a fence or an access of several words. */
struct litmus_expression *read_call(struct reader *reader, const struct read_helper *helper);
/* A number that stands for the bits of a float is its value. */
struct litmus_expression *read_as(const struct reader *reader, struct litmus_expression *expression,
                                  enum litmus_type type);
