// SPDX-License-Identifier: Apache-2.0
/* Vector accesses as kernel text: a helper that returns each word through a pointer, and a block
 * that stores them. */
#include <stdio.h>

#include "kernel/access.h"
#include "kernel/paths.h"

static bool reads(const struct litmus_vector *vector)
{
    return !access_gives_nothing(vector->access.operation, vector->access.no_result);
}

static void add_parameters(struct text *text, unsigned lanes, const char *type, const char *name)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        text_add(text, ", %s %s%u", type, name, lane);
}

static void add_helper(struct writer *writer, const struct litmus_vector *vector, const struct access_shape *shape,
                       const char *name)
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
    for (unsigned lane = 0; reads(vector) && lane < shape->lanes; lane++)
        text_add(&writer->helpers, ", %s *r%u", type, lane);
    if (shape->operation == LITMUS_CAS)
        add_parameters(&writer->helpers, shape->lanes, type, "e");
    if (shape->operation != LITMUS_LOAD)
        add_parameters(&writer->helpers, shape->lanes, type, "v");
    text_add(&writer->helpers, ")\n{\n    %s\n}\n\n", text_string(&body));
    writer->helpers.failed |= body.failed;
    text_release(&body);
}

static void write_values(struct writer *writer, struct litmus_expression *const *values, unsigned lanes,
                         enum litmus_type type)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        text_add(&writer->functions, ", ");
        write_value(writer, values[lane], type);
    }
}

/* Assigns the words read to the named registers; words that are not kept are also read. */
static void write_registers(struct writer *writer, const struct litmus_vector *vector)
{
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        const bool kept = vector->registers[lane] != LITMUS_NONE;
        if (!kept && !writer->lowering->use)
            continue;
        write_indent(writer);
        if (kept)
            text_add(&writer->functions, "    p%u_r%d = word%u;\n", writer->body, vector->registers[lane], lane);
        else
            text_add(&writer->functions, "    unkept%u = word%u;\n", writer->unkept++, lane);
    }
}

/* ---- words that no register keeps ---- */

/* Called for each word read by a segment's vectors. number: among the words that no register
 * keeps. */
typedef void word_visit(struct writer *writer, const struct litmus_vector *vector, unsigned lane, unsigned number);

static void each_word(struct writer *writer, const struct litmus_block *block, word_visit *visit, unsigned *number)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        const bool read = statement->kind == LITMUS_VECTOR && reads(&statement->vector);
        for (unsigned lane = 0; read && lane < statement->vector.lanes; lane++) {
            visit(writer, &statement->vector, lane, *number);
            *number += statement->vector.registers[lane] == LITMUS_NONE;
        }
        each_word(writer, &statement->body, visit, number);
        each_word(writer, &statement->otherwise, visit, number);
    }
}

static void declare_word(struct writer *writer, const struct litmus_vector *vector, unsigned lane, unsigned number)
{
    if (vector->registers[lane] == LITMUS_NONE)
        text_add(&writer->functions, "        %s unkept%u = 0;\n", lower_type(vector->access.type), number);
}

static void use_word(struct writer *writer, const struct litmus_vector *vector, unsigned lane, unsigned number)
{
    const unsigned bytes = litmus_type_size(vector->access.type) == 8 ? 8 : 4;
    const char *name = bytes == 8 ? "use_u64" : "use_u32", *type = bytes == 8 ? "u64" : "u32";
    const int own = vector->registers[lane];
    if (own != LITMUS_NONE && paths_is_observed(writer->allocation->test, writer->body, (unsigned)own))
        return;
    if (!access_has_helper(writer, name)) {
        struct text body = {0};
        writer->lowering->use(bytes, &body);
        text_add(&writer->helpers, "FUNCTION void %s(%s value)\n{\n    %s\n}\n\n", name, type, text_string(&body));
        text_release(&body);
    }
    if (own == LITMUS_NONE)
        text_add(&writer->functions, "        %s((%s)unkept%u);\n", name, type, number);
    else
        text_add(&writer->functions, "        %s((%s)p%u_r%d);\n", name, type, writer->body, own);
}

void write_unkept(struct writer *writer, const struct litmus_block *block)
{
    unsigned number = 0;
    writer->unkept = 0;
    if (writer->lowering->use)
        each_word(writer, block, declare_word, &number);
}

void write_uses(struct writer *writer, const struct litmus_block *block)
{
    unsigned number = 0;
    if (writer->lowering->use)
        each_word(writer, block, use_word, &number);
}

static void write_call(struct writer *writer, const struct litmus_vector *vector, const struct access_shape *shape,
                       const char *name, struct litmus_place place)
{
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .vector = vector});
    text_add(&writer->functions, "%s(", name);
    access_write_way(writer, vector->access.address, vector->access.proxy, vector->access.read_only);
    for (unsigned lane = 0; reads(vector) && lane < vector->lanes; lane++)
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
    add_helper(writer, vector, &shape, name);
    if (!reads(vector)) {
        write_call(writer, vector, &shape, name, place);
        return;
    }
    text_add(&writer->functions, "{\n");
    write_indent(writer);
    text_add(&writer->functions, "    %s word0", lower_type(shape.type));
    for (unsigned lane = 1; lane < vector->lanes; lane++)
        text_add(&writer->functions, ", word%u", lane);
    text_add(&writer->functions, ";\n");
    write_indent(writer);
    text_add(&writer->functions, "    ");
    write_call(writer, vector, &shape, name, place);
    if (shape.read_only) { /* one instruction reads all words, so one use is enough */
        write_indent(writer);
        text_add(&writer->functions, "    (void)settled((u32)word0);\n");
    }
    write_registers(writer, vector);
    write_indent(writer);
    text_add(&writer->functions, "}\n");
}
