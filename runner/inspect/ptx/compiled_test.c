// SPDX-License-Identifier: Apache-2.0
/* The test that was compiled: a copy of the source whose accesses, fences and barriers are those of the code. */
#include "runner/inspect/ptx/compiled_test.h"

#include <stdlib.h>
#include <string.h>

#include "runner/inspect/ptx/compiled_step.h"
#include "runner/inspect/ptx/ptx_opcode.h"

struct making {
    struct compiled_code code;
    struct compiled_test *compiled;
    struct litmus_thread *thread; /* of the copy, whose number is body */
    unsigned body;
    struct compiled_step *steps; /* of the kernel's, in their order */
    struct error *error;
};

/* A list of statements that grows in the arena. */
struct list {
    struct litmus_statement *statements;
    size_t count;
};

static void add(struct making *making, struct list *list, struct litmus_statement statement)
{
    ARENA_ADD(&making->compiled->arena, list->statements, list->count) = statement;
}

static void add_list(struct making *making, struct list *list, const struct list *more)
{
    for (size_t i = 0; i < more->count; i++)
        add(making, list, more->statements[i]);
}

/* The source's access, fence or barrier says which step it is. */
static const struct compiled_step *find_step(const struct making *making, const void *of)
{
    for (size_t i = 0; i < making->code.kernel->step_count; i++) {
        const struct kernel_step *step = making->steps[i].step;
        if (step && step->body == making->body &&
            ((const void *)step->access == of || (const void *)step->fence == of || (const void *)step->barrier == of))
            return &making->steps[i];
    }
    return NULL;
}

/* ---- one access ---- */

/* What an access is, for messages: the instruction of the test's text, or its line. */
static enum status not_that(const struct making *making, const struct compiled_step *step, const char *what)
{
    struct text source = {0};
    const struct litmus_place place = step->step->place;
    if (!litmus_print_instruction(making->compiled->test, place, &source))
        text_add(&source, "line %u", place.line);
    (void)error_set(making->error, STATUS_UNSUPPORTED, "P%u, %s: %s%s%s", making->thread->first, text_string(&source),
                    what, step->work < step->count ? ": " : "",
                    step->work < step->count ? step->instructions[step->work]->text : "");
    text_release(&source);
    return STATUS_UNSUPPORTED;
}

static struct litmus_expression *constant(struct making *making, struct litmus_place place, int64_t value)
{
    struct litmus_expression *made = arena_take(&making->compiled->arena, 1, sizeof *made);
    *made = (struct litmus_expression){.kind = LITMUS_EXPRESSION_CONSTANT, .place = place, .value = value};
    return made;
}

static bool is_constant(const struct litmus_expression *expression, int64_t value)
{
    return expression && expression->kind == LITMUS_EXPRESSION_CONSTANT && expression->value == value;
}

static size_t opcode_size(const char *text)
{
    return strcspn(text, " ");
}

/* Whether the last operands of an instruction are zeros. */
static bool adds_zero(const char *text, bool twice)
{
    const size_t size = strlen(text);
    const char *end = twice ? ", 0, 0" : ", 0";
    return size > strlen(end) && strcmp(text + size - strlen(end), end) == 0;
}

/* A load may be made of a read-modify-write that changes nothing: an addition of 0, a comparison with 0 that writes 0. */
static bool make_idle_update(struct making *making, struct litmus_access *access, const char *text)
{
    const enum litmus_operation operation = ptx_opcode_operation(text, opcode_size(text));
    const bool swap = operation == LITMUS_CAS;
    if ((operation != LITMUS_FETCH_ADD && operation != LITMUS_FETCH_OR && operation != LITMUS_FETCH_XOR && !swap) ||
        !adds_zero(text, swap))
        return false;
    access->operation = operation;
    access->operand = constant(making, access->address->place, 0);
    access->expected = swap ? constant(making, access->address->place, 0) : NULL;
    access->expected_register = LITMUS_NONE;
    return true;
}

/* Whether PTX's operation computes what the test's does, whatever becomes of the operand. */
static bool computes(enum litmus_operation made, const struct litmus_access *access)
{
    const enum litmus_operation asked = access->operation;
    return made == asked || (asked == LITMUS_CAS_WEAK && made == LITMUS_CAS) ||
           (asked == LITMUS_FETCH_SUB && made == LITMUS_FETCH_ADD) ||
           (access->type == LITMUS_FLAG && asked == LITMUS_EXCHANGE && made == LITMUS_FETCH_OR);
}

