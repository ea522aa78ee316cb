// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests, one column each: their instructions, as the table gives the shape of each. */
#include "litmus/language/walk.h"
#include "litmus/parse/ptx_cell.h"

/* ---- operands ---- */

enum status ptx_take_target(struct ptx_cell *cell, struct token *name)
{
    (void)parser_take_percent(cell->parser);
    TRY(parser_take_word(cell->parser, "a register", name));
    return parser_take(cell->parser, ",");
}

enum status ptx_make_target(struct ptx_cell *cell, const struct token *name, int *index)
{
    struct parser *parser = cell->parser;
    if (parser_find_location(parser, name) != LITMUS_NONE)
        return parser_expected_not(parser, name, "a register, not the name of a location");
    if (ptx_find_pointer(cell->draft, name))
        return parser_expected_not(parser, name, "a register that does not stand for an address");
    TRY(draft_register(parser, cell->draft, name, index));
    if (cell->modifiers.type == LITMUS_NONE)
        return STATUS_OK;
    return ptx_widen_register(parser, cell->draft, *index, (enum litmus_type)cell->modifiers.type, name->place);
}

enum status ptx_take_value(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    (void)parser_take_percent(parser);
    const struct token start = parser->token;
    int index = start.kind == TOKEN_WORD ? draft_find_register(cell->draft, &start) : LITMUS_NONE;
    const bool unset = index == LITMUS_NONE && start.kind == TOKEN_WORD;
    if (unset && cell->predicate && parser_find_location(parser, &start) == LITMUS_NONE) {
        ARENA_ADD(parser_arena(parser), parser->test->warnings, parser->test->warning_count) = (struct litmus_warning){
            start.place, arena_print(parser_arena(parser),
                                     "'%.*s' is not set before this instruction, so it is 0, as in herd (the "
                                     "initial state can set it)",
                                     (int)start.size, start.text)};
        TRY(draft_register(parser, cell->draft, &start, &index));
    }
    *result = parser_expression(parser, index == LITMUS_NONE ? LITMUS_EXPRESSION_CONSTANT : LITMUS_EXPRESSION_REGISTER,
                                start.place);
    (*result)->index = index;
    if (index == LITMUS_NONE)
        return parser_integer(parser, "a number or a register that has a value", &(*result)->value, &(*result)->place);
    if (cell->modifiers.type != LITMUS_NONE)
        TRY(ptx_widen_register(parser, cell->draft, index, (enum litmus_type)cell->modifiers.type, start.place));
    parser_advance(parser);
    return STATUS_OK;
}

/* Finds or adds the location; a name that some thread uses for a register cannot become one. */
static enum status take_location(struct ptx_cell *cell, const struct token *name, int *index)
{
    struct parser *parser = cell->parser;
    for (size_t i = 0; i < parser->draft_count && *index == LITMUS_NONE; i++)
        if (draft_find_register(parser->drafts[i], name) != LITMUS_NONE)
            return parser_expected_not(parser, name, "a location, not the name of a register");
    if (*index == LITMUS_NONE)
        TRY(parser_location(parser, name, index));
    if (cell->modifiers.space == LITMUS_NONE)
        return STATUS_OK;
    /* an alias is where the location is that it names */
    const int root = (int)litmus_storage(parser->test, (unsigned)*index);
    return parser_place_location(parser, root, (enum litmus_region)cell->modifiers.space, name->place);
}

static enum status take_element(struct ptx_cell *cell, struct litmus_expression *address)
{
    struct parser *parser = cell->parser;
    const struct litmus_place place = parser->token.place;
    const struct litmus_location *location = &parser->test->locations[address->index];
    struct litmus_expression *element;
    const struct ptx_modifiers modifiers = cell->modifiers;
    cell->modifiers.type = LITMUS_NONE; /* the suffix is of the access, not of its index */
    TRY(ptx_take_value(cell, &element));
    cell->modifiers = modifiers;
    if (element->kind == LITMUS_EXPRESSION_CONSTANT && (element->value < 0 || element->value >= location->elements))
        return parser_fail(parser, place, "expected an index of '%s' below %u, found %lld", location->name,
                           location->elements, (long long)element->value);
    const bool first = element->kind == LITMUS_EXPRESSION_CONSTANT && element->value == 0;
    address->left = first ? NULL : element;
    return parser_take(parser, "]");
}

