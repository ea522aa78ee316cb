// SPDX-License-Identifier: Apache-2.0
/* From the statements of a test to a list of instructions, and the values of expressions. */
#include "models/termination/program.h"

#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "models/search/enumerate.h"

/* ---- what is not followed ---- */

static const char *statement_reason(const struct litmus_statement *statement)
{
    switch (statement->kind) {
    case LITMUS_COPY:
    case LITMUS_GROUP:
        return "asynchronous copies are not followed";
    case LITMUS_UNSUPPORTED:
        return "the instruction has no meaning in orchil's models";
    case LITMUS_FENCE:
        return statement->fence.from ? "copies of tensor maps are not followed" : NULL;
    case LITMUS_BARRIER:
        return statement->barrier.arrive || statement->barrier.wait
                   ? "barriers at which threads arrive and wait separately are not followed"
                   : NULL;
    default:
        return NULL;
    }
}

static bool refuses(struct test_program *program, const struct litmus_test *test, const char **reason)
{
    for (size_t i = 0; i < test->edge_count; i++)
        if (test->edges[i].kind == LAUNCH_EDGE_PROGRAMMATIC)
            *reason = "launches that begin before others have ended are not followed";
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);) {
        const char *found = walk.statement && !*reason ? statement_reason(walk.statement) : NULL;
        if (found)
            *reason = arena_print(&program->arena, "line %u: %s", walk.statement->place.line, found);
    }
    return *reason;
}

/* ---- instructions ---- */

/* A body being written. */
struct program_writer {
    struct test_program *program;
    const struct litmus_thread *thread;
    unsigned used;    /* slots of the present statement's results, after the registers */
    unsigned *labels; /* where each is */
};

static struct program_step *write_instruction(struct program_writer *writer, enum instruction_kind kind,
                                              const struct litmus_expression *expression, struct litmus_place place)
{
    struct test_program *program = writer->program;
    struct program_step *added = &ARENA_ADD(&program->arena, program->instructions, program->count);
    *added = (struct program_step){.kind = kind, .expression = expression, .target = LITMUS_NONE, .place = place};
    return added;
}

static unsigned write_branch(struct program_writer *writer, const struct litmus_expression *condition, bool if_nonzero,
                             unsigned to, struct litmus_place place)
{
    struct program_step *branch = write_instruction(writer, INSTRUCTION_BRANCH, condition, place);
    branch->if_nonzero = if_nonzero;
    branch->to = to;
    return writer->program->count - 1;
}

static void write_accesses(struct program_writer *writer, const struct litmus_expression *expression);

static void program_write_access(struct program_writer *writer, const struct litmus_expression *expression)
{
    struct test_program *program = writer->program;
    const struct litmus_access *access = expression->access;
    write_accesses(writer, access->address);
    write_accesses(writer, access->expected);
    write_accesses(writer, access->expected_address);
    write_accesses(writer, access->operand);
    const unsigned slot = (unsigned)writer->thread->register_count + writer->used++;
    write_instruction(writer, INSTRUCTION_ACCESS, expression, expression->place)->target = (int)slot;
    ARENA_ADD(&program->arena, program->results, program->result_count).access = expression;
    program->results[program->result_count - 1].slot = slot;
    if (program->slots <= slot)
        program->slots = slot + 1;
}

/* The instructions of all accesses of an expression, in its order. Those to the right of && and || are skipped where
 * the left decides. */
static void write_accesses(struct program_writer *writer, const struct litmus_expression *expression)
{
    if (!expression)
        return;
    if (expression->kind == LITMUS_EXPRESSION_ACCESS) {
        program_write_access(writer, expression);
        return;
    }
    write_accesses(writer, expression->left);
    if (expression->kind != LITMUS_EXPRESSION_BINARY)
        return;
    const bool decides = (expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR) &&
                         litmus_has_access(expression->right);
    const unsigned branch =
        decides ? write_branch(writer, expression->left, expression->op == LITMUS_LOGICAL_OR, 0, expression->place) : 0;
    write_accesses(writer, expression->right);
    if (decides)
        writer->program->instructions[branch].to = writer->program->count;
}

/* A branch that ends the evaluation of a condition. */
static unsigned write_condition(struct program_writer *writer, const struct litmus_statement *statement,
                                bool if_nonzero, unsigned to)
{
    write_accesses(writer, statement->value);
    const unsigned branch = write_branch(writer, statement->value, if_nonzero, to, statement->place);
    writer->program->instructions[branch].over = true;
    return branch;
}

static void write_block(struct program_writer *writer, const struct litmus_block *block);

