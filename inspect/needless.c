// SPDX-License-Identifier: Apache-2.0
/*
 * Follows a thread with the values of its registers that do not depend on the memory of others. What comes after a jump
 * that is always taken, or is in a branch whose condition never holds, runs in no execution, so a compiler may leave it
 * out.
 *
 * What a register may be is joined where paths meet; a loop, or a label that is jumped back to, forgets what the
 * statements that may run again set.
 */
#include "inspect/needs.h"

#include "litmus/language/value.h"
#include "litmus/language/walk.h"

struct fact {
    bool known;
    struct litmus_value value;
};

/* What is known of a location that only the thread accesses: its value, and a register that has it or LITMUS_NONE. */
struct own_cell {
    struct fact fact;
    int in;
};

/* What is known at a place of the thread. */
struct facts {
    bool reached;
    struct fact *registers;
    struct own_cell *cells; /* per location */
};

struct thread_facts {
    const struct litmus_test *test;
    const struct litmus_thread *thread;
    bool *own; /* per location: only the thread accesses it */
    const struct kernel *kernel;
    unsigned body;
    struct arena arena;
    struct facts now;
    struct facts *at_labels; /* joined from the jumps so far */
    size_t *jumps;           /* per label: those to come */
    bool *needless, *same;
};

static struct facts copy_facts(struct thread_facts *facts, const struct facts *from)
{
    const size_t count = facts->thread->register_count, cells = facts->test->location_count;
    struct facts copy = {from->reached, arena_take(&facts->arena, count + 1, sizeof *copy.registers),
                         arena_take(&facts->arena, cells + 1, sizeof *copy.cells)};
    memcpy(copy.registers, from->registers, count * sizeof *copy.registers);
    memcpy(copy.cells, from->cells, cells * sizeof *copy.cells);
    return copy;
}

static void join_fact(struct fact *into, const struct fact *from)
{
    into->known &= from->known && from->value.value == into->value.value;
}

/* What is known on either of two paths. */
static void join_facts(struct thread_facts *facts, struct facts *into, const struct facts *from)
{
    if (!from->reached)
        return;
    if (!into->reached) {
        *into = copy_facts(facts, from);
        return;
    }
    for (size_t i = 0; i < facts->thread->register_count; i++)
        join_fact(&into->registers[i], &from->registers[i]);
    for (size_t i = 0; i < facts->test->location_count; i++) {
        join_fact(&into->cells[i].fact, &from->cells[i].fact);
        into->cells[i].in = into->cells[i].in == from->cells[i].in ? into->cells[i].in : LITMUS_NONE;
    }
}

/* The cell of an access of a location that only the thread accesses, or NULL. */
static struct own_cell *cell_of(const struct thread_facts *facts, const struct litmus_access *access)
{
    const bool own = access && access->address->kind == LITMUS_EXPRESSION_ADDRESS && facts->own[access->address->index];
    return own ? &facts->now.cells[access->address->index] : NULL;
}

static void forget_register(struct thread_facts *facts, int index)
{
    if (index == LITMUS_NONE)
        return;
    facts->now.registers[index].known = false;
    for (size_t i = 0; i < facts->test->location_count; i++)
        if (facts->now.cells[i].in == index)
            facts->now.cells[i].in = LITMUS_NONE;
}

/* Forgets the registers and the locations that the statements of a walk set. */
static void forget(struct thread_facts *facts, struct litmus_walk walk)
{
    while (litmus_walk_next(&walk)) {
        const int *set;
        for (size_t i = walk.statement ? litmus_statement_registers(walk.statement, &set) : 0; i-- > 0;)
            forget_register(facts, set[i]);
        if (walk.access)
            forget_register(facts, walk.access->expected_register);
        if (cell_of(facts, walk.access) && walk.access->operation != LITMUS_LOAD)
            *cell_of(facts, walk.access) = (struct own_cell){.in = LITMUS_NONE};
    }
}

/* Whether an expression has the same value in every execution that comes here. */
static bool is_known(const struct thread_facts *facts, const struct litmus_expression *expression,
                     struct litmus_value *value)
{
    struct litmus_value left, right;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        *value = (struct litmus_value){expression->value, litmus_type_of_constant(expression)};
        return true;
    case LITMUS_EXPRESSION_REGISTER:
        *value = facts->now.registers[expression->index].value;
        return facts->now.registers[expression->index].known;
    case LITMUS_EXPRESSION_UNARY:
        if (!is_known(facts, expression->left, &left))
            return false;
        *value = litmus_value_unary(expression->op, left);
        return true;
    case LITMUS_EXPRESSION_BINARY:
        if (!is_known(facts, expression->left, &left) || !is_known(facts, expression->right, &right))
            return false;
        *value = litmus_value_binary(expression->op, left, right);
        return true;
    case LITMUS_EXPRESSION_ACCESS:
        if (!cell_of(facts, expression->access) || expression->access->operation != LITMUS_LOAD)
            return false;
        *value = cell_of(facts, expression->access)->fact.value;
        return cell_of(facts, expression->access)->fact.known;
    case LITMUS_EXPRESSION_ADDRESS:
        break;
    }
    return false;
}

