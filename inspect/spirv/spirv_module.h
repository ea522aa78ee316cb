// SPDX-License-Identifier: Apache-2.0
/*
 * The words of a SPIR-V module (SPIR-V 1.6, section 2.3), and what they define. Every word is read
 * through these functions, which know the sizes, so a damaged module gives 0 or NULL, never a read
 * beyond it.
 */
#ifndef ORCHIL_INSPECT_SPIRV_SPIRV_MODULE_H
#define ORCHIL_INSPECT_SPIRV_SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

enum { SPIRV_HEADER_WORDS = 5 };

struct spirv_module {
    struct arena arena;
    const uint32_t *words; /* in this machine's byte order */
    size_t count;
    uint32_t bound;          /* ids are below it */
    const uint32_t *defined; /* per id: the index of the instruction that defines it; 0: none does */
    uint32_t entry;          /* the id of the function of its only entry point */
};

/* Reads a whole module. SYNTAX, with the place in bytes, if it is not one, or does not have exactly
 * one entry point. The caller releases *module whatever the result. */
enum status spirv_module_read(const char *bytes, size_t size, struct spirv_module *module, struct error *error);
void spirv_module_release(struct spirv_module *module);

/* Of the instruction at an index: its opcode, its length in words, and a word of it; 0 beyond its end. */
unsigned spirv_opcode_at(const struct spirv_module *module, size_t at);
size_t spirv_length_at(const struct spirv_module *module, size_t at);
uint32_t spirv_word(const struct spirv_module *module, size_t at, size_t word);

/* The index of the instruction that defines an id; 0 if none does. */
size_t spirv_definition(const struct spirv_module *module, uint32_t id);

/* The value of an integer constant of 32 bits; false if the id is no such constant, as a
 * specialisation constant is not. */
bool spirv_constant(const struct spirv_module *module, uint32_t id, uint32_t *value);

/* Opcodes that are read for what they define or where they lead (SPIR-V 1.6, section 3.52). */
enum spirv_opcode_number {
    SPIRV_LINE = 8,
    SPIRV_ENTRY_POINT = 15,
    SPIRV_TYPE_INT = 21,
    SPIRV_TYPE_FLOAT = 22,
    SPIRV_TYPE_VECTOR = 23,
    SPIRV_TYPE_POINTER = 32,
    SPIRV_TYPE_FORWARD_POINTER = 39,
    SPIRV_CONSTANT_TRUE = 41,
    SPIRV_CONSTANT_FALSE = 42,
    SPIRV_CONSTANT = 43,
    SPIRV_FUNCTION = 54,
    SPIRV_FUNCTION_END = 56,
    SPIRV_FUNCTION_CALL = 57,
    SPIRV_LOAD = 61,
    SPIRV_STORE = 62,
    SPIRV_LABEL = 248,
    SPIRV_BRANCH = 249,
    SPIRV_BRANCH_CONDITIONAL = 250,
    SPIRV_SWITCH = 251,
    SPIRV_KILL = 252,
    SPIRV_RETURN = 253,
    SPIRV_RETURN_VALUE = 254,
    SPIRV_UNREACHABLE = 255,
    SPIRV_NO_LINE = 317,
};

#endif
