// SPDX-License-Identifier: Apache-2.0
/* Threads of C tests, in the words that herd7 reads: elements are sums. A call without an order stays one. */
#include "litmus/print/print_c.h"

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s", location->is_volatile ? "volatile " : "");
    print_c_type(LITMUS_C, thread_points_to(printer->test, printer->thread, index), location->atomic, printer->text);
    text_add(printer->text, "*");
}

static const struct c_style style = {
    .words = LITMUS_C,
    .functions = C_HERD,
    .sums_pointers = true,
    .parameter = print_parameter,
    .access = print_c_access,
};

void print_herd_c_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
