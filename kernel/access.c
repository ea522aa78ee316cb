// SPDX-License-Identifier: Apache-2.0
/* Helpers and expressions. Each distinct access, fence and barrier of a test becomes one function
 * of the kernel. */
#include "kernel/access.h"

#include <stdio.h>
#include <string.h>

#include "kernel/paths.h"

static const char *const scope_words[LITMUS_SCOPE_COUNT] = {
    [LITMUS_SCOPE_NONE] = "",          [LITMUS_WORK_ITEM] = "_work_item",
    [LITMUS_SUB_GROUP] = "_sub_group", [LITMUS_WORK_GROUP] = "_work_group",
    [LITMUS_CLUSTER] = "_cluster",     [LITMUS_QUEUE_FAMILY] = "_queue_family",
    [LITMUS_DEVICE] = "_device",       [LITMUS_ALL_DEVICES] = "_all_devices",
};

static const char *const operation_words[LITMUS_OPERATION_COUNT] = {
    [LITMUS_LOAD] = "load",           [LITMUS_STORE] = "store",
    [LITMUS_EXCHANGE] = "exchange",   [LITMUS_CAS] = "cas",
    [LITMUS_CAS_WEAK] = "cas_weak",   [LITMUS_FETCH_ADD] = "fetch_add",
    [LITMUS_FETCH_SUB] = "fetch_sub", [LITMUS_FETCH_MUL] = "fetch_mul",
    [LITMUS_FETCH_DIV] = "fetch_div", [LITMUS_FETCH_AND] = "fetch_and",
    [LITMUS_FETCH_OR] = "fetch_or",   [LITMUS_FETCH_XOR] = "fetch_xor",
    [LITMUS_FETCH_MIN] = "fetch_min", [LITMUS_FETCH_MAX] = "fetch_max",
    [LITMUS_FETCH_INC] = "fetch_inc", [LITMUS_FETCH_DEC] = "fetch_dec",
    [LITMUS_ARRIVE] = "arrive",       [LITMUS_ARRIVE_EXPECT_TX] = "arrive_expect_tx",
    [LITMUS_EXPECT_TX] = "expect_tx", [LITMUS_COMPLETE_TX] = "complete_tx",
    [LITMUS_TEST_WAIT] = "test_wait", [LITMUS_TRY_WAIT] = "try_wait",
};

/* "_cg", "_L1_no_allocate"; nothing for NONE */
static void add_cache_word(enum litmus_cache cache, struct text *name)
{
    if (cache == LITMUS_CACHE_NONE)
        return;
    text_add(name, "_");
    for (const char *from = litmus_cache_name(cache); *from; from++)
        if (*from != ':' || from[1] == ':')
            text_add(name, "%c", *from == ':' ? '_' : *from);
}

const char *access_operation_word(enum litmus_operation operation)
{
    return operation_words[operation];
}

const char *lower_type(enum litmus_type type)
{
    static const char *const names[LITMUS_TYPE_COUNT] = {
        [LITMUS_CHAR] = "s8",       [LITMUS_UCHAR] = "u8",     [LITMUS_SHORT] = "s16",   [LITMUS_USHORT] = "u16",
        [LITMUS_INT] = "int",       [LITMUS_UINT] = "u32",     [LITMUS_LONG] = "LONG",   [LITMUS_ULONG] = "u64",
        [LITMUS_SIZE] = "u64",      [LITMUS_PTRDIFF] = "LONG", [LITMUS_INTPTR] = "LONG", [LITMUS_UINTPTR] = "u64",
        [LITMUS_FLOAT] = "u32",     [LITMUS_DOUBLE] = "u64",   [LITMUS_FLAG] = "int",    [LITMUS_MBARRIER] = "u64",
        [LITMUS_TENSORMAP] = "u64",
    };
    return names[type];
}

/* The word for a type in a helper's name. Types that the kernel keeps as another type have helpers
 * of their own. */
static const char *type_word(enum litmus_type type)
{
    return type > LITMUS_ULONG ? litmus_type_name(type) : lower_type(type);
}

