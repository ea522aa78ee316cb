// SPDX-License-Identifier: Apache-2.0
/* The test that was compiled: a copy of the source with the accesses, fences and barriers of the code. */
#include "inspect/rebuild/rebuild_test.h"

#include "inspect/readers.h"
#include "inspect/rebuild/compiled_step.h"
#include "kernel/lower.h"
#include "litmus/language/order.h"
#include "litmus/language/vulkan_instructions.h"
#include "litmus/language/walk.h"

struct rebuild {
    const struct inspect_subject *subject;
    struct kernel_target *compiled;
    struct litmus_thread *thread; /* of the copy, whose number is body */
    unsigned body;
    struct compiled_step *steps; /* of the kernel's, in their order */
    bool *needless;
    struct error *error;
};

/* ---- accesses, fences and barriers ---- */

/* The list grows in the arena of the compiled test. */
static void rebuild_add(struct rebuild *rebuild, struct litmus_block *list, struct litmus_statement statement)
{
    ARENA_ADD(&rebuild->compiled->arena, list->statements, list->count) = statement;
}

static void rebuild_add_list(struct rebuild *rebuild, struct litmus_block *list, const struct litmus_block *more)
{
    for (size_t i = 0; i < more->count; i++)
        rebuild_add(rebuild, list, more->statements[i]);
}

/* The code of an access, a fence or a barrier of the source; NULL if the kernel has no such step. */
static const struct compiled_step *rebuild_find_step(const struct rebuild *rebuild, const void *of)
{
    for (size_t i = 0; i < rebuild->subject->kernel->step_count; i++) {
        const struct kernel_step *step = rebuild->steps[i].step;
        if (step && step->body == rebuild->body && inspect_is_step(step, of))
            return &rebuild->steps[i];
    }
    return NULL;
}

/* Refuses an access, named by its instruction in the test's text, or by its line. */
static enum status refuse_access(const struct rebuild *rebuild, const struct compiled_step *step, const char *what)
{
    LOCAL(text) source = {0};
    const struct litmus_place place = step->step->place;
    if (!litmus_print_instruction(rebuild->compiled->test, place, &source))
        text_add(&source, "line %u", place.line);
    (void)error_set(rebuild->error, STATUS_UNSUPPORTED, "P%u, %s: %s%s%s", rebuild->thread->first, text_string(&source),
                    what, step->work < step->count ? ": " : "",
                    step->work < step->count ? step->instructions[step->work]->text : "");
    return STATUS_UNSUPPORTED;
}

static struct litmus_expression *make_constant(struct rebuild *rebuild, struct litmus_place place, int64_t value)
{
    struct litmus_expression *made = arena_take(&rebuild->compiled->arena, 1, sizeof *made);
    *made = (struct litmus_expression){.kind = LITMUS_EXPRESSION_CONSTANT, .place = place, .value = value};
    return made;
}

static bool is_constant(const struct litmus_expression *expression, int64_t value)
{
    return expression && expression->kind == LITMUS_EXPRESSION_CONSTANT && expression->value == value;
}

/* A load may be compiled to a read-modify-write without effect: an addition of 0, or a compare-and-swap of 0 with 0. */
static bool make_idle_update(struct rebuild *rebuild, struct litmus_access *access,
                             const struct machine_instruction *made)
{
    const bool swap = made->operation == LITMUS_CAS;
    if (!made->writes_same)
        return false;
    access->operation = made->operation;
    access->operand = make_constant(rebuild, access->address->place, 0);
    access->expected = swap ? make_constant(rebuild, access->address->place, 0) : NULL;
    access->expected_register = LITMUS_NONE;
    return true;
}

