// SPDX-License-Identifier: Apache-2.0
/*
 * The masks of an AMD GPU as predicates of one item.
 *
 * A wave has one program counter. Where its items branch differently, it runs both sides, and the mask EXEC says which
 * items take part; other masks are kept in VCC and in scalar registers (a pair of them if a wave has 64 items). The bit
 * of one item in a mask is a predicate. Bitwise operations on masks are operations on predicates, a comparison gives
 * false for an item that takes no part, and any other instruction that writes a register makes its predicate unknown.
 * An access has an effect only if the item's bit in EXEC is set.
 *
 * Only registers that can reach EXEC, or VCC before a branch, are predicates, and only as many as a listing can have. A
 * barrier counts only for an item that takes part: a wave may pass it for others.
 */
#include "inspect/amdgcn/amdgcn_opcode.h"

enum {
    EXEC = 1,
    VCC = 2,
    MAXIMUM_PREDICATES = MACHINE_MASK_SUCCESS - 1,
    MAXIMUM_REGISTERS = 128,
    MAXIMUM_OPERANDS = 4
};

/* An operand: a mask, or what is known of one. */
struct operand {
    enum { OTHER, IS_EXEC, IS_VCC, IS_REGISTER, IS_ONE, IS_ZERO } kind;
    unsigned first, count; /* scalar registers */
};

struct masks {
    struct listing *listing;
    unsigned width;                        /* registers of a mask: 1 or 2 */
    unsigned predicate[MAXIMUM_REGISTERS]; /* of the mask that begins in that register; 0: none */
    unsigned count;
};

/* ---- text ---- */

static struct operand read_operand(const char *text, size_t length)
{
    if (text_has_word("exec exec_lo", text, length))
        return (struct operand){.kind = IS_EXEC};
    if (text_has_word("vcc vcc_lo", text, length))
        return (struct operand){.kind = IS_VCC};
    if (text_has_word("-1", text, length))
        return (struct operand){.kind = IS_ONE};
    if (text_has_word("0", text, length))
        return (struct operand){.kind = IS_ZERO};
    char *end;
    if (length > 1 && text[0] == 's' && text[1] >= '0' && text[1] <= '9') {
        const unsigned first = (unsigned)strtoul(text + 1, &end, 10);
        return (struct operand){.kind = IS_REGISTER, .first = first, .count = 1};
    }
    if (length > 3 && listing_text_starts(text, "s[")) {
        const unsigned first = (unsigned)strtoul(text + 2, &end, 10);
        const unsigned last = *end == ':' ? (unsigned)strtoul(end + 1, NULL, 10) : first;
        return (struct operand){.kind = IS_REGISTER, .first = first, .count = last >= first ? last - first + 1 : 1};
    }
    return (struct operand){.kind = OTHER};
}

static size_t read_operands(const char *text, struct operand operands[MAXIMUM_OPERANDS])
{
    size_t count = 0;
    text += strcspn(text, " \t");
    while (*text && count < MAXIMUM_OPERANDS) {
        text += strspn(text, " \t,");
        const size_t length = strcspn(text, " \t,");
        if (length > 0)
            operands[count++] = read_operand(text, length);
        text += length;
    }
    return count;
}

/* ---- operations ---- */

/* Bitwise operations, as the listing has them: to = left OP right. swaps: the operands are the other way round. */
static const struct {
    const char *word;
    enum machine_mask_operation operation;
    bool swaps;
} bitwise[] = {
    {"s_and_", MACHINE_MASK_AND, false},          {"s_or_", MACHINE_MASK_OR, false},
    {"s_xor_", MACHINE_MASK_XOR, false},          {"s_andn2_", MACHINE_MASK_AND_NOT, false},
    {"s_and_not1_", MACHINE_MASK_AND_NOT, false}, {"s_orn2_", MACHINE_MASK_OR_NOT, false},
    {"s_or_not1_", MACHINE_MASK_OR_NOT, false},   {"s_andn1_", MACHINE_MASK_AND_NOT, true},
    {"s_and_not0_", MACHINE_MASK_AND_NOT, true},  {"s_orn1_", MACHINE_MASK_OR_NOT, true},
    {"s_or_not0_", MACHINE_MASK_OR_NOT, true},    {"s_mov_", MACHINE_MASK_MOVE, false},
    {"s_not_", MACHINE_MASK_NOT, false},
};

