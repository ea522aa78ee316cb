// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests, one column each: their instructions, as the table gives the shape of each. */
#include "litmus/parse/ptx_cell.h"

enum status ptx_expected_whole(const struct ptx_cell *cell, const char *what)
{
    const struct token whole = ptx_whole_name(cell);
    return parser_expected_not(cell->parser, &whole, what);
}

static enum status take_label(struct ptx_cell *cell, struct litmus_statement *statement)
{
    struct token name;
    TRY(parser_take_word(cell->parser, "a label", &name));
    return draft_label(cell->parser, cell->draft, &name, false, &statement->label);
}

enum status ptx_add_statement(struct ptx_cell *cell, enum litmus_statement_kind kind,
                              struct litmus_statement **statement)
{
    return parser_statement(cell->parser, &cell->draft->thread.body, kind, cell->name.place, statement);
}

/* Orders stronger than weak need a scope, others have none. An atomic without them is relaxed at
 * gpu scope (PTX ISA, atom). */
static enum status set_order(struct ptx_cell *cell, struct litmus_access *access)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool atomic = cell->instruction->means.shape == PTX_ATOM || cell->instruction->means.shape == PTX_RED;
    access->order = modifiers->order != LITMUS_NONE ? (enum litmus_order)modifiers->order
                    : atomic                        ? LITMUS_RELAXED
                                                    : LITMUS_PLAIN;
    access->failure = access->order;
    const bool scoped = access->order != LITMUS_PLAIN && access->order != LITMUS_VOLATILE;
    if (scoped != (modifiers->scope != LITMUS_NONE) && !atomic)
        return ptx_expected_whole(cell, scoped ? "a scope (cta, cluster, gpu or sys) with that order"
                                               : "no scope with a weak or volatile access");
    if (modifiers->scope != LITMUS_NONE)
        access->scope = (enum litmus_scope)modifiers->scope;
    else if (atomic)
        access->scope = LITMUS_DEVICE;
    else if (access->order == LITMUS_VOLATILE)
        access->scope = LITMUS_ALL_DEVICES; /* PTX ISA: a volatile access is a relaxed one of system scope */
    return STATUS_OK;
}

enum status ptx_set_access(struct ptx_cell *cell, enum litmus_operation operation, struct litmus_access *access)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    access->operation = operation;
    access->proxy = modifiers->read_only        ? LITMUS_TEXTURE
                    : modifiers->readonly_proxy ? LITMUS_READONLY
                                                : cell->instruction->means.proxy;
    access->type = modifiers->type == LITMUS_NONE ? (enum litmus_type)PTX_NO_TYPE : (enum litmus_type)modifiers->type;
    access->cache = modifiers->cache;
    access->prefetch = modifiers->prefetch;
    access->read_only = modifiers->read_only;
    access->mmio = modifiers->mmio;
    return set_order(cell, access);
}

enum status ptx_parse_access(struct ptx_cell *cell, enum litmus_operation operation, bool result,
                             struct litmus_access **access)
{
    struct litmus_expression *address, *operand = NULL, *expected = NULL;
    struct litmus_statement *statement;
    struct token name;
    int target = LITMUS_NONE;
    if (result)
        TRY(ptx_take_target(cell, &name));
    TRY(ptx_take_address(cell, &address));
    if (operation == LITMUS_CAS) {
        TRY(parser_take(cell->parser, ","));
        TRY(ptx_take_value(cell, &expected));
    }
    if (operation != LITMUS_LOAD) {
        TRY(parser_take(cell->parser, ","));
        TRY(ptx_take_value(cell, &operand));
    }
    if (result)
        TRY(ptx_make_target(cell, &name, &target));
    TRY(ptx_add_statement(cell, result ? LITMUS_ASSIGN : LITMUS_PERFORM, &statement));
    statement->target = target;
    statement->value = parser_expression(cell->parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    *access = statement->value->access = parser_access(cell->parser);
    (*access)->operation = operation;
    (*access)->address = address;
    (*access)->operand = operand;
    (*access)->expected = expected;
    return STATUS_OK;
}

/* target = value, for a register. */
static enum status assign(struct ptx_cell *cell, int target, struct litmus_expression *value)
{
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_ASSIGN, &statement));
    statement->target = target;
    statement->value = value;
    return STATUS_OK;
}

