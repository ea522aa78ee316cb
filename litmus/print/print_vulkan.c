// SPDX-License-Identifier: Apache-2.0
/* Threads of VULKAN tests: one row per instruction, the words of each in Dat3M's order. */
#include "litmus/language/order.h"
#include "litmus/language/words.h"
#include "litmus/print/print_ptx.h"
#include "litmus/print/printer.h"

void litmus_print_semantics(unsigned semantics, struct text *text)
{
    for (const struct word *word = vulkan_semantics_words; word->text; word++)
        if (semantics & (unsigned)word->value)
            text_add(text, ".%s", word->text);
}

/* ".acq_rel.dv", or what of it there is. */
static void print_order(enum litmus_order order, enum litmus_scope scope, struct text *text)
{
    if (order > LITMUS_RELAXED)
        text_add(text, ".%s", litmus_order_name(LITMUS_VULKAN, order));
    if (scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", litmus_scope_name(LITMUS_VULKAN, scope));
}

static void print_access(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    static const unsigned before_scope = LITMUS_AVAILABLE | LITMUS_VISIBLE | LITMUS_NON_PRIVATE;
    const struct litmus_access *access = statement->value->access;
    const bool updates = !operation_moves(access->operation);
    text_add(printer->text, "%s%s", litmus_operation_name(LITMUS_VULKAN, updates ? LITMUS_EXCHANGE : access->operation),
             access->order == LITMUS_PLAIN ? "" : ".atom");
    litmus_print_semantics(access->semantics & before_scope, printer->text);
    print_order(access->order, access->scope, printer->text);
    litmus_print_semantics(access->semantics & ~before_scope, printer->text);
    if (updates && access->operation != LITMUS_EXCHANGE)
        text_add(printer->text, ".%s", litmus_operation_name(LITMUS_VULKAN, access->operation));
    print_ptx_operands(printer, statement);
}

void litmus_print_vulkan_fence(const struct litmus_fence *fence, struct text *text)
{
    if (fence->order == LITMUS_PLAIN) {
        text_add(text, "%s", word_name(vulkan_semantics_words, (int)fence->semantics));
        return;
    }
    text_add(text, "membar");
    print_order(fence->order, fence->scope, text);
    litmus_print_semantics(fence->semantics, text);
}

static void print_barrier(const struct ptx_printer *printer, const struct litmus_barrier *barrier)
{
    text_add(printer->text, "cbar");
    print_order(barrier->order, barrier->scope, printer->text);
    litmus_print_semantics(barrier->semantics, printer->text);
    text_add(printer->text, " %s", barrier->instance);
    print_ptx_further(printer, barrier->resource);
    print_ptx_further(printer, barrier->quorum);
}

static void print_memory(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (statement->kind == LITMUS_FENCE)
        litmus_print_vulkan_fence(&statement->fence, printer->text);
    else if (statement->kind == LITMUS_BARRIER)
        print_barrier(printer, &statement->barrier);
    else
        print_access(printer, statement);
}

static void print_cell(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    print_ptx_statement(printer, statement, print_memory);
}

/* "{ ssw 0 1; }", if the host orders any threads. */
static void print_ssw(const struct litmus_test *test, struct text *text)
{
    for (size_t i = 0; i < test->edge_count; i++) {
        text_add(text, i == 0 ? "{ " : " ");
        litmus_print_edge(test, &test->edges[i], text);
        text_add(text, ";");
    }
    if (test->edge_count > 0)
        text_add(text, " }\n");
}

void print_vulkan_threads(const struct litmus_test *test, struct text *text)
{
    print_ssw(test, text);
    print_columns(test, text, print_cell);
}
