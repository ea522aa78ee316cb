// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests: one column each. */
#include "litmus/parse/ptx_cell.h"

static enum status parse_cell(struct parser *parser, struct draft *draft, const char *what)
{
    if (draft->thread.placement.host)
        return parse_host_cell(parser, draft);
    if (parser_at(parser, "@"))
        return parse_ptx_predicated(parser, draft);
    struct token name;
    TRY(parser_take_word(parser, what, &name));
    return parse_ptx_instruction(parser, draft, &name);
}

enum status parse_ptx_threads(struct parser *parser)
{
    return parse_columns(parser, parse_cell);
}
