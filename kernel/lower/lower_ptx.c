// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX. An instruction of a PTX test is emitted as written, one of an OPENCL, CUDA or C test as map_ptx.c maps it.
 */
#include "kernel/lower.h"
#include "litmus/language/order.h"

/* PTX's type for loads and stores, for bitwise read-modify-writes, for adding and for comparing;
 * the operand's constraint; and the type of the variable that a load fills, which is wider for
 * narrow types. */
static const struct {
    const char *move, *bits, *add, *order, *constraint, *loaded;
} types[LITMUS_TYPE_COUNT] = {
    [LITMUS_CHAR] = {"s8", NULL, NULL, NULL, "r", "int"},
    [LITMUS_UCHAR] = {"u8", NULL, NULL, NULL, "r", "u32"},
    [LITMUS_SHORT] = {"s16", "b16", NULL, NULL, "h", "s16"},
    [LITMUS_USHORT] = {"u16", "b16", NULL, NULL, "h", "u16"},
    [LITMUS_INT] = {"b32", "b32", "s32", "s32", "r", "int"},
    [LITMUS_UINT] = {"b32", "b32", "u32", "u32", "r", "u32"},
    [LITMUS_LONG] = {"b64", "b64", "u64", "s64", "l", "LONG"},
    [LITMUS_ULONG] = {"b64", "b64", "u64", "u64", "l", "u64"},
    [LITMUS_SIZE] = {"b64", "b64", "u64", "u64", "l", "u64"},
    [LITMUS_PTRDIFF] = {"b64", "b64", "u64", "s64", "l", "LONG"},
    [LITMUS_INTPTR] = {"b64", "b64", "u64", "s64", "l", "LONG"},
    [LITMUS_UINTPTR] = {"b64", "b64", "u64", "u64", "l", "u64"},
    [LITMUS_FLOAT] = {"b32", "b32", "f32", NULL, "r", "u32"}, /* registers hold the bits */
    [LITMUS_DOUBLE] = {"b64", "b64", "f64", NULL, "l", "u64"},
    [LITMUS_FLAG] = {"b32", "b32", NULL, NULL, "r", "int"},
};

/* Which spelling of its type a read-modify-write takes, if PTX has it. */
static const enum {
    SPELL_NOTHING,
    SPELL_BITS,
    SPELL_ADD,
    SPELL_ORDER,
    SPELL_U32
} spellings[LITMUS_OPERATION_COUNT] = {
    [LITMUS_EXCHANGE] = SPELL_BITS,  [LITMUS_CAS] = SPELL_BITS,        [LITMUS_FETCH_ADD] = SPELL_ADD,
    [LITMUS_FETCH_SUB] = SPELL_ADD,  [LITMUS_FETCH_AND] = SPELL_BITS,  [LITMUS_FETCH_OR] = SPELL_BITS,
    [LITMUS_FETCH_XOR] = SPELL_BITS, [LITMUS_FETCH_MIN] = SPELL_ORDER, [LITMUS_FETCH_MAX] = SPELL_ORDER,
    [LITMUS_FETCH_INC] = SPELL_U32,  [LITMUS_FETCH_DEC] = SPELL_U32,
};

static bool applies(enum litmus_dialect dialect)
{
    return dialect != LITMUS_VULKAN;
}

const char *lower_ptx_order(enum litmus_order order)
{
    return litmus_order_name(LITMUS_PTX, order);
}

const char *lower_ptx_word(enum litmus_operation operation)
{
    return litmus_operation_name(LITMUS_PTX, operation == LITMUS_FETCH_SUB
                                                 ? LITMUS_FETCH_ADD /* of the negated operand */
                                                 : operation);
}

const char *lower_ptx_constraint(enum litmus_type type)
{
    return types[type].constraint;
}

static bool is_local(const struct access_shape *shape)
{
    return shape->region == LITMUS_LOCAL;
}

const char *lower_ptx_moved(enum litmus_type type)
{
    return types[type].move;
}

const char *lower_ptx_loaded(enum litmus_type type)
{
    return types[type].loaded;
}

const char *lower_ptx_address(const struct access_shape *shape)
{
    if (shape->generic)
        return "GENERIC_OPERAND(generic_address(p))";
    if (shape->remote)
        return "LOCAL_OPERAND(remote_address(p))";
    return is_local(shape) ? "LOCAL_OPERAND(local_address(p))" : "GLOBAL_OPERAND(global_address(p))";
}

