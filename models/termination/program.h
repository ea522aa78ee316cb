// SPDX-License-Identifier: Apache-2.0
/* A test as one list of instructions, each of which accesses memory at most once; and the values that it computes. */
#pragma once

#include "litmus/language/value.h"
#include "litmus/litmus.h"

enum { PROGRAM_MAXIMUM_INSTRUCTIONS = 1000 }; /* of all bodies; finding each `join` takes the square of this */
enum { PROGRAM_END = 1 };                     /* the instruction that ends a thread */

enum instruction_kind {
    INSTRUCTION_BODY,    /* each thread goes to the start of its body: the first instruction */
    INSTRUCTION_SET,     /* register target = expression; the statement is over */
    INSTRUCTION_BRANCH,  /* to `to` if the expression is 0, or is not; NULL: always */
    INSTRUCTION_ACCESS,  /* slot target = the result of the expression's access */
    INSTRUCTION_VECTOR,  /* accesses of several words, at once */
    INSTRUCTION_BARRIER, /* waits; a function of several lanes then gives each its result */
    INSTRUCTION_END      /* of all bodies */
};

struct program_step {
    enum instruction_kind kind;
    const struct litmus_expression *expression;
    const struct litmus_statement *statement; /* VECTOR, BARRIER */
    int target;                               /* SET: LITMUS_NONE if the value is dropped */
    unsigned to;                              /* BRANCH */
    bool if_nonzero;                          /* BRANCH */
    bool over;                                /* BRANCH: the statement's results are needed no more */
    unsigned join;                            /* BRANCH: the first instruction on every way from here to the end */
    struct litmus_place place;
};

/* Each thread has `slots` values: its registers, then the results of accesses within the present statement. */
struct test_program {
    const struct litmus_test *test;
    struct program_step *instructions;
    unsigned count;
    unsigned *starts; /* of each body; bodies with the same code have the same */
    struct {
        const struct litmus_expression *access;
        unsigned slot;
    } * results;
    size_t result_count;
    unsigned slots;
    struct arena arena; /* of all these */
};

/* False with the reason in *reason, which is the arena's, if the test has what is not followed. The caller calls
 * program_release in any case. */
bool program_make(struct test_program *program, const struct litmus_test *test, const char **reason);
void program_release(struct test_program *program);

/* The value of an expression in a thread with these slots. False: an index is outside its array. */
bool program_evaluate(const struct test_program *program, unsigned body, const int64_t *slots,
                      const struct litmus_expression *expression, struct litmus_value *value);