/* Gives the copy's access the operation of the code. False if the test's values do not follow from that operation. */
static bool make_operation(struct rebuild *rebuild, struct litmus_access *access,
                           const struct machine_instruction *made, bool dropped)
{
    switch (made->effect) {
    case MACHINE_LOAD:
        if (access->operation == LITMUS_LOAD)
            return true;
        if (access->operation < LITMUS_FETCH_ADD || !is_constant(access->operand, 0))
            return false;
        access->operation = LITMUS_LOAD;
        access->operand = NULL;
        return true;
    case MACHINE_STORE:
        if (access->operation != LITMUS_STORE && !(access->operation == LITMUS_EXCHANGE && dropped))
            return false;
        access->operation = LITMUS_STORE;
        return true;
    case MACHINE_UPDATE:
        if (access->operation == LITMUS_LOAD)
            return make_idle_update(rebuild, access, made);
        if (access->operation == LITMUS_STORE && made->operation == LITMUS_EXCHANGE)
            access->operation = LITMUS_EXCHANGE;
        else if (!compiled_step_computes(made, access))
            return false;
        if (access->operation == LITMUS_CAS_WEAK)
            access->operation = LITMUS_CAS; /* PTX's and SPIR-V's do not fail spuriously */
        access->no_result = made->no_result;
        return !made->no_result || dropped;
    default:
        return false;
    }
}

/* Gives an access of the copy the operation, order and scope of its instruction. dropped: nothing reads its result.
 * UNSUPPORTED, with the reason, if the instruction does something else. */
static enum status rebuild_access(struct rebuild *rebuild, struct litmus_access *access,
                                  const struct compiled_step *step, bool dropped)
{
    if (inspect_is_constant(rebuild->compiled->test, access))
        return STATUS_OK;
    if (step->work == step->count)
        return refuse_access(rebuild, step, "the code has no instruction for this step, for an unknown reason");
    const struct machine_instruction *made = step->instructions[step->work];
    if (inspect_step(step->step) != INSPECT_STEP_ACCESS && !access->read_only)
        return refuse_access(rebuild, step, "no compiled test has such an instruction");
    if (made->bytes != litmus_type_size(access->type))
        return refuse_access(rebuild, step, "the instruction accesses a different number of bytes");
    if (access->expected_address && step->count > 1)
        return refuse_access(rebuild, step, "it has fences, and keeps its expected value in memory");
    if (!make_operation(rebuild, access, made, dropped))
        return refuse_access(rebuild, step, "the instruction is a different one");
    access->ordering = vulkan_own(made->ordering);
    access->proxy = made->proxy;
    access->read_only = made->proxy == LITMUS_TEXTURE;
    if ((machine_cache_hint(access->cache) & ~made->hints) != 0)
        access->cache = LITMUS_CACHE_NONE;
    access->failure = made->vulkan.failure.order != LITMUS_PLAIN ? made->vulkan.failure.order : made->order;
    return STATUS_OK;
}

/* Appends the fences among a step's instructions [from, to). */
static void rebuild_add_fences(struct rebuild *rebuild, const struct compiled_step *step, size_t from, size_t to,
                               struct litmus_block *list)
{
    for (size_t i = from; i < to; i++) {
        const struct machine_instruction *made = step->instructions[i];
        if (machine_is_fence(made->effect) && !made->flaw &&
            (made->effect != MACHINE_FENCE || made->order != LITMUS_RELAXED))
            rebuild_add(rebuild, list,
                        (struct litmus_statement){
                            .kind = LITMUS_FENCE,
                            .place = step->step->place,
                            .target = LITMUS_NONE,
                            .label = LITMUS_NONE,
                            .fence = {.ordering = made->ordering,
                                      .proxy = LITMUS_GENERIC,
                                      .restriction = made->effect == MACHINE_GRID_WAIT      ? LITMUS_GRID_WAIT
                                                     : made->effect == MACHINE_GRID_TRIGGER ? LITMUS_GRID_TRIGGER
                                                                                            : LITMUS_UNRESTRICTED},
                        });
    }
}

/* ---- expressions ---- */

/* Whether an access of an expression of the source has fences in the code. */
static bool rebuild_has_fences(const struct rebuild *rebuild, const struct litmus_expression *expression)
{
    if (!expression)
        return false;
    if (rebuild_has_fences(rebuild, expression->left) || rebuild_has_fences(rebuild, expression->right))
        return true;
    if (!expression->access)
        return false;
    const struct compiled_step *step = rebuild_find_step(rebuild, expression->access);
    return (step && step->count > 1) || rebuild_has_fences(rebuild, expression->access->address) ||
           rebuild_has_fences(rebuild, expression->access->operand) ||
           rebuild_has_fences(rebuild, expression->access->expected);
}

