// SPDX-License-Identifier: Apache-2.0
/*
 * HIPRTC, which the HIP backend loads: the kernel that this backend runs, for an AMD GPU that need not
 * be there. The code object is disassembled.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inspect/amdgcn/disassemble_amdgcn.h"
#include "inspect/compile/compilers.h"

static bool name_one(size_t index, char word[64])
{
    (void)snprintf(word, 64, "hiprtc");
    return index == 0;
}

static bool owns(const char *word)
{
    return strcmp(word, "hiprtc") == 0;
}

static enum status compile_empty(const char *processor, struct backend_code *code, struct error *error)
{
    const struct backend_source source = {.name = "empty", .kernel = ""};
    return backend_find("hip")->compile_for(processor, &source, code, error);
}

static enum status version(const char *word, char version[128], struct error *error)
{
    struct backend_code code = {0};
    (void)word;
    const enum status status = compile_empty("gfx90a", &code, error);
    if (code.compiler[0])
        (void)snprintf(version, 128, "%s", code.compiler);
    backend_code_release(&code);
    return code.compiler[0] ? STATUS_OK : status;
}

static enum status check(const char *word, const struct inspect_target *target, struct error *error)
{
    struct backend_code code = {0};
    int ended = 0;
    (void)word;
    if (strcmp(target->machine, "amdgcn") != 0 || target->mode[0])
        return error_set(error, STATUS_UNSUPPORTED, "HIPRTC compiles for amdgcn only, in a processor's usual mode");
    (void)fflush(NULL);
    const pid_t process = fork();
    if (process == 0) { /* HIPRTC 5.2 crashes for a processor that it does not know */
        const enum status status = compile_empty(target->processor, &code, error);
        _exit(status == STATUS_OK ? 0 : 1);
    }
    while (process > 0 && waitpid(process, &ended, 0) < 0 && errno == EINTR)
        ;
    if (process > 0 && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED, "HIPRTC %s %s: this version may not know it",
                     process > 0 && WIFSIGNALED(ended) ? "crashed when it compiled for" : "did not compile for",
                     target->processor);
}

static void add_targets(const char *word, struct text *text)
{
    (void)word;
    text_add(text, "amdgcn, with llvm-objdump and llvm-dwarfdump");
}

static enum status compile(const char *word, const struct inspect_target *target, const struct kernel *kernel,
                           bool all_lines, struct compiled_kernel *compiled, struct error *error)
{
    struct backend_source source = {
        .name = "inspected", .kernel = kernel->source, .functions_line = kernel->functions_line};
    struct backend_code code = {0}, twin = {0};
    bool needs_twin = false;
    (void)word;
    enum status status = backend_find("hip")->compile_for(target->processor, &source, &code, error);
    source.apart_line = kernel->helpers_line;
    if (status == STATUS_OK && all_lines)
        status = backend_find("hip")->compile_for(target->processor, &source, &twin, error);
    if (status == STATUS_OK)
        status = disassemble_amdgcn(&code.bytes, all_lines ? &twin.bytes : NULL, kernel, target->processor,
                                    &compiled->code, &needs_twin, error);
    backend_code_release(&code);
    backend_code_release(&twin);
    compiled->machine = INSPECT_AMDGCN;
    compiled->first_line = 1;
    compiled->has_all_lines = !needs_twin;
    return status;
}

const struct inspect_compiler_kind inspect_compiler_hiprtc = {.name_one = name_one,
                                                              .add_targets = add_targets,
                                                              .owns = owns,
                                                              .version = version,
                                                              .check = check,
                                                              .compile = compile};
