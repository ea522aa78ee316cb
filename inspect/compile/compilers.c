// SPDX-License-Identifier: Apache-2.0
/* The table of compilers. */
#include "inspect/compile/compilers.h"

#include <string.h>

const struct inspect_compiler_kind *const inspect_compiler_kinds[] = {
    &inspect_compiler_nvrtc, &inspect_compiler_hiprtc, &inspect_compiler_clang, &inspect_compiler_glslang, NULL};

enum status inspect_compiler_find(const char *word, const struct inspect_compiler_kind **kind, struct error *error)
{
    for (size_t i = 0; inspect_compiler_kinds[i]; i++)
        if (inspect_compiler_kinds[i]->owns(word)) {
            *kind = inspect_compiler_kinds[i];
            return STATUS_OK;
        }
    return error_set(
        error, STATUS_USAGE,
        "'%s' is no compiler that orchil knows; expected nvrtc, hiprtc, glslang, or a clang such as clang-19 "
        "or /opt/llvm/bin/clang",
        word);
}