static bool is_taken(const struct rebuild *rebuild, const char *name)
{
    if (ANY_OF(own, rebuild->thread->registers, rebuild->thread->register_count - 1, strcmp(own->name, name) == 0))
        return true;
    return ANY_OF(location, rebuild->compiled->test->locations, rebuild->compiled->test->location_count,
                  strcmp(location->name, name) == 0);
}

static char *new_name(struct rebuild *rebuild, int number)
{
    char *name = arena_print(&rebuild->compiled->arena, "t%d", number);
    while (is_taken(rebuild, name))
        name = arena_print(&rebuild->compiled->arena, "%s_", name);
    return name;
}

/* Adds a register to the thread of the copy. UNSUPPORTED if it has too many. */
static enum status rebuild_add_register(struct rebuild *rebuild, enum litmus_type type, int *index)
{
    struct litmus_thread *thread = rebuild->thread;
    if (thread->register_count == LITMUS_MAXIMUM_REGISTERS)
        return error_set(rebuild->error, STATUS_UNSUPPORTED, "the compiled test has too many registers");
    struct litmus_register *registers =
        arena_take(&rebuild->compiled->arena, thread->register_count + 1, sizeof *registers);
    if (thread->register_count > 0)
        memcpy(registers, thread->registers, thread->register_count * sizeof *registers);
    *index = (int)thread->register_count++;
    registers[*index] =
        (struct litmus_register){.name = new_name(rebuild, *index), .type = type, .points_to = LITMUS_NONE};
    thread->registers = registers;
    return STATUS_OK;
}

static enum litmus_type rebuild_result_type(const struct litmus_access *access)
{
    const bool success = operation_compares(access->operation) && !access->expected;
    return success || access->type == LITMUS_FLAG ? LITMUS_INT : access->type;
}

static enum status rebuild_expression(struct rebuild *rebuild, const struct litmus_expression *from,
                                      struct litmus_expression *to, bool apart, struct litmus_block *list);

static enum status rebuild_operands(struct rebuild *rebuild, const struct litmus_access *from, struct litmus_access *to,
                                    bool apart, struct litmus_block *list)
{
    TRY(rebuild_expression(rebuild, from->address, to->address, apart, list));
    TRY(rebuild_expression(rebuild, from->expected, to->expected, apart, list));
    return rebuild_expression(rebuild, from->operand, to->operand, apart, list);
}

/* Gives an expression of the copy (`to`) the accesses of the code. apart: each access becomes a statement of the list,
 * and a register takes its place. */
static enum status rebuild_expression(struct rebuild *rebuild, const struct litmus_expression *from,
                                      struct litmus_expression *to, bool apart, struct litmus_block *list)
{
    if (!from)
        return STATUS_OK;
    TRY(rebuild_expression(rebuild, from->left, to->left, apart, list));
    const size_t middle = list->count;
    TRY(rebuild_expression(rebuild, from->right, to->right, apart, list));
    if (list->count > middle && (from->op == LITMUS_LOGICAL_AND || from->op == LITMUS_LOGICAL_OR))
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "an access with a fence to the right of && or ||, which is not always evaluated");
    if (!from->access)
        return STATUS_OK;
    const struct compiled_step *step = rebuild_find_step(rebuild, from->access);
    TRY(rebuild_operands(rebuild, from->access, to->access, apart, list));
    if (!step)
        return error_set(rebuild->error, STATUS_INTERNAL, "an access of P%u is not a step of its kernel",
                         rebuild->thread->first);
    TRY(rebuild_access(rebuild, to->access, step, false));
    if (!apart)
        return STATUS_OK;
    /* The access and its fences become statements, and the register with its result replaces it. */
    int index;
    struct litmus_expression *access = arena_take(&rebuild->compiled->arena, 1, sizeof *access);
    TRY(rebuild_add_register(rebuild, rebuild_result_type(to->access), &index));
    *access = *to;
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    rebuild_add(rebuild, list,
                (struct litmus_statement){
                    .kind = LITMUS_ASSIGN, .place = to->place, .target = index, .label = LITMUS_NONE, .value = access});
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, list);
    *to = (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = to->place, .index = index};
    return STATUS_OK;
}

