// SPDX-License-Identifier: Apache-2.0
/* Inline PTX. An instruction of a PTX test is emitted as written, one of an OPENCL, CUDA or C test as map.c maps it. */
#include "kernel/lower.h"
#include "litmus/language/collective.h"
#include "litmus/language/order.h"
#include "litmus/language/ptx_instructions.h"

/* ---- loads, stores and atomics, of one word or of a vector ---- */

/* One instruction each, except for OpenCL's vload and vstore, whose address is aligned only to a word, so that they
 * become scalar instructions. Source: PTX ISA, ld, st, atom and red. */

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

/* The type that an access or a change of memory names ("u32"), and an operand's constraint. NULL if there is none. */
static const char *lower_ptx_type(enum litmus_operation operation, enum litmus_type type)
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
        return litmus_type_size(type) == 2                          ? "b16"
               : litmus_type_size(type) == 1 && type != LITMUS_FLAG ? NULL
                                                                    : types[type].move;
    default:
        return NULL;
    }
}

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
static void lower_ptx_add_numbers(unsigned first, unsigned count, struct text *text)
{
    for (unsigned i = 0; i < count; i++)
        text_add(text, "%s%%%u", i > 0 ? ", " : count > 1 ? "{" : "", first + i);
    text_add(text, count > 1 ? "}" : "");
}

/* "ld.relaxed.gpu.global.v2.b32 " */
static void lower_ptx_add_words(const struct access_shape *shape, unsigned count, struct text *text)
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
        lower_ptx_add_numbers(first, numbers->count, text);
}

/* "{ .reg .b128 old, new; mov.b128 new, {%3, %4}; " */
static void add_registers(const struct numbers *numbers, bool result, bool writes, bool compares, struct text *text)
{
    text_add(text, "{ .reg .b128 %s%s%s%s; ", result ? "old" : "", result && writes ? ", " : "", writes ? "new" : "",
             compares ? ", wanted" : "");
    if (compares) {
        text_add(text, "mov.b128 wanted, ");
        lower_ptx_add_numbers(numbers->expected, numbers->count, text);
        text_add(text, "; ");
    }
    if (writes) {
        text_add(text, "mov.b128 new, ");
        lower_ptx_add_numbers(numbers->value, numbers->count, text);
        text_add(text, "; ");
    }
}

static void lower_ptx_add_instruction(const struct access_shape *shape, unsigned count, struct text *text)
{
    const bool result = reads(shape), compares = shape->operation == LITMUS_CAS,
               writes = shape->operation != LITMUS_LOAD;
    const unsigned address = result ? count : 0, expected = address + 1;
    const struct numbers numbers = {shape, count, address, expected, expected + (compares ? count : 0)};
    if (shape->whole)
        add_registers(&numbers, result, writes, compares, text);
    lower_ptx_add_words(shape, count, text);
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
        lower_ptx_add_numbers(0, count, text);
        text_add(text, ", old;");
    }
    text_add(text, shape->whole ? " }" : "");
}

