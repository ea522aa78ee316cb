// SPDX-License-Identifier: Apache-2.0
/* Khronos' glslang, with which the Vulkan backend compiles GLSL to SPIR-V. It needs no device. */
#include <stdio.h>
#include <string.h>

#include "inspect/compile/compilers.h"

static bool name_one(size_t index, char word[64])
{
    (void)snprintf(word, 64, "%s", INSPECT_GLSLANG);
    return index == 0;
}

static bool owns(const char *word)
{
    return strcmp(word, INSPECT_GLSLANG) == 0;
}

static enum status compile_text(const char *name, const char *text, struct backend_code *code, struct error *error)
{
    const struct backend_source source = {.name = name, .kernel = text};
    return backend_find("vulkan")->compile_for("", &source, code, error);
}

/* The program is asked for its version by compiling nothing. */
static enum status version(const char *word, char version[128], struct error *error)
{
    struct backend_code code = {0};
    (void)word;
    const enum status status = compile_text("version", "void main() {}\n", &code, error);
    if (status == STATUS_OK)
        (void)snprintf(version, 128, "%s", code.compiler);
    backend_code_release(&code);
    return status;
}

static void add_targets(const char *word, struct text *text)
{
    (void)word;
    text_add(text, "spirv");
}

static enum status check(const char *word, const struct inspect_target *target, struct error *error)
{
    return strcmp(target->machine, "spirv") == 0
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED, "%s compiles for the target spirv alone", word);
}

/* -g gives every instruction its line. */
static enum status compile(const char *word, const struct inspect_target *target, const struct kernel *kernel,
                           bool all_lines, struct compiled_kernel *compiled, struct error *error)
{
    struct backend_code code = {0};
    (void)word, (void)target, (void)all_lines;
    enum status status = compile_text("the test", kernel->source, &code, error);
    if (status == STATUS_OK)
        text_add_bytes(&compiled->code, code.bytes.data, code.bytes.size);
    backend_code_release(&code);
    compiled->machine = INSPECT_SPIRV;
    compiled->first_line = kernel_unit_line(backend_find("vulkan"), 1);
    compiled->has_all_lines = true;
    return status;
}

const struct inspect_compiler_kind inspect_compiler_glslang = {.name_one = name_one,
                                                               .owns = owns,
                                                               .version = version,
                                                               .add_targets = add_targets,
                                                               .check = check,
                                                               .compile = compile};