/* ---- statements, in the control flow of the source ---- */

/* Appends a statement that is an access, with a register for its result if the instruction has one: PTX's atom and
 * VULKAN's rmw have one even if it is unused. */
static enum status rebuild_add_access(struct rebuild *rebuild, struct litmus_statement statement,
                                      struct litmus_block *list)
{
    const struct litmus_access *access = statement.value->access;
    const bool plain = operation_moves(access->operation);
    if (statement.kind == LITMUS_PERFORM && (access->operation == LITMUS_LOAD || (!plain && !access->no_result))) {
        statement.kind = LITMUS_ASSIGN;
        TRY(rebuild_add_register(rebuild, rebuild_result_type(access), &statement.target));
    }
    rebuild_add(rebuild, list, statement);
    return STATUS_OK;
}

/* Adds the fences after an access. If a compare-and-swap need not acquire on failure, its fences may run only on
 * success, which is in `result`. */
static void add_fences_after(struct rebuild *rebuild, const struct compiled_step *step, int result,
                             struct litmus_block *list)
{
    const struct litmus_access *access = step->step->access;
    const bool swaps = operation_compares(access->operation);
    struct litmus_block fences = {0};
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, &fences);
    if (!swaps || access->expected || access->failure == LITMUS_ACQUIRE || access->failure == LITMUS_SEQ_CST ||
        fences.count == 0) {
        rebuild_add_list(rebuild, list, &fences);
        return;
    }
    struct litmus_expression *success = arena_take(&rebuild->compiled->arena, 1, sizeof *success);
    *success =
        (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = step->step->place, .index = result};
    rebuild_add(rebuild, list,
                (struct litmus_statement){.kind = LITMUS_IF,
                                          .place = step->step->place,
                                          .target = LITMUS_NONE,
                                          .label = LITMUS_NONE,
                                          .value = success,
                                          .body = {fences.statements, fences.count}});
}

/* An access that is a statement, or whose value is assigned to a register, keeps its place between its fences. */
static enum status make_root(struct rebuild *rebuild, const struct litmus_statement *from, struct litmus_statement *to,
                             struct litmus_block *list)
{
    const struct litmus_access *access = from->value->access;
    const struct compiled_step *step = rebuild_find_step(rebuild, access);
    if (step && step->count == 0 && rebuild->needless[step - rebuild->steps])
        return STATUS_OK;
    const bool apart = rebuild_has_fences(rebuild, access->address) || rebuild_has_fences(rebuild, access->operand) ||
                       rebuild_has_fences(rebuild, access->expected);
    TRY(rebuild_operands(rebuild, access, to->value->access, apart, list));
    if (!step)
        return error_set(rebuild->error, STATUS_INTERNAL, "an access of P%u is not a step of its kernel",
                         rebuild->thread->first);
    TRY(rebuild_access(rebuild, to->value->access, step, from->kind == LITMUS_PERFORM));
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    TRY(rebuild_add_access(rebuild, *to, list));
    add_fences_after(rebuild, step, list->statements[list->count - 1].target, list);
    return STATUS_OK;
}

/* In OPENCL a barrier's scope is what it orders; in PTX, which threads meet; in VULKAN both, so the narrower one of
 * SPIR-V's. PTX's and VULKAN's barriers also have a name, the same for all here. */
static void rebuild_set_barrier(struct litmus_barrier *barrier, const struct machine_instruction *made)
{
    static char name[] = "0";
    const bool few = made->vulkan.meeting != LITMUS_SCOPE_NONE && made->vulkan.meeting < made->scope;
    barrier->ordering = made->ordering;
    if (few)
        barrier->scope = made->vulkan.meeting;
    if (made->order == LITMUS_RELAXED)
        barrier->order = LITMUS_PLAIN;
    if (!barrier->instance)
        barrier->instance = name;
}

static enum status make_barrier(struct rebuild *rebuild, const struct litmus_statement *from,
                                struct litmus_statement *to, struct litmus_block *list)
{
    const struct compiled_step *step = rebuild_find_step(rebuild, &from->barrier);
    if (!step || step->work == step->count)
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "P%u, line %u: the code has no instruction for the barrier", rebuild->thread->first,
                         from->place.line);
    rebuild_set_barrier(&to->barrier, step->instructions[step->work]);
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    rebuild_add(rebuild, list, *to);
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, list);
    return STATUS_OK;
}