static void add_asm(const struct access_shape *shape, struct moved_lanes lanes, struct text *text)
{
    text_add(text, "asm volatile(\"");
    lower_ptx_add_instruction(shape, lanes.count, text);
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

static void lower_ptx_add_access(const struct access_shape *shape, struct text *text)
{
    if (shape->operation == LITMUS_FETCH_SUB)
        text_add(text, "value = (%s)(0u - (u64)value); ", lower_type(shape->type));
    if (reads(shape)) {
        /* The kernel's type of the variable that an instruction fills, which is wider for the narrowest types. */
        text_add(text, "%s %s",
                 shape->type == LITMUS_CHAR    ? "int"
                 : shape->type == LITMUS_UCHAR ? "u32"
                                               : lower_type(shape->type),
                 shape->lanes > 0 ? "w0" : "result");
        for (unsigned lane = 1; lane < shape->lanes; lane++)
            text_add(text, ", w%u", lane);
        text_add(text, "; ");
    }
    if (shape->unaligned) {
        /* A scalar access of each word, as the address need not be aligned to more. */
        for (unsigned lane = 0; lane < shape->lanes; lane++) {
            text_add(text, lane > 0 ? " " : "");
            add_asm(shape, (struct moved_lanes){lane, 1}, text);
            text_add(text, " p += %u;", litmus_type_size(shape->type) == 8 ? 2u : 1u);
        }
    } else
        add_asm(shape, (struct moved_lanes){0, shape->lanes > 0 ? shape->lanes : 1}, text);
    if (reads(shape)) {
        for (unsigned lane = 0; lane < shape->lanes; lane++)
            text_add(text, " *r%u = (%s)w%u;", lane, lower_type(shape->type), lane);
        if (shape->lanes == 0)
            text_add(text, shape->expected == EXPECTED_REGISTER
                               ? " if (result == *expected) return 1; *expected = result; return 0;"
                               : " return result;");
    }
}

/* ---- accesses through the texture, surface and constant proxies ---- */

/* Litmus tests write them with names of their own (Lustig, Cooksey and Giroux, ISCA 2022): tld is tex.1d over plain
 * memory, suld, sust and sured are the ISA's, on elements of 32 bits, cold is ld.const. */

static enum status lower_texture(const struct access_shape *shape, struct text *text)
{
    text_add(
        text,
        "u32 result, second, third, fourth; asm volatile(\"tex.1d.v4.u32.s32 {%%0, %%1, %%2, %%3}, [%%4, {%%5}];\" : "
        "\"=r\"(result), \"=r\"(second), \"=r\"(third), \"=r\"(fourth) : \"l\"(texture), \"r\"(word) : \"memory\"); "
        "return (%s)result;",
        lower_type(shape->type));
    return STATUS_OK;
}

static enum status lower_constant(const struct access_shape *shape, struct text *text)
{
    text_add(text,
             "u32 result; asm volatile(\"{ .reg .u64 a; cvta.to.const.u64 a, %%1; ld.const.b32 %%0, [a]; }\" : "
             "\"=r\"(result) : \"l\"(orchil_bank + word) : \"memory\"); return (%s)result;",
             lower_type(shape->type));
    return STATUS_OK;
}

/* The type of a sured; NULL if the ISA does not have the operation. */
static const char *reduced_type(const struct access_shape *shape)
{
    const enum litmus_operation operation = shape->operation;
    const bool has = operation == LITMUS_FETCH_ADD || operation == LITMUS_FETCH_MIN || operation == LITMUS_FETCH_MAX ||
                     operation == LITMUS_FETCH_AND || operation == LITMUS_FETCH_OR;
    return !has ? NULL : operation == LITMUS_FETCH_ADD ? "u32" : lower_ptx_type(operation, shape->type);
}

static enum status lower_surface(const struct access_shape *shape, struct text *text, struct error *error)
{
    static const char operands[] = "\"l\"(surface), \"r\"((place & 65535u) * 4u), \"r\"(place >> 16)";
    const char *const type = reduced_type(shape), *const word = litmus_operation_name(LITMUS_PTX, shape->operation);
    if (shape->operation == LITMUS_LOAD) {
        text_add(text,
                 "u32 result; asm volatile(\"suld.b.2d.b32.trap {%%0}, [%%1, {%%2, %%3}];\" : \"=r\"(result) : %s : "
                 "\"memory\"); return (%s)result;",
                 operands, lower_type(shape->type));
    } else if (shape->operation == LITMUS_STORE) {
        text_add(text,
                 "asm volatile(\"sust.b.2d.b32.trap [%%0, {%%1, %%2}], {%%3};\" :: %s, \"r\"(value) : \"memory\");",
                 operands);
    } else if (shape->no_result && type) {
        text_add(text,
                 "asm volatile(\"sured.b.%s.2d.%s.trap [%%0, {%%1, %%2}], %%3;\" :: %s, \"r\"(value) : \"memory\");",
                 word, type, operands);
    } else if (shape->no_result) {
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no sured.%s", word);
    } else {
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no surface atomic that returns the old value, only sured");
    }
    return STATUS_OK;
}

/* ---- what PTX has ---- */

static enum status check_moved(const struct access_shape *shape, struct error *error)
{
    const char *const order = litmus_order_name(LITMUS_PTX, shape->order);
    if (shape->read_only && shape->order != LITMUS_PLAIN)
        return error_set(error, STATUS_UNSUPPORTED, "ld.global.nc.%s, because loads with .nc are weak", order);
    if (shape->operation == LITMUS_LOAD && order_releases(shape->order))
        return error_set(error, STATUS_UNSUPPORTED, "ld.%s, because a load cannot release", order);
    if (shape->operation == LITMUS_STORE && order_acquires(shape->order))
        return error_set(error, STATUS_UNSUPPORTED, "st.%s, because a store cannot acquire", order);
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
        return error_set(error, STATUS_UNSUPPORTED,
                         "red.%s, because red returns no value and cannot acquire (write atom)", order);
    return STATUS_OK;
}

/* "asm volatile("fence.sc.gpu;" ::: "memory");". */
static void lower_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    text_add(text, "asm volatile(\"");
    litmus_print_ptx_fence(fence, text);
    text_add(text, ";\" ::: \"memory\");");
}

