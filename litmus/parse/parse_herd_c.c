// SPDX-License-Identifier: Apache-2.0
/* C tests, as herd reads them: C11's atomic functions, without scopes. Each thread is a work-group of its own, on one
 * device, and whatever is atomic is so for that device. */
#include "litmus/parse/c_language.h"

#define ACCESS(name, operation, arguments, orders) C11_FUNCTION(name, operation, arguments, orders, "")

static const struct c_function functions[] = {
    C11_FUNCTIONS(ACCESS),
    C11_FLAG_FUNCTIONS(ACCESS),
    {"atomic_thread_fence", LITMUS_FENCE, LITMUS_OPERATION_COUNT, LITMUS_SEQ_CST, LITMUS_DEVICE, "o"},
    {.name = NULL},
};

const struct c_language c_language_herd = {
    .page = "language-c.md",
    .functions = functions,
    C11_WORDS,
    .a_parameter = "a pointer parameter such as atomic_int* x",
    .atomic_types = true,
    .notes_form = true,
    .fixed_places = true,
};

enum status parse_herd_c_threads(struct parser *parser)
{
    return parse_c_threads(parser, &c_language_herd);
}