static enum status rebuild_block(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to);

static enum status make_statement(struct rebuild *rebuild, const struct litmus_statement *from,
                                  struct litmus_statement *to, struct litmus_block *list)
{
    if (from->kind == LITMUS_FENCE) {
        const struct compiled_step *step = rebuild_find_step(rebuild, &from->fence);
        if (step)
            rebuild_add_fences(rebuild, step, 0, step->count, list);
        return STATUS_OK;
    }
    if (from->kind == LITMUS_BARRIER)
        return make_barrier(rebuild, from, to, list);
    const bool root = from->value && from->value->kind == LITMUS_EXPRESSION_ACCESS;
    if (root && (from->kind == LITMUS_ASSIGN || from->kind == LITMUS_PERFORM))
        return make_root(rebuild, from, to, list);
    /* A condition's accesses come before the statement; for a loop, also at the end of its body. */
    struct litmus_block condition = {0};
    TRY(rebuild_expression(rebuild, from->value, to->value, rebuild_has_fences(rebuild, from->value), &condition));
    TRY(rebuild_block(rebuild, &from->body, &to->body));
    TRY(rebuild_block(rebuild, &from->otherwise, &to->otherwise));
    if (condition.count > 0 && (from->kind == LITMUS_WHILE || from->kind == LITMUS_DO_WHILE)) {
        struct litmus_block body = {0};
        rebuild_add_list(rebuild, &body, &to->body);
        rebuild_add_list(rebuild, &body, &condition);
        to->body = (struct litmus_block){body.statements, body.count};
    }
    if (from->kind != LITMUS_DO_WHILE)
        rebuild_add_list(rebuild, list, &condition);
    rebuild_add(rebuild, list, *to);
    return STATUS_OK;
}

static enum status rebuild_block(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to)
{
    struct litmus_block list = {0};
    for (size_t i = 0; i < from->count; i++)
        TRY(make_statement(rebuild, &from->statements[i], &to->statements[i], &list));
    *to = (struct litmus_block){list.statements, list.count};
    return STATUS_OK;
}

/* ---- threads ---- */

/* Whether each statement of a thread is one step, so that the code alone defines the thread. */
static bool is_plain_list(const struct rebuild *rebuild, const struct litmus_block *block)
{
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        const struct litmus_access *access = statement->value ? statement->value->access : NULL;
        if (statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER)
            continue;
        if ((statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM) || !access ||
            access->expected_address || inspect_is_constant(rebuild->compiled->test, access) ||
            litmus_has_access(access->address) || litmus_has_access(access->operand) ||
            litmus_has_access(access->expected))
            return false;
    }
    return true;
}

static const struct machine_instruction *edge_of(const struct rebuild *rebuild, bool last)
{
    const struct listing *listing = rebuild->subject->listing;
    const struct machine_instruction *found = NULL;
    for (size_t i = 0; i < listing->count && (last || !found); i++)
        if (compiled_step_of(rebuild->subject, &listing->instructions[i], rebuild->body))
            found = &listing->instructions[i];
    return found;
}

/* Appends the statement of one instruction of a thread with straight-line code. */
static enum status rebuild_test_add_instruction(struct rebuild *rebuild, const struct litmus_block *from,
                                                struct litmus_block *to, const struct machine_instruction *instruction,
                                                struct litmus_block *list)
{
    const struct kernel_step *step = compiled_step_of(rebuild->subject, instruction, rebuild->body);
    if (!step)
        return STATUS_OK;
    const struct compiled_step made = {step, &instruction, 1, 0};
    if (machine_is_fence(instruction->effect)) {
        rebuild_add_fences(rebuild, &made, 0, 1, list);
        return STATUS_OK;
    }
    /* The index of a step's statement in a block that satisfies is_plain_list. */
    size_t index = 0;
    while (index < from->count &&
           !(from->statements[index].value && from->statements[index].value->access == step->access) &&
           &from->statements[index].fence != step->fence && &from->statements[index].barrier != step->barrier)
        index++;
    if (index == from->count)
        return error_set(rebuild->error, STATUS_INTERNAL, "a step of P%u is not a statement", rebuild->thread->first);
    struct litmus_statement statement = to->statements[index];
    if (step->barrier)
        rebuild_set_barrier(&statement.barrier, instruction);
    else {
        struct litmus_expression *value = arena_take(&rebuild->compiled->arena, 1, sizeof *value);
        *value = *statement.value;
        value->access = arena_take(&rebuild->compiled->arena, 1, sizeof *value->access);
        *value->access = *statement.value->access;
        statement.value = value;
        TRY(rebuild_access(rebuild, value->access, &made, statement.kind == LITMUS_PERFORM));
        return rebuild_add_access(rebuild, statement, list);
    }
    rebuild_add(rebuild, list, statement);
    return STATUS_OK;
}

