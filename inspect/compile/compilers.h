// SPDX-License-Identifier: Apache-2.0
/* Compilers that need no device, and the targets that they compile for. Those that are programs are rows of
 * compilers.ini or of a user's file. */
#pragma once

#include "base/terminal/table.h"
#include "inspect/inspect.h"

/* The word of the compiler of VULKAN tests, for which the target is "spirv". */
#define INSPECT_GLSLANG "glslang"

/* What code is made for: "amdgcn:gfx90a", "amdgcn:gfx1030:cumode", "nvptx:sm_80", "spirv". */
struct inspect_target {
    const char *machine; /* "amdgcn", "nvptx" or "spirv" */
    char processor[32];  /* "gfx90a"; of SPIR-V empty */
    char mode[16];       /* "cumode" or "tgsplit"; empty: the processor's usual one */
};

/* What a kernel became. */
struct compiled_kernel {
    enum inspect_machine machine;
    struct text code;
    unsigned first_line; /* of kernel->source in the text that was compiled, from 1 */
    bool has_all_lines;  /* false: instructions may lack their lines, and compiling again gives them */
};

/* The compilers that are known. */
struct inspect_compilers {
    struct compiler_row *rows; /* those of orchil first */
    size_t count, built_in;
    struct arena arena; /* of the rows; to be released */
};

/* One of them. */
struct inspect_compiler {
    const char *word;    /* "clang-15", "/opt/llvm/bin/clang", "nvrtc" */
    const char *program; /* that is run; of a library NULL */
    const struct compiler_library *library;
    const struct compiler_row *rows; /* the first of that name */
    size_t count;                    /* of the rows from there on */
};

/* Reads orchil's own rows and, if own is set, those of the user's configuration folder; and of the file `path`, unless
 * it is NULL. SYNTAX, with the place, if a row is wrong, or has the name of another; UNREADABLE if a file is, or may be
 * changed by other users. */
enum status inspect_compilers_read(bool own, const char *path, struct inspect_compilers *compilers,
                                   struct error *error);

/* Adds a row for each that packages or files name: its word, its version, the targets for which there are rules; or
 * "absent", and why. */
void inspect_compilers_list(const struct inspect_compilers *compilers, struct table *table);

/* The compiler that a word names. USAGE, with the words there are, if it names none. */
enum status inspect_compiler_find(const struct inspect_compilers *compilers, const char *word,
                                  struct inspect_compiler *compiler, struct error *error);

/* Its version, "clang 15.0.6", as the program says. UNSUPPORTED, with the package that has it, if there is no such
 * program. */
enum status inspect_compiler_version(const struct inspect_compiler *compiler, char version[128], struct error *error);

/* Whether this program knows the target; UNSUPPORTED, with its own words, if not. */
enum status inspect_compiler_check(const struct inspect_compiler *compiler, const struct inspect_target *target,
                                   struct error *error);

/* Whether the compiler has a row for the target: one for CUDA tests if is_cuda, else one for all others. */
bool inspect_compiler_takes(const struct inspect_compiler *compiler, const struct inspect_target *target, bool is_cuda);

/* Compiles the kernel of tests that it takes. all_lines: with the line of each instruction, also where that takes
 * longer. BUILD_FAILED, with the compiler's first error, if it rejects the kernel. The caller releases compiled->code
 * whatever the result. */
enum status inspect_compiler_compile(const struct inspect_compiler *compiler, const struct inspect_target *target,
                                     bool is_cuda, const struct kernel *kernel, bool all_lines,
                                     struct compiled_kernel *compiled, struct error *error);

/* Reads one target. USAGE, with the form that is expected. */
enum status inspect_target_read(const char *word, struct inspect_target *target, struct error *error);

/* "amdgcn:gfx90a" */
void inspect_target_add(const struct inspect_target *target, struct text *text);

/* The device for which kernels of the target are generated; it need not exist. */
const struct backend_device *inspect_target_device(const struct inspect_target *target);
