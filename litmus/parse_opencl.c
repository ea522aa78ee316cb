// SPDX-License-Identifier: Apache-2.0
/* Threads of OPENCL tests: "P0@wg 0, dev 0 (global atomic_int* x) { ... }". */
#include "litmus/c_language.h"

static const struct c_function functions[] = {
    {"atomic_load", C_LOAD, LITMUS_LOAD, false},
    {"atomic_store", C_MODIFY, LITMUS_STORE, false},
    {"atomic_exchange", C_MODIFY, LITMUS_EXCHANGE, false},
    {"atomic_compare_exchange_strong", C_COMPARE, LITMUS_CAS, false},
    {"atomic_compare_exchange_weak", C_COMPARE, LITMUS_CAS_WEAK, false},
    {"atomic_fetch_add", C_MODIFY, LITMUS_FETCH_ADD, false},
    {"atomic_fetch_sub", C_MODIFY, LITMUS_FETCH_SUB, false},
    {"atomic_fetch_and", C_MODIFY, LITMUS_FETCH_AND, false},
    {"atomic_fetch_or", C_MODIFY, LITMUS_FETCH_OR, false},
    {"atomic_fetch_xor", C_MODIFY, LITMUS_FETCH_XOR, false},
    {"atomic_fetch_min", C_MODIFY, LITMUS_FETCH_MIN, false},
    {"atomic_fetch_max", C_MODIFY, LITMUS_FETCH_MAX, false},
    {"atomic_work_item_fence", C_FENCE, LITMUS_OPERATION_COUNT, false},
    {"barrier", C_BARRIER, LITMUS_OPERATION_COUNT, false},
    {"work_group_barrier", C_BARRIER, LITMUS_OPERATION_COUNT, true},
    {NULL, C_LOAD, LITMUS_OPERATION_COUNT, false},
};

/* OpenCL C 3.0, 6.15.12: an atomic function without an order is seq_cst, and without a scope device-wide. */
static const struct c_language language = {functions, c_order_words, c_scope_words, LITMUS_SEQ_CST, LITMUS_DEVICE};

/* What stands before the name of a parameter, in any order. */
struct qualifiers {
    enum litmus_type type;
    bool typed, atomic, is_volatile, placed;
    enum litmus_region region;
};

static enum status parse_qualifiers(struct parser *parser, struct qualifiers *qualifiers)
{
    *qualifiers = (struct qualifiers){.region = LITMUS_GLOBAL};
    while (!parser_at(parser, "*")) {
        if (!qualifiers->typed) {
            TRY(parser_type(parser, &qualifiers->type, &qualifiers->atomic, &qualifiers->typed));
            if (qualifiers->typed)
                continue;
        }
        const int region = word_find(region_words, &parser->token);
        if (region != LITMUS_NONE && !qualifiers->placed) {
            qualifiers->placed = true;
            qualifiers->region = (enum litmus_region)region;
        } else if (parser_at(parser, "volatile"))
            qualifiers->is_volatile = true;
        else if (!parser_at(parser, "const"))
            return parser_expected(parser, "a pointer parameter such as global atomic_int* x");
        TRY(parser_advance(parser));
    }
    if (!qualifiers->typed)
        return parser_expected(parser, "a type such as int or atomic_int before '*'");
    return parser_advance(parser);
}

static enum status parse_parameter(struct parser *parser, struct draft *draft)
{
    struct qualifiers qualifiers;
    struct token name;
    int index;
    TRY(parse_qualifiers(parser, &qualifiers));
    TRY(parser_take_word(parser, "the name of a parameter", &name));
    TRY(parser_location(parser, &name, &index));
    if (draft->visible[index] || draft_find_register(draft, &name) != LITMUS_NONE)
        return parser_expected_not(parser, &name, "a name that the thread does not have yet");
    draft->visible[index] = true;
    TRY(parser_type_location(parser, index, qualifiers.type, name.place));
    TRY(parser_place_location(parser, index, qualifiers.region, name.place));
    parser->test->locations[index].atomic |= qualifiers.atomic;
    parser->test->locations[index].is_volatile |= qualifiers.is_volatile;
    return STATUS_OK;
}

static enum status parse_thread(struct parser *parser)
{
    struct draft *draft;
    TRY(parser_start_thread(parser, &draft));
    TRY(parser_take(parser, "("));
    for (bool more = !parser_at(parser, ")"); more;) {
        TRY(parse_parameter(parser, draft));
        TRY(parser_take_if(parser, ",", &more));
    }
    TRY(parser_take(parser, ")"));
    return parse_c_body(parser, draft, &language);
}

enum status parse_opencl_threads(struct parser *parser)
{
    unsigned number;
    do
        TRY(parse_thread(parser));
    while (parser->token.kind == TOKEN_WORD && token_is_thread(&parser->token, &number));
    return STATUS_OK;
}