static enum status lower_ptx_access(const struct access_shape *test_shape, struct text *text, struct error *error)
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
    lower_ptx_add_access(&shape, text);
    return STATUS_OK;
}

/* ptxas narrows a vector load to the words that are used, and drops it if none is. */
static void lower_ptx_use(unsigned bytes, struct text *text)
{
    const bool is_long = bytes == 8;
    text_add(text,
             "asm volatile(\"{ .reg .pred p; setp.eq.u%s p, %%0, 0x%s; @p nanosleep.u32 1; }\" :: \"%s\"(value) : "
             "\"memory\");",
             is_long ? "64" : "32", is_long ? "deadbeefdeadbeef" : "deadbeef", is_long ? "l" : "r");
}

static bool lower_ptx_applies(enum litmus_dialect dialect)
{
    return dialect != LITMUS_VULKAN;
}

/* ---- instructions that have all their words in a row of the table ---- */

/* Time limit of an mbarrier.try_wait, in nanoseconds. Without it, the chip chooses the time, and a bounded loop around
 * it would not end in time if a phase does not. */
enum { TRY_WAIT_NANOSECONDS = 1000 };

/* What the operands of a row are in a helper: parameters, or numbers in its text. */
struct parameters {
    const char *mbarrier; /* "mbarrier" or "p" */
    bool remote;          /* it and `to` lie in the memory of another work-group of the cluster */
    bool single;          /* one arrival, which needs no operand */
    uint32_t bytes, pending;
    enum litmus_type type; /* of the value */
};

static const char *address_in(enum litmus_region region, bool remote)
{
    return region == LITMUS_GLOBAL ? "GLOBAL_OPERAND(global_address"
           : remote                ? "LOCAL_OPERAND(remote_address"
                                   : "LOCAL_OPERAND(local_address";
}

/* "ended", "[%0]", "16": number is that of the next input, and the result that an input is one. */
static bool add_lettered(const struct parameters *parameters, char letter, unsigned number, struct text *text)
{
    const bool place = strchr("tTfmM", letter) != NULL;
    if (letter == '_' || letter == 'r')
        text_add(text, letter == 'r' ? "ended" : "_");
    else if (letter == 'b' || letter == 'n')
        text_add(text, "%" PRIu32, letter == 'b' ? parameters->bytes : parameters->pending);
    else
        text_add(text, place ? "[%%%u]" : "%%%u", number);
    return !strchr("_rbn", letter);
}

/* "cp.async.ca.shared.global [%0], [%1], 4", and its inputs. */
static void add_form(const struct ptx_meaning *meaning, const struct parameters *parameters, struct text *text,
                     struct text *inputs)
{
    const struct ptx_instruction *row = ptx_find_meaning(meaning);
    unsigned number = row->operands[0] == 'r' ? 1 : 0;
    ptx_add_words(meaning, lower_ptx_type(meaning->operation, meaning->type), text);
    for (const char *letter = row->operands; *letter && *letter != 'h' && !(*letter == 'c' && parameters->single);
         letter++) {
        text_add(text, letter == row->operands ? " " : ", ");
        /* The input of a letter of the table; nothing for an operand that is no input. */
        const char *const comma = inputs->size > 0 ? ", " : "";
        if (strchr("tT", *letter))
            text_add(inputs, "%s%s(to))", comma, address_in(meaning->to, parameters->remote));
        else if (*letter == 'f')
            text_add(inputs, "%s%s(from))", comma, address_in(meaning->from, false));
        else if (strchr("mM", *letter))
            text_add(inputs, "%s%s(%s))", comma, address_in(LITMUS_LOCAL, parameters->remote), parameters->mbarrier);
        else if (*letter == 'k')
            text_add(inputs, "%s\"h\"((unsigned short)mask)", comma);
        else if (*letter == 'v')
            text_add(inputs, "%s\"%s\"(value)", comma, types[parameters->type].constraint);
        else if (strchr("cxp", *letter))
            text_add(inputs, "%s\"r\"(value)", comma);
        number += add_lettered(parameters, *letter, number, text);
    }
}