/* Makes the access of the copy the one of the code. False where the code has one that no value of the test follows from. */
static bool make_operation(struct making *making, struct litmus_access *access, const struct machine_instruction *made,
                           bool dropped)
{
    const enum litmus_operation operation = ptx_opcode_operation(made->text, opcode_size(made->text));
    const bool reduces = strncmp(made->text, "red.", strlen("red.")) == 0;
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
            return make_idle_update(making, access, made->text);
        if (access->operation == LITMUS_STORE && operation == LITMUS_EXCHANGE)
            access->operation = LITMUS_EXCHANGE;
        else if (!computes(operation, access))
            return false;
        if (access->operation == LITMUS_CAS_WEAK)
            access->operation = LITMUS_CAS; /* PTX's does not fail by chance */
        access->no_result = reduces;
        return !reduces || dropped;
    default:
        return false;
    }
}

/* Constant memory, which nobody writes, may be read without an instruction. */
static bool is_constant_load(const struct making *making, const struct litmus_access *access)
{
    return access->operation == LITMUS_LOAD && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           making->compiled->test->locations[access->address->index].constant;
}

static enum status make_access(struct making *making, struct litmus_access *access, const struct compiled_step *step,
                               bool dropped)
{
    if (is_constant_load(making, access))
        return STATUS_OK;
    if (step->work == step->count)
        return not_that(making, step, "the code has no instruction for it, and what became of it is not known");
    const struct machine_instruction *made = step->instructions[step->work];
    if (made->bytes != litmus_type_size(access->type))
        return not_that(making, step, "the instruction moves another number of bytes");
    if (access->expected_address && step->count > 1)
        return not_that(making, step, "it has fences, and reads and writes memory for its expected value");
    if (!make_operation(making, access, made, dropped))
        return not_that(making, step, "the instruction is another one");
    access->order = access->failure = made->order;
    access->scope = made->scope;
    return STATUS_OK;
}

static struct litmus_statement fence_of(const struct compiled_step *step, const struct machine_instruction *made)
{
    return (struct litmus_statement){
        .kind = LITMUS_FENCE,
        .place = step->step->place,
        .target = LITMUS_NONE,
        .label = LITMUS_NONE,
        .fence = {.order = made->order, .scope = made->scope, .proxy = LITMUS_GENERIC},
    };
}

static void add_fences(struct making *making, const struct compiled_step *step, size_t from, size_t to,
                       struct list *list)
{
    for (size_t i = from; i < to; i++)
        if (step->instructions[i]->effect == MACHINE_FENCE && !step->instructions[i]->flaw)
            add(making, list, fence_of(step, step->instructions[i]));
}

/* ---- expressions ---- */

/* Whether an access of the expression (the source's) has a fence. */
static bool has_fences(const struct making *making, const struct litmus_expression *expression)
{
    if (!expression)
        return false;
    if (has_fences(making, expression->left) || has_fences(making, expression->right))
        return true;
    if (!expression->access)
        return false;
    const struct compiled_step *step = find_step(making, expression->access);
    return (step && step->count > 1) || has_fences(making, expression->access->address) ||
           has_fences(making, expression->access->operand) || has_fences(making, expression->access->expected);
}

