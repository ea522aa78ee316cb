// SPDX-License-Identifier: Apache-2.0
/* Finds the local variables that only ever hold constants, and what is asked of them. */
#include "inspect/spirv/spirv_flags.h"

enum { VARIABLE = 59, EQUAL = 170, NOT_EQUAL = 171, OF_FUNCTION = 7 /* the storage class */ };

/* A word may be a literal that looks like the variable's id; then the variable is not a flag. */
static void drop_other_uses(const struct spirv_module *module, size_t at, bool *holds_constants)
{
    const unsigned opcode = spirv_opcode_at(module, at);
    if (opcode == SPIRV_LINE || opcode == VARIABLE)
        return;
    for (size_t i = 1; i < spirv_length_at(module, at); i++) {
        const uint32_t id = spirv_word(module, at, i);
        uint32_t ignored;
        const bool loads = opcode == SPIRV_LOAD && i == 3;
        const bool stores =
            opcode == SPIRV_STORE && i == 1 && spirv_constant(module, spirv_word(module, at, 2), &ignored);
        if (id < module->bound && !loads && !stores)
            holds_constants[id] = false;
    }
}

/* The variable and the constant that an instruction compares, in either order. */
static bool read_comparison(const struct spirv_module *module, size_t at, uint32_t *variable, uint32_t *value,
                            size_t *load)
{
    const unsigned opcode = spirv_opcode_at(module, at);
    if (opcode != EQUAL && opcode != NOT_EQUAL)
        return false;
    for (size_t i = 3; i < 5; i++) {
        *load = spirv_definition(module, spirv_word(module, at, i));
        *variable = spirv_word(module, *load, 3);
        if (spirv_opcode_at(module, *load) == SPIRV_LOAD &&
            spirv_constant(module, spirv_word(module, at, 7 - i), value))
            return true;
    }
    return false;
}

static unsigned find_flag(const struct spirv_flags *flags, uint32_t variable, uint32_t value)
{
    for (unsigned i = 0; i < flags->count; i++)
        if (flags->flags[i].variable == variable && flags->flags[i].value == value)
            return i + 1;
    return 0;
}

static void add_flag(const struct spirv_module *module, size_t at, struct spirv_flags *flags)
{
    uint32_t variable, value;
    size_t load;
    if (flags->count == SPIRV_MAXIMUM_FLAGS || !read_comparison(module, at, &variable, &value, &load) ||
        variable >= module->bound || !flags->holds_constants[variable] || find_flag(flags, variable, value) != 0)
        return;
    flags->flags[flags->count].variable = variable;
    flags->flags[flags->count++].value = value;
}

void spirv_flags_find(const struct spirv_module *module, struct spirv_flags *flags)
{
    *flags = (struct spirv_flags){0};
    bool *holds_constants = arena_take(&flags->arena, module->bound, sizeof *holds_constants);
    size_t code = SPIRV_HEADER_WORDS;
    while (code < module->count && spirv_opcode_at(module, code) != SPIRV_FUNCTION)
        code += spirv_length_at(module, code);
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == VARIABLE && spirv_word(module, at, 3) == OF_FUNCTION &&
            spirv_length_at(module, at) == 4 && spirv_word(module, at, 2) < module->bound)
            holds_constants[spirv_word(module, at, 2)] = true;
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at))
        drop_other_uses(module, at, holds_constants);
    flags->holds_constants = holds_constants;
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at))
        add_flag(module, at, flags);
}

void spirv_flags_release(struct spirv_flags *flags)
{
    arena_release(&flags->arena);
    *flags = (struct spirv_flags){0};
}

bool spirv_flags_store(const struct spirv_module *module, const struct spirv_flags *flags, size_t at,
                       uint32_t *variable, uint32_t *value)
{
    *variable = spirv_word(module, at, 1);
    return spirv_opcode_at(module, at) == SPIRV_STORE && *variable < module->bound &&
           flags->holds_constants[*variable] && spirv_constant(module, spirv_word(module, at, 2), value);
}

/* Whether the variable still has the value that was loaded: the branch is in the same block, and nothing writes the
 * variable between. */
static bool is_current(const struct spirv_module *module, uint32_t variable, size_t load, size_t branch)
{
    for (size_t at = load; at < branch; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == SPIRV_LABEL ||
            (spirv_opcode_at(module, at) == SPIRV_STORE && spirv_word(module, at, 1) == variable))
            return false;
    return load < branch;
}

unsigned spirv_flags_guard(const struct spirv_module *module, const struct spirv_flags *flags, size_t branch,
                           bool *value)
{
    const size_t condition = spirv_definition(module, spirv_word(module, branch, 1));
    uint32_t variable, compared;
    size_t load;
    if (!read_comparison(module, condition, &variable, &compared, &load) || !is_current(module, variable, load, branch))
        return 0;
    *value = spirv_opcode_at(module, condition) == EQUAL;
    return find_flag(flags, variable, compared);
}
