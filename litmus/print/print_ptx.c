// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests: one row per instruction. */
#include "litmus/print/print_ptx.h"
#include "litmus/language/ptx_instructions.h"
#include "litmus/print/print_c.h"

/* The type that an access has without a suffix. */
static enum litmus_type assumed_type(const struct ptx_printer *printer, const struct litmus_access *access)
{
    const int location = access->address->kind == LITMUS_EXPRESSION_ADDRESS
                             ? access->address->index
                             : printer->thread->registers[access->address->index].points_to;
    return location == LITMUS_NONE ? LITMUS_INT : printer->test->locations[location].type;
}

/* A suffix that the instruction may have and that is read as the type: PTX's cas has b16 only. */
static const char *type_suffix(const struct litmus_access *access)
{
    const bool bits = access->operation == LITMUS_CAS && access->type == LITMUS_SHORT;
    return bits ? "b16" : word_name(ptx_type_words, (int)access->type);
}

/* ".cg", or ".L1::no_allocate.L2::128B", or nothing. */
static void print_cache(const struct ptx_printer *printer, const struct litmus_access *access)
{
    if (access->cache != LITMUS_CACHE_NONE)
        text_add(printer->text, ".%s", litmus_cache_name(access->cache));
    if (access->prefetch != LITMUS_CACHE_NONE)
        text_add(printer->text, ".%s", litmus_cache_name(access->prefetch));
}

void print_ptx_access(const struct ptx_printer *printer, const struct litmus_access *access)
{
    const enum ptx_shape shape = access->operation == LITMUS_LOAD    ? PTX_LOAD
                                 : access->operation == LITMUS_STORE ? PTX_STORE
                                 : access->no_result                 ? PTX_RED
                                                                     : PTX_ATOM;
    if (access->read_only)
        text_add(printer->text, "ld.global.nc");
    else if (access->proxy == LITMUS_READONLY)
        text_add(printer->text, "ld.proxy::readonly.global");
    else
        text_add(printer->text, "%s%s.%s", ptx_access_name(shape, access->proxy), access->mmio ? ".mmio" : "",
                 litmus_order_name(LITMUS_PTX, access->order));
    if (access->order != LITMUS_PLAIN && access->order != LITMUS_VOLATILE)
        text_add(printer->text, ".%s", litmus_scope_name(LITMUS_PTX, access->scope));
    print_cache(printer, access);
    if (shape == PTX_ATOM || shape == PTX_RED)
        text_add(printer->text, ".%s", litmus_operation_name(LITMUS_PTX, access->operation));
}

/* ---- vectors ---- */

static void print_lanes(const struct ptx_printer *printer, const struct litmus_vector *vector)
{
    for (unsigned i = 0; i < vector->lanes; i++)
        text_add(printer->text, "%s%s", i == 0 ? "{" : ", ",
                 vector->registers[i] == LITMUS_NONE ? "_" : printer->thread->registers[vector->registers[i]].name);
    text_add(printer->text, "}, ");
}

static void print_values(const struct ptx_printer *printer, const struct litmus_vector *vector,
                         struct litmus_expression *const values[])
{
    for (unsigned i = 0; i < vector->lanes; i++) {
        text_add(printer->text, "%s", i == 0 ? ", {" : ", ");
        print_ptx_operand(printer, values[i]);
    }
    text_add(printer->text, "}");
}

static void print_vector(const struct ptx_printer *printer, const struct litmus_vector *vector)
{
    const struct litmus_access *access = &vector->access;
    print_ptx_access(printer, access);
    if (vector->whole)
        text_add(printer->text, ".b128 ");
    else
        text_add(printer->text, ".v%u.%s ", vector->lanes, word_name(ptx_type_words, (int)access->type));
    if (access->operation != LITMUS_STORE && !access->no_result)
        print_lanes(printer, vector);
    text_add(printer->text, "[");
    print_ptx_operand(printer, access->address);
    text_add(printer->text, "]");
    if (vector->expected[0])
        print_values(printer, vector, vector->expected);
    if (vector->values[0])
        print_values(printer, vector, vector->values);
}