static bool is_taken(const struct making *making, const char *name)
{
    for (size_t i = 0; i < making->thread->register_count - 1; i++)
        if (strcmp(making->thread->registers[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < making->compiled->test->location_count; i++)
        if (strcmp(making->compiled->test->locations[i].name, name) == 0)
            return true;
    return false;
}

static char *new_name(struct making *making, int number)
{
    char *name = arena_print(&making->compiled->arena, "t%d", number);
    while (is_taken(making, name))
        name = arena_print(&making->compiled->arena, "%s_", name);
    return name;
}

/* A register of the copy that the source's thread has not. */
static enum status add_register(struct making *making, enum litmus_type type, int *index)
{
    struct litmus_thread *thread = making->thread;
    if (thread->register_count == LITMUS_MAXIMUM_REGISTERS)
        return error_set(making->error, STATUS_UNSUPPORTED, "the compiled test has too many registers");
    struct litmus_register *registers =
        arena_take(&making->compiled->arena, thread->register_count + 1, sizeof *registers);
    memcpy(registers, thread->registers, thread->register_count * sizeof *registers);
    *index = (int)thread->register_count++;
    registers[*index] =
        (struct litmus_register){.name = new_name(making, *index), .type = type, .points_to = LITMUS_NONE};
    thread->registers = registers;
    return STATUS_OK;
}

static enum litmus_type type_of_result(const struct litmus_access *access)
{
    const bool success = (access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK) && !access->expected;
    return success || access->type == LITMUS_FLAG ? LITMUS_INT : access->type;
}

static enum status make_expression(struct making *making, const struct litmus_expression *from,
                                   struct litmus_expression *to, bool apart, struct list *list);

static enum status make_operands(struct making *making, const struct litmus_access *from, struct litmus_access *to,
                                 bool apart, struct list *list)
{
    TRY(make_expression(making, from->address, to->address, apart, list));
    TRY(make_expression(making, from->expected, to->expected, apart, list));
    return make_expression(making, from->operand, to->operand, apart, list);
}

/* The fences after an access. Those of a compare-and-swap that need not acquire where it fails may come only where it has
 * succeeded, which `result` says. */
static void add_fences_after(struct making *making, const struct compiled_step *step, int result, struct list *list)
{
    const struct litmus_access *access = step->step->access;
    const bool swaps = access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK;
    struct list fences = {0};
    add_fences(making, step, step->work + 1, step->count, &fences);
    if (!swaps || access->expected || access->failure == LITMUS_ACQUIRE || access->failure == LITMUS_SEQ_CST ||
        fences.count == 0) {
        add_list(making, list, &fences);
        return;
    }
    struct litmus_expression *success = arena_take(&making->compiled->arena, 1, sizeof *success);
    *success =
        (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = step->step->place, .index = result};
    add(making, list,
        (struct litmus_statement){.kind = LITMUS_IF,
                                  .place = step->step->place,
                                  .target = LITMUS_NONE,
                                  .label = LITMUS_NONE,
                                  .value = success,
                                  .body = {fences.statements, fences.count}});
}

/* Takes an access out of an expression: its fences and itself become statements, and the register that it is read into takes
 * its place. */
static enum status take_apart(struct making *making, const struct compiled_step *step, struct litmus_expression *to,
                              struct list *list)
{
    int index;
    struct litmus_expression *access = arena_take(&making->compiled->arena, 1, sizeof *access);
    TRY(add_register(making, type_of_result(to->access), &index));
    *access = *to;
    add_fences(making, step, 0, step->work, list);
    add(making, list,
        (struct litmus_statement){
            .kind = LITMUS_ASSIGN, .place = to->place, .target = index, .label = LITMUS_NONE, .value = access});
    add_fences(making, step, step->work + 1, step->count, list);
    *to = (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = to->place, .index = index};
    return STATUS_OK;
}

/* Makes an expression of the copy that of the code; apart: each access is taken out of it. */
static enum status make_expression(struct making *making, const struct litmus_expression *from,
                                   struct litmus_expression *to, bool apart, struct list *list)
{
    if (!from)
        return STATUS_OK;
    TRY(make_expression(making, from->left, to->left, apart, list));
    const size_t middle = list->count;
    TRY(make_expression(making, from->right, to->right, apart, list));
    if (list->count > middle && (from->op == LITMUS_LOGICAL_AND || from->op == LITMUS_LOGICAL_OR))
        return error_set(making->error, STATUS_UNSUPPORTED,
                         "an access with a fence to the right of && or ||, which is not always made");
    if (!from->access)
        return STATUS_OK;
    const struct compiled_step *step = find_step(making, from->access);
    TRY(make_operands(making, from->access, to->access, apart, list));
    if (!step)
        return error_set(making->error, STATUS_INTERNAL, "an access of P%u is no step of its kernel",
                         making->thread->first);
    TRY(make_access(making, to->access, step, false));
    return apart ? take_apart(making, step, to, list) : STATUS_OK;
}

/* ---- statements ---- */

static enum status make_block(struct making *making, const struct litmus_block *from, struct litmus_block *to);

/* PTX's atom has a register for its result, also where nobody reads it. */
static enum status add_access(struct making *making, struct litmus_statement statement, struct list *list)
{
    const struct litmus_access *access = statement.value->access;
    const bool plain = access->operation == LITMUS_LOAD || access->operation == LITMUS_STORE;
    if (statement.kind == LITMUS_PERFORM && (access->operation == LITMUS_LOAD || (!plain && !access->no_result))) {
        statement.kind = LITMUS_ASSIGN;
        TRY(add_register(making, type_of_result(access), &statement.target));
    }
    add(making, list, statement);
    return STATUS_OK;
}

/* An access that is a statement, or whose value a register is given, keeps its place between its fences. */
static enum status make_root(struct making *making, const struct litmus_statement *from, struct litmus_statement *to,
                             struct list *list)
{
    const struct litmus_access *access = from->value->access;
    const struct compiled_step *step = find_step(making, access);
    const bool apart = has_fences(making, access->address) || has_fences(making, access->operand) ||
                       has_fences(making, access->expected);
    TRY(make_operands(making, access, to->value->access, apart, list));
    if (!step)
        return error_set(making->error, STATUS_INTERNAL, "an access of P%u is no step of its kernel",
                         making->thread->first);
    TRY(make_access(making, to->value->access, step, from->kind == LITMUS_PERFORM));
    add_fences(making, step, 0, step->work, list);
    TRY(add_access(making, *to, list));
    add_fences_after(making, step, list->statements[list->count - 1].target, list);
    return STATUS_OK;
}

static enum status make_fence(struct making *making, const struct litmus_statement *from, struct list *list)
{
    const struct compiled_step *step = find_step(making, &from->fence);
    if (step)
        add_fences(making, step, 0, step->count, list);
    return STATUS_OK;
}

/* In OPENCL a barrier's scope says what it orders; in PTX, who meets. There each has a name too, that of all here. */
static void set_barrier(struct litmus_barrier *barrier, const struct machine_instruction *made)
{
    static char name[] = "0";
    barrier->scope = made->scope;
    if (!barrier->instance)
        barrier->instance = name;
}

static enum status make_barrier(struct making *making, const struct litmus_statement *from, struct litmus_statement *to,
                                struct list *list)
{
    const struct compiled_step *step = find_step(making, &from->barrier);
    if (!step || step->work == step->count)
        return error_set(making->error, STATUS_UNSUPPORTED, "P%u, line %u: the code has no instruction for the barrier",
                         making->thread->first, from->place.line);
    set_barrier(&to->barrier, step->instructions[step->work]);
    add_fences(making, step, 0, step->work, list);
    add(making, list, *to);
    add_fences(making, step, step->work + 1, step->count, list);
    return STATUS_OK;
}

/* A condition's accesses come before the statement; of a loop, at the end of its body too. */
static enum status make_flow(struct making *making, const struct litmus_statement *from, struct litmus_statement *to,
                             struct list *list)
{
    struct list condition = {0};
    TRY(make_expression(making, from->value, to->value, has_fences(making, from->value), &condition));
    TRY(make_block(making, &from->body, &to->body));
    TRY(make_block(making, &from->otherwise, &to->otherwise));
    if (condition.count > 0 && (from->kind == LITMUS_WHILE || from->kind == LITMUS_DO_WHILE)) {
        struct list body = {0};
        add_list(making, &body, &(struct list){to->body.statements, to->body.count});
        add_list(making, &body, &condition);
        to->body = (struct litmus_block){body.statements, body.count};
    }
    if (from->kind != LITMUS_DO_WHILE)
        add_list(making, list, &condition);
    add(making, list, *to);
    return STATUS_OK;
}

static enum status make_statement(struct making *making, const struct litmus_statement *from,
                                  struct litmus_statement *to, struct list *list)
{
    if (from->kind == LITMUS_FENCE)
        return make_fence(making, from, list);
    if (from->kind == LITMUS_BARRIER)
        return make_barrier(making, from, to, list);
    const bool root = from->value && from->value->kind == LITMUS_EXPRESSION_ACCESS;
    if (root && (from->kind == LITMUS_ASSIGN || from->kind == LITMUS_PERFORM))
        return make_root(making, from, to, list);
    return make_flow(making, from, to, list);
}

static enum status make_block(struct making *making, const struct litmus_block *from, struct litmus_block *to)
{
    struct list list = {0};
    for (size_t i = 0; i < from->count; i++)
        TRY(make_statement(making, &from->statements[i], &to->statements[i], &list));
    *to = (struct litmus_block){list.statements, list.count};
    return STATUS_OK;
}

/* ---- threads ---- */

static bool has_access(const struct litmus_expression *expression)
{
    return expression && (expression->access || has_access(expression->left) || has_access(expression->right));
}

/* Whether each statement of a thread is one step, so that the thread can be told by the code alone. */
static bool is_plain_list(const struct making *making, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        const struct litmus_access *access = statement->value ? statement->value->access : NULL;
        if (statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER)
            continue;
        if ((statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM) || !access ||
            access->expected_address || is_constant_load(making, access) || has_access(access->address) ||
            has_access(access->operand) || has_access(access->expected))
            return false;
    }
    return true;
}

/* The statement that a step is, of a block that is_plain_list. */
static size_t statement_of(const struct litmus_block *block, const struct kernel_step *step)
{
    size_t i = 0;
    while (i < block->count && !(block->statements[i].value && block->statements[i].value->access == step->access) &&
           &block->statements[i].fence != step->fence && &block->statements[i].barrier != step->barrier)
        i++;
    return i;
}

static const struct machine_instruction *edge_of(const struct making *making, bool last)
{
    const struct listing *listing = making->code.listing;
    const struct machine_instruction *found = NULL;
    for (size_t i = 0; i < listing->count && (last || !found); i++)
        if (compiled_step_of(&making->code, &listing->instructions[i], making->body))
            found = &listing->instructions[i];
    return found;
}

/* Appends the statement of one instruction of a thread whose code is straight. */
static enum status add_instruction(struct making *making, const struct litmus_block *from, struct litmus_block *to,
                                   const struct machine_instruction *instruction, struct list *list)
{
    const struct kernel_step *step = compiled_step_of(&making->code, instruction, making->body);
    if (!step)
        return STATUS_OK;
    const struct compiled_step made = {step, &instruction, 1, 0};
    if (instruction->effect == MACHINE_FENCE) {
        add_fences(making, &made, 0, 1, list);
        return STATUS_OK;
    }
    const size_t index = statement_of(from, step);
    if (index == from->count)
        return error_set(making->error, STATUS_INTERNAL, "a step of P%u is no statement", making->thread->first);
    struct litmus_statement statement = to->statements[index];
    if (step->barrier)
        set_barrier(&statement.barrier, instruction);
    else {
        struct litmus_expression *value = arena_take(&making->compiled->arena, 1, sizeof *value);
        *value = *statement.value;
        value->access = arena_take(&making->compiled->arena, 1, sizeof *value->access);
        *value->access = *statement.value->access;
        statement.value = value;
        TRY(make_access(making, value->access, &made, statement.kind == LITMUS_PERFORM));
        return add_access(making, statement, list);
    }
    add(making, list, statement);
    return STATUS_OK;
}

/* Whether some statement of the list gives a register a value. */
static bool assigns(const struct list *list, int target)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->statements[i].kind == LITMUS_ASSIGN && list->statements[i].target == target)
            return true;
    return false;
}

