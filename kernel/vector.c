// SPDX-License-Identifier: Apache-2.0
/* Vector accesses as kernel text: a function that returns each word through a pointer, and a block
 * that stores them. */
#include "kernel/access.h"
#include "kernel/body.h"

static bool reads(const struct litmus_vector *vector)
{
    return !access_gives_nothing(vector->access.operation, vector->access.no_result);
}

/* Adds a parameter of the type for each word: v0, v1, ... */
static void add_parameters(struct writer *writer, struct code_function *function, unsigned lanes, const char *type,
                           const char *name)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        code_parameter(writer, function, type, arena_print(writer->arena, "%s%u", name, lane));
}

/* The number of the vector access's function. */
static unsigned function_of(struct writer *writer, const struct litmus_vector *vector, const struct access_shape *shape)
{
    const struct code_key key = access_key(shape);
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    struct text body = {0};
    const char *const type = lower_type(shape->type), *const value = arena_print(writer->arena, "%s ", type);
    access_note_shape(writer, shape);
    if (writer->lowering->vector)
        write_note(writer, writer->lowering->vector(shape, &body, writer->error));
    else
        write_refuse(writer, "a vector access");
    function->name = access_name(writer, shape);
    code_parameter(writer, function,
                   arena_print(writer->arena, "%s %s *", access_space_word(shape), shape->constant ? type : "u32"),
                   "p");
    if (reads(vector))
        add_parameters(writer, function, shape->lanes, arena_print(writer->arena, "%s *", type), "r");
    if (shape->operation == LITMUS_CAS)
        add_parameters(writer, function, shape->lanes, value, "e");
    if (shape->operation != LITMUS_LOAD)
        add_parameters(writer, function, shape->lanes, value, "v");
    function->body = code_keep(writer, &body);
    return number;
}

static void write_values(struct writer *writer, struct litmus_expression *const *values, unsigned lanes,
                         enum litmus_type type)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        write_piece(writer, CODE_NEXT, 0);
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
        write_text(writer, "\t    ");
        if (kept)
            write_piece(writer, CODE_TARGET, (unsigned)vector->registers[lane]);
        else
            write_text(writer, "unkept%u = ", writer->unkept++);
        write_text(writer, "word%u;\n", lane);
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
    if (vector->registers[lane] != LITMUS_NONE)
        return;
    write_text(writer, "\t%s unkept%u = 0;\n", lower_type(vector->access.type), number);
}

static void use_word(struct writer *writer, const struct litmus_vector *vector, unsigned lane, unsigned number)
{
    const unsigned bytes = litmus_type_size(vector->access.type) == 8 ? 8 : 4;
    const char *const type = bytes == 8 ? "u64 " : "u32 ";
    const int own = vector->registers[lane];
    struct code_function *function;
    if (own != LITMUS_NONE && allocation_observes(writer->allocation->test, writer->body, (unsigned)own))
        return;
    const unsigned use = code_function(writer, &(struct code_key){.kind = CODE_USE, .values = {bytes}}, &function);
    if (function) {
        struct text body = {0};
        writer->lowering->use(bytes, &body);
        function->name = bytes == 8 ? "use_u64" : "use_u32";
        code_parameter(writer, function, type, "value");
        function->body = code_keep(writer, &body);
    }
    write_text(writer, "\t");
    write_piece(writer, CODE_CALL, use);
    write_text(writer, "(%.3s)", type);
    if (own == LITMUS_NONE)
        write_text(writer, "unkept%u", number);
    else
        write_piece(writer, CODE_REGISTER, (unsigned)own);
    write_end(writer, ";\n");
}

void write_unkept(struct writer *writer, const struct litmus_block *block)
{
    unsigned number = 0;
    writer->unkept = 0;
    writer->depth++;
    if (writer->lowering->use)
        each_word(writer, block, declare_word, &number);
    writer->depth--;
}

void write_uses(struct writer *writer, const struct litmus_block *block)
{
    unsigned number = 0;
    writer->depth++;
    if (writer->lowering->use)
        each_word(writer, block, use_word, &number);
    writer->depth--;
}

static void write_step_of(struct writer *writer, const struct litmus_vector *vector, const struct access_shape *shape,
                          struct litmus_place place)
{
    const unsigned function = function_of(writer, vector, shape);
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .vector = vector});
    write_piece(writer, CODE_CALL, function);
    access_write_way(writer, vector->access.address, vector->access.proxy, vector->access.read_only);
    for (unsigned lane = 0; reads(vector) && lane < vector->lanes; lane++) {
        write_piece(writer, CODE_NEXT, 0);
        write_text(writer, "&word%u", lane);
    }
    if (shape->operation == LITMUS_CAS)
        write_values(writer, vector->expected, vector->lanes, shape->type);
    if (shape->operation != LITMUS_LOAD)
        write_values(writer, vector->values, vector->lanes, shape->type);
    write_end(writer, ";\n");
}

void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place)
{
    struct access_shape shape = access_shape_of(writer, &vector->access);
    shape.lanes = vector->lanes;
    shape.whole = vector->whole;
    shape.unaligned = vector->unaligned;
    if (shape.operation == LITMUS_CAS)
        shape.expected = EXPECTED_VALUE;
    if (!reads(vector)) {
        write_step_of(writer, vector, &shape, place);
        return;
    }
    write_text(writer, "{\n");
    write_text(writer, "\t    %s word0", lower_type(shape.type));
    for (unsigned lane = 1; lane < vector->lanes; lane++)
        write_text(writer, ", word%u", lane);
    write_text(writer, ";\n");
    write_text(writer, "\t    ");
    write_step_of(writer, vector, &shape, place);
    if (shape.read_only) { /* one instruction reads all words, so one use is enough */
        write_text(writer, "\t    (void)settled((u32)word0);\n");
    }
    write_registers(writer, vector);
    write_text(writer, "\t}\n");
}
