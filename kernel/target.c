// SPDX-License-Identifier: Apache-2.0
/* The mapping of lower_ptx.c, done on the test's structure. The two must agree: tests/kernel/test_target.c. That of
 * lower_glsl.c is in target_vulkan.c. */
#include "kernel/target.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/lower.h"
#include "kernel/target_vulkan.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

/* The accesses of one expression: their number, how many are seq_cst, the scope of the last of
 * these, and whether one of these depends on the left side of && or ||. */
struct sc_accesses {
    unsigned all, count;
    enum litmus_scope scope;
    bool conditional;
    bool host;                       /* of a host thread */
    enum litmus_operation operation; /* of a host thread: operation of the last seq_cst access */
};

/* The order that a seq_cst access of the host has without a fence. */
static enum litmus_order host_order(enum litmus_operation operation, enum litmus_order order)
{
    if (order != LITMUS_SEQ_CST)
        return order;
    return operation == LITMUS_LOAD ? LITMUS_ACQUIRE : operation == LITMUS_STORE ? LITMUS_RELEASE : LITMUS_ACQ_REL;
}

/* The host's instructions are not PTX: an access keeps its order, including the failure order of a
 * compare_exchange. */
static void map_host_access(struct litmus_access *access, struct sc_accesses *sc)
{
    if (access->order == LITMUS_SEQ_CST) {
        sc->count++;
        sc->operation = access->operation;
    }
    access->failure = access->failure == LITMUS_SEQ_CST ? LITMUS_ACQUIRE : access->failure;
    access->order = host_order(access->operation, access->order);
}

static void map_access(const struct litmus_test *test, struct litmus_access *access, struct sc_accesses *sc)
{
    sc->all++;
    if (sc->host) {
        map_host_access(access, sc);
        return;
    }
    access->scope = scope_in_ptx(access->scope);
    if (access->order == LITMUS_VOLATILE)
        return;
    if (access->order == LITMUS_PLAIN) {
        if (access->address->kind == LITMUS_EXPRESSION_ADDRESS && test->locations[access->address->index].is_volatile) {
            access->order = LITMUS_VOLATILE;
            access->scope = LITMUS_ALL_DEVICES;
        }
        access->failure = access->order;
        return;
    }
    if (operation_compares(access->operation)) {
        access->order = order_joined(access->order, access->failure);
        access->operation = LITMUS_CAS; /* PTX's does not fail spuriously */
    }
    if (access->order == LITMUS_SEQ_CST) {
        sc->count++;
        sc->scope = access->scope;
        access->order = lower_ptx_seq_cst(access->operation);
    }
    access->failure = access->order;
}

static void map_expression(const struct litmus_test *test, struct litmus_expression *expression, struct sc_accesses *sc)
{
    if (!expression)
        return;
    map_expression(test, expression->left, sc);
    const unsigned before = sc->count;
    map_expression(test, expression->right, sc);
    if (expression->kind == LITMUS_EXPRESSION_BINARY &&
        (expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR))
        sc->conditional |= sc->count > before;
    if (!expression->access)
        return;
    map_expression(test, expression->access->address, sc);
    map_expression(test, expression->access->operand, sc);
    map_expression(test, expression->access->expected, sc);
    if (expression->access->expected_address) { /* read and written around the CAS, with the fence in between */
        sc->all++;
        map_expression(test, expression->access->expected_address, sc);
    }
    map_access(test, expression->access, sc);
}

static void map_vector(const struct litmus_test *test, struct litmus_vector *vector, struct sc_accesses *sc)
{
    for (unsigned lane = 0; lane < vector->lanes; lane++)
        map_expression(test, vector->values[lane], sc);
    map_expression(test, vector->access.address, sc);
    map_access(test, &vector->access, sc);
}

/* ---- statements ---- */

struct mapping {
    struct kernel_target *target;
    bool host; /* the body is a host thread's */
    struct error *error;
};

/* A fence.sc is put before the statement. Checks that this is where the emitted one, next to its
 * access, takes effect. */
static enum status check_place(const struct sc_accesses *sc, struct error *error)
{
    if (sc->count > 1)
        return error_set(error, STATUS_UNSUPPORTED, "two seq_cst accesses in one expression");
    if (sc->count > 0 && sc->all > 1)
        return error_set(error, STATUS_UNSUPPORTED, "a seq_cst access and another access in one expression");
    if (sc->conditional)
        return error_set(error, STATUS_UNSUPPORTED,
                         "a seq_cst access to the right of && or ||, which is not always evaluated");
    return STATUS_OK;
}

static enum status map_block(struct mapping *mapping, struct litmus_block *block);

