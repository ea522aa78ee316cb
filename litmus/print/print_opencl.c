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

static const char *const legacy_names[LITMUS_OPERATION_COUNT] = {
    [LITMUS_EXCHANGE] = "xchg", [LITMUS_CAS] = "cmpxchg",   [LITMUS_CAS_WEAK] = "cmpxchg", [LITMUS_FETCH_ADD] = "add",
    [LITMUS_FETCH_SUB] = "sub", [LITMUS_FETCH_AND] = "and", [LITMUS_FETCH_OR] = "or",      [LITMUS_FETCH_XOR] = "xor",
    [LITMUS_FETCH_MIN] = "min", [LITMUS_FETCH_MAX] = "max",
};

const char *litmus_legacy_name(enum litmus_operation operation, bool step)
{
    if (step)
        return operation == LITMUS_FETCH_ADD ? "inc" : "dec";
    return legacy_names[operation];
}

static void print_legacy(const struct c_printer *printer, const struct litmus_access *access)
{
    text_add(printer->text, "%s%s(", access->spelling.legacy_atom ? "atom_" : "atomic_",
             litmus_legacy_name(access->operation, access->spelling.legacy_step));
    print_c_pointer(printer, access->address);
    const struct litmus_expression *const values[] = {access->expected,
                                                      access->spelling.legacy_step ? NULL : access->operand};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i]) {
            text_add(printer->text, ", ");
            print_c_expression(printer, values[i], 0);
        }
    text_add(printer->text, ")");
}

static void print_pixel(const struct c_printer *printer, const struct litmus_access *access)
{
    struct text *text = printer->text;
    text_add(text, "%s(%s, ", access->operand ? "write_imagei" : "read_imagei",
             printer->test->locations[access->address->index].name);
    if (access->address->left)
        print_c_expression(printer, access->address->left, 0);
    else
        text_add(text, "0");
    text_add(text, access->operand ? ", (int4)(" : ").x");
    if (!access->operand)
        return;
    print_c_expression(printer, access->operand, 0);
    text_add(text, ", 0, 0, 0))");
}

static bool is_pixel(const struct c_printer *printer, const struct litmus_expression *address)
{
    return address->kind == LITMUS_EXPRESSION_ADDRESS &&
           printer->test->locations[address->index].region == LITMUS_IMAGE;
}

static void print_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->spelling.legacy) {
        print_legacy(printer, access);
        return;
    }
    if (is_pixel(printer, access->address)) {
        print_pixel(printer, access);
        return;
    }
    if (access->order == LITMUS_PLAIN) {
        print_c_plain(printer, access);
        return;
    }
    print_c_call(printer, access, access->spelling.explicit_order);
    if (access->spelling.explicit_scope)
        text_add(printer->text, ", %s", litmus_scope_name(LITMUS_OPENCL, access->scope));
    text_add(printer->text, ")");
}

static void print_flags(struct text *text, bool global, bool local, bool image)
{
    const char *const flags[] = {global ? "CLK_GLOBAL_MEM_FENCE" : NULL, local ? "CLK_LOCAL_MEM_FENCE" : NULL,
                                 image ? "CLK_IMAGE_MEM_FENCE" : NULL};
    const char *separator = "";
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (!flags[i])
            continue;
        text_add(text, "%s%s", separator, flags[i]);
        separator = " | ";
    }
    text_add(text, "%s", *separator ? "" : "0");
}

void litmus_print_opencl_barrier(const struct litmus_barrier *barrier, struct text *text)
{
    text_add(text, "%s(",
             barrier->sub_group         ? "sub_group_barrier"
             : barrier->spelling.legacy ? "barrier"
                                        : "work_group_barrier");
    print_flags(text, barrier->flag_global, barrier->flag_local, barrier->flag_image);
    if (barrier->spelling.explicit_scope)
        text_add(text, ", %s", litmus_scope_name(LITMUS_OPENCL, barrier->scope));
    text_add(text, ")");
}

static void print_barrier(struct text *text, const struct litmus_barrier *barrier)
{
    if (barrier->instance)
        text_add(text, "%s: ", barrier->instance);
    litmus_print_opencl_barrier(barrier, text);
    text_add(text, ";\n");
}

static const char *legacy_fence(enum litmus_order order)
{
    return order == LITMUS_ACQUIRE ? "read_mem_fence" : order == LITMUS_RELEASE ? "write_mem_fence" : "mem_fence";
}

void litmus_print_opencl_fence(const struct litmus_fence *fence, struct text *text)
{
    text_add(text, "%s(", fence->spelling.legacy ? legacy_fence(fence->order) : "atomic_work_item_fence");
    print_flags(text, fence->flag_global, fence->flag_local, fence->flag_image);
    if (!fence->spelling.legacy)
        text_add(text, ", %s, %s", litmus_order_name(LITMUS_OPENCL, fence->order),
                 litmus_scope_name(LITMUS_OPENCL, fence->scope));
    text_add(text, ")");
}

static void print_fence(struct text *text, const struct litmus_fence *fence)
{
    litmus_print_opencl_fence(fence, text);
    text_add(text, ";\n");
}

static const struct c_style style = {
    .words = LITMUS_OPENCL,
    .parameter = print_parameter,
    .access = print_access,
    .fence = print_fence,
    .barrier = print_barrier,
};

void print_opencl_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
