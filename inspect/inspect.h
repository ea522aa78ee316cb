// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a compiler kept a test: every access, fence and barrier of its threads is in the compiled code exactly once,
 * in the test's order, with its width, and with its scope and strength or more.
 *
 * The kernel's text has each step of a thread (an access, a fence, a barrier) on a line of its own (kernel.h, struct
 * kernel_step), and the compiled code gives the line that each instruction comes from. So the instructions of a step
 * are known. Two relations are compared: which step may follow which in the test, and which step's instructions follow
 * which in the control flow of the code, with nothing of another step between them. A pair that only the code has shows
 * an instruction that was dropped, doubled or moved. A table per machine (rules_NAME.c) lists the instructions that a
 * step needs.
 */
#pragma once

#include "base/record.h"
#include "inspect/inspect_lists.h"
#include "kernel/kernel.h"
#include "listing/listing.h"

#define INSPECT_FAULT_ENUM(name, word, meaning) INSPECT_##name,
enum inspect_fault { INSPECT_FAULT_LIST(INSPECT_FAULT_ENUM) INSPECT_FAULT_COUNT };

struct inspect_finding {
    enum inspect_fault fault;
    unsigned step;             /* index in kernel->steps */
    struct litmus_place place; /* in the test's text */
    const char *text;          /* "P1 line 7: the load of x is missing: ..."; the inspection's */
};

/* An access, fence or barrier that calls a function of the user's header. */
struct inspect_became {
    const char *function;     /* "load_acquire_device" */
    const char *code;         /* its instructions without operands: "ld.relaxed.gpu.b32; fence.acq_rel.gpu" */
    enum inspect_fault fault; /* INSPECT_FAULT_COUNT: as strong as its name */
};

struct inspection {
    enum kept kept;
    const char *reason; /* kept: empty. Merged, not kept: the first finding. Not inspected: why */
    struct inspect_finding *findings;
    size_t finding_count;
    /* Not kept: tests of which the code is one, each with the variables of the test, if some change of its weak
     * accesses makes them (amounts.h). They hold parts of the test. 0: none is known. */
    const struct litmus_test **amounts_to;
    size_t amounts_to_count;
    struct inspect_became *became; /* in the order of the steps */
    size_t became_count;
    struct arena arena;
};

/* Machines, each with a reader and a table of rules. */
enum inspect_machine { INSPECT_SASS, INSPECT_PTX, INSPECT_AMDGCN, INSPECT_SPIRV, INSPECT_MACHINE_COUNT };

/* A compiler's code, as text. */
struct inspect_code {
    enum inspect_machine machine;
    const char *text;         /* of SPIR-V, the words */
    size_t size;              /* of SPIR-V, in bytes; ignored for text, which ends with its null byte */
    const char *ptx;          /* SASS: its PTX, with .loc directives; NULL: the text has the kernel's lines */
    unsigned ptx_line;        /* of the PTX's first line in the assembled text, from 1; 0 means 1 */
    const char *architecture; /* "sm_90"; empty if the machine has only one, or the text says which */
    unsigned first_line;      /* of kernel->source in the compiled text, from 1: kernel_unit_line(backend, 1) */
};

/* Compares the code with the test. Code that cannot be read is not inspected, with the reason. The caller releases
 * *inspection. */
void inspect_code(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                  struct inspection *inspection);

/* Appends each instruction of the test, followed by its instructions in the code. SYNTAX if the code cannot be read. */
enum status inspect_print(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                          struct text *text, struct error *error);

/* Fills *inspection as not inspected, with the reason. */
void inspect_skip(struct inspection *inspection, const char *reason);

void inspection_release(struct inspection *inspection);

const char *inspect_fault_word(enum inspect_fault fault); /* "missing"; NULL for INSPECT_FAULT_COUNT */
const char *inspect_fault_meaning(enum inspect_fault fault);

/* A test that is not kept becomes merged if the inspection knows tests that the code amounts to, and no outcome that
 * one of them allows is forbidden by the test, each as the model judges it that decides on the device. Of a range of
 * threads that no model can judge, two stand for all. A test that cannot be judged is not inspected. */
void judge_merged(const struct litmus_test *test, const struct backend_device *device, struct inspection *inspection);

/* Compares the code with the test (inspect_code), and judges the difference. */
void inspect_and_judge(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                       const struct backend_device *device, struct inspection *inspection);
