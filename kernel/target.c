// SPDX-License-Identifier: Apache-2.0
/* A test statement by statement in the target's words, which map.h gives, and as text. */
#include "kernel/target.h"

#include "kernel/map.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/ptx_instructions.h"
#include "litmus/language/walk.h"

struct target_work {
    const struct mapping *mapping;
    struct kernel_target *target;
    bool host; /* the thread is the host's */
    struct error *error;
};

/* The accesses of one expression: their number, how many have a fence before them, the last of these fences, and
 * whether one of these depends on the left side of && or ||. */
struct fenced_accesses {
    unsigned all, count;
    struct litmus_fence fence;
    bool conditional;
    enum litmus_operation operation; /* of a host thread: operation of the last seq_cst access */
};

/* The order that a seq_cst access of the host has without a fence. */
static enum litmus_order host_order(enum litmus_operation operation, enum litmus_order order)
{
    if (order != LITMUS_SEQ_CST)
        return order;
    return operation == LITMUS_LOAD ? LITMUS_ACQUIRE : operation == LITMUS_STORE ? LITMUS_RELEASE : LITMUS_ACQ_REL;
}

static enum status map_access(const struct target_work *work, struct litmus_access *access,
                              struct fenced_accesses *fenced)
{
    struct mapped_fences fences;
    const struct litmus_location *location = access->address->kind == LITMUS_EXPRESSION_ADDRESS
                                                 ? &work->target->test->locations[access->address->index]
                                                 : NULL;
    fenced->all++;
    if (work->host) {
        /* The host's instructions are not PTX: an access keeps its order, including the failure order of a
         * compare_exchange. */
        if (access->order == LITMUS_SEQ_CST) {
            fenced->count++;
            fenced->operation = access->operation;
        }
        access->failure = access->failure == LITMUS_SEQ_CST ? LITMUS_ACQUIRE : access->failure;
        access->order = host_order(access->operation, access->order);
        return STATUS_OK;
    }
    TRY(work->mapping->access(location ? location->region : LITMUS_GLOBAL, location && location->is_volatile, access,
                              &fences, work->error));
    if (fences.before) {
        fenced->count++;
        fenced->fence = fences.fence;
    }
    return STATUS_OK;
}

static enum status map_expression(const struct target_work *work, struct litmus_expression *expression,
                                  struct fenced_accesses *fenced)
{
    if (!expression)
        return STATUS_OK;
    TRY(map_expression(work, expression->left, fenced));
    const unsigned before = fenced->count;
    TRY(map_expression(work, expression->right, fenced));
    if (expression->kind == LITMUS_EXPRESSION_BINARY &&
        (expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR))
        fenced->conditional |= fenced->count > before;
    struct litmus_access *access = expression->access;
    if (!access)
        return STATUS_OK;
    if (access->expected_address && work->mapping->no_expected_place)
        return error_set(work->error, STATUS_UNSUPPORTED, "%s", work->mapping->no_expected_place);
    TRY(map_expression(work, access->address, fenced));
    TRY(map_expression(work, access->operand, fenced));
    TRY(map_expression(work, access->expected, fenced));
    if (access->expected_address) { /* read and written around the CAS, with the fence in between */
        fenced->all++;
        TRY(map_expression(work, access->expected_address, fenced));
    }
    return map_access(work, access, fenced);
}

/* ---- statements ---- */

static enum status map_block(struct target_work *work, struct litmus_block *block);

static struct litmus_statement fence_at(struct litmus_place place, const struct litmus_fence *fence)
{
    return (struct litmus_statement){
        .kind = LITMUS_FENCE, .place = place, .target = LITMUS_NONE, .label = LITMUS_NONE, .fence = *fence};
}

/* Whether the statement runs once and has a single seq_cst access. A compare_exchange may act as a load. */
static bool is_seq_cst(const struct litmus_statement *statement, const struct fenced_accesses *fenced, bool writes)
{
    const bool simple = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    const bool cas = operation_compares(fenced->operation);
    return simple && fenced->count == 1 && fenced->all == 1 &&
           (writes ? fenced->operation != LITMUS_LOAD && !cas : fenced->operation != LITMUS_STORE);
}