/* The state space with its dot; an access through a generic address has none. */
static const char *space_of(const struct access_shape *shape)
{
    return shape->generic ? "" : shape->remote ? ".shared::cluster" : is_local(shape) ? ".shared" : ".global";
}

/* ".relaxed.gpu", or no scope if the order takes none. */
static void add_qualifiers(struct text *text, enum litmus_order order, enum litmus_scope scope)
{
    text_add(text, ".%s", lower_ptx_order(order));
    if (order != LITMUS_PLAIN && order != LITMUS_VOLATILE)
        text_add(text, ".%s", litmus_scope_name(LITMUS_PTX, scope));
}

static void add_cache(struct text *text, enum litmus_cache cache)
{
    if (cache != LITMUS_CACHE_NONE)
        text_add(text, ".%s", litmus_cache_name(cache));
}

void lower_ptx_mnemonic(const struct access_shape *shape, const char *mnemonic, struct text *text)
{
    /* A cache operator comes right after the state space and before .nc; other qualifiers come
     * after .nc. */
    const bool is_operator = litmus_cache_is_operator(shape->cache);
    text_add(text, "%s%s", mnemonic, shape->mmio ? ".mmio" : "");
    if (!shape->read_only)
        add_qualifiers(text, shape->order, shape->scope);
    text_add(text, "%s", space_of(shape));
    if (is_operator)
        add_cache(text, shape->cache);
    if (shape->read_only)
        text_add(text, ".nc");
    if (!is_operator)
        add_cache(text, shape->cache);
    add_cache(text, shape->prefetch);
}

enum status lower_ptx_check_order(const struct access_shape *shape, struct error *error)
{
    const enum litmus_order order = shape->order;
    if (shape->read_only && order != LITMUS_PLAIN)
        return error_set(error, STATUS_UNSUPPORTED, "ld.global.nc.%s: such a load is weak", lower_ptx_order(order));
    if (shape->operation == LITMUS_LOAD && order_releases(order))
        return error_set(error, STATUS_UNSUPPORTED, "ld.%s: a load cannot release", lower_ptx_order(order));
    if (shape->operation == LITMUS_STORE && order_acquires(order))
        return error_set(error, STATUS_UNSUPPORTED, "st.%s: a store cannot acquire", lower_ptx_order(order));
    return STATUS_OK;
}

static enum status lower_load(const struct access_shape *shape, struct text *text, struct error *error)
{
    TRY(lower_ptx_check_order(shape, error));
    text_add(text, "%s result; asm volatile(\"", types[shape->type].loaded);
    lower_ptx_mnemonic(shape, "ld", text);
    text_add(text, ".%s %%0, [%%1];\" : \"=%s\"(result) : %s : \"memory\"); return result;", types[shape->type].move,
             types[shape->type].constraint, lower_ptx_address(shape));
    return STATUS_OK;
}

static enum status lower_store(const struct access_shape *shape, struct text *text, struct error *error)
{
    TRY(lower_ptx_check_order(shape, error));
    text_add(text, "asm volatile(\"");
    lower_ptx_mnemonic(shape, "st", text);
    text_add(text, ".%s [%%0], %%1;\" :: %s, \"%s\"(%svalue) : \"memory\");", types[shape->type].move,
             lower_ptx_address(shape), types[shape->type].constraint,
             litmus_type_size(shape->type) == 1 ? "(u32)" : "");
    return STATUS_OK;
}

const char *lower_ptx_type(enum litmus_operation operation, enum litmus_type type)
{
    switch (spellings[operation]) {
    case SPELL_ADD:
        return types[type].add;
    case SPELL_ORDER:
        return types[type].order;
    case SPELL_U32:
        return "u32";
    case SPELL_BITS:
        return types[type].bits;
    case SPELL_NOTHING:
        break;
    }
    return NULL;
}

static const char *spelling_of(const struct access_shape *shape)
{
    return lower_ptx_type(shape->operation, shape->type);
}