bool lower_declared(const struct backend_device *device, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    static const unsigned order_bits[LITMUS_ORDER_COUNT] = {
        [LITMUS_RELAXED] = BACKEND_ORDER_RELAXED, [LITMUS_ACQUIRE] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_RELEASE] = BACKEND_ORDER_ACQ_REL, [LITMUS_ACQ_REL] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_SEQ_CST] = BACKEND_ORDER_SEQ_CST,
    };
    static const unsigned scope_bits[LITMUS_SCOPE_COUNT] = {
        [LITMUS_WORK_ITEM] = BACKEND_SCOPE_WORK_ITEM,   [LITMUS_SUB_GROUP] = BACKEND_SCOPE_SUB_GROUP,
        [LITMUS_WORK_GROUP] = BACKEND_SCOPE_WORK_GROUP, [LITMUS_CLUSTER] = BACKEND_SCOPE_CLUSTER,
        [LITMUS_DEVICE] = BACKEND_SCOPE_DEVICE,         [LITMUS_ALL_DEVICES] = BACKEND_SCOPE_ALL_DEVICES,
    };
    const unsigned declared_orders = fence ? device->fence_orders : device->atomic_orders;
    const unsigned declared_scopes = fence ? device->fence_scopes : device->atomic_scopes;
    return (order_bits[order] & ~declared_orders) == 0 && (scope_bits[scope] & ~declared_scopes) == 0;
}

void access_note(struct writer *writer, enum status status)
{
    if (writer->status == STATUS_OK)
        writer->status = status;
}

bool access_has_helper(const struct writer *writer, const char *name)
{
    const size_t length = strlen(name);
    const char *at = text_string(&writer->helpers);
    while ((at = strstr(at, name)) != NULL && (at[-1] != ' ' || at[length] != '('))
        at += length;
    return at != NULL;
}

/* The source model of an OpenCL device may rely only on what the device declares; PTX is guaranteed
 * by the chip. */
static void note_declared(struct writer *writer, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    if (writer->lowering->is_opencl && !lower_declared(writer->allocation->device, order, scope, fence))
        writer->undeclared = true;
}

/* Whether the lowering uses the words of the test's language. The lowering of the host's threads
 * may not. */
static bool is_in_words(const struct writer *writer)
{
    return writer->lowering->applies(writer->allocation->test->dialect);
}

struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access)
{
    struct access_shape shape = {
        .operation = access->operation,
        .type = access->type,
        .order = access->order,
        .failure = access->failure,
        .scope = access->scope,
        .semantics = access->semantics,
        .spelling = access->spelling,
        .cache = access->cache,
        .prefetch = access->prefetch,
        .read_only = access->read_only,
        .mmio = access->mmio,
        .no_result = access->no_result && !lower_is_mbarrier(access->operation),
        .expected = access->expected                                                          ? EXPECTED_VALUE
                    : access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK ? EXPECTED_REGISTER
                                                                                              : EXPECTED_NONE,
    };
    /* PTX and CUDA write order and scope in every access, and a plain access has neither. */
    const bool one_spelling = writer->lowering->one_spelling || writer->lowering->is_cuda ||
                              access->order == LITMUS_PLAIN || !is_in_words(writer);
    shape.spelling.explicit_order |= one_spelling;
    shape.spelling.explicit_scope |= one_spelling;
    shape.spelling.library &=
        is_in_words(writer) && !writer->lowering->one_spelling &&
        litmus_cuda_function(access->operation, access->order, access->scope, access->expected != NULL) != NULL;
    if (access->address->kind == LITMUS_EXPRESSION_ADDRESS) {
        const struct litmus_location *location = &writer->allocation->test->locations[access->address->index];
        shape.region = writer->allocation->region_of[access->address->index];
        shape.constant = location->constant;
        shape.generic = access->address->generic;
        shape.proxy = access->proxy;
        shape.is_volatile = location->is_volatile && access->order == LITMUS_PLAIN;
        const int slot = writer->allocation->local_slot[access->address->index];
        shape.remote = slot != LITMUS_NONE && slot != (int)writer->allocation->kernel->slot_of[writer->body];
    }
    shape.single = access->operation == LITMUS_ARRIVE && access->operand->value == 1;
    return shape;
}

static const char *region_word(const struct access_shape *shape)
{
    const bool local = shape->region == LITMUS_LOCAL;
    if (shape->generic)
        return local ? "local_as_generic" : "global_as_generic";
    if (shape->read_only)
        return "read_only";
    if (shape->proxy != LITMUS_GENERIC)
        return shape->proxy == LITMUS_TEXTURE ? "texture" : shape->proxy == LITMUS_SURFACE ? "surface" : "bank";
    return shape->constant ? "constant" : shape->remote ? "remote" : local ? "local" : "global";
}

/* "vector4_", "unaligned3_", "whole_"; "legacy_atom_step_", "library_", "red_": what comes before the operation */
static void add_prefixes(const struct access_shape *shape, struct text *name)
{
    const struct litmus_spelling *const spelling = &shape->spelling;
    if (shape->whole)
        text_add(name, "whole_");
    else if (shape->lanes > 0)
        text_add(name, "%s%u_", shape->unaligned ? "unaligned" : "vector", shape->lanes);
    text_add(name, "%s%s%s%s%s", spelling->legacy ? "legacy_" : "", spelling->library ? "library_" : "",
             spelling->legacy_atom ? "atom_" : "", spelling->legacy_step ? "step_" : "",
             shape->no_result ? "red_" : "");
}

