// SPDX-License-Identifier: Apache-2.0
/* Statements of C. A register belongs to its thread, not to the block that declares it. */
#include "litmus/language/c_body.h"

static enum status parse_statement(struct c_body *body, struct litmus_block *block);

/* Appends a statement of a value and a body, both of which may be none. */
static enum status add_statement(struct c_body *body, struct litmus_block *block, struct litmus_statement added)
{
    struct litmus_statement *statement;
    TRY(parser_statement(body->parser, block, added.kind, added.place, &statement));
    statement->value = added.value;
    statement->body = added.body;
    statement->otherwise = added.otherwise;
    return STATUS_OK;
}

/* The body of an if or a loop: one statement, or several in braces. Both are one level of nesting, so that the braces
 * which the printer adds do not take a test over the limit. */
static enum status parse_branch(struct c_body *body, struct litmus_block *block)
{
    if (parser_at(body->parser, "{"))
        return parse_statement(body, block);
    TRY(parser_enter(body->parser));
    TRY(parse_statement(body, block));
    parser_leave(body->parser);
    return STATUS_OK;
}

static enum status parse_parenthesized(struct c_body *body, struct litmus_expression **value)
{
    TRY(parser_take(body->parser, "("));
    TRY(parse_c_expression(body, value));
    return parser_take(body->parser, ")");
}

static enum status parse_if(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block then = {0}, otherwise = {0};
    bool more;
    TRY(parse_parenthesized(body, &value));
    TRY(parse_branch(body, &then));
    TRY(parser_take_if(body->parser, "else", &more));
    if (more)
        TRY(parse_branch(body, &otherwise));
    return add_statement(body, block,
                         (struct litmus_statement){
                             .kind = LITMUS_IF, .place = place, .value = value, .body = then, .otherwise = otherwise});
}

static enum status parse_while(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    TRY(parse_parenthesized(body, &value));
    TRY(parse_branch(body, &repeated));
    return add_statement(
        body, block, (struct litmus_statement){.kind = LITMUS_WHILE, .place = place, .value = value, .body = repeated});
}

static enum status parse_do(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    TRY(parse_branch(body, &repeated));
    TRY(parser_take(body->parser, "while"));
    TRY(parse_parenthesized(body, &value));
    TRY(parser_take(body->parser, ";"));
    return add_statement(
        body, block,
        (struct litmus_statement){.kind = LITMUS_DO_WHILE, .place = place, .value = value, .body = repeated});
}

static const struct {
    const char *word;
    enum status (*parse)(struct c_body *body, struct litmus_block *block, struct litmus_place place);
} compounds[] = {{"if", parse_if}, {"while", parse_while}, {"do", parse_do}};

static enum status parse_assignment(struct c_body *body, struct litmus_block *block, int target,
                                    struct litmus_place place)
{
    struct litmus_expression *value;
    TRY(parse_c_expression(body, &value));
    struct litmus_statement *statement;
    TRY(parser_statement(body->parser, block, LITMUS_ASSIGN, place, &statement));
    statement->target = target;
    statement->value = value;
    return STATUS_OK;
}

static enum status perform_access(struct c_body *body, struct litmus_block *block, struct litmus_expression *value)
{
    return add_statement(body, block,
                         (struct litmus_statement){.kind = LITMUS_PERFORM, .place = value->place, .value = value});
}

/* "int r0 = 1, r1;" with the type taken. */
static enum status parse_declaration(struct c_body *body, struct litmus_block *block, enum litmus_type type)
{
    struct parser *parser = body->parser;
    for (bool more = true; more;) {
        struct token name;
        int index;
        TRY(parser_take_word(parser, "the name of a register", &name));
        const int location = parser_find_location(parser, &name);
        if (location != LITMUS_NONE && body->draft->visible[location])
            return parser_expected_not(parser, &name, "a name that is not a parameter of the thread");
        TRY(draft_register(parser, body->draft, &name, &index));
        struct litmus_register *target = &body->draft->thread.registers[index];
        if (body->draft->registers[index].typed && target->type != type)
            return parser_fail(parser, name.place, STATUS_SYNTAX, "expected type %s, which '%s' has already, found %s",
                               type_word(parser->test->dialect, target->type), target->name,
                               type_word(parser->test->dialect, type));
        target->type = type;
        target->initial = litmus_wrap(type, target->initial);
        body->draft->registers[index].typed = true;
        bool given;
        TRY(parser_take_if(parser, "=", &given));
        if (given)
            TRY(parse_assignment(body, block, index, name.place));
        TRY(parser_take_if(parser, ",", &more));
    }
    return parser_take(parser, ";");
}

