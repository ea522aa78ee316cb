// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX of vector accesses: one instruction each, except for OpenCL's vload and vstore, whose
 * address is aligned only to a word, so that they become scalar instructions. Source: PTX ISA, ld,
 * st, atom and red.
 */
#include "kernel/lower.h"

/* "{%0, %1}", with one operand per lane. */
static void add_operands(struct text *text, unsigned first, unsigned lanes)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        text_add(text, "%s%%%u", lane > 0 ? ", " : "{", first + lane);
    text_add(text, "}");
}

/* ", "r"(v0), "r"(v1)" */
static void add_inputs(struct text *text, const struct access_shape *shape, char name)
{
    const char *cast = litmus_type_size(shape->type) == 1 ? "(u32)" : "";
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, ", \"%s\"(%s%c%u)", lower_ptx_constraint(shape->type), cast, name, lane);
}

static void declare_words(struct text *text, const struct access_shape *shape)
{
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, "%s w%u", lane > 0 ? "," : lower_ptx_loaded(shape->type), lane);
    text_add(text, "; ");
}

static void add_outputs(struct text *text, const struct access_shape *shape)
{
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, "%s\"=%s\"(w%u)", lane > 0 ? ", " : "", lower_ptx_constraint(shape->type), lane);
}

static void give_words(struct text *text, const struct access_shape *shape)
{
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, " *r%u = (%s)w%u;", lane, lower_type(shape->type), lane);
}

/* ".v4.b32", ".b128" */
static void add_moved(struct text *text, const struct access_shape *shape)
{
    if (shape->whole)
        text_add(text, ".b128 ");
    else
        text_add(text, ".v%u.%s ", shape->lanes, lower_ptx_moved(shape->type));
}

static void lower_load(const struct access_shape *shape, struct text *text)
{
    const unsigned lanes = shape->lanes;
    declare_words(text, shape);
    text_add(text, "asm volatile(\"%s", shape->whole ? "{ .reg .b128 old; " : "");
    lower_ptx_mnemonic(shape, "ld", text);
    add_moved(text, shape);
    if (shape->whole)
        text_add(text, "old");
    else
        add_operands(text, 0, lanes);
    text_add(text, ", [%%%u];", lanes);
    if (shape->whole) {
        text_add(text, " mov.b128 ");
        add_operands(text, 0, lanes);
        text_add(text, ", old; }");
    }
    text_add(text, "\" : ");
    add_outputs(text, shape);
    text_add(text, " : %s : \"memory\");", lower_ptx_address(shape));
    give_words(text, shape);
}

static void lower_store(const struct access_shape *shape, struct text *text)
{
    text_add(text, "asm volatile(\"");
    if (shape->whole) {
        text_add(text, "{ .reg .b128 new; mov.b128 new, ");
        add_operands(text, 1, shape->lanes);
        text_add(text, "; ");
    }
    lower_ptx_mnemonic(shape, "st", text);
    add_moved(text, shape);
    text_add(text, "[%%0], ");
    if (shape->whole)
        text_add(text, "new; }");
    else {
        add_operands(text, 1, shape->lanes);
        text_add(text, ";");
    }
    text_add(text, "\" :: %s", lower_ptx_address(shape));
    add_inputs(text, shape, 'v');
    text_add(text, " : \"memory\");");
}

/* red and atom of two or more floats. */
static void lower_modify(const struct access_shape *shape, struct text *text)
{
    const unsigned lanes = shape->lanes, address = shape->no_result ? 0 : lanes;
    if (!shape->no_result)
        declare_words(text, shape);
    text_add(text, "asm volatile(\"");
    lower_ptx_mnemonic(shape, shape->no_result ? "red" : "atom", text);
    text_add(text, ".%s.v%u.%s ", lower_ptx_word(shape->operation), lanes,
             lower_ptx_type(shape->operation, shape->type));
    if (!shape->no_result) {
        add_operands(text, 0, lanes);
        text_add(text, ", ");
    }
    text_add(text, "[%%%u], ", address);
    add_operands(text, address + 1, lanes);
    text_add(text, ";\" : ");
    if (!shape->no_result)
        add_outputs(text, shape);
    text_add(text, " : %s", lower_ptx_address(shape));
    add_inputs(text, shape, 'v');
    text_add(text, " : \"memory\");");
    if (!shape->no_result)
        give_words(text, shape);
}