/* "[r1+4]", of a register to which the initial state gives an address. */
static enum status add_to_register(struct ptx_cell *cell, const struct token *name, struct litmus_expression *address)
{
    const int location = cell->draft->thread.registers[address->index].points_to;
    if (location == LITMUS_NONE)
        return parser_expected_not(cell->parser, name,
                                   "a register with an address, set in the initial state as in P0:r1=x");
    address->kind = LITMUS_EXPRESSION_ADDRESS;
    address->value = 1 + address->index; /* until ptx_name_locations */
    address->index = location;
    return STATUS_OK;
}

enum status ptx_take_address(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    const bool bracket = parser_take_if(parser, "[");
    const bool percent = parser_take_percent(parser);
    const struct token name = parser->token;
    if (name.kind != TOKEN_WORD)
        return parser_expected(parser, "a location");
    const struct pointer_note *pointer = ptx_find_pointer(cell->draft, &name);
    int64_t bytes = pointer ? pointer->bytes : 0;
    int index = draft_find_register(cell->draft, &name);
    const bool is_register = index != LITMUS_NONE;
    if (!is_register && !pointer && percent)
        return parser_expected(parser, "a register that holds an address after '%' (set in the initial state, as "
                                       "in P0:r1=x)");
    if (!is_register) {
        index = pointer ? pointer->location : LITMUS_NONE;
        TRY(take_location(cell, &name, &index));
    }
    *result =
        parser_expression(parser, is_register ? LITMUS_EXPRESSION_REGISTER : LITMUS_EXPRESSION_ADDRESS, name.place);
    (*result)->index = index;
    parser_advance(parser);
    if (!is_register && !pointer && parser_take_if(parser, "["))
        TRY(take_element(cell, *result));
    if (bracket) {
        TRY(ptx_take_offset(cell, &bytes));
        TRY(parser_take(parser, "]"));
    }
    if (is_register && bytes != 0)
        TRY(add_to_register(cell, &name, *result));
    return is_register && bytes == 0 ? STATUS_OK : ptx_set_element(cell, bytes, *result);
}

struct token ptx_address_name(const struct ptx_cell *cell, const struct litmus_expression *address)
{
    const char *const name = address->kind == LITMUS_EXPRESSION_ADDRESS
                                 ? cell->parser->test->locations[address->index].name
                                 : cell->draft->thread.registers[address->index].name;
    return (struct token){.kind = TOKEN_WORD, .place = address->place, .text = name, .size = strlen(name)};
}

enum status ptx_take_fixed_address(struct ptx_cell *cell, struct litmus_expression **result)
{
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        ((*result)->left && (*result)->left->kind != LITMUS_EXPRESSION_CONSTANT))
        return parser_expected_not(cell->parser, &name, "a location, or an element with a constant index");
    if (cell->parser->test->locations[(*result)->index].type == LITMUS_MBARRIER)
        return parser_expected_not(cell->parser, &name, "a location that is not an mbarrier");
    if (cell->parser->test->locations[(*result)->index].type == LITMUS_TENSORMAP)
        return parser_expected_not(cell->parser, &name, "a location that is not a tensor map");
    return STATUS_OK;
}

/* ---- columns of host threads: calls of C11's atomic functions, of system scope, one to a cell ---- */

/* Whether the value contains an access, other than being one itself. */
static bool has_inner_access(const struct litmus_expression *value)
{
    unsigned count = 0;
    for (struct litmus_walk walk = litmus_walk_expression(value); litmus_walk_next(&walk);)
        count += walk.access != NULL;
    return count > (value->access != NULL);
}

/* A cell accesses memory once, as an instruction does. The location gives the access its type (parse_ptx_types). */
static enum status check_cell(struct parser *parser, struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    if (!value)
        return STATUS_OK;
    if (has_inner_access(value))
        return parser_fail(parser, statement->place, "expected at most one memory access in a cell");
    if (!value->access)
        return STATUS_OK;
    value->access->type = (enum litmus_type)PTX_NO_TYPE;
    if (value->access->order == LITMUS_SEQ_CST)
        return parser_fail(parser, statement->place,
                           "expected relaxed, acquire, release or acq_rel: in a PTX test only fences are seq_cst, as "
                           "atomic_thread_fence(memory_order_seq_cst)");
    if (value->access->expected_address)
        return parser_fail(parser, statement->place, "expected a register such as &r0 that holds the expected value");
    return STATUS_OK;
}

/* ---- vector accesses, and those of 128 bits at once ---- */