/* "= e;" or ";" behind an address: a plain or volatile store, or such a load. */
static enum status parse_plain(struct c_body *body, struct litmus_block *block, struct litmus_expression *address,
                               bool is_volatile)
{
    struct litmus_expression *operand = NULL, *access;
    bool store;
    TRY(parser_take_if(body->parser, "=", &store));
    if (store)
        TRY(parse_c_expression(body, &operand));
    TRY(make_c_access(body, address, operand, is_volatile, &access));
    TRY(perform_access(body, block, access));
    return parser_take(body->parser, ";");
}

static enum status parse_call_statement(struct c_body *body, struct litmus_block *block, const struct token *name,
                                        const struct token *label)
{
    struct parser *parser = body->parser;
    struct c_call call;
    TRY(parse_c_call(body, name, &call));
    if (label && call.kind != LITMUS_BARRIER)
        return parser_expected_not(parser, name, "a barrier behind a label");
    if (call.kind == LITMUS_PERFORM)
        TRY(perform_access(body, block, call.value));
    else {
        struct litmus_statement *statement;
        TRY(parser_statement(body->parser, block, call.kind, name->place, &statement));
        statement->fence = call.fence;
        statement->barrier = call.barrier;
        if (label)
            TRY(parser_name(parser, label, &statement->barrier.instance));
    }
    return parser_take(parser, ";");
}

/* A statement that starts with a name: a labelled barrier, a call, an assignment or a store to an element. */
static enum status parse_named(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    struct token name;
    bool labelled;
    TRY(parse_c_name(body, "a statement", &name));
    TRY(parser_take_if(parser, ":", &labelled));
    if (labelled) {
        struct token function;
        TRY(parser_take_word(parser, "a barrier behind a label", &function));
        if (!parser_at(parser, "("))
            return parser_expected_not(parser, &function, "a barrier behind a label");
        return parse_call_statement(body, block, &function, &name);
    }
    if (is_c_call(body, &name))
        return parse_call_statement(body, block, &name, NULL);
    if (parser_at(parser, "[")) {
        struct litmus_expression *address;
        TRY(parse_c_element(body, &name, &address));
        return parse_plain(body, block, address, false);
    }
    const int target = draft_find_register(body->draft, &name);
    if (!parser_at(parser, "="))
        return target == LITMUS_NONE ? parser_expected_not(parser, &name, "a statement")
                                     : parser_expected(parser, "'=' behind a register");
    if (target == LITMUS_NONE)
        return parser_expected_not(parser, &name, "a register that the thread declares");
    TRY(parser_advance(parser));
    TRY(parse_assignment(body, block, target, name.place));
    return parser_take(parser, ";");
}

static enum status parse_statements(struct c_body *body, struct litmus_block *block)
{
    while (!parser_at(body->parser, "}"))
        TRY(parse_statement(body, block));
    return STATUS_OK;
}

static enum status parse_statement(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    const struct litmus_place place = parser->token.place;
    bool taken;
    TRY(parser_take_if(parser, ";", &taken));
    if (taken)
        return STATUS_OK;
    TRY(parser_take_if(parser, "{", &taken));
    if (taken) {
        TRY(parser_enter(parser));
        TRY(parse_statements(body, block));
        parser_leave(parser);
        return parser_take(parser, "}");
    }
    TRY(parser_take_if(parser, "*", &taken));
    if (taken) {
        struct litmus_expression *address;
        bool is_volatile;
        TRY(parse_c_pointee(body, &address, &is_volatile));
        return parse_plain(body, block, address, is_volatile);
    }
    for (size_t i = 0; i < sizeof compounds / sizeof *compounds; i++) {
        TRY(parser_take_if(parser, compounds[i].word, &taken));
        if (taken)
            return compounds[i].parse(body, block, place);
    }
    enum litmus_type type;
    bool atomic;
    TRY(parser_type(parser, &type, &atomic, &taken));
    if (atomic)
        return parser_fail(parser, place, STATUS_SYNTAX, "expected a plain type for a register, found an atomic one");
    if (taken)
        return parse_declaration(body, block, type);
    if (parser->token.kind != TOKEN_WORD)
        return parser_expected(parser, "a statement");
    return parse_named(body, block);
}

enum status parse_c_body(struct parser *parser, struct draft *draft, const struct c_language *language)
{
    struct c_body body = {parser, draft, language};
    if (!parser_at(parser, "{"))
        return parser_expected(parser, "'{'");
    parser->scanner.mode = SCAN_C;
    TRY(parser_advance(parser));
    TRY(parse_statements(&body, &draft->thread.body));
    parser->scanner.mode = SCAN_SECTIONS;
    return parser_advance(parser);
}
