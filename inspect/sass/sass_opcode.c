// SPDX-License-Identifier: Apache-2.0
/*
 * The opcodes of SASS, as nvdisasm 11.8 and 12.4 print them. NVIDIA names them in "CUDA Binary Utilities" (Instruction
 * Set Reference) without describing them. Their effects were found from samples: each PTX instruction of rules_sass.c,
 * compiled by ptxas 11.8,
 * 12.4 and 13.0 for sm_70 to sm_90.
 */
#include "inspect/sass/sass_opcode.h"
#include "inspect/sass/sass_opcode_lists.h"

/* Opcodes by the part before the first dot. Others do not affect test memory and continue with the next instruction:
 * LDL, STL (the stack), REDUX (registers), CALL (of a division; it returns), BSSY, YIELD. */
static const struct {
    const char *words;
    enum machine_effect effect;
    enum litmus_region region;
    enum sass_flow flow;
    enum litmus_proxy proxy;
} roots[] = {SASS_ROOT_LIST(ROW_OF)};

/* The parts after a dot that give width and scope. */
static const struct {
    const char *words;
    unsigned bytes;
    enum litmus_scope scope;
} parts[] = {SASS_PART_LIST(ROW_OF)};

/* The parts that are cache hints. */
static const struct {
    const char *word;
    unsigned hint;
} hints[] = {SASS_HINT_LIST(ROW_OF)};

/* The parts that give the operation on memory and, for SYNCS, the effect. The first match for a root applies. SYNCS
 * counts arrivals (A) and bytes (T): 0, 1, from a register (R), or negative (X). */
static const struct {
    const char *root, *part;
    enum machine_effect effect;
    enum litmus_operation operation;
} operations[] = {SASS_OPERATION_LIST(ROW_OF)};

/* The operation of an asynchronous update, by a part of UBLKRED or REDAS. Neither has an exchange. */
static const struct {
    const char *word;
    enum litmus_operation operation;
} updates[] = {SASS_UPDATE_LIST(ROW_OF)};

/* Whether a part of the opcode is one of the words. */
static bool has_part(const char *opcode, size_t length, const char *words)
{
    for (size_t at = 0; at < length;) {
        const size_t size = strcspn(opcode + at, ". \t") < length - at ? strcspn(opcode + at, ". \t") : length - at;
        if (text_has_word(words, opcode + at, size))
            return true;
        at += size + 1;
    }
    return false;
}

/* Without .STRONG an access is weak; the .SYS that sm_70 and sm_75 print after each then means nothing. Shared memory
 * does not have .STRONG: every access is visible to all threads that share it. */
static void fill_order(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    if (instruction->effect == MACHINE_FENCE) {
        instruction->order = has_part(opcode, length, "SC") ? LITMUS_SEQ_CST : LITMUS_ACQ_REL;
    } else if (instruction->region == LITMUS_LOCAL) {
        instruction->order = LITMUS_RELAXED;
        instruction->scope = LITMUS_ALL_DEVICES;
    } else if (has_part(opcode, length, "STRONG MMIO")) {
        instruction->order = LITMUS_RELAXED;
    } else {
        instruction->order = LITMUS_PLAIN;
        instruction->scope = LITMUS_SCOPE_NONE;
    }
}

static void fill_parts(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (!has_part(opcode, length, parts[i].words))
            continue;
        if (parts[i].bytes > 0)
            instruction->bytes = parts[i].bytes;
        else
            instruction->scope = parts[i].scope;
    }
}

static void fill_operation(const char *opcode, size_t length, size_t root, struct machine_instruction *instruction)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (text_has_word(operations[i].root, opcode, root) && has_part(opcode, length, operations[i].part)) {
            instruction->effect = operations[i].effect;
            instruction->operation = operations[i].operation;
            return;
        }
    if (instruction->effect != MACHINE_ASYNC)
        return;
    instruction->operation = LITMUS_STORE;
    for (size_t i = 0; i < COUNT(updates); i++)
        if (has_part(opcode, length, updates[i].word))
            instruction->operation = updates[i].operation;
}

