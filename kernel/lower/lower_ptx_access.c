// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX of loads, stores and atomics, of one word or of a vector: one instruction each, except for OpenCL's vload and
 * vstore, whose address is aligned only to a word, so that they become scalar instructions. Source: PTX ISA, ld, st, atom
 * and red.
 */
#include "kernel/lower.h"
#include "litmus/language/order.h"
#include "litmus/language/ptx_instructions.h"

/* ---- types ---- */

/* PTX's type for loads and stores, for adding and for comparing, and the operand's constraint. */
static const struct {
    const char *move, *add, *order, *constraint;
} types[LITMUS_TYPE_COUNT] = {
    [LITMUS_CHAR] = {"s8", NULL, NULL, "r"},      [LITMUS_UCHAR] = {"u8", NULL, NULL, "r"},
    [LITMUS_SHORT] = {"s16", NULL, NULL, "h"},    [LITMUS_USHORT] = {"u16", NULL, NULL, "h"},
    [LITMUS_INT] = {"b32", "s32", "s32", "r"},    [LITMUS_UINT] = {"b32", "u32", "u32", "r"},
    [LITMUS_LONG] = {"b64", "u64", "s64", "l"},   [LITMUS_ULONG] = {"b64", "u64", "u64", "l"},
    [LITMUS_SIZE] = {"b64", "u64", "u64", "l"},   [LITMUS_PTRDIFF] = {"b64", "u64", "s64", "l"},
    [LITMUS_INTPTR] = {"b64", "u64", "s64", "l"}, [LITMUS_UINTPTR] = {"b64", "u64", "u64", "l"},
    [LITMUS_FLOAT] = {"b32", "f32", NULL, "r"}, /* registers hold the bits */
    [LITMUS_DOUBLE] = {"b64", "f64", NULL, "l"},  [LITMUS_FLAG] = {"b32", NULL, NULL, "r"},
};

/* For exch, cas, and, or and xor. */
static const char *bits_type(enum litmus_type type)
{
    const size_t size = litmus_type_size(type);
    return size == 1 && type != LITMUS_FLAG ? NULL : size == 2 ? "b16" : types[type].move;
}

const char *lower_ptx_type(enum litmus_operation operation, enum litmus_type type)
{
    switch (operation) {
    case LITMUS_LOAD:
    case LITMUS_STORE:
        return types[type].move;
    case LITMUS_FETCH_ADD:
    case LITMUS_FETCH_SUB:
        return types[type].add;
    case LITMUS_FETCH_MIN:
    case LITMUS_FETCH_MAX:
        return types[type].order;
    case LITMUS_FETCH_INC:
    case LITMUS_FETCH_DEC:
        return "u32";
    case LITMUS_EXCHANGE:
    case LITMUS_CAS:
    case LITMUS_FETCH_AND:
    case LITMUS_FETCH_OR:
    case LITMUS_FETCH_XOR:
        return bits_type(type);
    default:
        return NULL;
    }
}

const char *lower_ptx_constraint(enum litmus_type type)
{
    return types[type].constraint;
}

/* The kernel's type of the variable that an instruction fills, which is wider for the narrowest types. */
static const char *type_read(enum litmus_type type)
{
    return type == LITMUS_CHAR ? "int" : type == LITMUS_UCHAR ? "u32" : lower_type(type);
}

/* ---- operands ---- */

static const char *address_of(const struct access_shape *shape)
{
    if (shape->generic)
        return "GENERIC_OPERAND(generic_address(p))";
    if (shape->remote)
        return "LOCAL_OPERAND(remote_address(p))";
    return shape->region == LITMUS_LOCAL ? "LOCAL_OPERAND(local_address(p))" : "GLOBAL_OPERAND(global_address(p))";
}

/* The state space with its dot; an access through a generic address has none. */
static const char *space_of(const struct access_shape *shape)
{
    if (shape->generic)
        return "";
    return shape->remote ? ".shared::cluster" : shape->region == LITMUS_LOCAL ? ".shared" : ".global";
}

static bool reads(const struct access_shape *shape)
{
    return shape->operation != LITMUS_STORE && !shape->no_result;
}

/* The words of a vector that one instruction moves; the only word of a scalar access. */
struct moved_lanes {
    unsigned first, count;
};

enum role { RESULT, VALUE, EXPECTED };

