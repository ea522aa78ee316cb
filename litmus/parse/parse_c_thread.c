// SPDX-License-Identifier: Apache-2.0
/* Threads of tests that are written in C: "P0@wg 0, dev 0 (global atomic_int* x) { ... }". */
#include "litmus/language/c_body.h"

static enum status parse_thread(struct parser *parser, const struct c_language *language)
{
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
    unsigned number;
    do
        TRY(parse_thread(parser, language));
    while (parser->token.kind == TOKEN_WORD && token_is_thread(&parser->token, &number) && !parse_at_edge(parser));
    return STATUS_OK;
}
