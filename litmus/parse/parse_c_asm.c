// SPDX-License-Identifier: Apache-2.0
/* Inline PTX in CUDA: asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(r0) : "l"(x) : "memory"). The operands
 * take the places of their numbers, and the instructions are read as those of a PTX test ("Inline PTX Assembly in
 * CUDA"). C++ says nothing about them: they keep the meaning that they have in PTX. */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/parse/c_body.h"

enum { MOST_OPERANDS = 30 };

struct assembly {
    struct text text; /* of all strings */
    struct token start;
    const char *operands[MOST_OPERANDS]; /* their texts in PTX */
    unsigned count;
};

/* A pointer as PTX writes it: "x", "x[1]", "r2". */
static enum status write_pointer(struct c_body *body, const struct litmus_expression *address, const char **text)
{
    struct arena *arena = parser_arena(body->parser);
    const struct litmus_register *registers = body->draft->thread.registers;
    const struct litmus_expression *const element = address->left;
    if (address->kind == LITMUS_EXPRESSION_REGISTER) {
        *text = registers[address->index].name;
        return STATUS_OK;
    }
    *text = body->parser->test->locations[address->index].name;
    if (element && element->kind == LITMUS_EXPRESSION_CONSTANT)
        *text = arena_print(arena, "%s[%" PRId64 "]", *text, element->value);
    else if (element && element->kind == LITMUS_EXPRESSION_REGISTER)
        *text = arena_print(arena, "%s[%s]", *text, registers[element->index].name);
    else if (element)
        return parser_fail(body->parser, address->place, "expected a number or a register as the index of an operand");
    return STATUS_OK;
}

static enum status write_value(struct c_body *body, struct litmus_block *block, const char **text)
{
    struct litmus_expression *value;
    TRY(parse_c_full_expression(body, block, &value));
    if (value->kind == LITMUS_EXPRESSION_CONSTANT) {
        *text = arena_print(parser_arena(body->parser), "%" PRId64, value->value);
        return STATUS_OK;
    }
    if (value->kind != LITMUS_EXPRESSION_REGISTER)
        TRY(make_c_temporary(body, block, value, &value));
    *text = body->draft->thread.registers[value->index].name;
    return STATUS_OK;
}

/* Is a pointer at hand: "x", "x + 1", "&x[1]", not a value? */
static bool at_pointer(const struct c_body *body)
{
    const int location = parser_find_location(body->parser, &body->parser->token);
    struct scanner ahead = body->parser->scanner;
    struct token token = scanner_next(&ahead);
    while (parser_at(body->parser, "(") && token.kind == TOKEN_WORD)
        token = scanner_next(&ahead);
    if (parser_at(body->parser, "(") && token_is(&token, "*"))
        return true; /* a cast */
    return parser_at(body->parser, "&") || (location != LITMUS_NONE && body->draft->visible[location]);
}

/* "\"=r\"(r0)", "\"l\"(x)" or, without its name, "[address] \"l\"(x)". */
static enum status parse_asm_operand(struct c_body *body, struct litmus_block *block, bool output,
                                     struct assembly *assembly)
{
    struct parser *parser = body->parser;
    const struct token constraint = parser->token;
    const char **const text = &assembly->operands[assembly->count++];
    struct litmus_expression *address;
    if (constraint.kind != TOKEN_TEXT)
        return parser_expected(parser, "the constraint of an operand, such as \"r\" or \"=r\"");
    parser_advance(parser);
    TRY(parser_take(parser, "("));
    if (output) {
        const struct token name = parser->token;
        const int index = name.kind == TOKEN_WORD ? draft_find_register(body->draft, &name) : LITMUS_NONE;
        if (index == LITMUS_NONE)
            return parser_expected(parser, "a register of the thread");
        *text = body->draft->thread.registers[index].name;
        parser_advance(parser);
    } else if (at_pointer(body)) {
        TRY(parse_c_pointer(body, &address));
        TRY(write_pointer(body, address, text));
    } else
        TRY(write_value(body, block, text));
    return parser_take(parser, ")");
}

/* ": outputs : inputs : \"memory\"", of which the last may be left out; "::" is two colons. */
static enum status parse_asm_operands(struct c_body *body, struct litmus_block *block, struct assembly *assembly)
{
    struct parser *parser = body->parser;
    for (unsigned lists = 0; !parser_at(parser, ")");) {
        const bool two = parser_take_if(parser, "::");
        lists += two ? 2 : 1;
        if (!two)
            TRY(parser_take(parser, ":"));
        for (bool more = parser->token.kind == TOKEN_TEXT; more;) {
            if (assembly->count == MOST_OPERANDS)
                return parser_limit(parser, MOST_OPERANDS, "operands of asm");
            if (lists <= 2)
                TRY(parse_asm_operand(body, block, lists == 1, assembly));
            else
                parser_advance(parser);
            more = parser_take_if(parser, ",");
        }
    }
    return parser_take(parser, ")");
}

