// SPDX-License-Identifier: Apache-2.0
/* Threads of CUDA tests: a built-in function if one has exactly this meaning, else
 * cuda::atomic_ref. */
#include "litmus/language/order.h"
#include "litmus/parse/c_language.h"
#include "litmus/print/print_c.h"

#include <string.h>

static void print_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s%s%s*", location->region == LITMUS_LOCAL ? "__shared__ " : "",
             printer->points_to_volatile[index] ? "volatile " : "", type_word(LITMUS_CUDA, location->type));
}

static void print_volatile(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->address->kind == LITMUS_EXPRESSION_ADDRESS && printer->points_to_volatile[access->address->index]) {
        print_c_plain(printer, access);
        return;
    }
    text_add(printer->text, "*(volatile %s*)", type_word(LITMUS_CUDA, access->type));
    print_c_pointer(printer, access->address);
    if (access->operand) {
        text_add(printer->text, " = ");
        print_c_expression(printer, access->operand, 0);
    }
}

const char *litmus_cuda_function(enum litmus_operation operation, enum litmus_order order, enum litmus_scope scope,
                                 bool expects_value)
{
    for (const struct c_function *function = c_language_cuda.functions; function->name; function++)
        if (function->kind == LITMUS_PERFORM && function->operation == operation && function->order == order &&
            function->scope == scope && (strchr(function->arguments, 'x') != NULL) == expects_value)
            return function->name;
    return NULL;
}

/* The built-in function that the access is written as, or NULL. */
static const char *built_in(const struct litmus_access *access)
{
    return access->spelling.library
               ? NULL
               : litmus_cuda_function(access->operation, access->order, access->scope, access->expected != NULL);
}

static void print_built_in(const struct c_printer *printer, const char *function, const struct litmus_access *access)
{
    text_add(printer->text, "%s(", function);
    print_c_pointer(printer, access->address);
    if (access->expected) {
        text_add(printer->text, ", ");
        print_c_expression(printer, access->expected, 0);
    }
    text_add(printer->text, ", ");
    print_c_expression(printer, access->operand, 0);
    text_add(printer->text, ")");
}

static void print_method(const struct c_printer *printer, const struct litmus_access *access)
{
    struct text *text = printer->text;
    text_add(text, "%s<%s, %s>(", c_language_cuda.reference, type_word(LITMUS_CUDA, access->type),
             litmus_scope_name(LITMUS_CUDA, access->scope));
    print_c_pointee(printer, access->address);
    text_add(text, ").%s(", litmus_operation_name(LITMUS_CUDA, access->operation));
    if (operation_compares(access->operation) && access->expected_register != LITMUS_NONE)
        text_add(text, "%s, ", c_register_name(printer, access->expected_register));
    else if (operation_compares(access->operation) && access->expected_address) {
        print_c_pointee(printer, access->expected_address);
        text_add(text, ", ");
    }
    if (access->operand) {
        print_c_expression(printer, access->operand, 0);
        text_add(text, ", ");
    }
    text_add(text, "%s", litmus_order_name(LITMUS_CUDA, access->order));
    if (operation_compares(access->operation) && access->failure != order_of_read(access->order))
        text_add(text, ", %s", litmus_order_name(LITMUS_CUDA, access->failure));
    text_add(text, ")");
}

static void print_access(const struct c_printer *printer, const struct litmus_access *access)
{
    const char *const function = built_in(access);
    if (access->order == LITMUS_PLAIN)
        print_c_plain(printer, access);
    else if (access->order == LITMUS_VOLATILE)
        print_volatile(printer, access);
    else if (function)
        print_built_in(printer, function, access);
    else
        print_method(printer, access);
}

/* The function without arguments that is this fence or this barrier, or NULL. */
static const char *simple_function(enum litmus_statement_kind kind, enum litmus_order order, enum litmus_scope scope)
{
    for (const struct c_function *function = c_language_cuda.functions; function->name; function++)
        if (function->kind == kind && function->order == order && function->scope == scope && !*function->arguments)
            return function->name;
    return NULL;
}

static const char *simple_fence(const struct litmus_fence *fence)
{
    return fence->spelling.library ? NULL : simple_function(LITMUS_FENCE, fence->order, fence->scope);
}

bool litmus_cuda_fence_is_library(const struct litmus_fence *fence)
{
    return !simple_fence(fence);
}

void litmus_print_cuda_fence(const struct litmus_fence *fence, struct text *text)
{
    const char *const simple = simple_fence(fence);
    if (simple)
        text_add(text, "%s()", simple);
    else
        text_add(text, "cuda::atomic_thread_fence(%s, %s)", litmus_order_name(LITMUS_CUDA, fence->order),
                 litmus_scope_name(LITMUS_CUDA, fence->scope));
}

static void print_fence(struct text *text, const struct litmus_fence *fence)
{
    litmus_print_cuda_fence(fence, text);
    text_add(text, ";\n");
}

static void print_barrier(struct text *text, const struct litmus_barrier *barrier)
{
    const char *const simple = simple_function(LITMUS_BARRIER, LITMUS_PLAIN, barrier->scope);
    if (barrier->instance)
        text_add(text, "%s: ", barrier->instance);
    text_add(text, "%s();\n", simple ? simple : "__syncthreads");
}

static const struct c_style style = {
    .words = LITMUS_CUDA,
    .parameter = print_parameter,
    .access = print_access,
    .fence = print_fence,
    .barrier = print_barrier,
};

void print_cuda_threads(const struct litmus_test *test, struct text *text)
{
    print_c_threads(test, &style, text);
}