/* Whether the inspection found that the steps of a thread do not run as they do in the source. */
static bool flow_differs(const struct rebuild *rebuild, const struct inspection *inspection)
{
    for (size_t i = 0; inspection && i < inspection->finding_count; i++) {
        const struct inspect_finding *finding = &inspection->findings[i];
        const struct kernel_step *step = &rebuild->subject->kernel->steps[finding->step];
        if ((finding->fault == INSPECT_MISSING || finding->fault == INSPECT_ONCE || finding->fault == INSPECT_DOUBLED ||
             finding->fault == INSPECT_MOVED || (!step->access && !step->fence && !step->barrier)) &&
            step->body == rebuild->body)
            return true;
    }
    return !inspection || inspection->kept == TEST_NOT_INSPECTED;
}

static enum status rebuild_thread(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to,
                                  const struct inspection *inspection)
{
    const struct machine_instruction *first = edge_of(rebuild, false), *last = edge_of(rebuild, true);
    if (is_plain_list(rebuild, from) && (!first || compiled_step_is_straight(rebuild->subject, first, last))) {
        /* Makes a thread without jumps, in the order of its code. */
        struct litmus_block list = {0};
        for (const struct machine_instruction *at = first; at && at <= last; at++)
            TRY(rebuild_test_add_instruction(rebuild, from, to, at, &list));
        /* A load that is missing from the code leaves its register unknown. */
        FOR_EACH(const struct litmus_statement, statement, from->statements, from->count)
            if (statement->kind == LITMUS_ASSIGN &&
                !ANY_OF(one, list.statements, list.count,
                        one->kind == LITMUS_ASSIGN && one->target == statement->target))
                return error_set(rebuild->error, STATUS_UNSUPPORTED,
                                 "P%u, line %u: the code has no instruction for it, and the value read is unknown",
                                 rebuild->thread->first, statement->place.line);
        *to = (struct litmus_block){list.statements, list.count};
        return STATUS_OK;
    }
    if (flow_differs(rebuild, inspection))
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "P%u: the paths through the code are not those of the test", rebuild->thread->first);
    const struct kernel *kernel = rebuild->subject->kernel;
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == rebuild->body)
            TRY(compiled_step_find(rebuild->subject, &kernel->steps[i], &rebuild->compiled->arena, &rebuild->steps[i],
                                   rebuild->error));
    return rebuild_block(rebuild, from, to);
}

/* ---- the test ---- */

static enum status copy_test(const struct litmus_test *test, struct litmus_test **copy, struct error *error)
{
    TRY(litmus_reread(test, copy, error));
    (*copy)->text = test->text;
    (*copy)->text_dialect = test->text_dialect;
    return STATUS_OK;
}

/* Makes it, in a dialect. A thread with straight-line source and straight-line code has its instructions in the order
 * of the code. Any other thread has the control flow of the source, and therefore needs an inspection that found
 * nothing missing, doubled or moved. UNSUPPORTED, with the reason, if no test of the dialect has this code. The caller
 * releases
 * *compiled. */
