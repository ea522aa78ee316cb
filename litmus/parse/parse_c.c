// SPDX-License-Identifier: Apache-2.0
/* Statements of C. A register belongs to its thread, not to the block that declares it. */
#include "litmus/language/visit.h"
#include "litmus/parse/c_body.h"

static enum status parse_statement(struct c_body *body, struct litmus_block *block);

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

static enum status parse_parenthesized(struct c_body *body, struct litmus_block *before,
                                       struct litmus_expression **value)
{
    TRY(parser_take(body->parser, "("));
    TRY(parse_c_full_expression(body, before, value));
    return parser_take(body->parser, ")");
}

/* A place of the parser. */
struct position {
    struct scanner scanner;
    struct token token;
};

static struct position position_of(const struct parser *parser)
{
    return (struct position){parser->scanner, parser->token};
}

static void go_to(struct parser *parser, const struct position *position)
{
    parser->scanner = position->scanner;
    parser->token = position->token;
}

/* Side effects of a condition go before the loop and again at the end of each round: the condition
 * is parsed again. */
static enum status repeat_condition(struct c_body *body, const struct position *condition,
                                    struct litmus_block *repeated)
{
    const struct position after = position_of(body->parser);
    struct litmus_expression *ignored;
    go_to(body->parser, condition);
    TRY(parser_enter(body->parser));
    TRY(parse_c_full_expression(body, repeated, &ignored));
    parser_leave(body->parser);
    go_to(body->parser, &after);
    return STATUS_OK;
}

static enum status parse_if(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block then = {0}, otherwise = {0};
    bool more;
    TRY(parse_parenthesized(body, block, &value));
    TRY(parse_branch(body, &then));
    TRY(parser_take_if(body->parser, "else", &more));
    if (more)
        TRY(parse_branch(body, &otherwise));
    return add_c_statement(
        body, block,
        (struct litmus_statement){
            .kind = LITMUS_IF, .place = place, .value = value, .body = then, .otherwise = otherwise});
}

static enum status parse_while(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    const size_t before = block->count;
    TRY(parser_take(body->parser, "("));
    const struct position condition = position_of(body->parser);
    TRY(parse_c_full_expression(body, block, &value));
    TRY(parser_take(body->parser, ")"));
    const bool sets = block->count > before;
    TRY(parse_branch(body, &repeated));
    if (sets)
        TRY(repeat_condition(body, &condition, &repeated));
    return add_c_statement(
        body, block, (struct litmus_statement){.kind = LITMUS_WHILE, .place = place, .value = value, .body = repeated});
}

static enum status parse_do(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    TRY(parse_branch(body, &repeated));
    TRY(parser_take(body->parser, "while"));
    TRY(parse_parenthesized(body, &repeated, &value));
    TRY(parser_take(body->parser, ";"));
    return add_c_statement(
        body, block,
        (struct litmus_statement){.kind = LITMUS_DO_WHILE, .place = place, .value = value, .body = repeated});
}

/* "i = 0, j = 1", or nothing. */
static enum status parse_simple_list(struct c_body *body, struct litmus_block *block, const char *end)
{
    for (bool more = !parser_at(body->parser, end); more;) {
        TRY(parse_c_simple(body, block));
        TRY(parser_take_if(body->parser, ",", &more));
    }
    return STATUS_OK;
}

static enum status parse_declared_registers(struct c_body *body, struct litmus_block *block, bool *found);

/* "for (int i = 0; i < 3; i++)" is a while loop: its first part goes before it, its last at the end of its body. */
static enum status parse_for(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct parser *parser = body->parser;
    struct litmus_expression *value = make_c_constant(body, 1, place);
    struct litmus_block repeated = {0}, step = {0};
    bool declared;
    TRY(parser_take(parser, "("));
    TRY(parse_declared_registers(body, block, &declared));
    if (!declared) {
        TRY(parse_simple_list(body, block, ";"));
        TRY(parser_take(parser, ";"));
    }
    const size_t before = block->count;
    const struct position condition = position_of(parser);
    if (!parser_at(parser, ";"))
        TRY(parse_c_full_expression(body, block, &value));
    TRY(parser_take(parser, ";"));
    const bool sets = block->count > before;
    TRY(parser_enter(parser));
    TRY(parse_simple_list(body, &step, ")"));
    parser_leave(parser);
    TRY(parser_take(parser, ")"));
    TRY(parse_branch(body, &repeated));
    for (size_t i = 0; i < step.count; i++)
        ARENA_ADD(parser_arena(parser), repeated.statements, repeated.count) = step.statements[i];
    if (sets)
        TRY(repeat_condition(body, &condition, &repeated));
    return add_c_statement(
        body, block, (struct litmus_statement){.kind = LITMUS_WHILE, .place = place, .value = value, .body = repeated});
}

