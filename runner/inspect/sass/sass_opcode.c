// SPDX-License-Identifier: Apache-2.0
/*
 * The opcodes of SASS, as nvdisasm 11.8 and 12.4 print them. NVIDIA names them in "CUDA Binary Utilities" (Instruction Set
 * Reference) and describes none: what they do was learnt from samples, each PTX instruction of rules_sass.c compiled by ptxas
 * 11.8, 12.4 and 13.0 for sm_70 to sm_90.
 */
#include "runner/inspect/sass/sass_opcode.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* By the part before the first dot. What is not here does nothing to a test's memory, and goes on: LDL, STL (the stack), LDC
 * and ULDC (constant banks), REDUX (registers), CALL (of a division; it comes back), BSSY, YIELD. */
static const struct {
    const char *word;
    enum machine_effect effect;
    enum litmus_region region;
    enum sass_flow flow;
} roots[] = {
    {"LD", MACHINE_LOAD, LITMUS_GLOBAL, SASS_ON},         {"LDG", MACHINE_LOAD, LITMUS_GLOBAL, SASS_ON},
    {"LDS", MACHINE_LOAD, LITMUS_LOCAL, SASS_ON},         {"ST", MACHINE_STORE, LITMUS_GLOBAL, SASS_ON},
    {"STG", MACHINE_STORE, LITMUS_GLOBAL, SASS_ON},       {"STS", MACHINE_STORE, LITMUS_LOCAL, SASS_ON},
    {"ATOM", MACHINE_UPDATE, LITMUS_GLOBAL, SASS_ON},     {"ATOMG", MACHINE_UPDATE, LITMUS_GLOBAL, SASS_ON},
    {"ATOMS", MACHINE_UPDATE, LITMUS_LOCAL, SASS_ON},     {"RED", MACHINE_UPDATE, LITMUS_GLOBAL, SASS_ON},
    {"REDG", MACHINE_UPDATE, LITMUS_GLOBAL, SASS_ON},     {"MEMBAR", MACHINE_FENCE, LITMUS_GLOBAL, SASS_ON},
    {"BAR", MACHINE_BARRIER, LITMUS_GLOBAL, SASS_ON},     {"BRA", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_BRANCH},
    {"JMP", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_BRANCH}, {"BSYNC", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_BRANCH},
    {"BRX", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_SWITCH}, {"JMX", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_SWITCH},
    {"EXIT", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_END},   {"RET", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_END},
    {"KILL", MACHINE_NOTHING, LITMUS_GLOBAL, SASS_END},
};

/* The parts after a dot that say how wide and how far. */
static const struct {
    const char *word;
    unsigned bytes;
    enum litmus_scope scope;
} parts[] = {
    {"U8", 1, LITMUS_SCOPE_NONE},   {"S8", 1, LITMUS_SCOPE_NONE},  {"U16", 2, LITMUS_SCOPE_NONE},
    {"S16", 2, LITMUS_SCOPE_NONE},  {"64", 8, LITMUS_SCOPE_NONE},  {"U64", 8, LITMUS_SCOPE_NONE},
    {"S64", 8, LITMUS_SCOPE_NONE},  {"F64", 8, LITMUS_SCOPE_NONE}, {"128", 16, LITMUS_SCOPE_NONE},
    {"CTA", 0, LITMUS_WORK_GROUP},  {"SM", 0, LITMUS_WORK_GROUP},  {"GPU", 0, LITMUS_DEVICE},
    {"SYS", 0, LITMUS_ALL_DEVICES},
};

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static bool has_part(const char *opcode, size_t length, const char *word)
{
    for (size_t at = 0; at < length;) {
        const size_t size = strcspn(opcode + at, ". \t") < length - at ? strcspn(opcode + at, ". \t") : length - at;
        if (is_word(opcode + at, size, word))
            return true;
        at += size + 1;
    }
    return false;
}

/* Without .STRONG an access is weak: the .SYS that sm_70 and sm_75 print after each says nothing then. Shared memory has no
 * such word: all who reach it see each access of it. */
static void fill_order(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    if (instruction->effect == MACHINE_FENCE) {
        instruction->order = has_part(opcode, length, "SC") ? LITMUS_SEQ_CST : LITMUS_ACQ_REL;
    } else if (instruction->region == LITMUS_LOCAL) {
        instruction->order = LITMUS_RELAXED;
        instruction->scope = LITMUS_ALL_DEVICES;
    } else if (has_part(opcode, length, "STRONG")) {
        instruction->order = LITMUS_RELAXED;
    } else {
        instruction->order = LITMUS_PLAIN;
        instruction->scope = LITMUS_SCOPE_NONE;
    }
}

static void fill_parts(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (!has_part(opcode, length, parts[i].word))
            continue;
        if (parts[i].bytes > 0)
            instruction->bytes = parts[i].bytes;
        else
            instruction->scope = parts[i].scope;
    }
}

enum sass_flow sass_opcode(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    const size_t root = strcspn(opcode, ". \t;") < length ? strcspn(opcode, ". \t;") : length;
    instruction->lanes = 1;
    if (is_word(opcode, root, "CCTL") && (has_part(opcode, length, "IVALL") || has_part(opcode, length, "IVALLP"))) {
        instruction->effect = MACHINE_INVALIDATE;
        return SASS_ON;
    }
    for (size_t i = 0; i < COUNT(roots); i++) {
        if (!is_word(opcode, root, roots[i].word))
            continue;
        instruction->effect = roots[i].effect;
        instruction->region = roots[i].region;
        if (roots[i].effect == MACHINE_LOAD || roots[i].effect == MACHINE_STORE || roots[i].effect == MACHINE_UPDATE)
            instruction->bytes = 4;
        if (roots[i].effect != MACHINE_NOTHING && roots[i].effect != MACHINE_BARRIER) {
            fill_parts(opcode, length, instruction);
            fill_order(opcode, length, instruction);
        }
        return roots[i].flow;
    }
    return SASS_ON;
}