/* "acquire_device", "acq_rel_or_relaxed_device"; "acquire" without a scope, "default" without an order */
static void add_order(const struct access_shape *shape, struct text *name)
{
    if (!shape->spelling.explicit_order)
        text_add(name, "_default");
    else if (shape->expected == EXPECTED_REGISTER)
        text_add(name, "_%s_or_%s", litmus_order_word(shape->order), litmus_order_word(shape->failure));
    else
        text_add(name, "_%s", litmus_order_word(shape->order));
    if (shape->spelling.explicit_scope)
        text_add(name, "%s", scope_words[shape->scope]);
}

/* "_sc0_semsc0_semav" */
static void add_semantics(unsigned semantics, struct text *name)
{
    const size_t start = name->size;
    litmus_print_semantics(semantics, name);
    for (size_t i = start; i < name->size; i++)
        if (name->data[i] == '.')
            name->data[i] = '_';
}

/* "load_acquire_device_global_int", "cas_acq_rel_or_relaxed_device_global_int", "legacy_atom_step_fetch_add_...";
 * "load_cg_plain_global_int", "load_mmio_relaxed_all_devices_global_int", "load_plain_read_only_int";
 * "vector4_store_plain_global_u32", "whole_exchange_acq_rel_device_global_u64" */
void access_name(const struct access_shape *shape, char *name, size_t size)
{
    struct text words = {0};
    add_prefixes(shape, &words);
    text_add(&words, "%s%s%s", operation_words[shape->operation], shape->single ? "_one" : "",
             shape->mmio ? "_mmio" : "");
    add_cache_word(shape->cache, &words);
    add_cache_word(shape->prefetch, &words);
    text_add(&words, "%s", shape->is_volatile ? "_kept" : "");
    add_order(shape, &words);
    add_semantics(shape->semantics, &words);
    text_add(&words, "_%s_%s", region_word(shape), type_word(shape->type));
    (void)snprintf(name, size, "%s", text_string(&words));
    text_release(&words);
}

void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region)
{
    static const struct {
        size_t bytes;
        unsigned type;
        const char *lack;
    } optional[] = {
        {8, BACKEND_TYPE_LONG, "the device has no integers of 64 bits (shaderInt64)"},
        {2, BACKEND_TYPE_SHORT,
         "the device has no integers of 16 bits in buffers (shaderInt16, storageBuffer16BitAccess)"},
        {1, BACKEND_TYPE_CHAR, "the device has no integers of 8 bits in buffers (shaderInt8, storageBuffer8BitAccess)"},
    };
    const size_t bytes = litmus_type_size(type);
    for (size_t i = 0; writer->lowering->syntax->longs && i < sizeof optional / sizeof *optional; i++) {
        if (bytes != optional[i].bytes)
            continue;
        writer->types |= optional[i].type;
        if (!(writer->allocation->device->types & optional[i].type))
            access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "%s", optional[i].lack));
        else if (region == LITMUS_LOCAL)
            access_note(writer,
                        error_set(writer->error, STATUS_UNSUPPORTED,
                                  "a location of %zu bits in the work-group's memory: GLSL has it as words of 32 bits",
                                  8 * bytes));
    }
}

/* Notes types that are optional in OpenCL C. PTX has all types. */
static void check_type(struct writer *writer, const struct access_shape *shape)
{
    const unsigned types = writer->allocation->device->types;
    access_note_type(writer, shape->type, shape->region);
    if (writer->lowering->syntax->longs && litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN &&
        !(types & BACKEND_TYPE_LONG_ATOMICS))
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "the device has no atomics of 64 bits (shaderBufferInt64Atomics)"));
    if (!writer->lowering->is_opencl)
        return;
    if (shape->type == LITMUS_DOUBLE && !(types & BACKEND_TYPE_DOUBLE))
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "the device has no double (cl_khr_fp64)"));
    else if (litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN && !(types & BACKEND_TYPE_LONG_ATOMICS))
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "the device has no atomics of 64 bits (cl_khr_int64_base_atomics and "
                                      "cl_khr_int64_extended_atomics)"));
    else if (shape->type >= LITMUS_SIZE && shape->type <= LITMUS_UINTPTR && !(types & BACKEND_TYPE_LONG_POINTERS))
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "the device's %s has 32 bits, the test's has 64", litmus_type_name(shape->type)));
    else if (shape->generic && !(types & BACKEND_TYPE_GENERIC))
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "the device has no generic address space (__opencl_c_generic_address_space)"));
}

bool access_gives_nothing(enum litmus_operation operation, bool no_result)
{
    return operation == LITMUS_STORE || no_result || (lower_is_mbarrier(operation) && !lower_is_wait(operation));
}