/* atom.exch.b128 and atom.cas.b128. */
static void lower_whole(const struct access_shape *shape, struct text *text)
{
    const bool compares = shape->operation == LITMUS_CAS;
    declare_words(text, shape);
    text_add(text, "asm volatile(\"{ .reg .b128 old, new%s; ", compares ? ", wanted" : "");
    if (compares)
        text_add(text, "mov.b128 wanted, {%%3, %%4}; ");
    text_add(text, "mov.b128 new, {%%%u, %%%u}; ", compares ? 5u : 3u, compares ? 6u : 4u);
    lower_ptx_mnemonic(shape, "atom", text);
    text_add(text, ".%s.b128 old, [%%2], %snew; mov.b128 {%%0, %%1}, old; }\" : ", lower_ptx_word(shape->operation),
             compares ? "wanted, " : "");
    add_outputs(text, shape);
    text_add(text, " : %s", lower_ptx_address(shape));
    if (compares)
        add_inputs(text, shape, 'e');
    add_inputs(text, shape, 'v');
    text_add(text, " : \"memory\");");
    give_words(text, shape);
}

static enum status lower_update(const struct access_shape *shape, struct text *text, struct error *error)
{
    const bool exchanges = shape->operation == LITMUS_EXCHANGE || shape->operation == LITMUS_CAS;
    if (shape->order == LITMUS_PLAIN || shape->order == LITMUS_VOLATILE || shape->order == LITMUS_SEQ_CST)
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no atom.%s", lower_ptx_order(shape->order));
    if (shape->whole && exchanges && !shape->no_result)
        lower_whole(shape, text);
    else if (!shape->whole && !exchanges && lower_ptx_type(shape->operation, shape->type))
        lower_modify(shape, text);
    else
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no %s.%s of %s", shape->no_result ? "red" : "atom",
                         litmus_operation_name(LITMUS_PTX, shape->operation), shape->whole ? ".b128" : "a vector");
    return STATUS_OK;
}

/* A scalar access of each word, as the address need not be aligned to more. */
static void lower_words(const struct access_shape *shape, struct text *text)
{
    const bool loads = shape->operation == LITMUS_LOAD;
    const char *constraint = lower_ptx_constraint(shape->type);
    if (loads)
        declare_words(text, shape);
    for (unsigned lane = 0; lane < shape->lanes; lane++) {
        text_add(text, "%sasm volatile(\"", lane > 0 ? " " : "");
        lower_ptx_mnemonic(shape, loads ? "ld" : "st", text);
        if (loads)
            text_add(text, ".%s %%0, [%%1];\" : \"=%s\"(w%u) : %s : \"memory\");", lower_ptx_moved(shape->type),
                     constraint, lane, lower_ptx_address(shape));
        else
            text_add(text, ".%s [%%0], %%1;\" :: %s, \"%s\"(v%u) : \"memory\");", lower_ptx_moved(shape->type),
                     lower_ptx_address(shape), constraint, lane);
        text_add(text, " p += %u;", litmus_type_size(shape->type) == 8 ? 2u : 1u);
    }
    if (loads)
        give_words(text, shape);
}

enum status lower_ptx_vector(const struct access_shape *test_shape, struct text *text, struct error *error)
{
    struct access_shape shape;
    struct mapped_fences fences;
    if (test_shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory, which inline PTX cannot access here");
    if (test_shape->proxy != LITMUS_GENERIC && !test_shape->read_only)
        return error_set(error, STATUS_UNSUPPORTED, "a vector access through a proxy");
    TRY(lower_mapped(&mapping_ptx, test_shape, &shape, &fences, error));
    if (fences.before)
        return error_set(error, STATUS_UNSUPPORTED, "a vector access of seq_cst");
    TRY(lower_ptx_check_order(&shape, error));
    if (shape.unaligned)
        lower_words(&shape, text);
    else if (shape.operation == LITMUS_LOAD)
        lower_load(&shape, text);
    else if (shape.operation == LITMUS_STORE)
        lower_store(&shape, text);
    else
        return lower_update(&shape, text, error);
    return STATUS_OK;
}

/* ptxas narrows a vector load to the words that are used, and drops it if none is. */
void lower_ptx_use(unsigned bytes, struct text *text)
{
    const bool is_long = bytes == 8;
    text_add(text,
             "asm volatile(\"{ .reg .pred p; setp.eq.u%s p, %%0, 0x%s; @p nanosleep.u32 1; }\" :: \"%s\"(value) : "
             "\"memory\");",
             is_long ? "64" : "32", is_long ? "deadbeefdeadbeef" : "deadbeef", is_long ? "l" : "r");
}