/* A relaxed fence orders nothing and is not emitted. */
static bool is_dropped(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_FENCE && statement->fence.order == LITMUS_RELAXED;
}

/* A fence of the host has the order that it names; a relaxed one orders nothing. If a seq_cst read follows a seq_cst
 * write, x86 orders them as with a fence: the write is an xchg or is followed by an mfence, and as release and acquire
 * the two keep other accesses in place. Other pairs get only acquire and release: two loads do not wait for earlier
 * stores, and a compiler may move a relaxed load over a store. */
static enum status map_host_statement(struct target_work *work, struct litmus_statement *statement,
                                      struct litmus_statement *list, size_t *count, bool *written)
{
    static const struct litmus_fence total = {
        .order = LITMUS_SEQ_CST, .scope = LITMUS_ALL_DEVICES, .proxy = LITMUS_GENERIC};
    struct fenced_accesses fenced = {0};
    TRY(map_expression(work, statement->value, &fenced));
    TRY(map_block(work, &statement->body));
    TRY(map_block(work, &statement->otherwise));
    if (*written && is_seq_cst(statement, &fenced, false))
        list[(*count)++] = fence_at(statement->place, &total);
    *written = is_seq_cst(statement, &fenced, true);
    if (!is_dropped(statement))
        list[(*count)++] = *statement;
    return STATUS_OK;
}

/* Maps what the statement itself does, without the statements inside it. */
static enum status map_own(struct target_work *work, struct litmus_statement *statement, struct fenced_accesses *fenced,
                           struct mapped_fences *around)
{
    const enum litmus_dialect from = work->target->test->dialect;
    TRY(map_expression(work, statement->value, fenced));
    switch (statement->kind) {
    case LITMUS_VECTOR:
        if (work->mapping->no_vector)
            return error_set(work->error, STATUS_UNSUPPORTED, "%s", work->mapping->no_vector);
        for (unsigned lane = 0; lane < statement->vector.lanes; lane++)
            TRY(map_expression(work, statement->vector.values[lane], fenced));
        TRY(map_expression(work, statement->vector.access.address, fenced));
        TRY(map_access(work, &statement->vector.access, fenced));
        break;
    case LITMUS_FENCE:
        return work->mapping->fence(from, &statement->fence, work->error);
    case LITMUS_BARRIER:
        return work->mapping->barrier(from, &statement->barrier, around, work->error);
    default:
        break;
    }
    /* The fence is put before the statement. Checks that this is where the emitted one, next to its access, takes
     * effect. */
    if (fenced->count > 1)
        return error_set(work->error, STATUS_UNSUPPORTED, "two seq_cst accesses in one expression");
    if (fenced->count > 0 && fenced->all > 1)
        return error_set(work->error, STATUS_UNSUPPORTED, "a seq_cst access and another access in one expression");
    if (fenced->conditional)
        return error_set(work->error, STATUS_UNSUPPORTED,
                         "a seq_cst access to the right of && or ||, which is not always evaluated");
    return STATUS_OK;
}

/* Puts fences before and after the statements of a block; NULL: none. */
static void put_around(struct target_work *work, struct litmus_block *block, struct litmus_place place,
                       const struct litmus_fence *before, const struct litmus_fence *after)
{
    struct litmus_statement *list = arena_take(&work->target->arena, block->count + 2, sizeof *list);
    size_t count = 0;
    if (before)
        list[count++] = fence_at(place, before);
    for (size_t i = 0; i < block->count; i++)
        list[count++] = block->statements[i];
    if (after)
        list[count++] = fence_at(place, after);
    *block = (struct litmus_block){list, count};
}