static struct litmus_statement fence(const struct litmus_statement *at, enum litmus_order order,
                                     enum litmus_scope scope)
{
    return (struct litmus_statement){.kind = LITMUS_FENCE,
                                     .place = at->place,
                                     .target = LITMUS_NONE,
                                     .label = LITMUS_NONE,
                                     .fence = {.order = order, .scope = scope, .proxy = LITMUS_GENERIC}};
}

static void map_fence(struct litmus_fence *fence)
{
    fence->scope = scope_in_ptx(fence->scope);
    if (fence->order != LITMUS_RELAXED && fence->order != LITMUS_SEQ_CST)
        fence->order = LITMUS_ACQ_REL;
}

/* Whether a statement's fence.sc must run each time that its condition is evaluated. */
static bool evaluates_again(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE;
}

/* Whether the statement runs once and has a single seq_cst access. A compare_exchange may act as a
 * load. */
static bool is_seq_cst(const struct litmus_statement *statement, const struct sc_accesses *sc, bool writes)
{
    const bool simple = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    const bool cas = operation_compares(sc->operation);
    return simple && sc->count == 1 && sc->all == 1 &&
           (writes ? sc->operation != LITMUS_LOAD && !cas : sc->operation != LITMUS_STORE);
}

/* A fence of the host has the order that it names; a relaxed one orders nothing. If a seq_cst read
 * follows a seq_cst write, x86 orders them as with a fence: the write is an xchg or is followed by
 * an mfence, and as release and acquire the two keep other accesses in place. Other pairs get only
 * acquire and release: two loads do not wait for earlier stores, and a compiler may move a relaxed
 * load over a store. */
static enum status map_host_statement(struct mapping *mapping, struct litmus_statement *statement,
                                      struct litmus_statement *list, size_t *count, bool *written)
{
    struct sc_accesses sc = {.host = true};
    map_expression(mapping->target->test, statement->value, &sc);
    TRY(map_block(mapping, &statement->body));
    TRY(map_block(mapping, &statement->otherwise));
    if (*written && is_seq_cst(statement, &sc, false))
        list[(*count)++] = fence(statement, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES);
    *written = is_seq_cst(statement, &sc, true);
    if (statement->kind != LITMUS_FENCE || statement->fence.order != LITMUS_RELAXED)
        list[(*count)++] = *statement;
    return STATUS_OK;
}

/* Appends a statement to list, with the fences of its accesses or its barrier: at most three
 * statements. */
static enum status map_statement(struct mapping *mapping, struct litmus_statement *statement,
                                 struct litmus_statement *list, size_t *count)
{
    struct sc_accesses sc = {0};
    const struct litmus_barrier *barrier = &statement->barrier;
    const enum litmus_dialect dialect = mapping->target->test->dialect;
    const bool wide = statement->kind == LITMUS_BARRIER && lower_ptx_is_wide(dialect, barrier);
    const enum litmus_scope scope = barrier->scope;
    map_expression(mapping->target->test, statement->value, &sc);
    if (statement->kind == LITMUS_VECTOR)
        map_vector(mapping->target->test, &statement->vector, &sc);
    TRY(check_place(&sc, mapping->error));
    TRY(map_block(mapping, &statement->body));
    TRY(map_block(mapping, &statement->otherwise));
    if (statement->kind == LITMUS_FENCE)
        map_fence(&statement->fence);
    /* In OPENCL a barrier's scope is what it orders; in PTX, which threads meet. */
    if (statement->kind == LITMUS_BARRIER && dialect == LITMUS_OPENCL)
        statement->barrier.scope = litmus_barrier_level(dialect, barrier);
    if (statement->kind == LITMUS_FENCE && statement->fence.order == LITMUS_RELAXED)
        return STATUS_OK; /* it orders nothing and is not emitted */
    if (sc.count > 0 && evaluates_again(statement)) {
        struct litmus_statement *body =
            arena_take(&mapping->target->statements, statement->body.count + 1, sizeof *body);
        if (statement->body.count > 0)
            memcpy(body, statement->body.statements, statement->body.count * sizeof *body);
        body[statement->body.count] = fence(statement, LITMUS_SEQ_CST, sc.scope);
        statement->body = (struct litmus_block){body, statement->body.count + 1};
    }
    if (sc.count > 0 && statement->kind != LITMUS_DO_WHILE)
        list[(*count)++] = fence(statement, LITMUS_SEQ_CST, sc.scope);
    if (wide)
        list[(*count)++] = fence(statement, LITMUS_ACQ_REL, scope);
    list[(*count)++] = *statement;
    if (wide)
        list[(*count)++] = fence(statement, LITMUS_ACQ_REL, scope);
    return STATUS_OK;
}

