// SPDX-License-Identifier: Apache-2.0
/*
 * Opcodes of PTX that access memory, and their qualifiers (PTX ISA 9.0: "Data Movement and
 * Conversion Instructions", "Parallel Synchronization and Communication Instructions"). An opcode
 * that is not in the table of instructions computes or jumps.
 */
#include "inspect/ptx/ptx_opcode.h"

#include <string.h>

#include "litmus/language/ptx_instructions.h"

/* A part of an opcode, without its dot. */
struct opcode_part {
    const char *text;
    size_t size;
};

/* Takes the next part of an opcode; "shared::cta" is one. False at its end. */
static bool next_part(const char **at, const char *end, struct opcode_part *part)
{
    if (*at >= end)
        return false;
    const char *dot = memchr(*at, '.', (size_t)(end - *at));
    *part = (struct opcode_part){*at, (size_t)((dot ? dot : end) - *at)};
    *at = dot ? dot + 1 : end;
    return true;
}

static int find_word(const struct word *table, const struct opcode_part *part)
{
    return word_value(table, part->text, part->size);
}

/* ---- opcodes ---- */

static const struct word barrier_words[] = {{"warp", LITMUS_SUB_GROUP}, {NULL, 0}};

/* State spaces. PRIVATE ones contain nothing that another thread writes. */
enum { PRIVATE = LITMUS_IMAGE + 1 };
static const struct word space_words[] = {{"global", LITMUS_GLOBAL},
                                          {"shared", LITMUS_LOCAL},
                                          {"shared::cta", LITMUS_LOCAL},
                                          {"shared::cluster", LITMUS_LOCAL},
                                          {"local", PRIVATE},
                                          {"param", PRIVATE},
                                          {"param::entry", PRIVATE},
                                          {"param::func", PRIVATE},
                                          {"const", PRIVATE},
                                          {NULL, 0}};

/* The bytes of types that no test has. */
static const struct word byte_words[] = {{"f16", 2}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4}, {"b128", 16}, {NULL, 0}};

/* The qualifiers of an opcode; LITMUS_NONE, or 0 bytes, if absent. */
struct opcode_qualifiers {
    int order, scope, space, lanes;
    unsigned bytes;
    int operation;
    bool scope_first; /* the scope comes before the order */
};

static void set_if_found(int *slot, int value)
{
    if (value != LITMUS_NONE && *slot == LITMUS_NONE)
        *slot = value;
}

/* The bytes of a value of the type, or LITMUS_NONE. */
static int find_bytes(const struct opcode_part *part)
{
    const int type = find_word(ptx_type_words, part);
    return type == LITMUS_NONE ? find_word(byte_words, part) : (int)litmus_type_size((enum litmus_type)type);
}

static struct opcode_qualifiers read_qualifiers(const char *opcode, size_t size)
{
    struct opcode_qualifiers read = {LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, 0, LITMUS_NONE, false};
    const char *at = opcode;
    struct opcode_part part;
    (void)next_part(&at, opcode + size, &part);
    while (next_part(&at, opcode + size, &part)) {
        const int bytes = find_bytes(&part), order = find_word(ptx_order_words, &part);
        read.scope_first |= read.scope != LITMUS_NONE && order != LITMUS_NONE;
        set_if_found(&read.order, order);
        set_if_found(&read.scope, find_word(ptx_scope_words, &part));
        set_if_found(&read.scope, find_word(ptx_membar_words, &part));
        set_if_found(&read.scope, find_word(barrier_words, &part));
        set_if_found(&read.space, find_word(space_words, &part));
        set_if_found(&read.lanes, find_word(ptx_lane_words, &part));
        set_if_found(&read.operation, find_word(ptx_operation_words, &part));
        if (bytes != LITMUS_NONE)
            read.bytes = (unsigned)bytes;
    }
    return read;
}

static enum litmus_order order_or(const struct opcode_qualifiers *read, enum litmus_order otherwise)
{
    return read->order == LITMUS_NONE ? otherwise : (enum litmus_order)read->order;
}