static void write_if(struct program_writer *writer, const struct litmus_statement *statement)
{
    struct test_program *program = writer->program;
    const unsigned branch = write_condition(writer, statement, false, 0);
    write_block(writer, &statement->body);
    const unsigned skip = statement->otherwise.count > 0 ? write_branch(writer, NULL, true, 0, statement->place) : 0;
    program->instructions[branch].to = program->count;
    if (skip == 0)
        return;
    write_block(writer, &statement->otherwise);
    program->instructions[skip].to = program->count;
}

static void write_loop(struct program_writer *writer, const struct litmus_statement *statement)
{
    struct test_program *program = writer->program;
    const unsigned head = program->count;
    if (statement->kind == LITMUS_DO_WHILE) {
        write_block(writer, &statement->body);
        writer->used = 0;
        write_condition(writer, statement, true, head);
        return;
    }
    const unsigned branch = write_condition(writer, statement, false, 0);
    write_block(writer, &statement->body);
    write_branch(writer, NULL, true, head, statement->place);
    program->instructions[branch].to = program->count;
}

static void write_statement(struct program_writer *writer, const struct litmus_statement *statement)
{
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    writer->used = 0;
    switch (statement->kind) {
    case LITMUS_ASSIGN:
    case LITMUS_PERFORM:
        write_accesses(writer, statement->value);
        write_instruction(writer, INSTRUCTION_SET, statement->value, statement->place)->target =
            statement->kind == LITMUS_ASSIGN ? statement->target : LITMUS_NONE;
        break;
    case LITMUS_BARRIER:
    case LITMUS_COLLECTIVE:
    case LITMUS_VECTOR: {
        const size_t count = litmus_statement_operands(statement, operands);
        for (size_t i = 0; i < count; i++)
            write_accesses(writer, operands[i]);
        write_instruction(writer, statement->kind == LITMUS_VECTOR ? INSTRUCTION_VECTOR : INSTRUCTION_BARRIER, NULL,
                          statement->place)
            ->statement = statement;
        break;
    }
    case LITMUS_IF:
        write_if(writer, statement);
        break;
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        write_loop(writer, statement);
        break;
    case LITMUS_LABEL:
        writer->labels[statement->label] = writer->program->count;
        break;
    case LITMUS_GOTO: /* to the label's number, until all labels are known */
        write_condition(writer, statement, true, UINT_MAX - (unsigned)statement->label);
        break;
    default: /* fences and idle instructions: no step */
        break;
    }
}

static void write_block(struct program_writer *writer, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        write_statement(writer, &block->statements[i]);
}

/* A body before this one that has the same code; else this one. In lock step, their threads stay together. */
static unsigned find_twin(const struct litmus_test *test, unsigned body)
{
    unsigned twin = 0;
    while (twin < body && !litmus_same_code(&test->threads[twin], &test->threads[body]))
        twin++;
    return twin;
}

static void write_body(struct test_program *program, unsigned body)
{
    const struct litmus_thread *thread = &program->test->threads[body];
    const unsigned start = program->count;
    struct program_writer writer = {.program = program,
                                    .thread = thread,
                                    .labels = arena_take(&program->arena, thread->label_count, sizeof(unsigned))};
    program->starts[body] = start;
    write_block(&writer, &thread->body);
    for (unsigned i = start; i < program->count; i++)
        if (program->instructions[i].to >= UINT_MAX - LITMUS_MAXIMUM_STATEMENTS)
            program->instructions[i].to = writer.labels[UINT_MAX - program->instructions[i].to];
    write_branch(&writer, NULL, true, PROGRAM_END, thread->place);
}

/* ---- where the ways of a branch meet again ---- */

/* Marks what can be reached from an instruction without `avoided`. */
static void mark_reached(const struct test_program *program, unsigned from, unsigned avoided, bool *reached)
{
    while (from != avoided && !reached[from]) {
        const struct program_step *at = &program->instructions[from];
        reached[from] = true;
        if (at->kind == INSTRUCTION_END)
            return;
        if (at->kind == INSTRUCTION_BRANCH && at->expression)
            mark_reached(program, at->to, avoided, reached);
        from = at->kind == INSTRUCTION_BRANCH && !at->expression ? at->to : from + 1;
    }
}

/* Whether an instruction can be reached from another without `avoided`. */
static bool reaches(const struct test_program *program, unsigned from, unsigned avoided, unsigned to, bool *reached)
{
    memset(reached, 0, program->count * sizeof *reached);
    mark_reached(program, from, avoided, reached);
    return reached[to];
}

/* The immediate postdominator: of the instructions without which the end cannot be reached, the one that all others
 * come after. The end itself, if the branch is in a loop that is never left. */
