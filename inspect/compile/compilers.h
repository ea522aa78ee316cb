// SPDX-License-Identifier: Apache-2.0
/* Compilers that need no device, and the targets that they compile for. A kind of compilers is a row of the table in
 * compilers.c. */
#ifndef ORCHIL_INSPECT_COMPILE_COMPILERS_H
#define ORCHIL_INSPECT_COMPILE_COMPILERS_H

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

enum { INSPECT_COMPILER_WORDS = 5 };

struct inspect_compiler_kind {
    /* The words of those that Debian or NVIDIA packages, NULL-terminated. */
    const char *words[INSPECT_COMPILER_WORDS + 1];
    /* Whether the word names a compiler of this kind: "clang-15", "/opt/llvm/bin/clang". NULL: it has one word. */
    bool (*owns)(const char *word);
    /* Its version, "clang 15.0.6", as the program says. UNSUPPORTED, with the package that has it, if there is no such
     * program. */
    enum status (*version)(const char *word, char version[128], struct error *error);
    /* The targets that it has, of those for which there are rules: "amdgcn". NULL: add_targets appends those of this
     * program, "gfx90a gfx1030". */
    const char *targets;
    void (*add_targets)(const char *word, struct text *text);
    /* Whether this program knows the target; UNSUPPORTED, with its own words, if not. */
    enum status (*check)(const char *word, const struct inspect_target *target, struct error *error);
    /* Compiles. NULL: inspect_many does so itself. all_lines: with the line of each instruction, also where that takes
     * longer. BUILD_FAILED, with the compiler's first error, if it rejects the kernel. The caller releases
     * compiled->code whatever the result. */
    enum status (*compile)(const char *word, const struct inspect_target *target, const struct kernel *kernel,
                           bool all_lines, struct compiled_kernel *compiled, struct error *error);
};

/* The kinds, NULL-terminated. */
extern const struct inspect_compiler_kind *const inspect_compiler_kinds[];

/* The kind of the compiler that a word names. USAGE, with the words there are, if it names none. */
enum status inspect_compiler_find(const char *word, const struct inspect_compiler_kind **kind, struct error *error);

/* Reads one target. USAGE, with the form that is expected. */
enum status inspect_target_read(const char *word, struct inspect_target *target, struct error *error);

/* "amdgcn:gfx90a" */
void inspect_target_add(const struct inspect_target *target, struct text *text);

/* The device for which kernels of the target are generated; it need not exist. */
const struct backend_device *inspect_target_device(const struct inspect_target *target);

extern const struct inspect_compiler_kind inspect_compiler_clang, inspect_compiler_glslang;

#endif