void access_note_shape(struct writer *writer, const struct access_shape *shape)
{
    check_type(writer, shape);
    note_declared(writer, shape->order, shape->scope, false);
    note_declared(writer, shape->failure, shape->scope, false);
}

const char *access_space_word(const struct access_shape *shape)
{
    return shape->constant ? "CONSTANT" : shape->region == LITMUS_LOCAL ? "LOCAL" : "GLOBAL";
}

static void add_helper(struct writer *writer, const struct access_shape *shape, const char *name)
{
    if (access_has_helper(writer, name))
        return;
    access_note_shape(writer, shape);
    struct text body = {0};
    const struct syntax *syntax = writer->lowering->syntax;
    const bool of_mbarrier = lower_is_mbarrier(shape->operation);
    const bool no_operand = shape->operation == LITMUS_LOAD || shape->single;
    const char *type = of_mbarrier ? "u32" : lower_type(shape->type);
    const bool gives_nothing = access_gives_nothing(shape->operation, shape->no_result);
    access_note(writer, writer->lowering->access(shape, &body, writer->error));
    text_add(&writer->helpers, "FUNCTION %s %s(",
             gives_nothing                          ? "void"
             : shape->expected == EXPECTED_REGISTER ? "int"
             : of_mbarrier                          ? "int"
                                                    : type,
             name);
    if (shape->proxy != LITMUS_GENERIC && !shape->read_only)
        text_add(&writer->helpers, "%s", path_parameters(shape->proxy));
    else if (shape->constant)
        text_add(&writer->helpers, "CONSTANT %s *p", type);
    else
        text_add(&writer->helpers, "%sp", shape->region == LITMUS_LOCAL ? syntax->local : syntax->global);
    if (shape->expected == EXPECTED_VALUE)
        text_add(&writer->helpers, ", %s expected", type);
    else if (shape->expected == EXPECTED_REGISTER) {
        text_add(&writer->helpers, ", ");
        syntax_open(&syntax->reference, type, &writer->helpers);
        text_add(&writer->helpers, "expected%s", syntax->reference.after);
    }
    text_add(&writer->helpers, "%s%s%s)\n{\n    %s\n}\n\n", no_operand ? "" : ", ", no_operand ? "" : type,
             no_operand ? "" : " value", text_string(&body));
    writer->helpers.failed |= body.failed;
    text_release(&body);
}

/* The pointer to a location's cell, or another name of it (paths.h), advanced to the element if it
 * has several. */
static void write_name(struct writer *writer, const struct litmus_expression *address, char kind)
{
    const struct allocation *allocation = writer->allocation;
    if (address->kind != LITMUS_EXPRESSION_ADDRESS) {
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "an access through an address in a register"));
        return;
    }
    const struct litmus_location *location = &allocation->test->locations[address->index];
    text_add(&writer->functions, "p%u_%c%d", writer->body, kind, address->index);
    if (!address->left)
        return;
    text_add(&writer->functions, " + element(");
    write_expression(writer, address->left);
    if (location->constant)
        text_add(&writer->functions, ", %u)", location->elements);
    else if (allocation_in_one_piece(allocation, (unsigned)address->index))
        text_add(&writer->functions, ", %u) * %u", location->elements, allocation_words(location->type));
    else
        text_add(&writer->functions, ", %u) * %u * draw[%s]", location->elements, allocation_words(location->type),
                 allocation->region_of[address->index] == LITMUS_LOCAL ? "DRAW_LOCAL_STRIDE" : "DRAW_STRIDE");
}

void write_pointer(struct writer *writer, const struct litmus_expression *address)
{
    write_name(writer, address, 'x');
}

void access_write_way(struct writer *writer, const struct litmus_expression *address, enum litmus_proxy proxy,
                      bool read_only)
{
    if (proxy == LITMUS_GENERIC) {
        write_pointer(writer, address);
        return;
    }
    if (read_only) {
        text_add(&writer->functions, "\n%*s", (int)(4 * writer->depth + 8), "");
        write_pointer(writer, address);
        text_add(&writer->functions, " + pinned(draw, 0)");
        return;
    }
    if (proxy != LITMUS_CONSTANT)
        text_add(&writer->functions, "p%u_t%d,", writer->body, address->index);
    /* The code that pins the place is not a step of the test, so it has a line of its own. */
    text_add(&writer->functions, "\n%*spinned(draw, ", (int)(4 * writer->depth + 8), "");
    write_name(writer, address, proxy == LITMUS_CONSTANT ? 'k' : 'c');
    text_add(&writer->functions, ")");
}