/* The predicate of an operand as the listing names it. */
static unsigned name_of(const struct masks *masks, const struct operand *operand)
{
    switch (operand->kind) {
    case IS_EXEC:
        return EXEC;
    case IS_VCC:
        return VCC;
    case IS_ONE:
        return MACHINE_MASK_TRUE;
    case IS_ZERO:
        return MACHINE_MASK_FALSE;
    case IS_REGISTER:
        if (operand->count == masks->width && operand->first < MAXIMUM_REGISTERS &&
            masks->predicate[operand->first] != 0)
            return masks->predicate[operand->first];
        break;
    case OTHER:
        break;
    }
    return MACHINE_MASK_UNKNOWN;
}

/* Gives the register a predicate, if it can have one; whether it is new. */
static bool take_register(struct masks *masks, const struct operand *operand)
{
    if (operand->kind != IS_REGISTER || operand->count != masks->width || operand->first >= MAXIMUM_REGISTERS ||
        masks->predicate[operand->first] != 0 || masks->count == MAXIMUM_PREDICATES)
        return false;
    masks->predicate[operand->first] = ++masks->count;
    return true;
}

/* A bitwise operation on masks, "s_and_b64", or with "saveexec_" or "wrexec_" before its width: the index in the table;
 * or -1. *rest: what is between the word and the width. */
static int find_bitwise(const struct masks *masks, const char *text, const char **rest, size_t *length)
{
    const size_t opcode = strcspn(text, " \t");
    for (size_t i = 0; i < COUNT(bitwise); i++) {
        const size_t size = strlen(bitwise[i].word);
        if (opcode < size + 3 || !listing_text_starts(text, bitwise[i].word) ||
            memcmp(text + opcode - 3, masks->width == 2 ? "b64" : "b32", 3) != 0)
            continue;
        *rest = text + size;
        *length = opcode - size - 3;
        if (*length == 0 || text_has_word("saveexec_ wrexec_", *rest, *length))
            return (int)i;
    }
    return -1;
}

/* Adds the registers that flow into a known predicate; whether there were new ones. */
static bool take_sources(struct masks *masks, const char *text)
{
    struct operand operands[MAXIMUM_OPERANDS];
    const char *rest;
    size_t length;
    bool added = false;
    if (find_bitwise(masks, text, &rest, &length) < 0)
        return false;
    const size_t count = read_operands(text, operands);
    if (count < 2 || (length == 0 && name_of(masks, &operands[0]) > MAXIMUM_PREDICATES))
        return false;
    for (size_t i = length == 0 ? 1 : 0; i < count; i++)
        added |= take_register(masks, &operands[i]);
    return added;
}

static void assign(struct machine_instruction *instruction, size_t slot, unsigned to,
                   enum machine_mask_operation operation, unsigned left, unsigned right)
{
    instruction->masks[slot] =
        (struct machine_mask){operation, (unsigned char)to, (unsigned char)left, (unsigned char)right};
}

/* The predicates of all masks that share a register with the operand become unknown. */
static void amdgcn_masks_forget(const struct masks *masks, const struct operand *operand,
                                struct machine_instruction *instruction)
{
    if (operand->kind == IS_VCC)
        instruction->writes |= (uint64_t)1 << (VCC - 1);
    for (unsigned r = 0; operand->kind == IS_REGISTER && r < MAXIMUM_REGISTERS; r++)
        if (masks->predicate[r] != 0 && r < operand->first + operand->count && operand->first < r + masks->width)
            instruction->writes |= (uint64_t)1 << (masks->predicate[r] - 1);
}

static void fill_bitwise(const struct masks *masks, size_t row, size_t length, const char *rest,
                         const struct operand *operands, size_t count, struct machine_instruction *instruction)
{
    const unsigned to = name_of(masks, &operands[0]);
    const unsigned left = name_of(masks, &operands[1]), right = count > 2 ? name_of(masks, &operands[2]) : left;
    const bool swaps = bitwise[row].swaps;
    const enum machine_mask_operation operation = bitwise[row].operation;
    amdgcn_masks_forget(masks, &operands[0], instruction);
    if (length > 0) { /* exec = operand OP exec */
        const bool saves = text_has_word("saveexec_", rest, length);
        assign(instruction, 0, EXEC, operation, swaps ? EXEC : left, swaps ? left : EXEC);
        if (to <= MAXIMUM_PREDICATES && saves)
            assign(instruction, 1, to, MACHINE_MASK_MOVE, EXEC, EXEC);
        else if (to <= MAXIMUM_PREDICATES)
            assign(instruction, 1, to, operation, swaps ? EXEC : left, swaps ? left : EXEC);
    } else if (to <= MAXIMUM_PREDICATES) {
        assign(instruction, 0, to, operation, swaps ? right : left, swaps ? left : right);
    }
}

