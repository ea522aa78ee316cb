// SPDX-License-Identifier: Apache-2.0
/* The words of OpenCL C and CUDA C++, and of GLSL, that differ in generated text. */
#include "runner/kernel/syntax.h"

#include <stddef.h>

const struct syntax syntax_c = {
    .jumps = true,
    .global = "GLOBAL u32 *",
    .local = "LOCAL u32 *",
    .cast = {"(", ")", ""},
    .read_global = {"*(GLOBAL ", " *)", ""},
    .read_local = {"*(LOCAL ", " *)", ""},
    .set_global = {"*(GLOBAL ", " *)", ""},
    .set_local = {"*(LOCAL ", " *)", ""},
    .reference = {"", " *", ""},
    .refer = "&",
    .converts = true,
    .drop = "(void)",
    .condition = {"", NULL, ""},
    .number = {"", NULL, ""},
};

const struct syntax syntax_glsl = {
    .global = "u32 ",
    .local = "u32 ",
    .cast = {"", "(", ")"},
    .read_global = {"", "(memory[", "])"},
    .read_local = {"", "(local_memory[", "])"},
    .set_global = {"memory[", NULL, "]"},
    .set_local = {"local_memory[", NULL, "]"},
    .reference = {"inout ", " ", ""},
    .refer = "",
    .drop = "",
    .condition = {"((", NULL, ") != 0)"},
    .number = {"int(", NULL, ")"},
};

void syntax_open(const struct syntax_around *around, const char *type, struct text *text)
{
    text_add(text, "%s%s%s", around->before, around->type ? type : "", around->type ? around->type : "");
}