static void mark_same(struct thread_facts *facts, const struct litmus_access *access)
{
    for (unsigned i = 0; facts->same && i < facts->kernel->step_count; i++)
        facts->same[i] |= facts->kernel->steps[i].access == access;
}

/* Marks an update that writes the value that it reads. */
static void note_update(struct thread_facts *facts, const struct litmus_access *access)
{
    struct litmus_value value;
    if (!access || access->operation <= LITMUS_STORE || !access->operand || !is_known(facts, access->operand, &value))
        return;
    if (access->operation == LITMUS_FETCH_AND
            ? value.value == -1
            : value.value == 0 && (access->operation == LITMUS_FETCH_ADD || access->operation == LITMUS_FETCH_SUB ||
                                   access->operation == LITMUS_FETCH_OR || access->operation == LITMUS_FETCH_XOR))
        mark_same(facts, access);
}

/* Learns what a branch says of the register that its condition compares with a constant. */
static void learn(struct thread_facts *facts, const struct litmus_expression *condition, enum litmus_operator equal)
{
    struct litmus_value value;
    if (condition->kind != LITMUS_EXPRESSION_BINARY || condition->op != equal ||
        condition->left->kind != LITMUS_EXPRESSION_REGISTER || !is_known(facts, condition->right, &value))
        return;
    const enum litmus_type type = facts->thread->registers[condition->left->index].type;
    if (!litmus_type_is_float(type) && litmus_wrap(type, value.value) == value.value)
        facts->now.registers[condition->left->index] = (struct fact){true, {value.value, type}};
}

/* Marks the steps of statements that no execution reaches. */
static void mark_needless(struct thread_facts *facts, struct litmus_walk walk)
{
    while (litmus_walk_next(&walk)) {
        for (unsigned i = 0; i < facts->kernel->step_count; i++)
            facts->needless[i] |= facts->kernel->steps[i].body == facts->body &&
                                  inspect_is_step_of(&facts->kernel->steps[i], walk.access, walk.statement);
        if (walk.statement && walk.statement->kind == LITMUS_GOTO)
            facts->jumps[walk.statement->label]--;
    }
}

static void follow_block(struct thread_facts *facts, const struct litmus_block *block);

static void follow_if(struct thread_facts *facts, const struct litmus_statement *statement)
{
    struct litmus_value value;
    const bool known = is_known(facts, statement->value, &value);
    forget(facts, litmus_walk_expression(statement->value));
    struct facts otherwise = copy_facts(facts, &facts->now);
    facts->now.reached = !known || value.value != 0;
    learn(facts, statement->value, LITMUS_EQ);
    follow_block(facts, &statement->body);
    const struct facts then = facts->now;
    facts->now = otherwise;
    facts->now.reached = !known || value.value == 0;
    learn(facts, statement->value, LITMUS_NE);
    follow_block(facts, &statement->otherwise);
    join_facts(facts, &facts->now, &then);
}

/* The kernel leaves any loop when its budget is spent. */
static void follow_loop(struct thread_facts *facts, const struct litmus_statement *statement)
{
    struct litmus_value value;
    const bool runs =
        statement->kind == LITMUS_DO_WHILE || !is_known(facts, statement->value, &value) || value.value != 0;
    forget(facts, litmus_walk_statement(statement));
    struct facts after = copy_facts(facts, &facts->now);
    facts->now.reached = runs;
    follow_block(facts, &statement->body);
    facts->now = after;
}

static void follow_jump(struct thread_facts *facts, const struct litmus_statement *statement)
{
    struct litmus_value value = {1, LITMUS_INT};
    const bool known = !statement->value || is_known(facts, statement->value, &value);
    forget(facts, litmus_walk_statement(statement));
    facts->jumps[statement->label]--;
    if (!known || value.value != 0)
        join_facts(facts, &facts->at_labels[statement->label], &facts->now);
    facts->now.reached = !known || value.value == 0;
}

