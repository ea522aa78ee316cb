// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests: one row per instruction. */
#include "litmus/print/print_ptx.h"

#include <inttypes.h>
#include <string.h>

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
    ptx_add_access(access, NULL, printer->text);
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

/* ---- instructions that have all their words in a row of the table ---- */

/* "[x]", or "[{d, e}]" of a multicast. */
static void print_place(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    const bool several = address->right != NULL;
    text_add(printer->text, several ? "[{" : "[");
    for (const struct litmus_expression *place = address; place; place = place->right) {
        text_add(printer->text, place == address ? "" : ", ");
        print_ptx_operand(printer, place);
    }
    text_add(printer->text, several ? "}]" : "]");
}

static const struct litmus_location *location_of(const struct ptx_printer *printer,
                                                 const struct litmus_expression *address)
{
    return &printer->test->locations[address->index];
}

static bool is_map(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    return location_of(printer, address)->type == LITMUS_TENSORMAP;
}

/* A place, or the box at the start of what a tensor map names. */
static void print_side(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    if (is_map(printer, address))
        text_add(printer->text, "[%s, {0}]", location_of(printer, address)->name);
    else
        print_place(printer, address);
}

/* A bit for the work-group of each destination of a multicast. */
static unsigned mask_of(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    unsigned mask = 0;
    for (const struct litmus_expression *to = copy->to; to; to = to->right) {
        const int home = location_of(printer, to)->home;
        mask |= 1U << (unsigned)(home == LITMUS_NONE ? printer->thread->placement.work_group : home);
    }
    return mask;
}

/* The operand of a letter of the table. */
static void print_operand(const struct ptx_printer *printer, char letter, struct litmus_statement *statement)
{
    if (letter == 'r')
        text_add(printer->text, "%s", printer->thread->registers[statement->target].name);
    else if (letter == '_')
        text_add(printer->text, "_");
    else if (letter == 'I')
        text_add(printer->text, "%s", statement->barrier.instance);
    else if (strchr("bnks", letter))
        text_add(printer->text, "%" PRIu32,
                 letter == 'b'   ? statement->copy.bytes
                 : letter == 'n' ? statement->group.pending
                 : letter == 'k' ? mask_of(printer, &statement->copy)
                                 : 128);
    else if (strchr("tf", letter))
        print_side(printer, *ptx_operand(statement, letter));
    else if (strchr("TmMaA", letter))
        print_place(printer, *ptx_operand(statement, letter));
    else
        print_ptx_operand(printer, *ptx_operand(statement, letter));
}

static void print_form(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct ptx_meaning meaning = ptx_meaning_of(printer->test, printer->thread, statement);
    const struct ptx_instruction *row = ptx_find_meaning(&meaning);
    struct litmus_statement read = *statement;
    ptx_add_words(&meaning, NULL, printer->text);
    for (const char *letter = row ? row->operands : ""; *letter && *letter != 'R'; letter++) {
        if (*letter == 'c' && statement->value->access->operand->value == 1)
            break;
        text_add(printer->text, letter == row->operands ? " " : ", ");
        print_operand(printer, *letter, &read);
    }
    if (statement->kind == LITMUS_BARRIER) {
        print_ptx_further(printer, statement->barrier.resource);
        print_ptx_further(printer, statement->barrier.quorum);
    }
}

/* ---- cells of host threads: C11's calls, whose scope is always the system's ---- */

/* A value outside parentheses: | would end the cell. */
static void print_host_value(const struct c_printer *printer, const struct litmus_expression *value)
{
    print_c_expression(printer, value, operator_level(LITMUS_OR) + 1);
}

static void print_host_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (print_c_call(printer, access))
        return;
    print_c_pointee(printer, access->address);
    if (!access->operand)
        return;
    text_add(printer->text, " = ");
    print_host_value(printer, access->operand);
}

static const struct c_style host_style = {.words = LITMUS_C, .functions = C_HOST, .access = print_host_access};

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
    ptx_add_access(access, NULL, printer->text);
    if (access->type != assumed_type(printer, access))
        text_add(printer->text, ".%s", type_suffix(access));
    print_ptx_operands(printer, statement);
}

static void print_memory(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const bool accesses = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    const enum litmus_type type = accesses ? statement->value->access->type : LITMUS_INT;
    if (statement->kind == LITMUS_VECTOR)
        print_vector(printer, &statement->vector);
    else if (accesses && type != LITMUS_MBARRIER && type != LITMUS_TENSORMAP)
        print_access(printer, statement);
    else
        print_form(printer, statement);
}

void litmus_print_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct litmus_statement statement = {.kind = LITMUS_FENCE, .fence = *fence};
    const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
    ptx_add_words(&meaning, NULL, text);
}

static void print_cell(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (printer->thread->placement.host)
        print_host_cell(printer, statement);
    else
        print_ptx_statement(printer, statement, print_memory);
}

void print_ptx_threads(const struct litmus_test *test, struct text *text)
{
    print_columns(test, text, print_cell);
}