static enum status map_block(struct mapping *mapping, struct litmus_block *block)
{
    size_t count = 0;
    bool written = false;
    if (block->count == 0)
        return STATUS_OK;
    struct litmus_statement *list = arena_take(&mapping->target->statements, 3 * block->count, sizeof *list);
    for (size_t i = 0; i < block->count; i++)
        TRY(mapping->host ? map_host_statement(mapping, &block->statements[i], list, &count, &written)
                          : map_statement(mapping, &block->statements[i], list, &count));
    *block = (struct litmus_block){list, count};
    return STATUS_OK;
}

/* ---- places ---- */

static void copy_places(const struct litmus_expression *from, struct litmus_expression *to)
{
    if (!from || !to)
        return;
    to->place = from->place;
    copy_places(from->left, to->left);
    copy_places(from->right, to->right);
    if (!from->access || !to->access)
        return;
    copy_places(from->access->operand, to->access->operand);
    copy_places(from->access->expected, to->access->expected);
}

/* Copies the places of the source's statements; the copy's own places refer to its printed text. */
static void copy_block_places(const struct litmus_block *from, struct litmus_block *to)
{
    for (size_t i = 0; i < from->count && i < to->count; i++) {
        to->statements[i].place = from->statements[i].place;
        copy_places(from->statements[i].value, to->statements[i].value);
        for (unsigned lane = 0; from->statements[i].kind == LITMUS_VECTOR && lane < LITMUS_MAXIMUM_LANES; lane++)
            copy_places(from->statements[i].vector.values[lane], to->statements[i].vector.values[lane]);
        copy_block_places(&from->statements[i].body, &to->statements[i].body);
        copy_block_places(&from->statements[i].otherwise, &to->statements[i].otherwise);
    }
}

unsigned kernel_mapping_to(enum litmus_dialect dialect)
{
    return dialect == LITMUS_PTX ? KERNEL_MAPPING_PTX : dialect == LITMUS_VULKAN ? KERNEL_MAPPING_VULKAN : 0;
}

enum litmus_dialect kernel_mapping_dialect(unsigned mapping)
{
    return mapping == KERNEL_MAPPING_VULKAN ? LITMUS_VULKAN : LITMUS_PTX;
}

bool kernel_mapping_is_current(unsigned mapping)
{
    return mapping == KERNEL_MAPPING_PTX || mapping == KERNEL_MAPPING_VULKAN;
}

enum status kernel_target_make(const struct litmus_test *test, unsigned mapping_to, struct kernel_target *target,
                               struct error *error)
{
    const enum litmus_dialect dialect = kernel_mapping_dialect(mapping_to);
    struct text text = {0};
    struct mapping mapping = {.target = target, .error = error};
    *target = (struct kernel_target){0};
    litmus_print(test, &text);
    enum status status = litmus_parse(test->name, text_string(&text), text.size, &target->test, error);
    text_release(&text);
    if (status == STATUS_OK) {
        target->test->text = test->text;
        target->test->text_dialect = test->text_dialect;
    }
    for (size_t body = 0; status == STATUS_OK && body < target->test->body_count; body++) {
        copy_block_places(&test->threads[body].body, &target->test->threads[body].body);
        mapping.host = test->threads[body].placement.host;
        status = dialect == LITMUS_VULKAN
                     ? target_vulkan_thread(target->test, &target->test->threads[body].body, &target->statements, error)
                     : map_block(&mapping, &target->test->threads[body].body);
    }
    if (status == STATUS_OK)
        target->test->dialect = dialect;
    else
        kernel_target_release(target);
    return status;
}

void kernel_target_release(struct kernel_target *target)
{
    litmus_release(target->test);
    arena_release(&target->statements);
    *target = (struct kernel_target){0};
}

enum status kernel_judge_emitted(const struct model *model, const struct litmus_test *test,
                                 const struct judge_options *options, struct judgement *judgement, struct error *error)
{
    const bool vulkan = strcmp(model_id(model), model_default(LITMUS_VULKAN)) == 0;
    struct kernel_target target;
    TRY(kernel_target_make(test, vulkan ? KERNEL_MAPPING_VULKAN : KERNEL_MAPPING_PTX, &target, error));
    const enum status status = model_judge(model, target.test, options, judgement, error);
    kernel_target_release(&target);
    return status;
}

enum status kernel_judge(const struct model *model, const struct litmus_test *test, const struct judge_options *options,
                         struct judgement *judgement, struct error *error)
{
    return (dialects[test->dialect].judged_as_ptx ? kernel_judge_emitted : model_judge)(model, test, options, judgement,
                                                                                        error);
}