static void fill_rest(const char *opcode, size_t length, size_t root, struct machine_instruction *instruction)
{
    const char *operands = opcode + length;
    const char *const last = strrchr(operands, ',');
    /* Bank 0 has the kernel's launch parameters; the other banks except 3 belong to the compiler and the driver. */
    if (instruction->proxy == LITMUS_CONSTANT && !strstr(operands, "c[0x3]")) {
        instruction->effect = MACHINE_NOTHING;
        instruction->bytes = 0;
    } else if (instruction->proxy == LITMUS_TEXTURE) {
        /* The elements read from a texture: the mask in the last operand, "TLD.LZ RZ, R5, R5, UR4, 0x0, 1D, 0x1". */
        const char *mask = strrchr(opcode, ',');
        unsigned long bits = mask ? strtoul(mask + 1, NULL, 16) : 0;
        for (instruction->bytes = 0; bits > 0; bits >>= 1)
            instruction->bytes += bits & 1 ? 4 : 0;
    } else if (instruction->effect == MACHINE_ASYNC && instruction->proxy == LITMUS_ASYNC) {
        /* "UBLKCP.S.G.MULTICAST": to shared memory, from global memory, of several groups. The size is in a register
         * (read_sass.c). */
        const bool named = length >= root + 4 && opcode[root] == '.' && opcode[root + 2] == '.';
        instruction->region = named && opcode[root + 1] == 'S' ? LITMUS_LOCAL : LITMUS_GLOBAL;
        instruction->from = named && opcode[root + 3] == 'S' ? LITMUS_LOCAL : LITMUS_GLOBAL;
        if (instruction->operation != LITMUS_STORE)
            instruction->element = instruction->bytes;
        instruction->bytes = 0;
        instruction->multicast = has_part(opcode, length, "MULTICAST");
        instruction->unread = "how many bytes it copies";
    } else if (instruction->effect == MACHINE_WAIT) {
        instruction->pending = last ? (unsigned)strtoul(last + 1, NULL, 16) : 0;
    } else if (instruction->effect == MACHINE_FENCE && instruction->proxy == LITMUS_ASYNC) {
        instruction->region = has_part(opcode, length, "S") ? LITMUS_LOCAL : LITMUS_GLOBAL;
    }
}

static bool moves_memory(enum machine_effect effect)
{
    return effect == MACHINE_LOAD || effect == MACHINE_STORE || effect == MACHINE_UPDATE || effect == MACHINE_ASYNC;
}

enum sass_flow sass_opcode(const char *opcode, size_t length, struct machine_instruction *instruction)
{
    const size_t root = strcspn(opcode, ". \t;") < length ? strcspn(opcode, ". \t;") : length;
    instruction->lanes = 1;
    if (text_has_word("CCTL", opcode, root) && has_part(opcode, length, "IVALL IVALLP")) {
        instruction->effect = MACHINE_INVALIDATE;
        return SASS_ON;
    }
    for (size_t i = 0; i < COUNT(roots); i++) {
        if (!text_has_word(roots[i].words, opcode, root))
            continue;
        instruction->effect = roots[i].effect;
        instruction->region = roots[i].region;
        instruction->proxy = roots[i].proxy;
        fill_operation(opcode, length, root, instruction);
        if (moves_memory(instruction->effect))
            instruction->bytes = 4;
        if (instruction->effect != MACHINE_NOTHING && instruction->effect != MACHINE_BARRIER) {
            fill_parts(opcode, length, instruction);
            fill_order(opcode, length, instruction);
        }
        fill_rest(opcode, length, root, instruction);
        if (moves_memory(instruction->effect))
            for (size_t k = 0; k < COUNT(hints); k++)
                if (has_part(opcode, length, hints[k].word))
                    instruction->hints |= hints[k].hint;
        instruction->read_only = instruction->effect == MACHINE_LOAD && has_part(opcode, length, "CONSTANT");
        if (instruction->read_only)
            instruction->proxy = LITMUS_TEXTURE;
        return roots[i].flow;
    }
    return SASS_ON;
}
