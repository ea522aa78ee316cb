// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a compiler kept a test: every access, fence and barrier of its threads is in the compiled code, none is missing, none
 * is there twice, and their order, width, scope and strength are those of the test or stronger.
 *
 * How. The kernel's text has each step of a thread (an access, a fence, a barrier) on a line of its own (kernel.h,
 * struct kernel_step), and the compiled code says which line each instruction comes from. So the instructions of a step are
 * known. Two relations are compared: which step may follow which in the test, and which step's instructions follow which
 * in the control flow of the code, with nothing of another step between them. A pair that only the code has is an
 * instruction that was dropped, doubled or moved. A table per machine (rules_NAME.c) says what instructions a step needs.
 */
#ifndef ORCHIL_RUNNER_INSPECT_INSPECT_H
#define ORCHIL_RUNNER_INSPECT_INSPECT_H

#include "base/record.h"
#include "runner/inspect/listing.h"
#include "runner/kernel/kernel.h"

/* X(name, word): what is wrong with a step's instructions. */
#define INSPECT_FAULT_LIST(X)                                                                                          \
    X(MISSING, "missing")   /* no instruction of the code comes from it */                                             \
    X(DOUBLED, "doubled")   /* it may run twice where the test runs it once */                                         \
    X(MOVED, "moved")       /* it runs before or after a step that the test has on its other side */                   \
    X(NARROWED, "narrowed") /* its scope is narrower */                                                                \
    X(WEAKENED, "weakened") /* its order is weaker, or the fence that it needs is missing */                           \
    X(RESIZED, "resized")   /* it moves fewer or more bytes, or several pieces */                                      \
    X(CHANGED, "changed")   /* another kind of access */                                                               \
    X(ADDED, "added")       /* an access of test memory that no step asks for */                                       \
    X(ALLOWS, "allows")     /* the compiled test allows an outcome that the test forbids: of no step, its place is 0 */

#define INSPECT_FAULT_ENUM(name, word) INSPECT_##name,
enum inspect_fault { INSPECT_FAULT_LIST(INSPECT_FAULT_ENUM) INSPECT_FAULT_COUNT };
#undef INSPECT_FAULT_ENUM

struct inspect_finding {
    enum inspect_fault fault;
    unsigned step;             /* index in kernel->steps */
    struct litmus_place place; /* in the test's text */
    const char *text;          /* a sentence for people: "P1 line 7: the load of x is missing: ..."; the inspection's */
};

struct inspection {
    enum kept kept;
    const char *reason; /* kept: empty. Not kept: the first finding. Not inspected: why */
    struct inspect_finding *findings;
    size_t finding_count;
    struct arena arena;
};

/* Whose code it is: a reader and a table of rules. */
enum inspect_machine { INSPECT_SASS, INSPECT_PTX, INSPECT_X86, INSPECT_MACHINE_COUNT };

/* A compiler's code, as text. */
struct inspect_code {
    enum inspect_machine machine;
    const char *text;
    const char
        *ptx; /* SASS: the PTX that it was made from, with .loc directives; NULL: the text has the kernel's lines */
    unsigned ptx_line;        /* the line of the PTX's first line in what was assembled, from 1; 0 is 1 */
    const char *architecture; /* "sm_90"; empty where the machine has but one */
    unsigned first_line; /* on which kernel->source starts in what was compiled, from 1: kernel_unit_line(backend, 1) */
};

/* Compares the code with the test. Never fails: what cannot be read is not inspected, with the reason. The caller releases
 * *inspection. */
void inspect_code(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                  struct inspection *inspection);

/* Appends the code's instructions that the steps of the test have, each after the test's instruction. SYNTAX where the code
 * cannot be read. */
enum status inspect_print(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                          struct text *text, struct error *error);

/* The same without a text: not inspected, for a reason. */
void inspect_skip(struct inspection *inspection, const char *reason);

void inspection_release(struct inspection *inspection);

const char *inspect_fault_word(enum inspect_fault fault); /* "missing" */

#endif