static const char *const jumps[] = {"break", "continue", "return", "goto"};

static const struct {
    const char *word;
    enum status (*parse)(struct c_body *body, struct litmus_block *block, struct litmus_place place);
} compounds[] = {
    {"if", parse_if},
    {"while", parse_while},
    {"do", parse_do},
    {"for", parse_for},
};

/* Declares a register of the thread, which may have it already, as the same type. */
static enum status declare_register(struct c_body *body, const struct token *name, enum litmus_type type, bool truth,
                                    int *index)
{
    struct parser *parser = body->parser;
    const int location = parser_find_location(parser, name);
    if (location != LITMUS_NONE && body->draft->visible[location])
        return parser_expected_not(parser, name, "a name that is not a parameter of the thread");
    if (is_c_reference(body, name))
        return parser_expected_not(parser, name, "a name that is not a reference");
    if (c_lanes_of(parser, body->draft, name) > 0)
        return parser_expected_not(parser, name, "a name that is not a vector");
    TRY(draft_register(parser, body->draft, name, index));
    struct litmus_register *target = &body->draft->thread.registers[*index];
    struct register_note *note = &body->draft->registers[*index];
    const enum litmus_dialect dialect = parser->test->dialect;
    if (note->typed && (target->type != type || note->truth != truth))
        return parser_fail(parser, name->place, STATUS_SYNTAX, "expected type %s, as '%s' has already, found %s",
                           note->truth ? "bool" : type_word(dialect, target->type), target->name,
                           truth ? "bool" : type_word(dialect, type));
    target->type = type;
    note->typed = true;
    note->truth = truth;
    return STATUS_OK;
}

/* "int r0 = 1, r1;" with the type taken. */
static enum status parse_declaration(struct c_body *body, struct litmus_block *block, enum litmus_type type, bool truth)
{
    struct parser *parser = body->parser;
    for (bool more = true; more;) {
        struct token name;
        struct c_target target = {0};
        TRY(parser_take_word(parser, "the name of a register", &name));
        TRY(declare_register(body, &name, type, truth, &target.index));
        target.place = name.place;
        if (parser_at(parser, "="))
            TRY(parse_c_update(body, block, &target));
        TRY(parser_take_if(parser, ",", &more));
    }
    return parser_take(parser, ";");
}

/* A declaration with its semicolon; *found is false and nothing is taken if there is none. */
static enum status parse_declared_registers(struct c_body *body, struct litmus_block *block, bool *found)
{
    struct parser *parser = body->parser;
    const struct litmus_place place = parser->token.place;
    enum litmus_type type = LITMUS_INT;
    bool atomic = false;
    const bool truth = parser_at(parser, "bool") || parser_at(parser, "_Bool");
    *found = truth;
    TRY(truth ? parser_advance(parser) : parser_type(parser, &type, &atomic, found));
    if (atomic)
        return parser_fail(parser, place, STATUS_SYNTAX, "expected a plain type for a register, found an atomic one");
    return *found ? parse_declaration(body, block, type, truth) : STATUS_OK;
}

static enum status parse_call_statement(struct c_body *body, struct litmus_block *block, const struct token *name,
                                        const struct token *label)
{
    struct parser *parser = body->parser;
    struct c_call call;
    TRY(parse_c_call(body, name, &call));
    if (label && (!litmus_kinds[call.statement.kind].meets || call.predicate))
        return parser_expected_not(
            parser, name, call.predicate ? "a barrier without a result after a label" : "a barrier after a label");
    if (label)
        TRY(parser_name(parser, label, &call.statement.barrier.instance));
    struct litmus_expression *ignored;
    TRY(call.predicate ? add_c_reduction(body, block, &call, name->place, &ignored)
                       : add_c_statement(body, block, call.statement));
    return parser_take(parser, ";");
}

/* A statement that starts with a name: a labelled barrier, a call, or an assignment to a register
 * or an element. */