/* Outputs: "=r"(w0), "=r"(w1). Inputs: , "r"(value) */
static void add_variables(const struct access_shape *shape, struct moved_lanes lanes, enum role role, struct text *text)
{
    static const char *const scalars[] = {[RESULT] = "result", [VALUE] = "value", [EXPECTED] = "expected"};
    static const char *const vectors[] = {[RESULT] = "w", [VALUE] = "v", [EXPECTED] = "e"};
    const bool pointer = role == EXPECTED && shape->expected == EXPECTED_REGISTER;
    const bool narrow = role != RESULT && litmus_type_size(shape->type) == 1;
    const char *const before = pointer ? "*" : narrow ? "(u32)" : "";
    for (unsigned lane = lanes.first; lane < lanes.first + lanes.count; lane++) {
        text_add(text, "%s\"%s%s\"(%s", role == RESULT && lane == lanes.first ? "" : ", ", role == RESULT ? "=" : "",
                 types[shape->type].constraint, before);
        if (shape->lanes > 0)
            text_add(text, "%s%u)", vectors[role], lane);
        else
            text_add(text, "%s)", scalars[role]);
    }
}

/* "%2", or "{%2, %3}". */
static void add_numbers(unsigned first, unsigned count, struct text *text)
{
    for (unsigned i = 0; i < count; i++)
        text_add(text, "%s%%%u", i > 0 ? ", " : count > 1 ? "{" : "", first + i);
    text_add(text, count > 1 ? "}" : "");
}

/* ---- instructions ---- */

/* "ld.relaxed.gpu.global.v2.b32 " */
static void add_words(const struct access_shape *shape, unsigned count, struct text *text)
{
    const struct litmus_access access = {.operation = shape->operation == LITMUS_FETCH_SUB
                                                          ? LITMUS_FETCH_ADD /* of the negated operand */
                                                          : shape->operation,
                                         .order = shape->order,
                                         .scope = shape->scope,
                                         .cache = shape->cache,
                                         .prefetch = shape->prefetch,
                                         .read_only = shape->read_only,
                                         .mmio = shape->mmio,
                                         .no_result = shape->no_result};
    ptx_add_access(&access, space_of(shape), text);
    if (count > 1 && !shape->whole)
        text_add(text, ".v%u", count);
    text_add(text, ".%s ", shape->whole ? "b128" : lower_ptx_type(shape->operation, shape->type));
}

/* The operands of one instruction: a number each, or of a value of 128 bits a register. */
struct numbers {
    const struct access_shape *shape;
    unsigned count;
    unsigned address, expected, value; /* the first ones; outputs begin at 0 */
};

static void add_operand(const struct numbers *numbers, const char *whole, unsigned first, struct text *text)
{
    if (numbers->shape->whole)
        text_add(text, "%s", whole);
    else
        add_numbers(first, numbers->count, text);
}

/* "{ .reg .b128 old, new; mov.b128 new, {%3, %4}; " */
static void add_registers(const struct numbers *numbers, bool result, bool writes, bool compares, struct text *text)
{
    text_add(text, "{ .reg .b128 %s%s%s%s; ", result ? "old" : "", result && writes ? ", " : "", writes ? "new" : "",
             compares ? ", wanted" : "");
    if (compares) {
        text_add(text, "mov.b128 wanted, ");
        add_numbers(numbers->expected, numbers->count, text);
        text_add(text, "; ");
    }
    if (writes) {
        text_add(text, "mov.b128 new, ");
        add_numbers(numbers->value, numbers->count, text);
        text_add(text, "; ");
    }
}

static void add_instruction(const struct access_shape *shape, unsigned count, struct text *text)
{
    const bool result = reads(shape), compares = shape->operation == LITMUS_CAS,
               writes = shape->operation != LITMUS_LOAD;
    const unsigned address = result ? count : 0, expected = address + 1;
    const struct numbers numbers = {shape, count, address, expected, expected + (compares ? count : 0)};
    if (shape->whole)
        add_registers(&numbers, result, writes, compares, text);
    add_words(shape, count, text);
    if (result) {
        add_operand(&numbers, "old", 0, text);
        text_add(text, ", ");
    }
    text_add(text, "[%%%u]", address);
    if (compares) {
        text_add(text, ", ");
        add_operand(&numbers, "wanted", expected, text);
    }
    if (writes) {
        text_add(text, ", ");
        add_operand(&numbers, "new", numbers.value, text);
    }
    text_add(text, ";");
    if (shape->whole && result) {
        text_add(text, " mov.b128 ");
        add_numbers(0, count, text);
        text_add(text, ", old;");
    }
    text_add(text, shape->whole ? " }" : "");
}

static void add_asm(const struct access_shape *shape, struct moved_lanes lanes, struct text *text)
{
    text_add(text, "asm volatile(\"");
    add_instruction(shape, lanes.count, text);
    if (reads(shape)) {
        text_add(text, "\" : ");
        add_variables(shape, lanes, RESULT, text);
        text_add(text, " : %s", address_of(shape));
    } else /* in two spellings, because the keys of stored jobs contain the text */
        text_add(text, "\" :%s: %s", shape->lanes > 0 && !operation_moves(shape->operation) ? "  " : "",
                 address_of(shape));
    if (shape->operation == LITMUS_CAS)
        add_variables(shape, lanes, EXPECTED, text);
    if (shape->operation != LITMUS_LOAD)
        add_variables(shape, lanes, VALUE, text);
    text_add(text, " : \"memory\");");
}