size_t ptx_take_vector_word(struct ptx_cell *cell, size_t index)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    const struct token *part = &cell->parts[index];
    const int lanes = word_find(ptx_lane_words, part);
    const bool whole = token_is(part, "b128");
    if ((lanes == LITMUS_NONE && !whole) || modifiers->lanes > 0 || (whole && modifiers->type != LITMUS_NONE))
        return 0;
    modifiers->lanes = whole ? 2 : (unsigned)lanes;
    modifiers->whole = whole;
    if (whole)
        modifiers->type = LITMUS_LONG; /* two words of 64 bits, with the signs of the location's */
    return 1;
}

/* "{" before lane 0, "," before those after it, and "}" after the last; things: "registers" or "values". */
static enum status take_lane(struct ptx_cell *cell, unsigned lane, const char *things)
{
    struct parser *parser = cell->parser;
    const unsigned lanes = cell->modifiers.lanes;
    if (parser_take_if(parser, lane == 0 ? "{" : lane < lanes ? "," : "}"))
        return STATUS_OK;
    return parser_fail(parser, parser->token.place, "expected %u %s in braces, found '%.*s'", lanes, things,
                       (int)parser->token.size, parser->token.text);
}

/* "{r0, _, r1}": "_" drops a word. The registers are made later, by make_registers. */
static enum status take_registers(struct ptx_cell *cell, struct token names[])
{
    struct parser *parser = cell->parser;
    bool any = cell->instruction->means.shape == PTX_ATOM;
    const struct token start = parser->token;
    for (unsigned i = 0; i < cell->modifiers.lanes; i++) {
        TRY(take_lane(cell, i, "registers"));
        (void)parser_take_percent(parser);
        TRY(parser_take_word(parser, "a register or '_'", &names[i]));
        const bool drops = token_is(&names[i], "_");
        any |= !drops;
        for (unsigned k = 0; k < i && !drops; k++)
            if (names[k].size == names[i].size && memcmp(names[k].text, names[i].text, names[i].size) == 0)
                return parser_expected_not(parser, &names[i], "a register not used in the vector");
    }
    TRY(take_lane(cell, cell->modifiers.lanes, "registers"));
    if (!any)
        return parser_fail(parser, start.place, "expected a register in the vector, found only '_'");
    return parser_take(parser, ",");
}

static enum status make_registers(struct ptx_cell *cell, const struct token names[], struct litmus_vector *vector)
{
    for (unsigned i = 0; i < vector->lanes; i++)
        if (!token_is(&names[i], "_"))
            TRY(ptx_make_target(cell, &names[i], &vector->registers[i]));
    return STATUS_OK;
}

/* ", {1, r0}". */
static enum status take_values(struct ptx_cell *cell, struct litmus_expression *values[])
{
    TRY(parser_take(cell->parser, ","));
    for (unsigned i = 0; i < cell->modifiers.lanes; i++) {
        TRY(take_lane(cell, i, "values"));
        TRY(ptx_take_value(cell, &values[i]));
    }
    return take_lane(cell, cell->modifiers.lanes, "values");
}

/* PTX ISA, atom and red: of vectors only add, of 128 bits only exch and cas. */
static enum status find_operation(const struct ptx_cell *cell, enum litmus_operation *operation)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    const int written = cell->modifiers.operation;
    *operation = shape == PTX_LOAD ? LITMUS_LOAD : shape == PTX_STORE ? LITMUS_STORE : (enum litmus_operation)written;
    if (shape == PTX_LOAD || shape == PTX_STORE)
        return STATUS_OK;
    if (cell->modifiers.whole && (shape == PTX_RED || (written != LITMUS_EXCHANGE && written != LITMUS_CAS)))
        return ptx_expected_whole(cell, "atom.exch.b128 or atom.cas.b128");
    if (!cell->modifiers.whole && written != LITMUS_FETCH_ADD)
        return ptx_expected_whole(cell, "add, the only operation on a vector");
    return STATUS_OK;
}

/* Sets the operation of the access and everything given by the modifiers. */
static enum status ptx_set_access(struct ptx_cell *cell, enum litmus_operation operation, struct litmus_access *access)
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
    /* Orders stronger than weak need a scope, others have none. An atomic without them is relaxed at gpu scope (PTX
     * ISA, atom). */
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