/* The strings with the operands in place: "%0" and, for a '%', "%%". Braces around instructions say nothing here. */
static enum status substitute(struct c_body *body, struct assembly *assembly, struct text *result)
{
    for (const char *at = text_string(&assembly->text); *at; at++) {
        char *end = NULL;
        const bool escape = at[0] == '\\' && at[1] != '\0', percent = at[0] == '%' && at[1] == '%';
        if (escape || percent) {
            text_add(result, escape ? " " : "%%");
            at++;
        } else if (at[0] == '%') {
            const unsigned long number = strtoul(at + 1, &end, 10);
            if (end == at + 1 || number >= assembly->count)
                return parser_fail(body->parser, assembly->start.place,
                                   "expected the number of an operand after '%%' in asm, found '%.8s'", at);
            text_add(result, "%s", assembly->operands[number]);
            at = end - 1;
        } else
            text_add_bytes(result, at, 1);
    }
    return STATUS_OK;
}

/* An access or a fence; what else PTX has stays in PTX tests. */
static enum status mark_statement(struct c_body *body, struct litmus_statement *statement)
{
    struct litmus_access *access = statement->kind == LITMUS_VECTOR ? &statement->vector.access
                                   : statement->value               ? statement->value->access
                                                                    : NULL;
    if (statement->kind == LITMUS_FENCE && statement->fence.proxy == LITMUS_GENERIC &&
        statement->fence.restriction == LITMUS_UNRESTRICTED) {
        statement->fence.spelling.library = true; /* the library's fence of that order and scope is the same */
        return STATUS_OK;
    }
    if (!access || operation_is_mbarrier(access->operation))
        return parser_fail(
            body->parser, statement->place,
            "expected ld, st, atom, red, fence or membar in asm (write a PTX test for other instructions)");
    if ((unsigned)access->type == LITMUS_TYPE_COUNT)
        return parser_fail(body->parser, statement->place,
                           "expected a type at the end of the instruction, such as .u32");
    access->spelling.assembly = true;
    return STATUS_OK;
}

static enum status parse_instructions(struct c_body *body, struct litmus_block *block, const struct assembly *assembly,
                                      const char *text)
{
    struct parser *parser = body->parser;
    struct litmus_block *own = &body->draft->thread.body;
    const struct position after = parser_position(parser);
    const struct litmus_block around = *own;
    const size_t before = block->count;
    *own = *block; /* where instructions go */
    parser->scanner =
        (struct scanner){.text = text, .size = strlen(text), .place = assembly->start.place, .mode = SCAN_PTX};
    parser_advance(parser);
    while (parser->token.kind != TOKEN_END) {
        if (!parser_take_if(parser, ";"))
            TRY(dialects[parser->test->dialect].parse_assembly(parser, body->draft));
    }
    for (size_t i = before; i < own->count; i++) {
        own->statements[i].place = assembly->start.place;
        own->statements[i].place.column += (unsigned)(i - before);
        TRY(mark_statement(body, &own->statements[i]));
    }
    const struct litmus_block done = *own;
    if (block != own)
        *own = around;
    *block = done;
    parser_return(parser, &after);
    return STATUS_OK;
}

enum status parse_c_asm(struct c_body *body, struct litmus_block *block, bool *found)
{
    struct parser *parser = body->parser;
    struct assembly assembly = {.start = parser->token};
    LOCAL(text) text = {0};
    *found =
        dialects[parser->test->dialect].parse_assembly && (parser_at(parser, "asm") || parser_at(parser, "__asm__"));
    if (!*found)
        return STATUS_OK;
    parser_advance(parser);
    (void)(parser_take_if(parser, "volatile") || parser_take_if(parser, "__volatile__"));
    if (body->draft->thread.placement.host)
        return parser_expected_not(parser, &assembly.start, "no PTX in a host thread");
    TRY(parser_take(parser, "("));
    for (; parser->token.kind == TOKEN_TEXT; parser_advance(parser))
        text_add_bytes(&assembly.text, parser->token.text, parser->token.size);
    enum status status = parse_asm_operands(body, block, &assembly);
    THEN(status, substitute(body, &assembly, &text));
    const char *const ptx = arena_copy(parser_arena(parser), text_string(&text));
    text_release(&assembly.text);
    TRY(status);
    TRY(parse_instructions(body, block, &assembly, ptx));
    return parser_take(parser, ";");
}