/* A load that the code has not leaves a register whose value is not known. */
static enum status check_registers(struct making *making, const struct litmus_block *from, const struct list *list)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct litmus_statement *statement = &from->statements[i];
        if (statement->kind == LITMUS_ASSIGN && !assigns(list, statement->target))
            return error_set(making->error, STATUS_UNSUPPORTED,
                             "P%u, line %u: the code has no instruction for it, and what it reads is not known",
                             making->thread->first, statement->place.line);
    }
    return STATUS_OK;
}

/* A thread without jumps, in the order of its code. */
static enum status make_straight(struct making *making, const struct litmus_block *from, struct litmus_block *to,
                                 const struct machine_instruction *first, const struct machine_instruction *last)
{
    struct list list = {0};
    for (const struct machine_instruction *at = first; at && at <= last; at++)
        TRY(add_instruction(making, from, to, at, &list));
    TRY(check_registers(making, from, &list));
    *to = (struct litmus_block){list.statements, list.count};
    return STATUS_OK;
}

/* Whether the inspection found that the steps of a thread do not run as they do in the source. */
static bool flow_differs(const struct making *making, const struct inspection *inspection)
{
    for (size_t i = 0; inspection && i < inspection->finding_count; i++) {
        const struct inspect_finding *finding = &inspection->findings[i];
        if ((finding->fault == INSPECT_MISSING || finding->fault == INSPECT_DOUBLED ||
             finding->fault == INSPECT_MOVED) &&
            making->code.kernel->steps[finding->step].body == making->body)
            return true;
    }
    return !inspection || inspection->kept == TEST_NOT_INSPECTED;
}

