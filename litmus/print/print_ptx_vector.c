// SPDX-License-Identifier: Apache-2.0
/* Vector accesses in the words of PTX. */
#include "litmus/language/words.h"
#include "litmus/print/print_ptx.h"

static void print_registers(const struct ptx_printer *printer, const struct litmus_vector *vector)
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

void print_ptx_vector(const struct ptx_printer *printer, const struct litmus_vector *vector)
{
    const struct litmus_access *access = &vector->access;
    print_ptx_access(printer, access);
    if (vector->whole)
        text_add(printer->text, ".b128 ");
    else
        text_add(printer->text, ".v%u.%s ", vector->lanes, word_name(ptx_type_words, (int)access->type));
    if (access->operation != LITMUS_STORE && !access->no_result)
        print_registers(printer, vector);
    text_add(printer->text, "[");
    print_ptx_operand(printer, access->address);
    text_add(printer->text, "]");
    if (vector->expected[0])
        print_values(printer, vector, vector->expected);
    if (vector->values[0])
        print_values(printer, vector, vector->values);
}
