// SPDX-License-Identifier: Apache-2.0
/* A body of a test and the instructions that the code has for it: what compare.c gathers and findings.c judges. Private. */
#ifndef ORCHIL_RUNNER_INSPECT_COMPARE_H
#define ORCHIL_RUNNER_INSPECT_COMPARE_H

#include "runner/inspect/follows.h"

/* An instruction of the listing that was made from a step of the body. */
struct action {
    size_t instruction;
    unsigned step;
    unsigned matches; /* bit i: it does what the step's i-th piece needs; 0: it does none of them */
};

/* Two actions, or bounds, of which the code may run one after the other with no other of the body between them. */
struct code_pair {
    long from, to; /* indexes of actions, or CODE_START, CODE_END */
    bool leaves;   /* the way between them may be one that leaves the body and comes back in the kernel's next round */
};
enum { CODE_START = -1, CODE_END = -2 };

struct body_code {
    const struct inspect_subject *subject;
    unsigned body;
    const struct follows *follows;
    struct action *actions;
    size_t action_count;
    struct code_pair *pairs;
    size_t pair_count;
    struct arena arena;
};

/* The line of a thread's function, in kernel->source, that the instruction is written in or was called from, at whatever
 * depth; or 0. *in_helper: it is written in one of the test's helpers, called there. */
unsigned thread_line(const struct inspect_subject *subject, const struct machine_instruction *instruction,
                     bool *in_helper);

/* Appends the instructions that steps have, each line's after the steps of that line. */
void print_listing(const struct inspect_subject *subject, struct text *text);

/* Whether the instruction does what a need asks for, or more; and the first fault where it does not. */
bool compare_satisfies(const struct machine_instruction *instruction, const struct inspect_need *need);
enum inspect_fault compare_fault(const struct machine_instruction *instruction, const struct inspect_need *need);

/* Appends what is wrong with a body's code. */
void findings_of_body(const struct body_code *code, struct inspection *inspection);

/* Appends a finding, unless the step has one of that fault. format is what follows "P0 line 7: 'st.weak [x], 1' ". */
void findings_add(const struct inspect_subject *subject, struct inspection *inspection, enum inspect_fault fault,
                  unsigned step, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