static enum status find_steps(struct making *making)
{
    const struct kernel *kernel = making->code.kernel;
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == making->body)
            TRY(compiled_step_find(&making->code, &kernel->steps[i], &making->compiled->arena, &making->steps[i],
                                   making->error));
    return STATUS_OK;
}

static enum status make_thread(struct making *making, const struct litmus_block *from, struct litmus_block *to,
                               const struct inspection *inspection)
{
    const struct machine_instruction *first = edge_of(making, false), *last = edge_of(making, true);
    if (is_plain_list(making, from) && (!first || compiled_code_is_straight(&making->code, first, last)))
        return make_straight(making, from, to, first, last);
    if (flow_differs(making, inspection))
        return error_set(making->error, STATUS_UNSUPPORTED, "P%u: its code has other paths than the test",
                         making->thread->first);
    TRY(find_steps(making));
    return make_block(making, from, to);
}

/* ---- the test ---- */

static enum status copy_test(const struct litmus_test *test, struct litmus_test **copy, struct error *error)
{
    struct text text = {0};
    litmus_print(test, &text);
    const enum status status = litmus_parse(test->name, text_string(&text), text.size, copy, error);
    text_release(&text);
    if (status == STATUS_OK) {
        (*copy)->text = test->text;
        (*copy)->text_dialect = test->text_dialect;
    }
    return status;
}