static void follow_label(struct thread_facts *facts, int label)
{
    join_facts(facts, &facts->now, &facts->at_labels[label]);
    if (facts->jumps[label] > 0) { /* they go back, from anywhere */
        facts->now.reached = true;
        forget(facts, litmus_walk_block(&facts->thread->body));
    }
}

static void follow_assignment(struct thread_facts *facts, const struct litmus_statement *statement)
{
    const enum litmus_type type = facts->thread->registers[statement->target].type;
    struct litmus_value value;
    const bool known =
        is_known(facts, statement->value, &value) && litmus_type_is_float(type) == litmus_type_is_float(value.type);
    forget(facts, litmus_walk_statement(statement));
    if (known)
        facts->now.registers[statement->target] = (struct fact){true, {litmus_wrap(type, value.value), type}};
    struct own_cell *cell =
        statement->value->kind == LITMUS_EXPRESSION_ACCESS ? cell_of(facts, statement->value->access) : NULL;
    if (cell && statement->value->access->type == type)
        cell->in = statement->target;
}

/* A store, or another statement that is no control. */
static void follow_other(struct thread_facts *facts, const struct litmus_statement *statement)
{
    const struct litmus_access *store = statement->kind == LITMUS_PERFORM ? statement->value->access : NULL;
    struct own_cell *cell = cell_of(facts, store), has = {.in = LITMUS_NONE};
    const struct litmus_expression *operand = cell ? store->operand : NULL;
    if (!operand) {
        forget(facts, litmus_walk_statement(statement));
        return;
    }
    has.fact.known = is_known(facts, operand, &has.fact.value);
    has.fact.value = (struct litmus_value){litmus_wrap(store->type, has.fact.value.value), store->type};
    if (operand->kind == LITMUS_EXPRESSION_REGISTER && facts->thread->registers[operand->index].type == store->type)
        has.in = operand->index;
    const bool same = (has.in != LITMUS_NONE && has.in == cell->in) ||
                      (has.fact.known && cell->fact.known && has.fact.value.value == cell->fact.value.value);
    if (same)
        mark_same(facts, store);
    forget(facts, litmus_walk_statement(statement));
    *cell = has;
}

static void follow_block(struct thread_facts *facts, const struct litmus_block *block)
{
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        if (facts->now.reached && (statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM))
            note_update(facts, statement->value->access);
        if (statement->kind == LITMUS_LABEL)
            follow_label(facts, statement->label);
        else if (!facts->now.reached)
            mark_needless(facts, litmus_walk_statement(statement));
        else if (statement->kind == LITMUS_IF)
            follow_if(facts, statement);
        else if (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE)
            follow_loop(facts, statement);
        else if (statement->kind == LITMUS_GOTO)
            follow_jump(facts, statement);
        else if (statement->kind == LITMUS_ASSIGN)
            follow_assignment(facts, statement);
        else
            follow_other(facts, statement);
    }
}

bool *needless_find(const struct litmus_test *test, const struct kernel *kernel, bool *same)
{
    bool *needless = memory_take(kernel->step_count + 1, sizeof *needless);
    for (unsigned body = 0; body < test->body_count; body++) {
        struct thread_facts facts = {.test = test,
                                     .thread = &test->threads[body],
                                     .kernel = kernel,
                                     .body = body,
                                     .needless = needless,
                                     .same = same};
        const struct litmus_thread *thread = facts.thread;
        facts.now = (struct facts){true, arena_take(&facts.arena, thread->register_count + 1, sizeof(struct fact)),
                                   arena_take(&facts.arena, test->location_count + 1, sizeof(struct own_cell))};
        facts.own = arena_take(&facts.arena, test->location_count + 1, sizeof *facts.own);
        for (unsigned i = 0; i < test->location_count; i++) {
            facts.own[i] = inspect_is_own(test, body, i);
            facts.now.cells[i].in = LITMUS_NONE;
        }
        facts.at_labels = arena_take(&facts.arena, thread->label_count + 1, sizeof *facts.at_labels);
        facts.jumps = arena_take(&facts.arena, thread->label_count + 1, sizeof *facts.jumps);
        for (size_t i = 0; i < thread->register_count; i++) {
            const struct litmus_register *start = &thread->registers[i];
            facts.now.registers[i] = (struct fact){!start->numbered && start->points_to == LITMUS_NONE,
                                                   {litmus_wrap(start->type, start->initial), start->type}};
        }
        for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
            if (walk.statement && walk.statement->kind == LITMUS_GOTO)
                facts.jumps[walk.statement->label]++;
        follow_block(&facts, &thread->body);
        arena_release(&facts.arena);
    }
    return needless;
}
