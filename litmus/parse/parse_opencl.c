// SPDX-License-Identifier: Apache-2.0
/* OPENCL tests: OpenCL C 3.0, 6.15.12 and 6.15.8. */
#include "litmus/language/c_language.h"

#define ACCESS(name, operation, arguments, orders) C11_FUNCTION(name, operation, arguments, orders, "?s")
#define BARRIER(name, arguments)                                                                                       \
    {                                                                                                                  \
        name, LITMUS_BARRIER, LITMUS_OPERATION_COUNT, LITMUS_PLAIN, LITMUS_WORK_GROUP, arguments                       \
    }

static const struct c_function functions[] = {
    C11_FUNCTIONS(ACCESS),
    C11_FLAG_FUNCTIONS(ACCESS),
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
    .generic_pointers = true,
    .notes_form = true,
};

enum status parse_opencl_threads(struct parser *parser)
{
    return parse_c_threads(parser, &c_language_opencl);
}