static enum litmus_scope scope_or(const struct opcode_qualifiers *read, enum litmus_scope otherwise)
{
    return read->scope == LITMUS_NONE ? otherwise : (enum litmus_scope)read->scope;
}

/* An access without an order is weak; an atomic without an order is relaxed, and without a scope
 * has scope gpu; a volatile access has the scope of all devices (PTX ISA, "ld", "atom", "red"). */
static void read_access(const struct opcode_qualifiers *read, const struct ptx_instruction *row,
                        struct machine_instruction *instruction)
{
    const bool atomic = row->in_code == PTX_UPDATES;
    if (read->space == PRIVATE) {
        instruction->effect = MACHINE_NOTHING;
        return;
    }
    instruction->order = order_or(read, atomic ? LITMUS_RELAXED : LITMUS_PLAIN);
    instruction->lanes = read->lanes == LITMUS_NONE ? 1 : (unsigned)read->lanes;
    instruction->bytes = read->bytes * instruction->lanes;
    instruction->region = read->space == LITMUS_LOCAL ? LITMUS_LOCAL : LITMUS_GLOBAL;
    instruction->scope = instruction->order == LITMUS_PLAIN      ? LITMUS_SCOPE_NONE
                         : instruction->order == LITMUS_VOLATILE ? LITMUS_ALL_DEVICES
                                                                 : scope_or(read, LITMUS_DEVICE);
    if (atomic)
        instruction->operation = read->operation != LITMUS_NONE ? (enum litmus_operation)read->operation : LITMUS_STORE;
    instruction->no_result = row->means.shape == PTX_RED;
}

/* Without an order a fence is acq_rel. The order comes before the scope (PTX ISA, "fence"); ptxas
 * 11.8, 12.4 and 13.0 also take the reverse order and make the same MEMBAR, but no document defines
 * it. libcu++ once emitted it (NVIDIA/cccl #3957). */
static void read_fence(const struct opcode_qualifiers *read, struct machine_instruction *instruction)
{
    if (read->scope_first)
        instruction->flaw = "the order of a fence comes before its scope";
    else {
        instruction->order = order_or(read, LITMUS_ACQ_REL);
        instruction->scope = scope_or(read, LITMUS_DEVICE);
    }
}

static enum machine_effect effect_of(const struct ptx_instruction *row)
{
    static const enum machine_effect effects[] = {
        [PTX_COMPUTES] = MACHINE_NOTHING, [PTX_ACCESSES] = MACHINE_LOAD, [PTX_UPDATES] = MACHINE_UPDATE,
        [PTX_FENCES] = MACHINE_FENCE,     [PTX_MEMBARS] = MACHINE_FENCE, [PTX_MEETS] = MACHINE_BARRIER,
        [PTX_UNREAD] = MACHINE_NOTHING};
    return row->means.shape == PTX_STORE && row->in_code == PTX_ACCESSES ? MACHINE_STORE : effects[row->in_code];
}

bool ptx_opcode_read(const char *opcode, size_t size, struct machine_instruction *instruction)
{
    const struct ptx_instruction *row = ptx_find_in_code(opcode, size);
    if (!row)
        return true;
    const struct opcode_qualifiers read = read_qualifiers(opcode, size);
    instruction->effect = effect_of(row);
    switch (row->in_code) {
    case PTX_COMPUTES:
        break;
    case PTX_ACCESSES:
    case PTX_UPDATES:
        read_access(&read, row, instruction);
        break;
    case PTX_FENCES:
        read_fence(&read, instruction);
        break;
    case PTX_MEMBARS: /* a synonym of fence.sc (PTX ISA, "membar") */
        instruction->order = LITMUS_SEQ_CST;
        instruction->scope = scope_or(&read, LITMUS_DEVICE);
        break;
    case PTX_MEETS: /* "bar.sync" and "barrier.sync" are barriers of the cta */
        instruction->scope = scope_or(&read, LITMUS_WORK_GROUP);
        break;
    case PTX_UNREAD:
        return false;
    }
    return true;
}
