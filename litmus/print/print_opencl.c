// SPDX-License-Identifier: Apache-2.0
/* Threads of OPENCL tests. */
#include "litmus/print/print_c.h"

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    if (location->region == LITMUS_IMAGE) {
        text_add(printer->text, "read_write image1d_t");
        return;
    }
    text_add(printer->text, "%s%s ", location->is_volatile ? "volatile " : "",
             thread_points_generic(printer->thread, index) ? "generic"
             : location->constant                          ? "constant"
             : location->region == LITMUS_LOCAL            ? "local"
                                                           : "global");
    print_c_type(LITMUS_OPENCL, thread_points_to(printer->test, printer->thread, index), location->atomic,
                 printer->text);
    text_add(printer->text, "*");
}

void litmus_print_opencl_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct litmus_statement statement = {.fence = *fence};
    print_c_ordering(c_find_fence(C_OPENCL, &statement.orders), LITMUS_OPENCL, &statement.orders, text);
}

void litmus_print_opencl_barrier(const struct litmus_barrier *barrier, struct text *text)
{
    const struct litmus_statement statement = {.barrier = *barrier};
    print_c_ordering(c_find_barrier(C_OPENCL, &statement.orders, barrier->sub_group), LITMUS_OPENCL, &statement.orders,
                     text);
}

static const struct c_style style = {
    .words = LITMUS_OPENCL,
    .functions = C_OPENCL,
    .parameter = print_parameter,
    .access = print_c_access,
};

void print_opencl_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
