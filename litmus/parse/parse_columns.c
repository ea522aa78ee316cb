// SPDX-License-Identifier: Apache-2.0
/* Threads as columns of instructions: one column each, in rows of cells. */
#include "litmus/parse/ptx_cell.h"

/* The words that may follow the rows. */
static const char *const trailers[] = {"exists", "forall",  "not",       "scopeTree",
                                       "scopes", "regions", "locations", "filter"};

static bool at_row(const struct parser *parser)
{
    for (size_t i = 0; i < sizeof trailers / sizeof *trailers; i++)
        if (parser_at(parser, trailers[i]))
            return false;
    if (parse_at_edge(parser))
        return false;
    return parser->token.kind == TOKEN_WORD || parser_at(parser, "|") || parser_at(parser, ";") ||
           parser_at(parser, "*") || parser_at(parser, "@");
}

static enum status parse_header_row(struct parser *parser)
{
    for (bool more = true; more;) {
        struct draft *draft;
        TRY(parser_start_thread(parser, &draft));
        TRY(parser_take_if(parser, "|", &more));
    }
    return parser_take(parser, ";");
}

/* A name means one thing in such a test: the text does not show whether an operand is a register or
 * a location. */
static enum status check_starts(struct parser *parser)
{
    for (size_t i = 0; i < parser->start_count; i++) {
        const struct token name = register_start_name(&parser->starts[i]);
        if (parser_find_location(parser, &name) != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register, not the name of a location");
    }
    return STATUS_OK;
}

static bool at_end_of_cell(const struct parser *parser)
{
    return parser_at(parser, "|") || parser_at(parser, ";");
}

/* "L:" */
static enum status take_label(struct parser *parser, struct draft *draft, bool *taken)
{
    struct scanner ahead = parser->scanner;
    const struct token name = parser->token, colon = scanner_next(&ahead);
    *taken = name.kind == TOKEN_WORD && token_is(&colon, ":");
    if (!*taken)
        return STATUS_OK;
    struct litmus_statement *statement;
    int label;
    TRY(parser_advance(parser));
    TRY(draft_label(parser, draft, &name, true, &label));
    TRY(parser_statement(parser, &draft->thread.body, LITMUS_LABEL, name.place, &statement));
    statement->label = label;
    return parser_advance(parser);
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

static enum status parse_row(struct parser *parser, parse_instruction_function *parse_instruction)
{
    for (size_t i = 0; i < parser->draft_count; i++) {
        if (i > 0)
            TRY(parser_take(parser, "|"));
        TRY(parse_cell(parser, parser->drafts[i], parse_instruction));
    }
    return parser_take(parser, ";");
}

enum status parse_columns(struct parser *parser, parse_instruction_function *parse_instruction)
{
    parser->scanner.mode = SCAN_PTX;
    TRY(parse_header_row(parser));
    TRY(check_starts(parser));
    while (at_row(parser))
        TRY(parse_row(parser, parse_instruction));
    parser->scanner.mode = SCAN_SECTIONS;
    for (size_t i = 0; i < parser->draft_count; i++)
        TRY(draft_close(parser, parser->drafts[i]));
    return parse_ptx_types(parser);
}
