// SPDX-License-Identifier: Apache-2.0
/* Threads of CUDA tests. */
#include "litmus/print/print_c.h"

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s%s%s*", location->region == LITMUS_LOCAL ? "__shared__ " : "",
             printer->points_to_volatile[index] ? "volatile " : "", type_word(LITMUS_CUDA, location->type));
}

void litmus_print_cuda_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct litmus_statement statement = {.fence = *fence};
    print_c_ordering(c_find_fence(C_CUDA, &statement.orders), LITMUS_CUDA, &statement.orders, text);
}

bool litmus_cuda_fence_is_library(const struct litmus_fence *fence)
{
    const struct litmus_statement statement = {.fence = *fence};
    return c_find_fence(C_CUDA, &statement.orders)->spelling.library;
}

static const struct c_style style = {
    .words = LITMUS_CUDA,
    .functions = C_CUDA,
    .parameter = print_parameter,
    .access = print_c_access,
};

void print_cuda_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