/* An instruction that has lanes. */
static enum status ptx_parse_vector(struct ptx_cell *cell)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    struct litmus_vector vector = {
        .access = *parser_access(cell->parser), .lanes = cell->modifiers.lanes, .whole = cell->modifiers.whole};
    struct token names[LITMUS_MAXIMUM_LANES];
    enum litmus_operation operation;
    TRY(find_operation(cell, &operation));
    TRY(ptx_set_access(cell, operation, &vector.access));
    vector.access.no_result = shape == PTX_RED;
    for (unsigned i = 0; i < LITMUS_MAXIMUM_LANES; i++)
        vector.registers[i] = LITMUS_NONE;
    if (shape == PTX_LOAD || shape == PTX_ATOM)
        TRY(take_registers(cell, names));
    /* "[x]", "[x[2]]" or "[x[r0]]". The elements that r0 may name are known once the whole thread is parsed. */
    TRY(ptx_take_address(cell, &vector.access.address));
    const struct token name = ptx_address_name(cell, vector.access.address);
    if (vector.access.address->kind != LITMUS_EXPRESSION_ADDRESS)
        TRY(add_to_register(cell, &name, vector.access.address));
    if (!vector.access.address->left)
        TRY(ptx_reach(cell, vector.access.address, vector.lanes));
    if (operation == LITMUS_CAS)
        TRY(take_values(cell, vector.expected));
    if (operation != LITMUS_LOAD)
        TRY(take_values(cell, vector.values));
    if (shape == PTX_LOAD || shape == PTX_ATOM)
        TRY(make_registers(cell, names, &vector));
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_VECTOR, &statement));
    statement->vector = vector;
    return STATUS_OK;
}

/* ---- instructions ---- */

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
    if (cell->draft->ended)
        return parser_expected_not(cell->parser, &cell->name, "nothing after ret or exit (bra to a label at the end)");
    return parser_statement(cell->parser, &cell->draft->thread.body, kind, cell->name.place, statement);
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

static enum status parse_ptx_refuse(struct ptx_cell *cell)
{
    return ptx_expected_whole(cell, cell->instruction->expected);
}

enum status ptx_take_resource(struct ptx_cell *cell, struct litmus_barrier *barrier)
{
    if (!parser_take_if(cell->parser, ","))
        return STATUS_OK;
    TRY(ptx_take_value(cell, &barrier->resource));
    return parser_take_if(cell->parser, ",") ? ptx_take_value(cell, &barrier->quorum) : STATUS_OK;
}

enum status ptx_take_instance(struct ptx_cell *cell, struct litmus_barrier *barrier)
{
    struct parser *parser = cell->parser;
    const struct token instance = parser->token;
    if (instance.kind != TOKEN_NUMBER && instance.kind != TOKEN_WORD)
        return parser_expected(parser, "the barrier's instance, a number or a name");
    barrier->instance = parser_copy(parser, &instance);
    parser_advance(parser);
    return STATUS_OK;
}

/* "0" or "0, 64", as in the ISA. */
enum status ptx_take_number(struct ptx_cell *cell, struct litmus_barrier *barrier)
{
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    if (number.kind != TOKEN_NUMBER || number.number > 15)
        return parser_expected(parser, "the number of a barrier, from 0 to 15 (only the second operand of "
                                       "bar.cta.sync may be a register)");
    TRY(ptx_take_instance(cell, barrier));
    if (!parser_take_if(parser, ","))
        return STATUS_OK;
    barrier->resource = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, number.place);
    barrier->resource->value = (int64_t)number.number;
    return ptx_take_value(cell, &barrier->quorum);
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
    bool done;
    TRY(ptx_take_target(cell, &name));
    TRY(ptx_take_pointer(cell, &name, &done));
    if (done)
        return STATUS_OK;
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