/* Herd's form of compare_exchange: the expected value lies in a shared location, and is read and written plainly. */
static void write_cas_through_location(struct writer *writer, const struct litmus_access *access, const char *cas)
{
    const struct litmus_location *location = &writer->allocation->test->locations[access->expected_address->index];
    struct access_shape shape = {.operation = LITMUS_LOAD,
                                 .type = access->type,
                                 .region = location->region,
                                 .spelling = {.explicit_order = true, .explicit_scope = true},
                                 .generic = access->expected_address->generic,
                                 .is_volatile = location->is_volatile};
    char load[128], store[128], name[320];
    const char *type = lower_type(access->type);
    const char *space = location->region == LITMUS_LOCAL ? "LOCAL" : "GLOBAL";

    if (!writer->lowering->syntax->converts) /* as map_vulkan.c says */
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "a compare_exchange whose expected value is in a location"));
    access_name(&shape, load, sizeof load);
    add_helper(writer, &shape, load);
    shape.operation = LITMUS_STORE;
    access_name(&shape, store, sizeof store);
    add_helper(writer, &shape, store);
    (void)snprintf(name, sizeof name, "%s_through_%s%s", cas, shape.is_volatile ? "kept_" : "", region_word(&shape));
    if (!access_has_helper(writer, name))
        text_add(&writer->helpers,
                 "FUNCTION int %s(%s u32 *p, %s u32 *expected, %s value)\n{\n    %s old = %s(expected);\n"
                 "    const int success = %s(p, &old, value);\n    if (!success)\n        %s(expected, old);\n"
                 "    return success;\n}\n\n",
                 name, strstr(cas, "_local_") ? "LOCAL" : "GLOBAL", space, type, type, load, cas, store);
    text_add(&writer->functions, "%s(", name);
    write_pointer(writer, access->address);
    text_add(&writer->functions, ", ");
    write_pointer(writer, access->expected_address);
    text_add(&writer->functions, ", ");
    write_value(writer, access->operand, access->type);
    text_add(&writer->functions, ")");
}

/* "&p0_r1", of the helper's parameter type: C lets the signs differ. */
static void write_expected(struct writer *writer, const struct litmus_access *access)
{
    const enum litmus_type own =
        writer->allocation->test->threads[writer->body].registers[access->expected_register].type;
    const bool differs = strcmp(lower_type(own), lower_type(access->type)) != 0;
    const struct syntax *syntax = writer->lowering->syntax;
    text_add(&writer->functions, ", ");
    if (differs && !syntax->converts)
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                      "a compare_exchange whose expected value has another type"));
    if (differs)
        text_add(&writer->functions, "(%s *)", lower_type(access->type));
    text_add(&writer->functions, "%sp%u_r%d", syntax->refer, writer->body, access->expected_register);
}

/* The number of the current line of writer->functions. */
static unsigned current_line(struct writer *writer)
{
    const char *text = text_string(&writer->functions);
    for (; writer->lines_until < writer->functions.size; writer->lines_until++)
        writer->lines += text[writer->lines_until] == '\n';
    return writer->lines + 1;
}

void write_step(struct writer *writer, struct kernel_step step)
{
    step.line = current_line(writer);
    ARENA_ADD(writer->arena, writer->steps, writer->step_count) = step;
}

void access_start_line(struct writer *writer)
{
    struct text *out = &writer->functions;
    if (writer->step_count == 0 || writer->steps[writer->step_count - 1].line != current_line(writer))
        return;
    if (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    writer->lines_until = out->size;
    text_add(out, "\n%*s", (int)(4 * writer->depth + 8), "");
}

static void write_access(struct writer *writer, const struct litmus_access *access, struct litmus_place place)
{
    const struct access_shape shape = access_shape_of(writer, access);
    char name[128];
    access_name(&shape, name, sizeof name);
    add_helper(writer, &shape, name);
    const bool settles = access->proxy != LITMUS_GENERIC && access->operation == LITMUS_LOAD;
    const bool holds = access->proxy == LITMUS_SURFACE && access->operation != LITMUS_LOAD;
    if (settles) /* on a line of its own, like the code that pins its place */
        text_add(&writer->functions, "%s(\n%*s", litmus_type_size(access->type) == 8 ? "settled_long" : "settled",
                 (int)(4 * writer->depth + 8), "");
    access_start_line(writer);
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .access = access});
    if (access->expected_address && !writer->lowering->is_cuda) {
        write_cas_through_location(writer, access, name);
        return;
    }
    text_add(&writer->functions, "%s(", name);
    access_write_way(writer, access->address, access->proxy, access->read_only);
    if (access->expected_register != LITMUS_NONE && shape.expected == EXPECTED_REGISTER)
        write_expected(writer, access);
    if (access->expected_address) { /* C++ takes a reference to any memory */
        text_add(&writer->functions, ", (%s *)", lower_type(access->type));
        write_pointer(writer, access->expected_address);
    }
    if (access->expected) {
        text_add(&writer->functions, ", ");
        write_typed(writer, access->expected, access->type);
    }
    if (access->operand && !shape.single) {
        text_add(&writer->functions, ", ");
        write_typed(writer, access->operand, lower_is_mbarrier(access->operation) ? LITMUS_UINT : access->type);
    }
    text_add(&writer->functions, settles ? "))" : ")");
    if (holds)
        text_add(&writer->functions, ",\n%*shold(draw)", (int)(4 * writer->depth + 8), "");
}