static enum status compiled_test_make(const struct inspect_subject *subject, const struct inspection *inspection,
                                      enum litmus_dialect dialect, struct kernel_target *compiled, struct error *error)
{
    const struct litmus_test *test = subject->test;
    struct rebuild rebuild = {.subject = subject, .compiled = compiled, .error = error};
    *compiled = (struct kernel_target){0};
    enum status status = copy_test(test, &compiled->test, error);
    rebuild.needless = needless_find(test, subject->kernel, NULL);
    rebuild.steps = arena_take(&compiled->arena, subject->kernel->step_count + 1, sizeof *rebuild.steps);
    for (unsigned body = 0; status == STATUS_OK && body < test->body_count; body++) {
        rebuild.body = body;
        rebuild.thread = &compiled->test->threads[body];
        status = rebuild_thread(&rebuild, &test->threads[body].body, &rebuild.thread->body, inspection);
    }
    if (status == STATUS_OK)
        compiled->test->dialect = dialect;
    else
        kernel_target_release(compiled);
    free(rebuild.needless);
    return status;
}

/* ---- PTX ---- */

bool compiled_ptx_is(const struct kernel *kernel, const char *code)
{
    return (kernel->lowering->is_opencl || kernel->lowering->is_cuda || kernel->user_code) &&
           strstr(code, ".version") && strstr(code, ".entry");
}

static enum status read_listing(const struct inspect_subject *subject, const char *text, struct listing *listing,
                                struct error *error)
{
    const unsigned before = subject->first_line - 1;
    enum status status = listing_read_ptx(text, listing, error);
    if (status == STATUS_OK) {
        ptx_place(subject, listing);
        status = listing_refuse_ptx(listing, subject->kernel->helpers_line + before,
                                    subject->kernel->functions_end + before, error);
    }
    return status == STATUS_SYNTAX ? error->status = STATUS_UNSUPPORTED : status;
}

enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct kernel_target *compiled, struct error *error)
{
    struct listing listing;
    const struct inspect_subject subject = {.test = ptx->test,
                                            .kernel = ptx->kernel,
                                            .listing = &listing,
                                            .rule = rules_ptx,
                                            .orders = ptx_check_operands,
                                            .first_line = ptx->first_line};
    *inspection = (struct inspection){0};
    *compiled = (struct kernel_target){0};
    enum status status = read_listing(&subject, ptx->text, &listing, error);
    if (status == STATUS_OK) {
        inspect_compare(&subject, inspection);
        status = compiled_test_make(&subject, inspection, LITMUS_PTX, compiled, error);
    } else
        inspect_skip(inspection, error->text);
    listing_release(&listing);
    return status;
}

enum status compiled_ptx_of_build(const struct litmus_test *test, const struct backend_device *device,
                                  const char *lowering, bool delays, const struct build *build,
                                  struct kernel_target *compiled, struct error *error)
{
    struct kernel kernel;
    struct inspection inspection;
    *compiled = (struct kernel_target){0};
    if (build->marks & MARK_FROZEN)
        return error_set(error, STATUS_UNSUPPORTED, "the kernel was saved earlier, and its lines are not known");
    TRY(kernel_generate(test, device, lowering[0] ? lowering : NULL, delays, &kernel, error));
    const struct compiled_ptx ptx = {test, &kernel, kernel_unit_line(backend_find(device->backend), 1), build->binary};
    enum status status = STATUS_UNSUPPORTED;
    if (compiled_ptx_is(&kernel, build->binary)) {
        status = compiled_ptx_read(&ptx, &inspection, compiled, error);
        inspection_release(&inspection);
    } else
        (void)error_set(error, status, "no compiler made PTX from the test");
    kernel_release(&kernel);
    return status;
}

/* ---- SPIR-V ---- */

enum status compiled_spirv_read(const struct inspect_code *code, const struct litmus_test *test,
                                const struct kernel *kernel, const struct inspection *inspection,
                                struct kernel_target *compiled, struct error *error)
{
    struct listing listing;
    const struct inspect_subject subject = {
        .test = test, .kernel = kernel, .listing = &listing, .first_line = code->first_line};
    *compiled = (struct kernel_target){0};
    enum status status = listing_read_spirv(code->text, code->size, &listing, error);
    if (status == STATUS_SYNTAX)
        status = error->status = STATUS_UNSUPPORTED;
    else if (status == STATUS_OK && test->edge_count > 0)
        status = error_set(error, STATUS_UNSUPPORTED, "the host, which has no code, orders its launches");
    else if (status == STATUS_OK)
        status = compiled_test_make(&subject, inspection, LITMUS_VULKAN, compiled, error);
    listing_release(&listing);
    return status;
}

