// SPDX-License-Identifier: Apache-2.0
/* Threads as columns of instructions: one column each, in rows of cells; and the types of what is in them. A location
 * or a register has the type of its declaration, else the widest that an instruction gives it, else int; a register has
 * 32 bits at least. An access has the type of its suffix, else of its location. */
#include "litmus/parse/ptx_cell.h"

static enum litmus_type wider(enum litmus_type left, enum litmus_type right)
{
    return left > right ? left : right; /* the enumeration is ordered by size, and unsigned after signed */
}

enum status ptx_widen_register(struct parser *parser, struct draft *draft, int index, enum litmus_type type,
                               struct litmus_place place)
{
    struct litmus_register *target = &draft->thread.registers[index];
    if (!draft->registers[index].typed)
        target->type = wider(target->type, type);
    else if (litmus_type_size(type) > litmus_type_size(target->type))
        return parser_fail(parser, place, "expected an instruction of at most %zu bytes for '%s', found %s",
                           litmus_type_size(target->type), target->name, litmus_type_name(type));
    return STATUS_OK;
}

/* The location whose storage the address names, or LITMUS_NONE if it depends on the run. */
static int location_behind(const struct parser *parser, const struct draft *draft,
                           const struct litmus_expression *address)
{
    const int index =
        address->kind == LITMUS_EXPRESSION_ADDRESS ? address->index : draft->thread.registers[address->index].points_to;
    return index == LITMUS_NONE ? LITMUS_NONE : (int)litmus_storage(parser->test, (unsigned)index);
}

static struct litmus_access *parse_columns_access_of(struct litmus_statement *statement)
{
    if (statement->kind == LITMUS_VECTOR)
        return &statement->vector.access;
    const bool has = (statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM) &&
                     statement->value->kind == LITMUS_EXPRESSION_ACCESS;
    return has ? statement->value->access : NULL;
}

/* A use of the location with a type, or with PTX_NO_TYPE: with its own. */
static enum status type_use(struct parser *parser, int index, enum litmus_type type, struct litmus_place place)
{
    if (index == LITMUS_NONE)
        return STATUS_OK;
    struct litmus_location *location = &parser->test->locations[index];
    const bool accessed = parser->notes[index].accessed;
    parser->notes[index].accessed = true;
    if (type == (enum litmus_type)PTX_NO_TYPE)
        location->type = parser->notes[index].typed ? location->type
                         : accessed                 ? wider(location->type, LITMUS_INT)
                                                    : LITMUS_INT;
    else if (!parser->notes[index].typed)
        location->type = accessed ? wider(location->type, type) : type;
    else if (litmus_type_size(type) > litmus_type_size(location->type))
        return parser_fail(parser, place, "expected an access of at most %zu bytes for '%s', found %s",
                           litmus_type_size(location->type), location->name, litmus_type_name(type));
    return STATUS_OK;
}

static enum status type_location(struct parser *parser, const struct draft *draft, struct litmus_statement *statement)
{
    const struct litmus_access *access = parse_columns_access_of(statement);
    const struct litmus_copy *copy = &statement->copy;
    if (access)
        return type_use(parser, location_behind(parser, draft, access->address), access->type, statement->place);
    if (statement->kind != LITMUS_COPY)
        return STATUS_OK;
    for (const struct litmus_expression *to = copy->to; to; to = to->right)
        TRY(type_use(parser, location_behind(parser, draft, to), copy->type, statement->place));
    if (!copy->from)
        return STATUS_OK;
    return type_use(parser, location_behind(parser, draft, copy->from), copy->type, statement->place);
}

static enum litmus_type type_of_value(const struct draft *draft, const struct litmus_expression *value)
{
    switch (value->kind) {
    case LITMUS_EXPRESSION_ACCESS:
        return value->access->type == LITMUS_MBARRIER ? LITMUS_INT : value->access->type;
    case LITMUS_EXPRESSION_REGISTER:
        return draft->thread.registers[value->index].type;
    case LITMUS_EXPRESSION_BINARY:
        return wider(type_of_value(draft, value->left), type_of_value(draft, value->right));
    case LITMUS_EXPRESSION_CONSTANT:
    case LITMUS_EXPRESSION_ADDRESS:
    case LITMUS_EXPRESSION_UNARY:
        break;
    }
    return LITMUS_INT;
}

static bool widen(const struct draft *draft, int index, enum litmus_type type)
{
    if (index == LITMUS_NONE || draft->registers[index].typed)
        return false;
    struct litmus_register *target = &draft->thread.registers[index];
    const bool changed = wider(target->type, type) != target->type;
    target->type = wider(target->type, type);
    return changed;
}

static bool type_targets(const struct draft *draft, const struct litmus_statement *statement)
{
    bool changed = false;
    if (statement->kind == LITMUS_ASSIGN)
        changed = widen(draft, statement->target, type_of_value(draft, statement->value));
    for (unsigned i = 0; statement->kind == LITMUS_VECTOR && i < statement->vector.lanes; i++)
        changed |= widen(draft, statement->vector.registers[i], statement->vector.access.type);
    return changed;
}