/* The unsigned type of the same size, in which overflow is defined. */
static const char *wrapping_type(enum litmus_type type)
{
    return litmus_type_size(type) == 8 ? "u64" : "u32";
}

/* The type of an expression by C's usual conversions. */
static enum litmus_type type_of(const struct writer *writer, const struct litmus_expression *expression)
{
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        return litmus_wrap(LITMUS_INT, expression->value) == expression->value ? LITMUS_INT : LITMUS_LONG;
    case LITMUS_EXPRESSION_REGISTER:
        return litmus_type_promoted(writer->allocation->test->threads[writer->body].registers[expression->index].type);
    case LITMUS_EXPRESSION_ADDRESS:
        return LITMUS_ULONG;
    case LITMUS_EXPRESSION_UNARY:
        return expression->op == LITMUS_NOT ? LITMUS_INT : type_of(writer, expression->left);
    case LITMUS_EXPRESSION_ACCESS:
        return access_shape_of(writer, expression->access).expected == EXPECTED_REGISTER ||
                       lower_is_wait(expression->access->operation)
                   ? LITMUS_INT
                   : litmus_type_promoted(expression->access->type);
    case LITMUS_EXPRESSION_BINARY:
        break;
    }
    if (expression->op >= LITMUS_EQ && expression->op <= LITMUS_LOGICAL_OR)
        return LITMUS_INT;
    const enum litmus_type left = type_of(writer, expression->left), right = type_of(writer, expression->right);
    if (expression->op == LITMUS_SHL || expression->op == LITMUS_SHR)
        return left;
    return litmus_type_common(left, right);
}

/* How an operator is written: unsigned with a cast back, as a function of the skeleton, or as in
 * C. */
static const struct {
    bool wraps;
    const char *function, *function_unsigned;
} operator_forms[LITMUS_OPERATOR_COUNT] = {
    [LITMUS_NEGATE] = {.wraps = true},
    [LITMUS_ADD] = {.wraps = true},
    [LITMUS_SUB] = {.wraps = true},
    [LITMUS_MUL] = {.wraps = true},
    [LITMUS_SHL] = {.wraps = true},
    [LITMUS_DIV] = {.function = "divide", .function_unsigned = "divide_unsigned"},
    [LITMUS_REM] = {.function = "remainder_of", .function_unsigned = "remainder_unsigned"},
};

/* "((u32)", whose end is syntax->cast.after and ")". */
static void open_cast(struct writer *writer, const char *type)
{
    text_add(&writer->functions, "(");
    syntax_open(&writer->lowering->syntax->cast, type, &writer->functions);
}

/* "(u32)p0_r0", for a type that is wider or signed. */
static void write_wrapping(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax_around *cast = &writer->lowering->syntax->cast;
    syntax_open(cast, wrapping_type(type), &writer->functions);
    write_expression(writer, expression);
    text_add(&writer->functions, "%s", cast->after);
}

void write_condition(struct writer *writer, const struct litmus_expression *expression)
{
    const struct syntax_around *condition = &writer->lowering->syntax->condition;
    text_add(&writer->functions, "%s", condition->before);
    write_expression(writer, expression);
    text_add(&writer->functions, "%s", condition->after);
}

static void write_unary(struct writer *writer, const struct litmus_expression *expression)
{
    const enum litmus_type type = type_of(writer, expression);
    if (operator_forms[expression->op].wraps) {
        open_cast(writer, lower_type(type));
        text_add(&writer->functions, "(0 - ");
        write_wrapping(writer, expression->left, type);
        text_add(&writer->functions, ")%s)", writer->lowering->syntax->cast.after);
        return;
    }
    const bool logical = expression->op == LITMUS_NOT;
    const struct syntax_around *number = &writer->lowering->syntax->number;
    text_add(&writer->functions, "(%s%s", logical ? number->before : "", litmus_operator_name(expression->op));
    (logical ? write_condition : write_expression)(writer, expression->left);
    text_add(&writer->functions, "%s)", logical ? number->after : "");
}

