// SPDX-License-Identifier: Apache-2.0
/* OPENCL tests: OpenCL C 3.0, 6.15.12 and 6.15.8. */
#include "litmus/language/c_language.h"

/* An atomic function without an order is seq_cst, and without a scope device-wide. */
#define ACCESS(name, operation, arguments, orders)                                                                     \
    {"atomic_" name, LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments},                             \
    {                                                                                                                  \
        "atomic_" name "_explicit", LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments orders "?s"    \
    }
#define BARRIER(name, arguments)                                                                                       \
    {                                                                                                                  \
        name, LITMUS_BARRIER, LITMUS_OPERATION_COUNT, LITMUS_PLAIN, LITMUS_WORK_GROUP, arguments                       \
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
    ACCESS("fetch_min", LITMUS_FETCH_MIN, "pv", "o"),
    ACCESS("fetch_max", LITMUS_FETCH_MAX, "pv", "o"),
    {"atomic_work_item_fence", LITMUS_FENCE, LITMUS_OPERATION_COUNT, LITMUS_SEQ_CST, LITMUS_DEVICE, "fos"},
    BARRIER("barrier", "f"),
    BARRIER("work_group_barrier", "f?s"),
    {.name = NULL},
};

const struct c_language c_language_opencl = {
    .functions = functions,
    .orders = c_order_words,
    .scopes = c_scope_words,
    .regions = region_words,
    .an_order = "an order such as memory_order_relaxed",
    .a_scope = "a scope such as memory_scope_device",
    .a_parameter = "a pointer parameter such as global atomic_int* x",
    .atomic_types = true,
    .notes_form = true,
};

enum status parse_opencl_threads(struct parser *parser)
{
    do
        TRY(parse_c_thread(parser, &c_language_opencl, NULL));
    while (parse_c_more_threads(parser));
    return STATUS_OK;
}