/* ret, exit: the thread ends here anyway. */
static enum status parse_exit(struct ptx_cell *cell)
{
    cell->draft->ended = true;
    return STATUS_OK;
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
    [PTX_LOAD] = parse_access,       [PTX_STORE] = parse_access,        [PTX_ATOM] = parse_access,
    [PTX_RED] = parse_access,        [PTX_MOVE] = parse_compute,        [PTX_COMPUTE] = parse_compute,
    [PTX_BRANCH] = parse_jump,       [PTX_JUMP] = parse_jump,           [PTX_COMPARE] = parse_compare,
    [PTX_TEXT] = ptx_keep_text,      [PTX_WRONG] = parse_ptx_refuse,    [PTX_ABSENT] = refuse_unknown,
    [PTX_ANY_FENCE] = refuse_fence,  [PTX_COPY] = ptx_parse_form,       [PTX_GROUP] = ptx_parse_form,
    [PTX_MBARRIER] = ptx_parse_form, [PTX_REPLACE] = ptx_parse_form,    [PTX_FENCE] = ptx_parse_form,
    [PTX_BARRIER] = ptx_parse_form,  [PTX_REFUSED] = parse_ptx_refuse,  [PTX_IDLE] = ptx_parse_idle,
    [PTX_EXIT] = parse_exit,         [PTX_COLLECTIVE] = ptx_parse_form, [PTX_MULTIPLY] = ptx_parse_form,
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

/* An instruction other than bra, over which the thread jumps if the predicate does not hold: "threads with true guard
 * predicates execute the instruction" (PTX ISA, Predicated Execution). */
static enum status parse_guarded(struct ptx_cell *cell, struct litmus_expression *value)
{
    struct litmus_statement *statement;
    char text[32];
    struct token name = {.kind = TOKEN_WORD, .place = cell->name.place, .text = text};
    int label;
    name.size = (size_t)snprintf(text, sizeof text, "skip%zu", cell->draft->thread.label_count);
    value->op = value->op == LITMUS_EQ ? LITMUS_NE : LITMUS_EQ;
    TRY(draft_label(cell->parser, cell->draft, &name, true, &label));
    TRY(ptx_add_statement(cell, LITMUS_GOTO, &statement));
    statement->value = value;
    statement->label = label;
    TRY(parser_take_word(cell->parser, "an instruction", &name));
    TRY(parse_instruction(cell->parser, cell->draft, &name));
    TRY(ptx_add_statement(cell, LITMUS_LABEL, &statement));
    statement->label = label;
    return STATUS_OK;
}

/* "@p bra L" or "@!p st.weak x, 1", with the '@' at hand. */
static enum status parse_predicated(struct parser *parser, struct draft *draft)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .name = parser->token, .modifiers = ptx_no_modifiers};
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_BINARY, cell.name.place);
    struct litmus_statement *statement;
    parser_advance(parser);
    value->op = parser_take_if(parser, "!") ? LITMUS_EQ : LITMUS_NE;
    cell.predicate = true;
    TRY(ptx_take_value(&cell, &value->left));
    value->right = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, cell.name.place);
    if (!parser_take_if(parser, "bra"))
        return parse_guarded(&cell, value);
    TRY(ptx_parse_parts(&cell));
    if (cell.part_count > 1 || (cell.part_count == 1 && !token_is(&cell.parts[0], "uni")))
        return parser_expected_not(parser, &cell.parts[0], "the label of bra");
    TRY(ptx_add_statement(&cell, LITMUS_GOTO, &statement));
    statement->value = value;
    return take_label(&cell, statement);
}

static enum status parse_cell(struct parser *parser, struct draft *draft, const char *what)
{
    if (draft->thread.placement.host) {
        /* A statement of C in the column of a host thread, up to the mark that ends the cell. */
        struct litmus_block *body = &draft->thread.body;
        const size_t before = body->count;
        TRY(parse_c_cell(parser, draft));
        for (size_t i = before; i < body->count; i++)
            TRY(check_cell(parser, &body->statements[i]));
        return STATUS_OK;
    }
    if (parser_take_if(parser, ".")) {
        /* ".reg .b32 %r<4>": the instructions give registers their types. */
        TRY(parser_take(parser, "reg"));
        while (!parser_at(parser, "|") && !parser_at(parser, ";") && parser->token.kind != TOKEN_END)
            parser_advance(parser);
        return STATUS_OK;
    }
    if (parser_at(parser, "@"))
        return parse_predicated(parser, draft);
    struct token name;
    TRY(parser_take_word(parser, what, &name));
    return parse_instruction(parser, draft, &name);
}

enum status parse_ptx_instruction(struct parser *parser, struct draft *draft)
{
    return parse_cell(parser, draft, "an instruction");
}

enum status parse_ptx_threads(struct parser *parser)
{
    TRY(parse_columns(parser, parse_cell));
    for (size_t i = 0; i < parser->draft_count; i++)
        TRY(ptx_name_locations(parser, parser->drafts[i]));
    for (size_t i = 0; i < parser->test->location_count; i++)
        parser->test->locations[i].array |= parser->test->locations[i].elements > 1;
    return STATUS_OK;
}