/* The smaller or the larger of two numbers. Both are written twice, so neither may be an access. */
static void write_choice(struct writer *writer, const struct litmus_expression *expression)
{
    if (expression->left->kind == LITMUS_EXPRESSION_ACCESS || expression->right->kind == LITMUS_EXPRESSION_ACCESS)
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "the minimum or maximum of an access"));
    text_add(&writer->functions, "(");
    write_expression(writer, expression->left);
    text_add(&writer->functions, expression->op == LITMUS_MINIMUM ? " < " : " > ");
    write_expression(writer, expression->right);
    text_add(&writer->functions, " ? ");
    write_expression(writer, expression->left);
    text_add(&writer->functions, " : ");
    write_expression(writer, expression->right);
    text_add(&writer->functions, ")");
}

static void write_function(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const enum litmus_operator op = expression->op;
    open_cast(writer, lower_type(type));
    text_add(&writer->functions, "%s(",
             litmus_type_is_unsigned(type) ? operator_forms[op].function_unsigned : operator_forms[op].function);
    write_expression(writer, expression->left);
    text_add(&writer->functions, ", ");
    write_expression(writer, expression->right);
    text_add(&writer->functions, ")%s)", writer->lowering->syntax->cast.after);
}

/* Compares whole numbers as bits. */
static void write_equality(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax_around *number = &writer->lowering->syntax->number;
    text_add(&writer->functions, "(%s", number->before);
    write_value(writer, expression->left, type);
    text_add(&writer->functions, " %s ", litmus_operator_name(expression->op));
    write_value(writer, expression->right, type);
    text_add(&writer->functions, "%s)", number->after);
}

/* The right operand of an operator that is written as in C; a shift's is reduced to the bits of the type. */
static void write_right(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const bool shift = expression->op == LITMUS_SHL || expression->op == LITMUS_SHR;
    if (shift)
        text_add(&writer->functions, "(%d & ", litmus_type_size(type) == 8 ? 63 : 31);
    else if (operator_forms[expression->op].wraps) {
        write_wrapping(writer, expression->right, type);
        return;
    }
    write_expression(writer, expression->right);
    text_add(&writer->functions, "%s", shift ? ")" : "");
}

/* "((int)((u32)p0_r0 + (u32)1))" */
static void write_wrapped(struct writer *writer, const struct litmus_expression *expression, const char *word,
                          enum litmus_type type)
{
    open_cast(writer, lower_type(type));
    text_add(&writer->functions, "(");
    write_wrapping(writer, expression->left, type);
    text_add(&writer->functions, " %s ", word);
    write_right(writer, expression, type);
    text_add(&writer->functions, ")%s)", writer->lowering->syntax->cast.after);
}

/* A comparison, && or ||, as a number. */
static void write_comparison(struct writer *writer, const struct litmus_expression *expression, const char *word)
{
    const struct syntax_around *number = &writer->lowering->syntax->number;
    const bool logical = expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR;
    text_add(&writer->functions, "(%s", number->before);
    (logical ? write_condition : write_expression)(writer, expression->left);
    text_add(&writer->functions, " %s ", word);
    (logical ? write_condition : write_expression)(writer, expression->right);
    text_add(&writer->functions, "%s)", number->after);
}

static void write_binary(struct writer *writer, const struct litmus_expression *expression)
{
    const enum litmus_type left = type_of(writer, expression->left), right = type_of(writer, expression->right);
    if (litmus_type_is_float(left) || litmus_type_is_float(right)) {
        write_equality(writer, expression, left > right ? left : right);
        return;
    }
    const enum litmus_operator op = expression->op;
    const enum litmus_type type = type_of(writer, expression);
    if (op == LITMUS_MINIMUM || op == LITMUS_MAXIMUM) {
        write_choice(writer, expression);
        return;
    }
    if (operator_forms[op].function) {
        write_function(writer, expression, type);
        return;
    }
    const char *const word = litmus_operator_name(op);
    if (operator_forms[op].wraps)
        write_wrapped(writer, expression, word, type);
    else if (op >= LITMUS_EQ && op <= LITMUS_LOGICAL_OR)
        write_comparison(writer, expression, word);
    else {
        text_add(&writer->functions, "(");
        write_expression(writer, expression->left);
        text_add(&writer->functions, " %s ", word);
        write_right(writer, expression, type);
        text_add(&writer->functions, ")");
    }
}

void write_value(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT &&
        (litmus_type_is_float(type) || (litmus_type_is_unsigned(type) && expression->value < 0)))
        text_add(&writer->functions, "0x%llx%s", (unsigned long long)litmus_value_bits(type, expression->value),
                 litmus_type_size(type) == 8 ? writer->lowering->syntax->long_suffix : "u");
    else
        write_expression(writer, expression);
}

