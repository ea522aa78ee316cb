// SPDX-License-Identifier: Apache-2.0
/* NVRTC, which the CUDA backend loads. inspect_many compiles with it by itself, with ptxas and nvdisasm. */
#include <stdio.h>
#include <string.h>

#include "inspect/compile/compilers.h"

static bool name_one(size_t index, char word[64])
{
    (void)snprintf(word, 64, "nvrtc");
    return index == 0;
}

static bool owns(const char *word)
{
    return strcmp(word, "nvrtc") == 0;
}

static enum status version(const char *word, char version[128], struct error *error)
{
    const struct backend_source source = {.name = "version", .kernel = ""};
    struct backend_code code = {0};
    (void)word;
    const enum status status = backend_find("cuda")->compile_for("sm_90", &source, &code, error);
    if (code.compiler[0])
        (void)snprintf(version, 128, "%s", code.compiler);
    backend_code_release(&code);
    return code.compiler[0] ? STATUS_OK : status;
}

static void add_targets(const char *word, struct text *text)
{
    (void)word;
    text_add(text, "sm_70 to sm_90, with ptxas and nvdisasm");
}

static enum status check(const char *word, const struct inspect_target *target, struct error *error)
{
    (void)word;
    (void)target;
    return error_set(error, STATUS_USAGE,
                     "nvrtc takes --architecture sm_NN instead of --target, and is not compared with others");
}

const struct inspect_compiler_kind inspect_compiler_nvrtc = {
    .name_one = name_one, .owns = owns, .version = version, .add_targets = add_targets, .check = check};
