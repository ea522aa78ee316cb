// SPDX-License-Identifier: Apache-2.0
/* Reads the words of a SPIR-V module. */
#include "inspect/spirv/spirv_module.h"

#include <string.h>

enum { MOST_WORDS = 16 << 20 };

static const uint32_t magic = 0x07230203, reversed_magic = 0x03022307;

static uint32_t reverse(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

unsigned spirv_opcode_at(const struct spirv_module *module, size_t at)
{
    return at < module->count ? module->words[at] & 0xffff : 0;
}

size_t spirv_length_at(const struct spirv_module *module, size_t at)
{
    return at < module->count ? module->words[at] >> 16 : 0;
}

uint32_t spirv_word(const struct spirv_module *module, size_t at, size_t word)
{
    return word < spirv_length_at(module, at) && at + word < module->count ? module->words[at + word] : 0;
}

size_t spirv_definition(const struct spirv_module *module, uint32_t id)
{
    return id < module->bound ? module->defined[id] : 0;
}

bool spirv_constant(const struct spirv_module *module, uint32_t id, uint32_t *value)
{
    const size_t at = spirv_definition(module, id), type = spirv_definition(module, spirv_word(module, at, 1));
    *value = spirv_word(module, at, 3);
    return spirv_opcode_at(module, at) == SPIRV_CONSTANT && spirv_length_at(module, at) == 4 &&
           spirv_opcode_at(module, type) == SPIRV_TYPE_INT;
}

/* The operand of an instruction that is its result, as a word of it, of the instructions whose results are looked at:
 * types, constants, functions and their parameters, and whatever gives a pointer or a condition; else 0. */
static size_t result_word(unsigned opcode)
{
    static const unsigned char with_type[] = {
        1,                 /* OpUndef */
        55,  57,  59,  60, /* OpFunctionParameter, OpFunctionCall, OpVariable, OpImageTexelPointer */
        61,  65,  66,  67, /* OpLoad, OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain */
        70,  83,  120,     /* OpInBoundsPtrAccessChain, OpCopyObject, OpConvertUToPtr */
        124, 169, 245,     /* OpBitcast, OpSelect, OpPhi */
        170, 171,          /* OpIEqual, OpINotEqual */
    };
    if (opcode >= 19 && opcode < SPIRV_TYPE_FORWARD_POINTER)
        return 1;
    if ((opcode >= SPIRV_CONSTANT_TRUE && opcode <= SPIRV_FUNCTION) || memchr(with_type, (int)opcode, sizeof with_type))
        return 2;
    return opcode == SPIRV_LABEL ? 1 : 0;
}

static enum status find_definitions(struct spirv_module *module, struct error *error)
{
    uint32_t *defined = arena_take(&module->arena, module->bound, sizeof *defined);
    for (size_t at = SPIRV_HEADER_WORDS, length; at < module->count; at += length) {
        const unsigned opcode = spirv_opcode_at(module, at);
        length = spirv_length_at(module, at);
        if (length == 0 || length > module->count - at)
            return error_set(error, STATUS_SYNTAX, "the SPIR-V is damaged: its instruction at byte 0x%zx has %zu words",
                             at * 4, length);
        const uint32_t result =
            opcode < 256 && result_word(opcode) > 0 ? spirv_word(module, at, result_word(opcode)) : 0;
        if (result > 0 && result < module->bound)
            defined[result] = (uint32_t)at;
        if (opcode != SPIRV_ENTRY_POINT)
            continue;
        if (module->entry != 0)
            return error_set(error, STATUS_SYNTAX, "the SPIR-V has several entry points; expected one kernel");
        module->entry = spirv_word(module, at, 2);
    }
    module->defined = defined;
    return module->entry != 0 ? STATUS_OK
                              : error_set(error, STATUS_SYNTAX, "the SPIR-V has no entry point; expected a kernel");
}

enum status spirv_module_read(const char *bytes, size_t size, struct spirv_module *module, struct error *error)
{
    *module = (struct spirv_module){.count = size / 4};
    if (size % 4 != 0 || module->count < SPIRV_HEADER_WORDS || module->count > MOST_WORDS)
        return error_set(error, STATUS_SYNTAX,
                         "%zu bytes are no SPIR-V: expected words of 4 bytes, from %d to %d of them", size,
                         SPIRV_HEADER_WORDS, MOST_WORDS);
    uint32_t *words = arena_take(&module->arena, module->count, sizeof *words);
    memcpy(words, bytes, size);
    if (words[0] != magic && words[0] != reversed_magic)
        return error_set(error, STATUS_SYNTAX, "no SPIR-V: its first word is 0x%08x, expected 0x%08x", words[0], magic);
    for (size_t i = 0; words[0] == reversed_magic && i < module->count; i++)
        words[module->count - 1 - i] = reverse(words[module->count - 1 - i]);
    module->words = words;
    module->bound = words[3];
    if (module->bound > MOST_WORDS)
        return error_set(error, STATUS_SYNTAX, "the SPIR-V is damaged: it says that it has %u ids", module->bound);
    return find_definitions(module, error);
}

void spirv_module_release(struct spirv_module *module)
{
    arena_release(&module->arena);
    *module = (struct spirv_module){0};
}