/* ---- cells of host threads: C11's calls, whose scope is always the system's ---- */

/* A value outside parentheses: | would end the cell. */
static void print_host_value(const struct c_printer *printer, const struct litmus_expression *value)
{
    print_c_expression(printer, value, operator_level(LITMUS_OR) + 1);
}

static void print_host_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->order != LITMUS_PLAIN) {
        print_c_call(printer, access, true);
        text_add(printer->text, ")");
        return;
    }
    print_c_pointee(printer, access->address);
    if (!access->operand)
        return;
    text_add(printer->text, " = ");
    print_host_value(printer, access->operand);
}

static const struct c_style host_style = {.words = LITMUS_C, .access = print_host_access};

static void print_host_cell(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct c_printer c = {
        .style = &host_style, .test = printer->test, .thread = printer->thread, .text = printer->text};
    if (statement->kind == LITMUS_FENCE) {
        text_add(c.text, "atomic_thread_fence(%s)", litmus_order_name(LITMUS_C, statement->fence.order));
        return;
    }
    if (statement->kind == LITMUS_ASSIGN)
        text_add(c.text, "%s = ", c_register_name(&c, statement->target));
    print_host_value(&c, statement->value);
}

/* ---- instructions ---- */

static void print_access(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value->access;
    print_ptx_access(printer, access);
    if (access->type != assumed_type(printer, access))
        text_add(printer->text, ".%s", type_suffix(access));
    text_add(printer->text, " ");
    if (statement->kind == LITMUS_ASSIGN)
        text_add(printer->text, "%s, ", printer->thread->registers[statement->target].name);
    print_ptx_address(printer, access->address);
    print_ptx_further(printer, access->expected);
    print_ptx_further(printer, access->operand);
}

static void print_performed(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (statement->value->access->type == LITMUS_MBARRIER || statement->value->access->type == LITMUS_TENSORMAP)
        print_ptx_form(printer, statement);
    else
        print_access(printer, statement);
}

static void print_assignment(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    const char *const target = printer->thread->registers[statement->target].name;
    if (value->kind == LITMUS_EXPRESSION_ACCESS)
        print_performed(printer, statement);
    else if (value->kind == LITMUS_EXPRESSION_BINARY) {
        const char *const comparison = ptx_comparison_name(value->op);
        text_add(printer->text, "%s%s %s, ", comparison ? "setp." : "",
                 comparison ? comparison : ptx_operator_name(PTX_COMPUTE, value->op), target);
        print_ptx_binary(printer, value);
    } else {
        text_add(printer->text, "mov %s, ", target);
        print_ptx_operand(printer, value);
    }
}

void litmus_print_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct ptx_meaning meaning = ptx_meaning_of_fence(fence);
    ptx_add_words(&meaning, text);
}

static void print_cell(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (printer->thread->placement.host) {
        print_host_cell(printer, statement);
        return;
    }
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        print_assignment(printer, statement);
        break;
    case LITMUS_PERFORM:
        print_performed(printer, statement);
        break;
    case LITMUS_FENCE:
    case LITMUS_BARRIER:
    case LITMUS_COPY:
    case LITMUS_GROUP:
        print_ptx_form(printer, statement);
        break;
    case LITMUS_LABEL:
        text_add(printer->text, "%s:", printer->thread->labels[statement->label]);
        break;
    case LITMUS_GOTO:
        print_ptx_jump(printer, statement);
        break;
    case LITMUS_UNSUPPORTED:
        text_add(printer->text, "%s", statement->text);
        break;
    case LITMUS_VECTOR:
        print_vector(printer, &statement->vector);
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        break; /* no text of this dialect gives these */
    }
}

void print_ptx_threads(const struct litmus_test *test, struct text *text)
{
    print_columns(test, text, print_cell);
}