static void lower_form(const struct ptx_meaning *meaning, const struct parameters *parameters, struct text *text)
{
    LOCAL(text) inputs = {0};
    text_add(text, "asm volatile(\"");
    add_form(meaning, parameters, text, &inputs);
    text_add(text, ";\" ::%s%s%s: \"memory\");", inputs.size > 0 ? " " : "", text_string(&inputs),
             inputs.size > 0 ? " " : "");
}

static void lower_copy(const struct copy_shape *shape, struct text *text)
{
    lower_form(
        &shape->meaning,
        &(struct parameters){
            .mbarrier = "mbarrier", .remote = shape->remote, .bytes = shape->copy->bytes, .type = shape->copy->type},
        text);
}

static void lower_group(const struct litmus_group *group, struct text *text)
{
    const struct litmus_statement statement = {.kind = LITMUS_GROUP, .group = *group};
    const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
    lower_form(&meaning, &(struct parameters){.mbarrier = "mbarrier", .pending = group->pending}, text);
}

/* The default order and scope, release or acquire at cta, are not written, so that sm_80 accepts it. They are written
 * with a number of arrivals, so that the PTX shows what it needs. */
static enum status lower_mbarrier(const struct access_shape *shape, struct text *text)
{
    const bool changes_bytes = shape->operation == LITMUS_EXPECT_TX || shape->operation == LITMUS_COMPLETE_TX;
    const bool counted = shape->operation == LITMUS_ARRIVE && !shape->single;
    const bool brief =
        !changes_bytes && !counted && shape->order != LITMUS_RELAXED && shape->scope <= LITMUS_WORK_GROUP;
    const struct ptx_meaning meaning = {.shape = PTX_MBARRIER,
                                        .flags = (shape->remote ? PTX_CLUSTER : 0u) | (brief ? PTX_BRIEF : 0u),
                                        .operation = shape->operation,
                                        .order = shape->order,
                                        .scope = shape->scope};
    const struct parameters parameters = {.mbarrier = "p", .remote = shape->remote, .single = shape->single};
    LOCAL(text) inputs = {0};
    if (!operation_is_wait(shape->operation)) {
        lower_form(&meaning, &parameters, text);
        return STATUS_OK;
    }
    text_add(text, "int result; asm volatile(\"{ .reg .pred ended; ");
    add_form(&meaning, &parameters, text, &inputs);
    if (shape->operation == LITMUS_TRY_WAIT)
        text_add(text, ", %d", TRY_WAIT_NANOSECONDS);
    text_add(text, "; selp.s32 %%0, 1, 0, ended; }\" : \"=r\"(result) : %s : \"memory\"); return result;",
             text_string(&inputs));
    return STATUS_OK;
}

/* Of the smallest shape of integers, with the word as the place of both matrices: a descriptor has 14 bits of its
 * address in units of 16 bytes. The predicate says that the sum begins at 0. */
static void lower_matrix(const struct access_shape *shape, struct text *text)
{
    text_add(text,
             "u32 result, second, third, fourth; asm volatile(\"{ .reg .pred p; setp.ne.u32 p, 0, 0; "
             "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%%0, %%1, %%2, %%3}, %%4, %%4, p; }\" : "
             "\"=r\"(result), \"=r\"(second), \"=r\"(third), \"=r\"(fourth) : "
             "\"l\"((u64)(local_address(p) >> 4 & 0x3fffu)) : \"memory\"); return (%s)result;",
             lower_type(shape->type));
}

/* ---- accesses, fences and barriers ---- */

static enum status lower_ptx_lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    if (operation_is_mbarrier(shape->operation))
        return lower_mbarrier(shape, text);
    if (shape->proxy == LITMUS_ASYNC) {
        lower_matrix(shape, text);
        return STATUS_OK;
    }
    if (shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory, which inline PTX cannot access here");
    if (shape->proxy == LITMUS_GENERIC || shape->read_only)
        return lower_ptx_access(shape, text, error);
    if (shape->lanes > 0)
        return error_set(error, STATUS_UNSUPPORTED, "a vector access through a proxy");
    /* Lowers an access through the texture, surface or constant proxy. */
    const bool moves = operation_moves(shape->operation);
    if (moves && shape->order != LITMUS_PLAIN)
        return error_set(error, STATUS_UNSUPPORTED, "an access through a proxy, unless it is weak");
    if (shape->proxy == LITMUS_SURFACE)
        return lower_surface(shape, text, error);
    if (shape->operation != LITMUS_LOAD)
        return error_set(error, STATUS_UNSUPPORTED, "a %s is only read",
                         shape->proxy == LITMUS_TEXTURE ? "texture" : "constant bank");
    return shape->proxy == LITMUS_TEXTURE ? lower_texture(shape, text) : lower_constant(shape, text);
}