/* Appends a statement to list, with the fences of its accesses or its barrier: at most three statements. */
static enum status map_statement(struct target_work *work, struct litmus_statement *statement,
                                 struct litmus_statement *list, size_t *count)
{
    struct fenced_accesses fenced = {0};
    struct mapped_fences around = {0};
    TRY(map_own(work, statement, &fenced, &around));
    TRY(map_block(work, &statement->body));
    TRY(map_block(work, &statement->otherwise));
    if (is_dropped(statement))
        return STATUS_OK;
    if (fenced.count > 0 && (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE))
        put_around(work, &statement->body, statement->place, NULL, &fenced.fence);
    if (fenced.count > 0 && statement->kind != LITMUS_DO_WHILE)
        list[(*count)++] = fence_at(statement->place, &fenced.fence);
    if (around.before)
        list[(*count)++] = fence_at(statement->place, &around.fence);
    list[(*count)++] = *statement;
    if (around.after)
        list[(*count)++] = fence_at(statement->place, &around.fence);
    return STATUS_OK;
}

static enum status map_block(struct target_work *work, struct litmus_block *block)
{
    size_t count = 0;
    bool written = false;
    if (block->count == 0)
        return STATUS_OK;
    struct litmus_statement *list = arena_take(&work->target->arena, 3 * block->count, sizeof *list);
    for (size_t i = 0; i < block->count; i++)
        TRY(work->host ? map_host_statement(work, &block->statements[i], list, &count, &written)
                       : map_statement(work, &block->statements[i], list, &count));
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

static enum status map_threads(struct target_work *work, const struct litmus_test *source)
{
    struct litmus_test *test = work->target->test;
    for (size_t body = 0; body < test->body_count; body++) {
        struct litmus_thread *thread = &test->threads[body];
        copy_block_places(&source->threads[body].body, &thread->body);
        work->host = thread->placement.host && work->mapping == &mapping_ptx;
        TRY(map_block(work, &thread->body));
        /* What a launch of a test with edges reads was made visible at its start, and what it wrote is made available
         * to the device at its end: operations of the host. */
        if (work->mapping->host_before && test->edge_count > 0)
            put_around(work, &thread->body, (struct litmus_place){0}, work->mapping->host_before,
                       work->mapping->host_after);
    }
    test->dialect = work->mapping->to;
    return STATUS_OK;
}

enum status kernel_target_make(const struct litmus_test *test, unsigned mapping_to, struct kernel_target *target,
                               struct error *error)
{
    struct target_work work = {.mapping =
                                   kernel_mapping_dialect(mapping_to) == LITMUS_VULKAN ? &mapping_vulkan : &mapping_ptx,
                               .target = target,
                               .error = error};
    *target = (struct kernel_target){0};
    enum status status = litmus_reread(test, &target->test, error);
    if (status == STATUS_OK) {
        target->test->text = test->text;
        target->test->text_dialect = test->text_dialect;
        status = map_threads(&work, test);
    }
    if (status != STATUS_OK)
        kernel_target_release(target);
    return status;
}

void kernel_target_release(struct kernel_target *target)
{
    litmus_release(target->test);
    arena_release(&target->arena);
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

/* ---- text in the words of PTX or VULKAN, whose threads are columns of single instructions ---- */

struct target_printing {
    const struct litmus_test *test;
    struct arena *arena;
    struct litmus_thread *thread; /* with what was written so far */
    unsigned temporaries, barriers;
    struct error *error;
};

static enum status target_refuse(struct target_printing *printing, const char *what)
{
    return error_set(printing->error, STATUS_UNSUPPORTED, "%s, which cannot be written as single instructions", what);
}

static bool is_operand(const struct litmus_expression *expression)
{
    return !expression || expression->kind == LITMUS_EXPRESSION_CONSTANT ||
           expression->kind == LITMUS_EXPRESSION_REGISTER ||
           (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_operand(expression->left));
}

/* A comparison or an operator with a word, of two operands. PTX alone has comparisons that give a number. */
static bool is_computation(const struct target_printing *printing, const struct litmus_expression *value)
{
    const bool compares = printing->test->dialect == LITMUS_PTX && ptx_comparison_name(value->op);
    return value->kind == LITMUS_EXPRESSION_BINARY && is_operand(value->left) && is_operand(value->right) &&
           (compares || ptx_operator_name(PTX_COMPUTE, value->op));
}

static struct litmus_statement *target_add(struct target_printing *printing, enum litmus_statement_kind kind)
{
    struct litmus_block *body = &printing->thread->body;
    struct litmus_statement *statement = &ARENA_ADD(printing->arena, body->statements, body->count);
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

static struct litmus_expression *register_of(struct target_printing *printing, int index)
{
    struct litmus_expression *expression = arena_take(printing->arena, 1, sizeof *expression);
    expression->kind = LITMUS_EXPRESSION_REGISTER;
    expression->index = index;
    return expression;
}

/* A register that the test has not. */
static int add_temporary(struct target_printing *printing, enum litmus_type type)
{
    struct litmus_thread *thread = printing->thread;
    struct litmus_register *list = arena_take(printing->arena, thread->register_count + 1, sizeof *list);
    char *name;
    do
        name = arena_print(printing->arena, "t%u", printing->temporaries++);
    while (ANY_OF(own, thread->registers, thread->register_count, strcmp(own->name, name) == 0));
    if (thread->register_count > 0)
        memcpy(list, thread->registers, thread->register_count * sizeof *list);
    list[thread->register_count] = (struct litmus_register){.name = name, .type = type, .points_to = LITMUS_NONE};
    thread->registers = list;
    return (int)thread->register_count++;
}

/* A compare-and-swap that gives success, and the old value where the expected one was: t = cas x, r0, v; r1 = t == r0;
 * r0 = t. */
static enum status add_swap(struct target_printing *printing, int target, struct litmus_access *access,
                            struct litmus_expression *value)
{
    const int old = add_temporary(printing, access->type), expected = access->expected_register;
    struct litmus_statement *swap = target_add(printing, LITMUS_ASSIGN);
    swap->target = old;
    swap->value = value;
    access->expected = register_of(printing, expected);
    access->expected_register = LITMUS_NONE;
    if (target != LITMUS_NONE && printing->test->dialect != LITMUS_PTX)
        return target_refuse(printing, "the success of a compare_exchange");
    if (target != LITMUS_NONE) {
        struct litmus_expression *success = arena_take(printing->arena, 1, sizeof *success);
        *success = (struct litmus_expression){.kind = LITMUS_EXPRESSION_BINARY,
                                              .op = LITMUS_EQ,
                                              .left = register_of(printing, old),
                                              .right = register_of(printing, expected)};
        struct litmus_statement *compare = target_add(printing, LITMUS_ASSIGN);
        compare->target = target;
        compare->value = success;
    }
    struct litmus_statement *keep = target_add(printing, LITMUS_ASSIGN);
    keep->target = expected;
    keep->value = register_of(printing, old);
    return STATUS_OK;
}

/* A subtraction adds the opposite. */
static enum status negate(struct target_printing *printing, struct litmus_access *access)
{
    struct litmus_expression *operand = arena_take(printing->arena, 1, sizeof *operand);
    if (access->operand->kind != LITMUS_EXPRESSION_CONSTANT)
        return target_refuse(printing, "a subtraction of a register");
    *operand = *access->operand;
    operand->value = -operand->value;
    access->operand = operand;
    access->operation = LITMUS_FETCH_ADD;
    return STATUS_OK;
}

static enum status target_add_access(struct target_printing *printing, const struct litmus_statement *statement)
{
    const int target = statement->kind == LITMUS_ASSIGN ? statement->target : LITMUS_NONE;
    struct litmus_expression *value = arena_take(printing->arena, 1, sizeof *value);
    struct litmus_access *access = arena_take(printing->arena, 1, sizeof *access);
    *value = *statement->value;
    *access = *statement->value->access;
    value->access = access;
    if (access->expected_address)
        return target_refuse(printing, "a compare_exchange whose expected value is in memory");
    if (!is_operand(access->address) || !is_operand(access->operand) || !is_operand(access->expected))
        return target_refuse(printing, "a computed operand");
    if (access->operation == LITMUS_FETCH_SUB)
        TRY(negate(printing, access));
    if (access->operation == LITMUS_CAS && !access->expected)
        return add_swap(printing, target, access, value);
    const bool drops = target == LITMUS_NONE && access->operation != LITMUS_STORE && !access->no_result;
    const int kept = drops ? add_temporary(printing, access->type) : target;
    struct litmus_statement *own = target_add(printing, kept == LITMUS_NONE ? LITMUS_PERFORM : LITMUS_ASSIGN);
    own->target = kept;
    own->value = value;
    return STATUS_OK;
}

/* A mask is always written in PTX. */
static enum status add_collective(struct target_printing *printing, const struct litmus_statement *statement)
{
    static const struct litmus_expression all = {.kind = LITMUS_EXPRESSION_CONSTANT, .value = UINT32_MAX};
    const struct litmus_collective *collective = &statement->collective;
    if (!is_operand(statement->value) || !is_operand(collective->mask) || !is_operand(collective->lane))
        return target_refuse(printing, "a computed operand");
    struct litmus_statement *added = target_add(printing, LITMUS_COLLECTIVE);
    *added = *statement;
    if (!collective->mask && collective->function != LITMUS_ACTIVE && printing->test->dialect == LITMUS_PTX) {
        added->collective.mask = arena_take(printing->arena, 1, sizeof all);
        *added->collective.mask = all;
    }
    return STATUS_OK;
}

static enum status target_add_statement(struct target_printing *printing, const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    switch (statement->kind) {
    case LITMUS_ASSIGN:
    case LITMUS_PERFORM:
        if (value->access)
            return target_add_access(printing, statement);
        if (!is_operand(value) && !is_computation(printing, value))
            return target_refuse(printing, "a computation with several steps");
        break;
    case LITMUS_BARRIER: {
        struct litmus_barrier *barrier = &target_add(printing, LITMUS_BARRIER)->barrier;
        *barrier = statement->barrier;
        if (!barrier->instance)
            barrier->instance = arena_print(printing->arena, "%u", printing->barriers);
        printing->barriers++;
        return STATUS_OK;
    }
    case LITMUS_COLLECTIVE:
        return add_collective(printing, statement);
    case LITMUS_GOTO:
        if (value && (value->kind != LITMUS_EXPRESSION_BINARY || !is_operand(value->left) ||
                      !is_operand(value->right) || !ptx_operator_name(PTX_BRANCH, value->op)))
            return target_refuse(printing, "a computed condition");
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        return target_refuse(printing, "a branch or a loop");
    default:
        break;
    }
    *target_add(printing, statement->kind) = *statement;
    return STATUS_OK;
}

/* The host's statements are C11's, with values of any depth. */
static enum status add_host_statement(struct target_printing *printing, const struct litmus_statement *statement)
{
    if (statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM && !litmus_is_fence(statement))
        return target_refuse(printing, "a branch or a loop");
    *target_add(printing, statement->kind) = *statement;
    return STATUS_OK;
}

enum status kernel_print_instructions(const struct litmus_test *test, struct text *text, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct litmus_test printed = *test;
    struct target_printing printing = {.test = test, .arena = &arena, .error = error};
    enum status status = STATUS_OK;
    printed.threads = arena_take(&arena, test->body_count, sizeof *printed.threads);
    for (size_t body = 0; body < test->body_count && status == STATUS_OK; body++) {
        printing.thread = &printed.threads[body];
        printing.temporaries = printing.barriers = 0;
        *printing.thread = test->threads[body];
        printing.thread->body = (struct litmus_block){0};
        for (size_t i = 0; i < test->threads[body].body.count && status == STATUS_OK; i++)
            status = (test->threads[body].placement.host ? add_host_statement : target_add_statement)(
                &printing, &test->threads[body].body.statements[i]);
    }
    if (status == STATUS_OK)
        litmus_print(&printed, text);
    return status;
}

enum status kernel_target_print(const struct kernel_target *target, struct text *text, struct error *error)
{
    struct litmus_test *again;
    struct error why;
    const size_t start = text->size;
    if (target->test->dialect == LITMUS_VULKAN && litmus_has_edge(target->test, LAUNCH_EDGE_BESIDE))
        return error_set(error, STATUS_UNSUPPORTED, "VULKAN cannot express launches beside each other");
    TRY(kernel_print_instructions(target->test, text, error));
    const char *const own = text_string(text) + start;
    if (litmus_parse(target->test->name, own, text->size - start, &again, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s cannot express it: %s",
                         litmus_dialect_name(target->test->dialect), why.text);
    litmus_release(again);
    return STATUS_OK;
}