/* Types only grow, so this ends. */
static void type_registers(const struct draft *draft)
{
    const struct litmus_block *body = &draft->thread.body;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < body->count; i++)
            changed |= type_targets(draft, &body->statements[i]);
    }
}

/* Assigns types to locations, registers and accesses without a declaration. */
static enum status parse_ptx_types(struct parser *parser)
{
    for (size_t i = 0; i < parser->draft_count; i++) {
        struct litmus_block *body = &parser->drafts[i]->thread.body;
        for (size_t j = 0; j < body->count; j++)
            TRY(type_location(parser, parser->drafts[i], &body->statements[j]));
    }
    for (size_t i = 0; i < parser->draft_count; i++) {
        struct draft *draft = parser->drafts[i];
        FOR_EACH(struct litmus_statement, statement, draft->thread.body.statements, draft->thread.body.count) {
            struct litmus_access *access = parse_columns_access_of(statement);
            if (statement->kind == LITMUS_VECTOR && statement->vector.whole)
                access->type = (enum litmus_type)PTX_NO_TYPE; /* .b128 does not give a sign */
            const bool copies = statement->kind == LITMUS_COPY;
            enum litmus_type *const type = access ? &access->type : copies ? &statement->copy.type : NULL;
            if (!type || *type != (enum litmus_type)PTX_NO_TYPE)
                continue;
            /* A copy has the type of its destination, or of its source if a tensor map says where it goes. */
            const struct litmus_expression *typed = copies ? statement->copy.to : access->address;
            if (copies && parser->test->locations[typed->index].type == LITMUS_TENSORMAP)
                typed = statement->copy.from;
            const int index = location_behind(parser, draft, typed);
            *type = index == LITMUS_NONE ? LITMUS_INT : parser->test->locations[index].type;
        }
        type_registers(draft);
    }
    return STATUS_OK;
}

/* ---- columns ---- */

/* The words that may follow the rows. */
static const char trailers[] = "exists forall not scopeTree ScopeTree scopes regions locations filter";

static bool at_row(const struct parser *parser)
{
    if (text_has_word(trailers, parser->token.text, parser->token.size) || parse_at_edge(parser))
        return false;
    return parser->token.kind == TOKEN_WORD || parser_at(parser, "|") || parser_at(parser, ";") ||
           parser_at(parser, "*") || parser_at(parser, "@") || parser_at(parser, ".");
}

static bool at_end_of_cell(const struct parser *parser)
{
    return parser_at(parser, "|") || parser_at(parser, ";");
}

/* "L:" */
static enum status take_label(struct parser *parser, struct draft *draft, bool *taken)
{
    const struct token name = parser->token, colon = parser_next(parser);
    *taken = name.kind == TOKEN_WORD && token_is(&colon, ":");
    if (!*taken)
        return STATUS_OK;
    struct litmus_statement *statement;
    int label;
    parser_advance(parser);
    TRY(draft_label(parser, draft, &name, true, &label));
    TRY(parser_statement(parser, &draft->thread.body, LITMUS_LABEL, name.place, &statement));
    statement->label = label;
    parser_advance(parser);
    return STATUS_OK;
}

/* A label, an instruction, both, or nothing. */
static enum status parse_cell(struct parser *parser, struct draft *draft, parse_instruction_function *parse_instruction)
{
    bool labelled = false;
    if (at_end_of_cell(parser))
        return STATUS_OK;
    if (!draft->thread.placement.host)
        TRY(take_label(parser, draft, &labelled));
    if (labelled && at_end_of_cell(parser))
        return STATUS_OK;
    return parse_instruction(parser, draft, labelled ? "an instruction" : "an instruction or a label");
}

enum status parse_columns(struct parser *parser, parse_instruction_function *parse_instruction)
{
    parser->scanner.mode = SCAN_PTX;
    do {
        struct draft *draft;
        TRY(parser_start_thread(parser, &draft));
    } while (parser_take_if(parser, "|"));
    TRY(parser_take(parser, ";"));
    /* A name means one thing in such a test: the text does not show whether an operand is a register or a location. */
    for (size_t i = 0; i < parser->start_count; i++) {
        const struct token name = register_start_name(&parser->starts[i]);
        if (parser_find_location(parser, &name) != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register, not the name of a location");
    }
    while (at_row(parser)) {
        for (size_t i = 0; i < parser->draft_count; i++) {
            if (i > 0)
                TRY(parser_take(parser, "|"));
            TRY(parse_cell(parser, parser->drafts[i], parse_instruction));
        }
        TRY(parser_take(parser, ";"));
    }
    parser->scanner.mode = SCAN_SECTIONS;
    for (size_t i = 0; i < parser->draft_count; i++)
        TRY(draft_close(parser, parser->drafts[i]));
    return parse_ptx_types(parser);
}
