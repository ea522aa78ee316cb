// SPDX-License-Identifier: Apache-2.0
/* The rows of compilers.ini and of a user's file, and running their commands. */
#pragma once

#include "inspect/compile/compilers.h"

/* The keys of a row: X(name, word). docs/reference/compilers.md has their meaning. */
#define COMPILER_KEY_LIST(X)                                                                                           \
    X(COMMAND, "command")                                                                                              \
    X(THEN, "then")                                                                                                    \
    X(VERSION, "version")                                                                                              \
    X(CUMODE, "cumode")                                                                                                \
    X(TGSPLIT, "tgsplit")                                                                                              \
    X(LINES, "lines") /* the last that is split into words */                                                          \
    X(LANGUAGE, "language")                                                                                            \
    X(OUTPUT, "output")                                                                                                \
    X(VERSION_AFTER, "version-after")                                                                                  \
    X(PROGRAM, "program")                                                                                              \
    X(VARIABLE, "variable")                                                                                            \
    X(PACKAGE, "package")                                                                                              \
    X(INSTALLED, "installed")                                                                                          \
    X(PROCESSORS, "processors")                                                                                        \
    X(SECONDS, "seconds")

#define COMPILER_KEY_ENUM(name, word) COMPILER_##name,
enum { COMPILER_KEY_LIST(COMPILER_KEY_ENUM) COMPILER_KEY_COUNT };

/* What a compiler reads. */
struct compiler_language {
    const char *word, *backend; /* "glsl", and the backend for whose devices the kernel is written */
    const char *empty;          /* a kernel that does nothing, to see whether a target is known */
    /* Its code names innermost lines only, so that only the functions of the threads may have some. */
    bool innermost;
    bool has_words; /* of clang, for OpenCL's functions */
    bool is_cuda;   /* it has words for CUDA tests, and for no others */
};

/* What a compiler writes. */
struct compiler_output {
    const char *word, *target; /* "ptx", for "nvptx" */
    enum inspect_machine machine;
    const char *languages; /* those that there are rules for */
};

struct compiler_row {
    const char *name, *place; /* "clang", "compilers.ini:9:1" */
    const char *keys[COMPILER_KEY_COUNT];
    const struct compiler_language *language;
    const struct compiler_output *output;
    double seconds;
};

/* The row of that name, or of such a program: "clang-15", "/opt/llvm/bin/clang" are of clang. NULL: none. */
const struct compiler_row *compiler_row_named(const struct compiler_row *rows, size_t count, const char *word);

/* Runs the command of a row, and appends what it wrote. source: what it compiles; `all_lines`: with the words of the
 * key `lines`. said: what it printed besides. BUILD_FAILED, with its first error, if it refuses; UNSUPPORTED if there
 * is no such program; SYSTEM if it fails otherwise, or passes a limit. */
enum status compiler_row_run(const struct compiler_row *row, const char *program, const struct inspect_target *target,
                             const struct text *source, bool all_lines, struct text *code, struct text *said,
                             struct error *error);

/* What the version command prints after version-after, or in its first line: "clang 15.0.6". */
enum status compiler_row_version(const struct compiler_row *row, const char *program, char version[128],
                                 struct error *error);

/* Appends a kernel as the row's language has it; *first_line: of kernel->source in this text, from 1. */
void compiler_clang_add_unit(const struct compiler_row *row, const struct kernel *kernel, struct text *text,
                             unsigned *first_line);

/* Appends code with the lines that LLVM's lacks. said: what the compiler printed with the words of `lines`. */
void compiler_clang_add_code(const struct compiler_row *row, const struct kernel *kernel, const char *code,
                             const char *said, struct text *text);
