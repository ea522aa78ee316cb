// SPDX-License-Identifier: Apache-2.0
/* Threads of C tests, in the words that herd7 reads: elements are sums. A call without an order stays one. */
#include "litmus/language/words.h"
#include "litmus/print/print_c.h"

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s", location->is_volatile ? "volatile " : "");
    print_c_type(LITMUS_C, thread_points_to(printer->test, printer->thread, index), location->atomic, printer->text);
    text_add(printer->text, "*");
}

static void print_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->order == LITMUS_PLAIN) {
        print_c_plain(printer, access);
        return;
    }
    print_c_call(printer, access, access->spelling.explicit_order);
    text_add(printer->text, ")");
}

static void print_fence(struct text *text, const struct litmus_fence *fence)
{
    text_add(text, "atomic_thread_fence(%s);\n", litmus_order_name(LITMUS_C, fence->order));
}

static const struct c_style style = {
    .words = LITMUS_C,
    .sums_pointers = true,
    .parameter = print_parameter,
    .access = print_access,
    .fence = print_fence,
};

void print_herd_c_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