static enum status lower_ptx_lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect,
                                         struct text *text, struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_ptx.fence(dialect, &mapped, error));
    if (mapped.order == LITMUS_RELAXED)
        text_add(text, "/* a relaxed fence orders nothing */");
    else
        lower_ptx_fence(&mapped, text);
    return STATUS_OK;
}

static enum status lower_ptx_lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect,
                                           struct text *text, struct error *error)
{
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences fences;
    TRY(mapping_ptx.barrier(dialect, &mapped, &fences, error));
    if (mapped.scope == LITMUS_CLUSTER) {
        const struct litmus_statement statement = {.kind = LITMUS_BARRIER, .barrier = mapped};
        const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
        lower_form(&meaning, &(struct parameters){0}, text);
        return STATUS_OK;
    }
    if (mapped.scope == LITMUS_DEVICE)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier of the whole grid");
    if (barrier->arrive || barrier->quorum)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier at which only some threads of the work-group wait");
    if (barrier->resource && barrier->resource->kind != LITMUS_EXPRESSION_CONSTANT)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier with a computed number");
    if (fences.before) {
        lower_ptx_fence(&fences.fence, text);
        text_add(text, " ");
    }
    /* All items of the group or sub-group come here, so that .aligned is right. */
    text_add(text, "asm volatile(\"%s;\" ::: \"memory\");",
             mapped.scope == LITMUS_SUB_GROUP ? "bar.warp.sync 0xffffffff" : "bar.sync 0");
    if (fences.after) {
        text_add(text, " ");
        lower_ptx_fence(&fences.fence, text);
    }
    return STATUS_OK;
}

/* Predicates of the instruction are numbers outside it. */
static enum status lower_collective(const struct litmus_collective *collective, struct text *text, struct error *error)
{
    static const char *const forms[LITMUS_COLLECTIVE_COUNT] = {
        [LITMUS_VOTE_ANY] = "p, p, %2",          [LITMUS_VOTE_ALL] = "p, p, %2", [LITMUS_BALLOT] = "%0, p, %2",
        [LITMUS_SHUFFLE] = "%0, %1, %3, 31, %2", [LITMUS_ELECT] = "_|p, %2",     [LITMUS_ACTIVE] = "%0"};
    struct litmus_statement statement = {.kind = LITMUS_COLLECTIVE, .collective = *collective};
    /* `from` is the lane itself */
    if (collective->function == LITMUS_SHUFFLE_XOR)
        statement.collective.function = LITMUS_SHUFFLE;
    const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
    const enum litmus_collective_function function = statement.collective.function;
    (void)error;
    if (function == LITMUS_SYNC_LANES) {
        text_add(text, "asm volatile(\"bar.warp.sync %%0;\" :: \"r\"(called) : \"memory\");");
        return STATUS_OK;
    }
    const char *const operands = forms[function] ? forms[function] : "%0, %1, %2";
    text_add(text, "asm volatile(\"{ .reg .pred p; %s",
             litmus_collective_votes(function) ? "setp.ne.u32 p, %1, 0; " : "");
    ptx_add_words(&meaning, NULL, text);
    text_add(text, " %s%s; }\" : \"=r\"(result)", operands, *operands == '%' ? "" : "; selp.u32 %0, 1, 0, p");
    if (function != LITMUS_ACTIVE)
        text_add(text, " : \"r\"(%s), \"r\"(called)%s", function == LITMUS_ELECT ? "0" : "value",
                 collective->lane ? ", \"r\"(from)" : "");
    text_add(text, ");");
    return STATUS_OK;
}

const struct lowering lowering_ptx = {
    .name = "ptx",
    .syntax = &syntax_c,
    .conversion = lower_cuda_conversion,
    .takes = BACKEND_TAKES_PTX,
    .one_spelling = true,
    .applies = lower_ptx_applies,
    .access = lower_ptx_lower_access,
    .fence = lower_ptx_lower_fence,
    .barrier = lower_ptx_lower_barrier,
    .collective = lower_collective,
    .copy = lower_copy,
    .group = lower_group,
    .vector = lower_ptx_lower_access,
    .use = lower_ptx_use,
};