/* A scalar access of each word, as the address need not be aligned to more. */
static void add_each(const struct access_shape *shape, struct text *text)
{
    for (unsigned lane = 0; lane < shape->lanes; lane++) {
        text_add(text, lane > 0 ? " " : "");
        add_asm(shape, (struct moved_lanes){lane, 1}, text);
        text_add(text, " p += %u;", litmus_type_size(shape->type) == 8 ? 2u : 1u);
    }
}

static void declare_results(const struct access_shape *shape, struct text *text)
{
    text_add(text, "%s %s", type_read(shape->type), shape->lanes > 0 ? "w0" : "result");
    for (unsigned lane = 1; lane < shape->lanes; lane++)
        text_add(text, ", w%u", lane);
    text_add(text, "; ");
}

static void give_results(const struct access_shape *shape, struct text *text)
{
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, " *r%u = (%s)w%u;", lane, lower_type(shape->type), lane);
    if (shape->lanes == 0)
        text_add(text, shape->expected == EXPECTED_REGISTER
                           ? " if (result == *expected) return 1; *expected = result; return 0;"
                           : " return result;");
}

static void add_access(const struct access_shape *shape, struct text *text)
{
    if (shape->operation == LITMUS_FETCH_SUB)
        text_add(text, "value = (%s)(0u - (u64)value); ", lower_type(shape->type));
    if (reads(shape))
        declare_results(shape, text);
    if (shape->unaligned)
        add_each(shape, text);
    else
        add_asm(shape, (struct moved_lanes){0, shape->lanes > 0 ? shape->lanes : 1}, text);
    if (reads(shape))
        give_results(shape, text);
}

/* ---- what PTX has ---- */

static enum status check_moved(const struct access_shape *shape, struct error *error)
{
    const char *const order = litmus_order_name(LITMUS_PTX, shape->order);
    if (shape->read_only && shape->order != LITMUS_PLAIN)
        return error_set(error, STATUS_UNSUPPORTED, "ld.global.nc.%s: such a load is weak", order);
    if (shape->operation == LITMUS_LOAD && order_releases(shape->order))
        return error_set(error, STATUS_UNSUPPORTED, "ld.%s: a load cannot release", order);
    if (shape->operation == LITMUS_STORE && order_acquires(shape->order))
        return error_set(error, STATUS_UNSUPPORTED, "st.%s: a store cannot acquire", order);
    return STATUS_OK;
}

/* PTX ISA, atom and red: of 128 bits there are exch and cas, of vectors the other operations. */
static enum status check_modified(const struct access_shape *shape, struct error *error)
{
    const bool exchanges = shape->operation == LITMUS_EXCHANGE || shape->operation == LITMUS_CAS;
    const bool typed = lower_ptx_type(shape->operation, shape->type) != NULL;
    const bool has = shape->whole ? exchanges && !shape->no_result : typed && (shape->lanes == 0 || !exchanges);
    const char *const order = litmus_order_name(LITMUS_PTX, shape->order);
    if (!has)
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no %s.%s of %s%s", shape->no_result ? "red" : "atom",
                         litmus_operation_name(LITMUS_PTX, shape->operation), shape->lanes > 0 ? "a vector of " : "",
                         shape->whole ? ".b128" : litmus_type_name(shape->type));
    if (!order_is_atomic(shape->order) || shape->order == LITMUS_SEQ_CST)
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no atom.%s", order);
    if (shape->no_result && shape->lanes == 0 && order_acquires(shape->order))
        return error_set(error, STATUS_UNSUPPORTED, "red.%s: a red reads nothing that it could acquire, write atom",
                         order);
    return STATUS_OK;
}

void lower_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    text_add(text, "asm volatile(\"");
    litmus_print_ptx_fence(fence, text);
    text_add(text, ";\" ::: \"memory\");");
}

enum status lower_ptx_access(const struct access_shape *test_shape, struct text *text, struct error *error)
{
    struct access_shape shape;
    struct mapped_fences fences;
    TRY(lower_mapped(&mapping_ptx, test_shape, &shape, &fences, error));
    if (fences.before && shape.lanes > 0)
        return error_set(error, STATUS_UNSUPPORTED, "a vector access of seq_cst");
    TRY(operation_moves(shape.operation) ? check_moved(&shape, error) : check_modified(&shape, error));
    if (fences.before) {
        lower_ptx_fence(&fences.fence, text);
        text_add(text, " ");
    }
    add_access(&shape, text);
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