void write_typed(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax *syntax = writer->lowering->syntax;
    if (!syntax->converts)
        syntax_open(&syntax->cast, lower_type(type), &writer->functions);
    write_value(writer, expression, type);
    if (!syntax->converts)
        text_add(&writer->functions, "%s", syntax->cast.after);
}

/* "((LONG)0x80000000u)" */
static void write_long(struct writer *writer, int64_t value)
{
    const struct syntax *syntax = writer->lowering->syntax;
    access_note_type(writer, LITMUS_LONG, LITMUS_GLOBAL);
    text_add(&writer->functions, "(");
    syntax_open(&syntax->cast, "LONG", &writer->functions);
    text_add(&writer->functions, "0x%llx%s%s)", (unsigned long long)value, syntax->long_suffix, syntax->cast.after);
}

void write_expression(struct writer *writer, const struct litmus_expression *expression)
{
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        if (expression->value > INT32_MIN && expression->value <= INT32_MAX)
            text_add(&writer->functions, expression->value < 0 ? "(%d)" : "%d", (int)expression->value);
        else
            write_long(writer, expression->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        text_add(&writer->functions, "p%u_r%d", writer->body, expression->index);
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "an address used as a value"));
        break;
    case LITMUS_EXPRESSION_UNARY:
        write_unary(writer, expression);
        break;
    case LITMUS_EXPRESSION_BINARY:
        write_binary(writer, expression);
        break;
    case LITMUS_EXPRESSION_ACCESS:
        write_access(writer, expression->access, expression->place);
        break;
    }
}

void write_fence(struct writer *writer, const struct litmus_fence *fence, struct litmus_place place)
{
    char name[128];
    const bool library = fence->spelling.library && is_in_words(writer) && !writer->lowering->one_spelling;
    if (fence->restriction != LITMUS_UNRESTRICTED)
        (void)snprintf(name, sizeof name, "fence%s_%s_restricted", fence->proxy == LITMUS_ASYNC ? "_proxy_async" : "",
                       litmus_order_word(fence->order));
    else if (fence->proxy != LITMUS_GENERIC)
        (void)snprintf(name, sizeof name, "fence_proxy_%s%s%s%s", fence->proxy == LITMUS_ALIAS ? "alias" : "async",
                       fence->flag_global && !fence->flag_local ? "_global" : "",
                       fence->flag_local && !fence->flag_global ? "_local" : "", fence->cluster ? "_cluster" : "");
    else {
        struct text semantics = {0};
        add_semantics(fence->semantics, &semantics);
        (void)snprintf(name, sizeof name, "%s%sfence_%s%s%s%s%s%s", fence->spelling.legacy ? "legacy_" : "",
                       library ? "library_" : "", litmus_order_word(fence->order), scope_words[fence->scope],
                       text_string(&semantics), fence->flag_global ? "_global" : "", fence->flag_local ? "_local" : "",
                       fence->flag_image ? "_image" : "");
        text_release(&semantics);
    }
    if (!access_has_helper(writer, name)) {
        struct text body = {0};
        access_note(writer, writer->lowering->fence(fence, writer->allocation->test->dialect, &body, writer->error));
        note_declared(writer, fence->order, fence->scope, true);
        text_add(&writer->helpers, "FUNCTION void %s(void)\n{\n    %s\n}\n\n", name, text_string(&body));
        text_release(&body);
    }
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .fence = fence});
    text_add(&writer->functions, "%s();", name);
}

void write_barrier(struct writer *writer, const struct litmus_barrier *barrier)
{
    struct text body = {0};
    access_note(writer, writer->lowering->barrier(barrier, writer->allocation->test->dialect, &body, writer->error));
    if (barrier->spelling.explicit_scope || barrier->sub_group)
        note_declared(writer, LITMUS_ACQ_REL, barrier->scope, true);
    text_add(&writer->functions, "    %s\n", text_string(&body));
    text_release(&body);
}

void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only)
{
    const struct litmus_location *location = &writer->allocation->test->locations[l];
    const struct access_shape shape = {.operation = LITMUS_LOAD,
                                       .type = location->type,
                                       .region = location->region,
                                       .proxy = proxy,
                                       .read_only = read_only,
                                       .spelling = {.explicit_order = true, .explicit_scope = true}};
    struct litmus_expression element = {.kind = LITMUS_EXPRESSION_CONSTANT};
    struct litmus_expression address = {.kind = LITMUS_EXPRESSION_ADDRESS, .index = (int)l};
    char name[128];
    access_name(&shape, name, sizeof name);
    add_helper(writer, &shape, name);
    if (location->elements > 1)
        address.left = &element;
    for (; element.value < location->elements; element.value++) {
        text_add(&writer->functions, "    sum += (u32)%s(", name);
        access_write_way(writer, &address, proxy, read_only);
        text_add(&writer->functions, ");\n");
    }
}
