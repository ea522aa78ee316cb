// SPDX-License-Identifier: Apache-2.0
/* Vector accesses and vector registers in the words of OPENCL. */
#include <string.h>

#include "litmus/language/words.h"
#include "litmus/print/print_c.h"

/* The length of a first component's name without the ".s0" at its end; 0 for other names. */
static size_t stem_of(const char *name)
{
    const size_t size = strlen(name);
    return size > 3 && strcmp(name + size - 3, ".s0") == 0 ? size - 3 : 0;
}

unsigned c_vector_lanes(const struct litmus_thread *thread, size_t index)
{
    const size_t stem = stem_of(thread->registers[index].name);
    unsigned lanes = 1;
    while (stem > 0 && index + lanes < thread->register_count) {
        const char *const name = thread->registers[index + lanes].name;
        if (strncmp(name, thread->registers[index].name, stem + 2) != 0 || name[stem + 2] != (char)('0' + lanes) ||
            name[stem + 3] != '\0')
            break;
        lanes++;
    }
    return lanes;
}

void print_c_declared(const struct c_printer *printer, size_t index)
{
    const struct litmus_register *own = &printer->thread->registers[index];
    const unsigned lanes = c_vector_lanes(printer->thread, index);
    const char *const type = type_word(printer->test->dialect, own->type);
    if (lanes == 1)
        text_add(printer->text, "%s %s", type, own->name);
    else
        text_add(printer->text, "%s%u %.*s", type, lanes, (int)stem_of(own->name), own->name);
}

/* "(global int4 *)x", after the star. */
static void print_cast(const struct c_printer *printer, const struct litmus_vector *vector)
{
    const struct litmus_expression *address = vector->access.address;
    const struct litmus_location *location = &printer->test->locations[address->index];
    text_add(printer->text, "*(%s%s%s%u *)", address->generic ? "" : region_name(location->region),
             address->generic ? "" : " ", type_word(printer->test->dialect, vector->access.type), vector->lanes);
    print_c_pointer(printer, address);
}

static void print_load(struct c_printer *printer, const struct litmus_vector *vector)
{
    const size_t first = (size_t)vector->registers[0];
    const char *const name = printer->thread->registers[first].name;
    if (first == printer->declared) {
        print_c_declared(printer, first);
        printer->declared += vector->lanes;
    } else
        text_add(printer->text, "%.*s", (int)stem_of(name), name);
    text_add(printer->text, " = ");
    if (!vector->unaligned) {
        print_cast(printer, vector);
        return;
    }
    text_add(printer->text, "vload%u(0, ", vector->lanes);
    print_c_pointer(printer, vector->access.address);
    text_add(printer->text, ")");
}

/* Are the values the components of one vector register, in their order? */
static bool is_register(const struct c_printer *printer, const struct litmus_vector *vector)
{
    const int first = vector->values[0]->index;
    for (unsigned i = 0; i < vector->lanes; i++)
        if (vector->values[i]->kind != LITMUS_EXPRESSION_REGISTER || vector->values[i]->index != first + (int)i)
            return false;
    return c_vector_lanes(printer->thread, (size_t)first) == vector->lanes;
}

static void print_values(const struct c_printer *printer, const struct litmus_vector *vector)
{
    if (is_register(printer, vector)) {
        const char *const name = c_register_name(printer, vector->values[0]->index);
        text_add(printer->text, "%.*s", (int)stem_of(name), name);
        return;
    }
    text_add(printer->text, "(%s%u)(", type_word(printer->test->dialect, vector->access.type), vector->lanes);
    for (unsigned i = 0; i < vector->lanes; i++) {
        text_add(printer->text, "%s", i > 0 ? ", " : "");
        print_c_expression(printer, vector->values[i], 0);
    }
    text_add(printer->text, ")");
}

void print_c_vector(struct c_printer *printer, const struct litmus_vector *vector)
{
    if (vector->access.operation == LITMUS_LOAD)
        print_load(printer, vector);
    else if (vector->unaligned) {
        text_add(printer->text, "vstore%u(", vector->lanes);
        print_values(printer, vector);
        text_add(printer->text, ", 0, ");
        print_c_pointer(printer, vector->access.address);
        text_add(printer->text, ")");
    } else {
        print_cast(printer, vector);
        text_add(printer->text, " = ");
        print_values(printer, vector);
    }
    text_add(printer->text, ";\n");
}
