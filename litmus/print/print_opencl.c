// SPDX-License-Identifier: Apache-2.0
/* Threads of OPENCL tests. */
#include "litmus/print/print_c.h"

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s%s ", location->is_volatile ? "volatile " : "",
             thread_points_generic(printer->thread, index) ? "generic"
             : location->constant                          ? "constant"
             : location->region == LITMUS_LOCAL            ? "local"
                                                           : "global");
    print_c_type(LITMUS_OPENCL, thread_points_to(printer->test, printer->thread, index), location->atomic,
                 printer->text);
    text_add(printer->text, "*");
}

static void print_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->order == LITMUS_PLAIN) {
        print_c_plain(printer, access);
        return;
    }
    print_c_call(printer, access, access->explicit_order);
    if (access->explicit_scope)
        text_add(printer->text, ", %s", litmus_scope_name(LITMUS_OPENCL, access->scope));
    text_add(printer->text, ")");
}

static void print_flags(struct text *text, bool global, bool local)
{
    text_add(text, "%s%s%s", global ? "CLK_GLOBAL_MEM_FENCE" : "", global && local ? " | " : "",
             local    ? "CLK_LOCAL_MEM_FENCE"
             : global ? ""
                      : "0");
}

static void print_barrier(struct text *text, const struct litmus_barrier *barrier)
{
    if (barrier->instance)
        text_add(text, "%s: ", barrier->instance);
    text_add(text, "%s(", barrier->scope == LITMUS_WORK_GROUP ? "barrier" : "work_group_barrier");
    print_flags(text, barrier->flag_global, barrier->flag_local);
    if (barrier->scope != LITMUS_WORK_GROUP)
        text_add(text, ", %s", litmus_scope_name(LITMUS_OPENCL, barrier->scope));
    text_add(text, ");\n");
}

static void print_fence(struct text *text, const struct litmus_fence *fence)
{
    text_add(text, "atomic_work_item_fence(");
    print_flags(text, fence->flag_global, fence->flag_local);
    text_add(text, ", %s, %s);\n", litmus_order_name(LITMUS_OPENCL, fence->order),
             litmus_scope_name(LITMUS_OPENCL, fence->scope));
}

static const struct c_style style = {
    .parameter = print_parameter,
    .access = print_access,
    .fence = print_fence,
    .barrier = print_barrier,
};

void print_opencl_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
