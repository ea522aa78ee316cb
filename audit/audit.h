// SPDX-License-Identifier: Apache-2.0
/*
 * Where kernels communicate, and what the memory model allows there. An audit reads the PTX that compilers make of
 * programs, finds communications between threads (a pattern each: audit/pattern.h), makes a litmus test of the
 * instructions of each, and has the model judge it. What the model forbids is no finding.
 *
 * The two ends of a communication are judged apart, each with an ideal partner: a finding names one instruction to
 * change, and a flag of another kernel needs no second kernel. It is no race detector: silence about a kernel means
 * only that none of the patterns was found broken in it. Kernels that the audit cannot follow are listed with the
 * reason, and never silent.
 *
 * Ownership: everything lives in the audit's arena until audit_release.
 */
#pragma once

#include "base/base.h"

/* What is looked for. X(name, word, meaning) */
#define AUDIT_PATTERN_LIST(X)                                                                                          \
    X(LAUNCH, "launch", "a launch that may overlap the previous launch and accesses memory before waiting")            \
    X(TAKE, "take", "data read after a flag or a counter was seen")                                                    \
    X(PUBLISH, "publish", "data written before a flag is set or a counter is raised")                                  \
    X(PROXY, "proxy", "memory that is handed over between ordinary accesses and asynchronous copies or wgmma")         \
    X(SHARED, "shared", "shared memory that two threads of a block access")

/* How sure a finding is. X(name, word, meaning, severity: see enum document_severity) */
#define AUDIT_GRADE_LIST(X)                                                                                            \
    X(ALLOWED, "allowed", "not safe, because the PTX model allows it", UNSOUND)                                        \
    X(LETTER, "letter",                                                                                                \
      "allowed by the letter of the PTX model; programs of this form fail rarely, and a fence more ends the doubt",    \
      NOTICE)                                                                                                          \
    X(DEPENDS, "depends", "depends on code that the audit does not see", NOTICE)

#define AUDIT_ENUM(name, ...) AUDIT_##name,
enum audit_pattern { AUDIT_PATTERN_LIST(AUDIT_ENUM) AUDIT_PATTERN_COUNT };
enum audit_grade { AUDIT_GRADE_LIST(AUDIT_ENUM) AUDIT_GRADE_COUNT };

/* An instruction, and where the program has it. */
struct audit_spot {
    const char *text; /* as in the PTX; NULL: there is no such instruction */
    unsigned ptx_line;
    /* The line of the program: the innermost that is not in a header of the CUDA toolkit; "" and 0: the module has no
     * lines. Then the places into which it was inlined and that were inlined into it: "FILE:LINE", innermost first. */
    const char *file;
    unsigned line;
    const char **chain;
    size_t chain_count;
};

/* A test that was made of instructions, and the model's answer. */
struct audit_test {
    const char *name; /* "audit-1f0c93aa2b41": of its text */
    const char *text; /* of the whole test */
    unsigned ideal;   /* bits: threads that are no code of a kernel, but an ideal partner */
    bool judged;
    const char *reason; /* not judged: why */
    bool allowed;       /* the model allows its condition */
    const char
        *repair; /* allowed: the smallest change that forbids it, as a sentence without a full stop; NULL: none */
};

struct audit_finding {
    enum audit_pattern pattern;
    enum audit_grade grade;
    struct audit_spot at;     /* the instruction that the finding is about */
    struct audit_spot other;  /* the data's access, or the partner's; the first of several */
    const char *says;         /* one or two sentences */
    const char **assumptions; /* sentences without a full stop */
    size_t assumption_count;
    const struct audit_test *test;
    const char *path;   /* of the module */
    const char *kernel; /* the first that has it */
    size_t kernels;     /* how many have it: of a template, each instance */
};

/* A kernel, or a module, that was not judged. */
struct audit_gap {
    const char *path;
    const char *kernel; /* NULL: the whole module */
    const char *reason;
};

struct audit_options {
    unsigned block[3]; /* the threads of a block in x, y and z, for kernels that do not say; 0: unknown */
    double seconds;    /* for each kernel, and for each test; 0: the default of 5 */
    bool repairs;      /* look for the smallest change */
    bool all;          /* also what is seldom a fault in public code: flags that a kernel only reads, buffers whose
                        * pointers are loaded from one table, what is stored after the trigger of the next launch, and
                        * writes and loads of constants before the wait of a launch */
};

struct audit {
    struct arena arena;
    struct audit_options options;
    struct audit_finding *findings; /* in order of files and lines */
    size_t finding_count;
    struct audit_gap *gaps;
    size_t gap_count;
    struct audit_test **tests; /* that were judged, each once */
    size_t test_count;
    size_t modules, kernels, instructions;      /* that were read; kernels that are gaps too */
    size_t communications[AUDIT_PATTERN_COUNT]; /* found: what of these the model forbids is no finding */
    struct audit_work *work;                    /* private to the room */
};

/* Starts an audit; `audit` is uninitialised. The caller releases it whatever happens. */
void audit_begin(struct audit *audit, const struct audit_options *options);

/* Reads a module: text ends with a NUL byte at [size]. What it cannot read becomes a gap. */
void audit_add(struct audit *audit, const char *path, const char *text, size_t size);

/* Judges the tests and keeps as findings what the model allows. Called once, after the modules. Fails if the model
 * cannot be loaded. */
enum status audit_judge(struct audit *audit, struct error *error);

void audit_release(struct audit *audit);

const char *audit_pattern_word(enum audit_pattern pattern);
const char *audit_pattern_meaning(enum audit_pattern pattern);
const char *audit_grade_word(enum audit_grade grade);
const char *audit_grade_meaning(enum audit_grade grade);