/* "ld r, v" without an order moves a number or a register, and loads anything else. */
static bool is_move(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    struct scanner ahead = cell->parser->scanner;
    if (parser_at(cell->parser, "%"))
        (void)scanner_next(&ahead); /* the register */
    (void)scanner_next(&ahead);     /* the comma */
    const struct token first = scanner_next(&ahead);
    const struct token named = token_is(&first, "%") ? scanner_next(&ahead) : first;
    const struct token *operand = &named;
    if (cell->instruction->means.proxy != LITMUS_GENERIC || modifiers->order != LITMUS_NONE ||
        modifiers->scope != LITMUS_NONE || modifiers->space != LITMUS_NONE || modifiers->cache != LITMUS_CACHE_NONE ||
        modifiers->readonly_proxy || modifiers->prefetch != LITMUS_CACHE_NONE)
        return false;
    return operand->kind == TOKEN_NUMBER || token_is(operand, "-") ||
           (operand->kind == TOKEN_WORD && draft_find_register(cell->draft, operand) != LITMUS_NONE);
}

static enum status parse_scalar(struct ptx_cell *cell)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    const bool result = shape == PTX_ATOM;
    const int written = cell->modifiers.operation;
    const int operation = shape == PTX_LOAD ? LITMUS_LOAD : shape == PTX_STORE ? LITMUS_STORE : written;
    struct litmus_access *access;
    if (shape == PTX_LOAD && is_move(cell))
        return ptx_parse_compute(cell);
    if (operation == LITMUS_NONE || (shape == PTX_RED && (operation == LITMUS_CAS || operation == LITMUS_EXCHANGE)))
        return ptx_expected_whole(cell, result ? "an atomic with an operation such as add, exch or cas"
                                               : "a reduction with an operation such as add, but not exch or cas");
    TRY(ptx_parse_access(cell, (enum litmus_operation)operation, result || shape == PTX_LOAD, &access));
    access->no_result = shape == PTX_RED;
    return ptx_set_access(cell, (enum litmus_operation)operation, access);
}

/* What is wrong with a fence of the generic proxy. */
static enum status refuse_fence(struct ptx_cell *cell)
{
    cell->modifiers = ptx_no_modifiers;
    for (size_t i = 0; i < cell->part_count; i++)
        if (!ptx_take_slot(&cell->modifiers, PTX_SCOPE, &cell->parts[i]) &&
            !ptx_take_slot(&cell->modifiers, PTX_FENCE_ORDER, &cell->parts[i]))
            return parser_expected_not(cell->parser, &cell->parts[i],
                                       "an order of fences (acq_rel, sc, acquire or release) or a scope, each once");
    return ptx_expected_whole(cell, "a fence with a scope: cta, cluster, gpu or sys");
}

static enum status refuse(struct ptx_cell *cell)
{
    return ptx_expected_whole(cell, cell->instruction->expected);
}

enum status ptx_take_resource(struct ptx_cell *cell, struct litmus_barrier *barrier)
{
    bool more;
    TRY(parser_take_if(cell->parser, ",", &more));
    if (!more)
        return STATUS_OK;
    TRY(ptx_take_value(cell, &barrier->resource));
    TRY(parser_take_if(cell->parser, ",", &more));
    return more ? ptx_take_value(cell, &barrier->quorum) : STATUS_OK;
}

enum status ptx_take_instance(struct ptx_cell *cell, struct litmus_barrier *barrier)
{
    struct parser *parser = cell->parser;
    const struct token instance = parser->token;
    if (instance.kind != TOKEN_NUMBER && instance.kind != TOKEN_WORD)
        return parser_expected(parser, "the barrier's instance, a number or a name");
    barrier->instance = parser_copy(parser, &instance);
    return parser_advance(parser);
}

static enum status parse_binary(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct litmus_expression *binary = parser_expression(cell->parser, LITMUS_EXPRESSION_BINARY, cell->name.place);
    binary->op = cell->instruction->means.op;
    TRY(ptx_take_value(cell, &binary->left));
    TRY(parser_take(cell->parser, ","));
    *result = binary;
    return ptx_take_value(cell, &binary->right);
}

enum status ptx_parse_compute(struct ptx_cell *cell)
{
    struct token name;
    struct litmus_expression *value;
    int target;
    TRY(ptx_take_target(cell, &name));
    if (cell->instruction->means.shape == PTX_COMPUTE)
        TRY(parse_binary(cell, &value));
    else
        TRY(ptx_take_value(cell, &value));
    TRY(ptx_make_target(cell, &name, &target));
    return assign(cell, target, value);
}

enum status ptx_parse_jump(struct ptx_cell *cell)
{
    struct litmus_expression *value = NULL;
    if (cell->instruction->means.shape == PTX_BRANCH) {
        TRY(parse_binary(cell, &value));
        TRY(parser_take(cell->parser, ","));
    }
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_GOTO, &statement));
    statement->value = value;
    return take_label(cell, statement);
}