/* v_cmp and v_cmpx: false for an item that takes no part. */
static void fill_comparison(const struct masks *masks, const struct operand *operands, size_t count,
                            struct machine_instruction *instruction)
{
    if (listing_text_starts(instruction->text, "v_cmpx_"))
        assign(instruction, 1, EXEC, MACHINE_MASK_AND, EXEC, MACHINE_MASK_UNKNOWN);
    if (count == 0)
        return;
    const unsigned to = name_of(masks, &operands[0]);
    amdgcn_masks_forget(masks, &operands[0], instruction);
    if (to <= MAXIMUM_PREDICATES && to != EXEC)
        assign(instruction, 0, to, MACHINE_MASK_AND, EXEC, MACHINE_MASK_UNKNOWN);
}

static void amdgcn_masks_fill(const struct masks *masks, struct machine_instruction *instruction)
{
    struct operand operands[MAXIMUM_OPERANDS];
    const char *const text = instruction->text, *rest = text;
    size_t length = 0;
    const size_t count = read_operands(text, operands);
    const int row = find_bitwise(masks, text, &rest, &length);
    if (row >= 0 && count >= 2)
        fill_bitwise(masks, (size_t)row, length, rest, operands, count, instruction);
    else if (listing_text_starts(text, "v_cmp"))
        fill_comparison(masks, operands, count, instruction);
    else if (listing_text_starts(text, "s_cbranch_exec")) {
        instruction->guard = EXEC;
        instruction->guard_value = listing_text_starts(text, "s_cbranch_execnz");
    } else if (listing_text_starts(text, "s_cbranch_vcc")) {
        instruction->guard = VCC;
        instruction->guard_value = listing_text_starts(text, "s_cbranch_vccnz");
        instruction->guard_within = EXEC; /* the compiler uses it where the items agree */
    } else if (!listing_text_starts(text, "s_cmp") && !listing_text_starts(text, "s_bitcmp") &&
               !listing_text_starts(text, "s_wait") && !listing_text_starts(text, "global_") &&
               !listing_text_starts(text, "flat_") && !listing_text_starts(text, "buffer_") &&
               !listing_text_starts(text, "ds_")) {
        if (count > 0 && operands[0].kind == IS_EXEC)
            assign(instruction, 0, EXEC, MACHINE_MASK_MOVE, MACHINE_MASK_UNKNOWN, MACHINE_MASK_UNKNOWN);
        for (size_t i = 0; i < count && i < 2; i++) /* a carry is the second result of v_add_co_u32 */
            if (i == 0 || strstr(text, "_co_") || listing_text_starts(text, "v_div_scale") ||
                listing_text_starts(text, "v_mad_u64"))
                amdgcn_masks_forget(masks, &operands[i], instruction);
    }
    if (instruction->effect == MACHINE_LOAD || instruction->effect == MACHINE_STORE ||
        instruction->effect == MACHINE_UPDATE || instruction->effect == MACHINE_BARRIER) {
        instruction->predicated = true;
        instruction->guard = EXEC;
        instruction->guard_value = true;
    }
}

void amdgcn_find_masks(struct listing *listing)
{
    struct masks masks = {.listing = listing, .width = 2, .count = VCC};
    bool added = true;
    /* A wave of 64 items may have a number in vcc_lo, but not the result of a comparison. */
    for (size_t i = 0; i < listing->count; i++) {
        const char *const text = listing->instructions[i].text, *const result = text + strcspn(text, " \t");
        if (strstr(text, "exec_lo") || (listing_text_starts(text, "v_cmp") && listing_text_starts(result, " vcc_lo,")))
            masks.width = 1;
    }
    while (added) {
        added = false;
        for (size_t i = listing->count; i > 0; i--)
            added |= take_sources(&masks, listing->instructions[i - 1].text);
    }
    for (size_t i = 0; i < listing->count; i++)
        amdgcn_masks_fill(&masks, &listing->instructions[i]);
    listing->active = EXEC;
}