static enum status lower_modify(const struct access_shape *shape, struct text *text, struct error *error)
{
    const char *word = lower_ptx_word(shape->operation);
    const char *type = lower_type(shape->type), *constraint = types[shape->type].constraint;
    if (!spelling_of(shape))
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no atom.%s of a %s",
                         litmus_operation_name(LITMUS_PTX, shape->operation), litmus_type_name(shape->type));
    if (shape->order == LITMUS_PLAIN || shape->order == LITMUS_VOLATILE || shape->order == LITMUS_SEQ_CST)
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no atom.%s", lower_ptx_order(shape->order));
    if (shape->no_result && shape->order != LITMUS_RELAXED && shape->order != LITMUS_RELEASE)
        return error_set(error, STATUS_UNSUPPORTED, "red.%s: a red reads nothing that it could acquire, write atom",
                         lower_ptx_order(shape->order));
    if (shape->operation == LITMUS_FETCH_SUB)
        text_add(text, "value = (%s)(0u - (u64)value); ", type);
    if (shape->no_result)
        text_add(text, "asm volatile(\"");
    else
        text_add(text, "%s result; asm volatile(\"", type);
    lower_ptx_mnemonic(shape, shape->no_result ? "red" : "atom", text);
    text_add(text, ".%s.%s ", word, spelling_of(shape));
    if (shape->no_result)
        text_add(text, "[%%0], %%1;\" :: %s, \"%s\"(value) : \"memory\");", lower_ptx_address(shape), constraint);
    else if (shape->expected == EXPECTED_NONE)
        text_add(text, "%%0, [%%1], %%2;\" : \"=%s\"(result) : %s, \"%s\"(value) : \"memory\"); return result;",
                 constraint, lower_ptx_address(shape), constraint);
    else
        text_add(text,
                 "%%0, [%%1], %%2, %%3;\" : \"=%s\"(result) : %s, \"%s\"(%sexpected), \"%s\"(value) : \"memory\"); ",
                 constraint, lower_ptx_address(shape), constraint, shape->expected == EXPECTED_REGISTER ? "*" : "",
                 constraint);
    if (shape->expected == EXPECTED_VALUE)
        text_add(text, "return result;");
    if (shape->expected == EXPECTED_REGISTER)
        text_add(text, "if (result == *expected) return 1; *expected = result; return 0;");
    return STATUS_OK;
}

void lower_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    text_add(text, "asm volatile(\"");
    litmus_print_ptx_fence(fence, text);
    text_add(text, ";\" ::: \"memory\");");
}

static enum status lower_access(const struct access_shape *test_shape, struct text *text, struct error *error)
{
    struct access_shape shape;
    struct mapped_fences fences;
    if (operation_is_mbarrier(test_shape->operation)) {
        lower_ptx_mbarrier(test_shape, text);
        return STATUS_OK;
    }
    if (test_shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory, which inline PTX cannot access here");
    if (test_shape->proxy != LITMUS_GENERIC && !test_shape->read_only)
        return lower_ptx_proxy(test_shape, text, error);
    TRY(lower_mapped(&mapping_ptx, test_shape, &shape, &fences, error));
    if (fences.before) {
        lower_ptx_fence(&fences.fence, text);
        text_add(text, " ");
    }
    if (shape.operation == LITMUS_LOAD)
        return lower_load(&shape, text, error);
    if (shape.operation == LITMUS_STORE)
        return lower_store(&shape, text, error);
    return lower_modify(&shape, text, error);
}

static enum status lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                               struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_ptx.fence(dialect, &mapped, error));
    if (mapped.order == LITMUS_RELAXED)
        text_add(text, "/* a relaxed fence orders nothing */");
    else
        lower_ptx_fence(&mapped, text);
    return STATUS_OK;
}

static enum status lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                                 struct error *error)
{
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences fences;
    TRY(mapping_ptx.barrier(dialect, &mapped, &fences, error));
    if (mapped.scope == LITMUS_CLUSTER) {
        lower_ptx_cluster_barrier(barrier, text);
        return STATUS_OK;
    }
    if (barrier->arrive || barrier->quorum)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier on which only some threads of the work-group wait");
    if (barrier->resource && barrier->resource->kind != LITMUS_EXPRESSION_CONSTANT)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier whose number is computed");
    if (fences.before) {
        lower_ptx_fence(&fences.fence, text);
        text_add(text, " ");
    }
    /* All items of the group or sub-group come here. */
    text_add(text, "asm volatile(\"%s;\" ::: \"memory\");",
             mapped.scope == LITMUS_SUB_GROUP ? "bar.warp.sync 0xffffffff" : "bar.sync 0");
    if (fences.after) {
        text_add(text, " ");
        lower_ptx_fence(&fences.fence, text);
    }
    return STATUS_OK;
}

const struct lowering lowering_ptx = {
    .name = "ptx",
    .syntax = &syntax_c,
    .takes = BACKEND_TAKES_PTX,
    .one_spelling = true,
    .applies = applies,
    .access = lower_access,
    .fence = lower_fence,
    .barrier = lower_barrier,
    .copy = lower_ptx_copy,
    .group = lower_ptx_group,
    .vector = lower_ptx_vector,
    .use = lower_ptx_use,
};
