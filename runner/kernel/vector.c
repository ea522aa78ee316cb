// SPDX-License-Identifier: Apache-2.0
/* Vector accesses as kernel text: a helper that gives each word by a pointer, and a block that puts them where they belong. */
#include <stdio.h>

#include "runner/kernel/access.h"

static bool reads(const struct access_shape *shape)
{
    return !access_gives_nothing(shape->operation, shape->no_result);
}

static void add_parameters(struct text *text, unsigned lanes, const char *type, const char *name)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        text_add(text, ", %s %s%u", type, name, lane);
}

static void add_helper(struct writer *writer, const struct access_shape *shape, const char *name)
{
    struct text body = {0};
    const char *type = lower_type(shape->type);
    if (access_has_helper(writer, name))
        return;
    access_note_shape(writer, shape);
    if (writer->lowering->vector)
        access_note(writer, writer->lowering->vector(shape, &body, writer->error));
    else
        access_note(writer, error_set(writer->error, STATUS_UNSUPPORTED, "a vector access"));
    text_add(&writer->helpers, "FUNCTION void %s(%s %s *p", name, access_space_word(shape),
             shape->constant ? type : "u32");
    for (unsigned lane = 0; reads(shape) && lane < shape->lanes; lane++)
        text_add(&writer->helpers, ", %s *r%u", type, lane);
    if (shape->operation == LITMUS_CAS)
        add_parameters(&writer->helpers, shape->lanes, type, "e");
    if (shape->operation != LITMUS_LOAD)
        add_parameters(&writer->helpers, shape->lanes, type, "v");
    text_add(&writer->helpers, ")\n{\n    %s\n}\n\n", text_string(&body));
    writer->helpers.failed |= body.failed;
    text_release(&body);
}

static void start_line(struct writer *writer, unsigned deeper)
{
    text_add(&writer->functions, "%*s", (int)(4 * (writer->depth + deeper)), "");
}

static void write_values(struct writer *writer, struct litmus_expression *const *values, unsigned lanes,
                         enum litmus_type type)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        text_add(&writer->functions, ", ");
        write_value(writer, values[lane], type);
    }
}

/* What is read goes to the registers that are named; a word that is not kept is read all the same. */
static void write_registers(struct writer *writer, const struct litmus_vector *vector)
{
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        if (vector->registers[lane] == LITMUS_NONE)
            continue;
        start_line(writer, 1);
        text_add(&writer->functions, "p%u_r%d = word%u;\n", writer->body, vector->registers[lane], lane);
    }
}

static void write_call(struct writer *writer, const struct litmus_vector *vector, const struct access_shape *shape,
                       const char *name, struct litmus_place place)
{
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .vector = vector});
    text_add(&writer->functions, "%s(", name);
    access_write_way(writer, vector->access.address, vector->access.proxy, vector->access.read_only);
    for (unsigned lane = 0; reads(shape) && lane < vector->lanes; lane++)
        text_add(&writer->functions, ", &word%u", lane);
    if (shape->operation == LITMUS_CAS)
        write_values(writer, vector->expected, vector->lanes, shape->type);
    if (shape->operation != LITMUS_LOAD)
        write_values(writer, vector->values, vector->lanes, shape->type);
    text_add(&writer->functions, ");\n");
}

void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place)
{
    struct access_shape shape = access_shape_of(writer, &vector->access);
    char name[128];
    shape.lanes = vector->lanes;
    shape.whole = vector->whole;
    shape.unaligned = vector->unaligned;
    if (shape.operation == LITMUS_CAS)
        shape.expected = EXPECTED_VALUE;
    access_name(&shape, name, sizeof name);
    add_helper(writer, &shape, name);
    if (!reads(&shape)) {
        write_call(writer, vector, &shape, name, place);
        return;
    }
    text_add(&writer->functions, "{\n");
    start_line(writer, 1);
    text_add(&writer->functions, "%s word0", lower_type(shape.type));
    for (unsigned lane = 1; lane < vector->lanes; lane++)
        text_add(&writer->functions, ", word%u", lane);
    text_add(&writer->functions, ";\n");
    start_line(writer, 1);
    write_call(writer, vector, &shape, name, place);
    if (shape.read_only) { /* one instruction reads them all, so one of them settles it */
        start_line(writer, 1);
        text_add(&writer->functions, "(void)settled((u32)word0);\n");
    }
    write_registers(writer, vector);
    start_line(writer, 0);
    text_add(&writer->functions, "}\n");
}