static enum status parse_named(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    struct token name;
    bool labelled;
    TRY(parse_c_name(body, "a statement", &name));
    TRY(parser_take_if(parser, ":", &labelled));
    if (labelled) {
        struct token function;
        TRY(parser_take_word(parser, "a barrier after a label", &function));
        if (!parser_at(parser, "("))
            return parser_expected_not(parser, &function, "a barrier after a label");
        return parse_call_statement(body, block, &function, &name);
    }
    bool declared;
    TRY(parse_c_references(body, &name, &declared));
    if (declared)
        return STATUS_OK;
    if (is_c_call(body, &name))
        return parse_call_statement(body, block, &name, NULL);
    struct c_target target;
    struct litmus_expression *load;
    TRY(parse_c_component(parser, body->draft, &name));
    TRY(parse_c_named_target(body, &name, &target));
    if (at_c_update(parser))
        TRY(parse_c_update(body, block, &target));
    else if (target.index != LITMUS_NONE)
        return parser_expected(parser, "'=' after a register");
    else {
        TRY(make_c_access(body, target.address, NULL, false, &load));
        TRY(add_c_access(body, block, load));
    }
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
        const size_t references = body->reference_count;
        TRY(parser_enter(parser));
        TRY(parse_statements(body, block));
        parser_leave(parser);
        body->reference_count = references;
        return parser_take(parser, "}");
    }
    TRY(parse_c_vector(body, block, &taken));
    if (taken)
        return STATUS_OK;
    if (parser_at(parser, "*") || parser_at(parser, "(") || parser_at(parser, "++") || parser_at(parser, "--")) {
        TRY(parse_c_simple(body, block));
        return parser_take(parser, ";");
    }
    for (size_t i = 0; i < sizeof compounds / sizeof *compounds; i++) {
        TRY(parser_take_if(parser, compounds[i].word, &taken));
        if (taken)
            return compounds[i].parse(body, block, place);
    }
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (parser_at(parser, jumps[i]))
            return parser_expected(
                parser,
                "no jump, which is not supported (put what it skips into an if, and what ends a loop into its condition)");
    TRY(parse_declared_registers(body, block, &taken));
    if (taken)
        return STATUS_OK;
    if (parser->token.kind != TOKEN_WORD)
        return parser_expected(parser, "a statement");
    return parse_named(body, block);
}

enum status parse_c_body(struct parser *parser, struct draft *draft, const struct c_language *language)
{
    struct c_body body = {.parser = parser, .draft = draft, .language = language, .moved_target = LITMUS_NONE};
    if (!parser_at(parser, "{"))
        return parser_expected(parser, "'{'");
    parser->scanner.mode = SCAN_C;
    TRY(parser_advance(parser));
    TRY(parse_statements(&body, &draft->thread.body));
    parser->scanner.mode = SCAN_SECTIONS;
    return parser_advance(parser);
}

/* ---- threads: "P0@wg 0, dev 0 (global atomic_int* x) { ... }" ---- */

/* "P0", or "void P0" as herd's grammar has it. */
static bool at_thread(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const struct token name = parser_at(parser, "void") ? scanner_next(&ahead) : parser->token;
    unsigned number;
    return name.kind == TOKEN_WORD && token_is_thread(&name, &number);
}

static enum status parse_thread(struct parser *parser, const struct c_language *language)
{
    bool returns = false;
    if (at_thread(parser))
        TRY(parser_take_if(parser, "void", &returns));
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    struct draft *draft;
    if (language->fixed_places && (token_is(&next, "@") || token_is(&next, "..")))
        return parser_expected_not(parser, &next, "'(' (a C test has one thread per work-group, all on one device)");
    TRY(parser_start_thread(parser, &draft));
    if (language->fixed_places) {
        draft->thread.placement.work_group = (int)draft->thread.first;
        draft->thread.placement.device = 0;
    }
    TRY(parser_take(parser, "("));
    for (bool more = !parser_at(parser, ")"); more;) {
        TRY(parse_c_parameter(parser, language, draft));
        TRY(parser_take_if(parser, ",", &more));
    }
    TRY(parser_take(parser, ")"));
    return parse_c_body(parser, draft, language);
}

enum status parse_c_threads(struct parser *parser, const struct c_language *language)
{
    do
        TRY(parse_thread(parser, language));
    while (at_thread(parser) && !parse_at_edge(parser));
    return STATUS_OK;
}
