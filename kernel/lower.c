// SPDX-License-Identifier: Apache-2.0
/* What the lowerings share: the words of OpenCL C and CUDA C++, and of GLSL, that differ in generated text; and a shape
 * in the words of the language that is emitted. */
#include "kernel/lower.h"

const struct syntax syntax_c = {
    .jumps = true,
    .global = "GLOBAL u32 *",
    .local = "LOCAL u32 *",
    .place = {"", NULL, ""},
    .address = "u64",
    .cast = {"(", ")", ""},
    .read = {{"*(GLOBAL ", " *)", ""}, {"*(GLOBAL ", " *)", ""}, {"*(LOCAL ", " *)", ""}},
    .set = {{"*(GLOBAL ", " *)", ""}, {"*(GLOBAL ", " *)", ""}, {"*(LOCAL ", " *)", ""}},
    .long_suffix = "u",
    .reference = {"", " *", ""},
    .refer = "&",
    .converts = true,
    .drop = "(void)",
    .condition = {"", NULL, ""},
    .number = {"", NULL, ""},
};

const struct syntax syntax_glsl = {
    .global = "PLACE ",
    .local = "u32 ",
    .place = {"PLACED(", NULL, ")"},
    .address = "PLACE",
    .cast = {"", "(", ")"},
    .read = {{"", "(memory[", "])"}, {"", "(memory_64[(", ") / 2])"}, {"", "(local_memory[", "])"}},
    .set = {{"memory[", NULL, "]"}, {"memory_64[(", NULL, ") / 2]"}, {"local_memory[", NULL, "]"}},
    .long_suffix = "ul",
    .reference = {"inout ", " ", ""},
    .refer = "",
    .drop = "",
    .condition = {"((", NULL, ") != 0)"},
    .number = {"int(", NULL, ")"},
    .longs = "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
             "#extension GL_EXT_shader_atomic_int64 : require\n"
             "#undef LONGS\n#define LONGS(long_number, number) long_number\nVIEWS(u64, LONG, _64);\n",
    .shorts = "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n"
              "#extension GL_EXT_shader_16bit_storage : require\nVIEWS(u16, s16, _16);\n",
    .chars = "#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require\n"
             "#extension GL_EXT_shader_8bit_storage : require\nVIEWS(u8, s8, _8);\n",
};

const struct syntax syntax_wgsl = {
    .global = "u32 ",
    .local = "u32 ",
    .place = {"", NULL, ""},
    .address = "u64",
    .cast = {"", "(", ")"},
    .read = {[SYNTAX_GLOBAL] = {"", "(memory[", "])"},
             [SYNTAX_LOCAL] = {"", "(local_memory[", "])"},
             [SYNTAX_PLAIN] = {"", "(plain[", "])"},
             [SYNTAX_PLAIN_LOCAL] = {"", "(plain_local[", "])"}},
    .set = {[SYNTAX_GLOBAL] = {"memory[", NULL, "]"},
            [SYNTAX_LOCAL] = {"local_memory[", NULL, "]"},
            [SYNTAX_PLAIN] = {"plain[", NULL, "]"},
            [SYNTAX_PLAIN_LOCAL] = {"plain_local[", NULL, "]"}},
    .parts_plain = true,
    .long_suffix = "u",
    .reference = {"inout ", " ", ""},
    .refer = "",
    .drop = "",
    .condition = {"((", NULL, ") != 0)"},
    .number = {"int(", NULL, ")"},
    .longs = "",
    .shorts = "",
    .chars = "",
};

void syntax_open(const struct syntax_around *around, const char *type, struct text *text)
{
    text_add(text, "%s%s%s", around->before, around->type ? type : "", around->type ? around->type : "");
}

const char *lower_type(enum litmus_type type)
{
    static const char *const names[LITMUS_TYPE_COUNT] = {
        [LITMUS_CHAR] = "s8",       [LITMUS_UCHAR] = "u8",     [LITMUS_SHORT] = "s16",   [LITMUS_USHORT] = "u16",
        [LITMUS_INT] = "int",       [LITMUS_UINT] = "u32",     [LITMUS_LONG] = "LONG",   [LITMUS_ULONG] = "u64",
        [LITMUS_SIZE] = "u64",      [LITMUS_PTRDIFF] = "LONG", [LITMUS_INTPTR] = "LONG", [LITMUS_UINTPTR] = "u64",
        [LITMUS_FLOAT] = "u32",     [LITMUS_DOUBLE] = "u64",   [LITMUS_FLAG] = "int",    [LITMUS_MBARRIER] = "u64",
        [LITMUS_TENSORMAP] = "u64",
    };
    return names[type];
}

/* ---- a shape in the words of the language that is emitted ---- */

enum status lower_mapped(const struct mapping *mapping, const struct access_shape *shape, struct access_shape *mapped,
                         struct mapped_fences *fences, struct error *error)
{
    struct litmus_access access = {
        .operation = shape->operation, .ordering = shape->ordering, .failure = shape->failure};
    TRY(mapping->access(shape->region, shape->is_volatile, &access, fences, error));
    *mapped = *shape;
    mapped->operation = access.operation;
    mapped->ordering = access.ordering;
    mapped->failure = access.failure;
    return STATUS_OK;
}
