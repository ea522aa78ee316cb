// SPDX-License-Identifier: Apache-2.0
/* Threads of VULKAN tests: one row per instruction, the words of each in Dat3M's order. */
#include "litmus/language/vulkan_instructions.h"
#include "litmus/print/print_ptx.h"
#include "litmus/print/printer.h"

void litmus_print_semantics(struct litmus_ordering ordering, struct text *text)
{
    for (enum vulkan_part part = VULKAN_OPERAND; part <= VULKAN_SEMANTICS; part++)
        vulkan_add_words(part, ordering, text);
}

/* ".av.dv.sc0", ".acq_rel.dv.semsc0", or what of it there is; in Dat3M's order. */
static void print_ordering(struct litmus_ordering ordering, struct text *text)
{
    vulkan_add_words(VULKAN_OPERAND, ordering, text);
    if (ordering.order > LITMUS_RELAXED)
        text_add(text, ".%s", vulkan_word_name(VULKAN_ORDER, ordering.order));
    if (ordering.scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", vulkan_word_name(VULKAN_SCOPE, ordering.scope));
    vulkan_add_words(VULKAN_STORAGE, ordering, text);
    vulkan_add_words(VULKAN_SEMANTICS, ordering, text);
}

static void print_access(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value->access;
    const bool atomic = access->order != LITMUS_PLAIN;
    const struct vulkan_instruction *row = vulkan_instruction_of(access->operation, atomic);
    text_add(printer->text, "%s%s", row ? row->name : "?", atomic ? ".atom" : "");
    print_ordering(access->ordering, printer->text);
    if (row && row->operation)
        text_add(printer->text, ".%s", row->operation);
    print_ptx_operands(printer, statement);
}

void litmus_print_vulkan_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct vulkan_instruction *host = vulkan_host_operation(fence->ordering);
    text_add(text, "%s", host ? host->name : "membar");
    print_ordering(fence->ordering, text);
}

static void print_barrier(const struct ptx_printer *printer, const struct litmus_barrier *barrier)
{
    text_add(printer->text, "cbar");
    print_ordering(barrier->ordering, printer->text);
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