/* setp: sets a register, which is a predicate, to 1 or 0. */
static enum status parse_compare(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    const int op = cell->part_count > 0 ? word_find(ptx_comparison_words, &cell->parts[0]) : LITMUS_NONE;
    const int type = cell->part_count == 2 ? word_find(ptx_type_words, &cell->parts[1]) : LITMUS_NONE;
    if (op == LITMUS_NONE || cell->part_count > 2 || (cell->part_count == 2 && type == LITMUS_NONE))
        return ptx_expected_whole(cell, "setp with eq, ne, lt, le, gt or ge, and a type, such as setp.eq.s32");
    struct token name;
    int target;
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_BINARY, cell->name.place);
    value->op = (enum litmus_operator)op;
    cell->modifiers = ptx_no_modifiers;
    TRY(ptx_take_target(cell, &name));
    cell->modifiers.type = type;
    TRY(ptx_take_value(cell, &value->left));
    TRY(parser_take(parser, ","));
    TRY(ptx_take_value(cell, &value->right));
    cell->modifiers.type = LITMUS_NONE; /* the type is of what is compared */
    TRY(ptx_make_target(cell, &name, &target));
    return assign(cell, target, value);
}

static enum status refuse_unknown(struct ptx_cell *cell)
{
    return parser_expected_not(cell->parser, &cell->name, "an instruction");
}

static enum status parse_access(struct ptx_cell *cell)
{
    TRY(ptx_parse_modifiers(cell));
    return cell->modifiers.lanes > 0 ? ptx_parse_vector(cell) : parse_scalar(cell);
}

static enum status parse_compute(struct ptx_cell *cell)
{
    TRY(ptx_parse_modifiers(cell));
    return ptx_parse_compute(cell);
}

static enum status parse_jump(struct ptx_cell *cell)
{
    TRY(ptx_parse_modifiers(cell));
    return ptx_parse_jump(cell);
}

static enum status (*const shapes[])(struct ptx_cell *cell) = {
    [PTX_LOAD] = parse_access,       [PTX_STORE] = parse_access,     [PTX_ATOM] = parse_access,
    [PTX_RED] = parse_access,        [PTX_MOVE] = parse_compute,     [PTX_COMPUTE] = parse_compute,
    [PTX_BRANCH] = parse_jump,       [PTX_JUMP] = parse_jump,        [PTX_COMPARE] = parse_compare,
    [PTX_TEXT] = ptx_keep_text,      [PTX_WRONG] = refuse,           [PTX_ABSENT] = refuse_unknown,
    [PTX_ANY_FENCE] = refuse_fence,  [PTX_COPY] = ptx_parse_form,    [PTX_GROUP] = ptx_parse_form,
    [PTX_MBARRIER] = ptx_parse_form, [PTX_REPLACE] = ptx_parse_form, [PTX_FENCE] = ptx_parse_form,
    [PTX_BARRIER] = ptx_parse_form,  [PTX_REFUSED] = refuse,
};

const struct ptx_instruction *ptx_find_instruction(struct ptx_cell *cell)
{
    const struct ptx_instruction *row = ptx_instructions;
    while (row->words && !(ptx_is_start(row) ? ptx_starts_with(cell, row) : ptx_has_form(cell, row)))
        row++;
    return row;
}

/* An instruction with its first word taken. */
static enum status parse_instruction(struct parser *parser, struct draft *draft, const struct token *name)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .name = *name};
    TRY(ptx_parse_parts(&cell));
    cell.instruction = ptx_find_instruction(&cell);
    return shapes[cell.instruction->means.shape](&cell);
}

/* "@p bra L" or "@!p bra L", with the '@' at hand. */
static enum status parse_predicated(struct parser *parser, struct draft *draft)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .name = parser->token, .modifiers = ptx_no_modifiers};
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_BINARY, cell.name.place);
    struct litmus_statement *statement;
    bool negated, jumps;
    TRY(parser_advance(parser));
    TRY(parser_take_if(parser, "!", &negated));
    value->op = negated ? LITMUS_EQ : LITMUS_NE;
    TRY(ptx_take_value(&cell, &value->left));
    value->right = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, cell.name.place);
    TRY(parser_take_if(parser, "bra", &jumps));
    if (!jumps)
        return parser_expected(parser,
                               "bra after a predicate (to make another instruction depend on it, jump over it)");
    TRY(ptx_parse_parts(&cell));
    if (cell.part_count > 0)
        return parser_expected_not(parser, &cell.parts[0], "the label of bra");
    TRY(ptx_add_statement(&cell, LITMUS_GOTO, &statement));
    statement->value = value;
    return take_label(&cell, statement);
}

static enum status parse_cell(struct parser *parser, struct draft *draft, const char *what)
{
    if (draft->thread.placement.host)
        return parse_host_cell(parser, draft);
    if (parser_at(parser, "@"))
        return parse_predicated(parser, draft);
    struct token name;
    TRY(parser_take_word(parser, what, &name));
    return parse_instruction(parser, draft, &name);
}

enum status parse_ptx_threads(struct parser *parser)
{
    return parse_columns(parser, parse_cell);
}
