// SPDX-License-Identifier: Apache-2.0
/* Instructions of PTX that have all their words in a row of the table, and their operands. */
#include "litmus/print/print_ptx.h"

#include <inttypes.h>

#include "litmus/language/ptx_instructions.h"

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

static void print_mbarrier(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    print_place(printer, statement->kind == LITMUS_COPY    ? statement->copy.mbarrier
                         : statement->kind == LITMUS_GROUP ? statement->group.mbarrier
                                                           : statement->value->access->address);
}

static void print_barrier(const struct ptx_printer *printer, const struct litmus_barrier *barrier)
{
    text_add(printer->text, "%s", barrier->instance);
    print_ptx_further(printer, barrier->resource);
    print_ptx_further(printer, barrier->quorum);
}

/* The operand of a letter of the table. */
static void print_operand(const struct ptx_printer *printer, char letter, const struct litmus_statement *statement)
{
    switch (letter) {
    case 't':
    case 'T':
        print_side(printer, statement->copy.to);
        break;
    case 'f':
        print_side(printer, statement->copy.from);
        break;
    case 'b':
        text_add(printer->text, "%" PRIu32, statement->copy.bytes);
        break;
    case 'v':
        print_ptx_operand(printer, statement->copy.value);
        break;
    case 'm':
    case 'M':
        print_mbarrier(printer, statement);
        break;
    case 'k':
        text_add(printer->text, "%u", mask_of(printer, &statement->copy));
        break;
    case 'n':
        text_add(printer->text, "%" PRIu32, statement->group.pending);
        break;
    case 'r':
        text_add(printer->text, "%s", printer->thread->registers[statement->target].name);
        break;
    case 'I':
        print_barrier(printer, &statement->barrier);
        break;
    case 'a':
        print_place(printer,
                    statement->kind == LITMUS_FENCE ? statement->fence.map : statement->value->access->address);
        break;
    case 'A':
        print_place(printer, statement->fence.from);
        break;
    case 's':
        text_add(printer->text, "128");
        break;
    case '_':
        text_add(printer->text, "_");
        break;
    default:
        print_ptx_operand(printer, statement->value->access->operand);
        break;
    }
}

void print_ptx_form(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct ptx_meaning meaning = ptx_meaning_of(printer->test, printer->thread, statement);
    const struct ptx_instruction *row = ptx_find_meaning(&meaning);
    ptx_add_words(&meaning, printer->text);
    for (const char *letter = row ? row->operands : ""; *letter && *letter != 'R'; letter++) {
        if (*letter == 'c' && statement->value->access->operand->value == 1)
            break;
        text_add(printer->text, letter == row->operands ? " " : ", ");
        print_operand(printer, *letter, statement);
    }
}