enum status compiled_test_make(const struct litmus_test *test, const struct kernel *kernel, unsigned first_line,
                               const struct listing *listing, const struct inspection *inspection,
                               struct compiled_test *compiled, struct error *error)
{
    struct making making = {.code = {kernel, listing, first_line}, .compiled = compiled, .error = error};
    *compiled = (struct compiled_test){0};
    enum status status = copy_test(test, &compiled->test, error);
    making.steps = arena_take(&compiled->arena, kernel->step_count + 1, sizeof *making.steps);
    for (unsigned body = 0; status == STATUS_OK && body < test->body_count; body++) {
        making.body = body;
        making.thread = &compiled->test->threads[body];
        status = make_thread(&making, &test->threads[body].body, &making.thread->body, inspection);
    }
    if (status == STATUS_OK)
        compiled->test->dialect = LITMUS_PTX;
    else
        compiled_test_release(compiled);
    return status;
}

static bool is_operand(const struct litmus_expression *expression)
{
    return !expression || expression->kind == LITMUS_EXPRESSION_CONSTANT ||
           expression->kind == LITMUS_EXPRESSION_REGISTER ||
           (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_operand(expression->left));
}

/* Whether PTX has one instruction for it. */
static bool is_instruction(const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    if (statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER)
        return true;
    if ((statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM) || !value)
        return false;
    if (value->access)
        return is_operand(value->access->address) && is_operand(value->access->operand) &&
               is_operand(value->access->expected) && !value->access->expected_address &&
               (value->access->expected || value->access->operation != LITMUS_CAS);
    return is_operand(value) && value->kind != LITMUS_EXPRESSION_ADDRESS;
}

bool compiled_test_print(const struct compiled_test *compiled, struct text *text)
{
    const struct litmus_test *test = compiled->test;
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t k = 0; k < test->threads[i].body.count; k++)
            if (!is_instruction(&test->threads[i].body.statements[k]))
                return false;
    litmus_print(test, text);
    return true;
}

void compiled_test_release(struct compiled_test *compiled)
{
    litmus_release(compiled->test);
    arena_release(&compiled->arena);
    *compiled = (struct compiled_test){0};
}
