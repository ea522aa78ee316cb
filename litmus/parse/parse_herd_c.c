// SPDX-License-Identifier: Apache-2.0
/* C tests, as herd reads them: C11's atomic functions, without scopes. Each thread is a work-group of its own, on one
 * device, and whatever is atomic is so for that device. */
#include "litmus/language/c_language.h"

#define ACCESS(name, operation, arguments, orders)                                                                     \
    {"atomic_" name, LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments},                             \
    {                                                                                                                  \
        "atomic_" name "_explicit", LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments orders         \
    }

static const struct c_function functions[] = {
    ACCESS("load", LITMUS_LOAD, "p", "o"),
    ACCESS("store", LITMUS_STORE, "pv", "o"),
    ACCESS("exchange", LITMUS_EXCHANGE, "pv", "o"),
    ACCESS("compare_exchange_strong", LITMUS_CAS, "pev", "on"),
    ACCESS("compare_exchange_weak", LITMUS_CAS_WEAK, "pev", "on"),
    ACCESS("fetch_add", LITMUS_FETCH_ADD, "pv", "o"),
    ACCESS("fetch_sub", LITMUS_FETCH_SUB, "pv", "o"),
    ACCESS("fetch_and", LITMUS_FETCH_AND, "pv", "o"),
    ACCESS("fetch_or", LITMUS_FETCH_OR, "pv", "o"),
    ACCESS("fetch_xor", LITMUS_FETCH_XOR, "pv", "o"),
    {"atomic_thread_fence", LITMUS_FENCE, LITMUS_OPERATION_COUNT, LITMUS_SEQ_CST, LITMUS_DEVICE, "o"},
    {.name = NULL},
};

static const struct word no_words[] = {{NULL, 0}};

const struct c_language c_language_herd = {
    .functions = functions,
    .orders = c_order_words,
    .scopes = no_words,
    .regions = no_words,
    .an_order = "an order such as memory_order_relaxed",
    .a_scope = "no scope",
    .a_parameter = "a pointer parameter such as atomic_int* x",
    .atomic_types = true,
};

static enum status parse_thread(struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const struct token behind = scanner_next(&ahead);
    if (token_is(&behind, "@") || token_is(&behind, ".."))
        return parser_expected_not(parser, &behind, "'(' (a C test has one thread to a work-group, all on one device)");
    struct draft *draft;
    TRY(parse_c_thread(parser, &c_language_herd, &draft));
    draft->thread.placement.work_group = (int)draft->thread.first;
    draft->thread.placement.device = 0;
    return STATUS_OK;
}

enum status parse_herd_c_threads(struct parser *parser)
{
    do
        TRY(parse_thread(parser));
    while (parse_c_more_threads(parser));
    return STATUS_OK;
}
