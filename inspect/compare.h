// SPDX-License-Identifier: Apache-2.0
/* A body of a test and its instructions in the code, which compare.c gathers and findings.c judges. */
#pragma once

#include "inspect/follows.h"

/* An instruction of the listing that comes from a step of the body. */
struct action {
    size_t instruction;
    unsigned step;
    unsigned matches;       /* bit i: it does what the step's i-th piece needs */
    bool loops;             /* a compare-and-swap that does the step's read-modify-write, in a loop (swap_loops.h) */
    bool repeats, gives_up; /* if it loops: when it has failed, it may come next, or something else */
};

/* Two actions, or bounds, that the code may run in succession, with no other action of the body between them. */
struct code_pair {
    long from, to; /* indexes of actions, or CODE_START, CODE_END */
    bool leaves;   /* a path between them may leave the body and return in the kernel's next round */
    bool passes;   /* a path between them runs an instruction of a step that is not compared */
};
enum { CODE_START = -1, CODE_END = -2 };

struct body_code {
    const struct inspect_subject *subject;
    unsigned body;
    const struct follows *follows;
    struct action *actions;
    size_t action_count;
    bool *reads;  /* per instruction: a load by which a compare-and-swap knows what to expect; no action */
    bool *passed; /* per instruction: it is an access of a step that is not compared; no action */
    struct code_pair *pairs;
    size_t pair_count;
    struct arena arena;
};

/* The line of a thread's function, in kernel->source, that contains the instruction or the call that leads to it, at
 * any depth; or 0. *in_helper: the instruction is in one of the test's helpers, called from that line. */
unsigned thread_line(const struct inspect_subject *subject, const struct machine_instruction *instruction,
                     bool *in_helper);

/* Finds where paths leave a body: outside, the kernel's own branches (LLVM gives no lines to the branches of AMD GPUs;
 * there, blocks of the kernel); meeting, the kernel's own barriers. Per instruction; both arrays are zeroed. */
void find_landmarks(const struct inspect_subject *subject, unsigned body, bool *outside, bool *meeting);

/* Whether a step of the body has an action. */
bool code_has_step(const struct body_code *code, unsigned step);

/* Appends the findings for a body's code. */
void findings_of_body(const struct body_code *code, struct inspection *inspection);

/* Appends a finding, unless the step already has one with that fault. format is the text after "P0 line 7: 'st.weak
 * [x], 1' ". */
void findings_add(const struct inspect_subject *subject, struct inspection *inspection, enum inspect_fault fault,
                  unsigned step, const char *format, ...) __attribute__((format(printf, 5, 6)));