static unsigned find_join(const struct test_program *program, unsigned branch, bool *reached)
{
    unsigned join = PROGRAM_END;
    if (!reaches(program, branch, program->count, PROGRAM_END, reached))
        return join;
    for (unsigned candidate = PROGRAM_END + 1; candidate < program->count; candidate++)
        if (candidate != branch &&
            reaches(program, branch, join, candidate, reached) && /* before the best one so far */
            !reaches(program, branch, candidate, PROGRAM_END, reached))
            join = candidate;
    return join;
}

bool program_make(struct test_program *program, const struct litmus_test *test, const char **reason)
{
    *program = (struct test_program){.test = test};
    *reason = NULL;
    if (refuses(program, test, reason))
        return false;
    for (size_t body = 0; body < test->body_count; body++)
        if (program->slots < test->threads[body].register_count)
            program->slots = (unsigned)test->threads[body].register_count;
    program->starts = arena_take(&program->arena, test->body_count, sizeof *program->starts);
    struct program_writer writer = {.program = program};
    write_instruction(&writer, INSTRUCTION_BODY, NULL, (struct litmus_place){0})->join = PROGRAM_END;
    write_instruction(&writer, INSTRUCTION_END, NULL, (struct litmus_place){0});
    for (unsigned body = 0; body < test->body_count; body++) {
        const unsigned twin = find_twin(test, body);
        if (twin == body)
            write_body(program, body);
        program->starts[body] = program->starts[twin];
    }
    if (program->count > PROGRAM_MAXIMUM_INSTRUCTIONS) {
        *reason = arena_print(&program->arena, "it has more than %d instructions", PROGRAM_MAXIMUM_INSTRUCTIONS);
        return false;
    }
    bool *reached = arena_take(&program->arena, program->count, sizeof *reached);
    for (unsigned i = 0; i < program->count; i++)
        if (program->instructions[i].kind == INSTRUCTION_BRANCH && program->instructions[i].expression)
            program->instructions[i].join = find_join(program, i, reached);
    return true;
}

void program_release(struct test_program *program)
{
    arena_release(&program->arena);
    *program = (struct test_program){0};
}

/* ---- values ---- */

/* The slot of an access's result. */
static unsigned program_slot(const struct test_program *program, const struct litmus_expression *access)
{
    size_t i = 0;
    while (program->results[i].access != access)
        i++;
    return program->results[i].slot;
}

static bool evaluate_address(const struct test_program *program, unsigned body, const int64_t *slots,
                             const struct litmus_expression *expression, struct litmus_value *value)
{
    struct litmus_value element = {0};
    if (expression->left && !program_evaluate(program, body, slots, expression->left, &element))
        return false;
    if (element.value < 0 || element.value >= program->test->locations[expression->index].elements)
        return false;
    *value = (struct litmus_value){address_encode(expression->index, (uint32_t)element.value), LITMUS_LONG};
    return true;
}

static bool evaluate_binary(const struct test_program *program, unsigned body, const int64_t *slots,
                            const struct litmus_expression *expression, struct litmus_value *value)
{
    struct litmus_value left, right;
    if (!program_evaluate(program, body, slots, expression->left, &left))
        return false;
    if ((expression->op == LITMUS_LOGICAL_AND && left.value == 0) ||
        (expression->op == LITMUS_LOGICAL_OR && left.value != 0)) {
        *value = (struct litmus_value){left.value != 0, LITMUS_INT};
        return true;
    }
    if (!program_evaluate(program, body, slots, expression->right, &right))
        return false;
    *value = litmus_value_binary(expression->op, left, right);
    return true;
}

bool program_evaluate(const struct test_program *program, unsigned body, const int64_t *slots,
                      const struct litmus_expression *expression, struct litmus_value *value)
{
    const struct litmus_access *access = expression->access;
    struct litmus_value operand;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        *value = (struct litmus_value){expression->value, litmus_type_of_constant(expression)};
        return true;
    case LITMUS_EXPRESSION_REGISTER:
        *value = (struct litmus_value){slots[expression->index],
                                       program->test->threads[body].registers[expression->index].type};
        return true;
    case LITMUS_EXPRESSION_ADDRESS:
        return evaluate_address(program, body, slots, expression, value);
    case LITMUS_EXPRESSION_UNARY:
        if (!program_evaluate(program, body, slots, expression->left, &operand))
            return false;
        *value = litmus_value_unary(expression->op, operand);
        return true;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(program, body, slots, expression, value);
    case LITMUS_EXPRESSION_ACCESS:
        *value = (struct litmus_value){slots[program_slot(program, expression)],
                                       operation_compares(access->operation) && !access->expected ? LITMUS_INT
                                                                                                  : access->type};
        return true;
    }
    return false;
}