/* ---- outcomes that the compiled test allows and the test forbids ---- */

static const double judging_seconds = 10; /* of one test */

static void add_outcome(const char *label, void *context)
{
    struct inspection *inspection = context;
    ARENA_ADD(&inspection->arena, inspection->findings, inspection->finding_count) = (struct inspect_finding){
        .fault = INSPECT_ALLOWS,
        .text = arena_print(&inspection->arena, "the compiled code allows %s, which the test forbids", label)};
}

static void list_outcomes(const struct litmus_test *test, const struct backend_device *device,
                          struct kernel_target *compiled, struct inspection *inspection)
{
    const struct judge_options limits = {.deadline = clock_seconds() + judging_seconds};
    const size_t before = inspection->finding_count;
    struct verdicts verdicts = {.source = {.model = ""}};
    struct error error;
    if (verdicts_make(test, device, &limits, &verdicts, &error) == STATUS_OK &&
        verdicts_add_compiled(&verdicts, compiled, &limits, &error) == STATUS_OK)
        verdicts_list_limits(&verdicts, add_outcome, inspection);
    verdicts_release(&verdicts);
    if (inspection->finding_count == before)
        return;
    if (inspection->kept != TEST_NOT_KEPT)
        inspection->reason = inspection->findings[before].text;
    inspection->kept = TEST_NOT_KEPT;
}

void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection)
{
    struct inspection of_ptx;
    struct kernel_target compiled;
    struct error error;
    const enum status status = compiled_ptx_read(ptx, &of_ptx, &compiled, &error);
    if (inspection->kept == TEST_NOT_INSPECTED) {
        inspection_release(inspection);
        *inspection = of_ptx;
        judge_merged(ptx->test, device, inspection);
    } else
        inspection_release(&of_ptx);
    if (status == STATUS_OK && ptx->kernel->agents < 2) /* one kernel has all threads */
        list_outcomes(ptx->test, device, &compiled, inspection);
    kernel_target_release(&compiled);
}

/* The same for SPIR-V that is not kept: the findings of its inspection say what differs, and these what may come of
 * it. */
static void judge_compiled_spirv(const struct inspect_code *code, const struct litmus_test *test,
                                 const struct kernel *kernel, const struct backend_device *device,
                                 struct inspection *inspection)
{
    struct kernel_target compiled;
    struct error error;
    if (inspection->kept != TEST_NOT_KEPT)
        return;
    if (compiled_spirv_read(code, test, kernel, inspection, &compiled, &error) == STATUS_OK)
        list_outcomes(test, device, &compiled, inspection);
    kernel_target_release(&compiled);
}

/* Whether each access of the test is missing from its code: then the compiler was not told to name lines, or it names
 * those of other functions. */
static bool has_no_lines(const struct kernel *kernel, const struct inspection *inspection)
{
    size_t missing = 0, accesses = 0;
    for (size_t i = 0; i < inspection->finding_count; i++)
        missing +=
            inspection->findings[i].fault == INSPECT_MISSING && kernel->steps[inspection->findings[i].step].access;
    for (size_t i = 0; i < kernel->step_count; i++)
        accesses += kernel->steps[i].access != NULL;
    return accesses > 0 && missing >= accesses;
}

void inspect_compiled(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                      const struct backend_device *device, struct inspection *inspection)
{
    const struct compiled_ptx ptx = {test, kernel, code->first_line, code->ptx ? code->ptx : code->text};
    inspect_and_judge(code, test, kernel, device, inspection);
    if (inspection->kept == TEST_NOT_KEPT && has_no_lines(kernel, inspection)) {
        inspection_release(inspection);
        inspect_skip(
            inspection,
            "no instruction of the code has the line of an access of the test: compile with line information (-g, "
            "-lineinfo), unless the compiler left out every access");
    } else if (code->machine == INSPECT_SPIRV)
        judge_compiled_spirv(code, test, kernel, device, inspection);
    else if (code->machine != INSPECT_AMDGCN && compiled_ptx_is(kernel, ptx.text))
        judge_compiled(&ptx, device, inspection);
}
