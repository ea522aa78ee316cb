// SPDX-License-Identifier: Apache-2.0
/* Code as data: adding its functions and pieces, and printing it as a kernel has it. */
#include "kernel/body.h"

#include "litmus/language/order.h"

/* ---- functions ---- */

static bool same_key(const struct code_key *a, const struct code_key *b)
{
    return a->kind == b->kind && ordering_same(a->ordering, b->ordering) &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

unsigned code_function(struct writer *writer, const struct code_key *key, struct code_function **fresh)
{
    unsigned number = 0;
    while (number < writer->function_count && !same_key(&writer->functions[number].key, key))
        number++;
    *fresh = NULL;
    if (number == writer->function_count) {
        *fresh = &ARENA_ADD(writer->arena, writer->functions, writer->function_count);
        **fresh = (struct code_function){.key = *key, .result = "void"};
    }
    return number;
}

void code_parameter(struct writer *writer, struct code_function *function, const char *type, const char *name)
{
    ARENA_ADD(writer->arena, function->parameters, function->parameter_count) = (struct code_parameter){type, name};
}

const char *code_keep(struct writer *writer, struct text *text)
{
    const char *kept = arena_copy(writer->arena, text_string(text));
    text_release(text);
    return kept;
}

/* ---- statements ---- */

void write_piece(struct writer *writer, enum code_kind kind, unsigned number)
{
    struct code *code = &writer->code;
    const struct code_piece piece = {
        .kind = kind, .body = writer->body, .number = number, .columns = 4 * writer->depth, .at = code->text.size};
    ARENA_ADD(writer->arena, code->pieces, code->count) = piece;
}

void write_text(struct writer *writer, const char *format, ...)
{
    LOCAL(text) added = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&added, format, arguments);
    va_end(arguments);
    for (const char *from = text_string(&added); *from;) {
        const size_t size = strcspn(from, "@\t");
        text_add_bytes(&writer->code.text, from, size);
        from += size;
        if (*from)
            write_piece(writer, *from++ == '@' ? CODE_OWN : CODE_INDENT, 0);
    }
}

void write_end(struct writer *writer, const char *after)
{
    write_piece(writer, CODE_END, 0);
    write_text(writer, "%s", after);
}

void write_step(struct writer *writer, struct kernel_step step)
{
    write_piece(writer, CODE_STEP, (unsigned)writer->step_count);
    ARENA_ADD(writer->arena, writer->steps, writer->step_count) = step;
}

void write_call(struct writer *writer, struct kernel_step step, unsigned function)
{
    step.body = writer->body;
    step.code = writer->functions[function].body;
    write_step(writer, step);
    write_piece(writer, CODE_CALL, function);
}

void write_new_line(struct writer *writer)
{
    const struct code *code = &writer->code;
    size_t last = code->count;
    while (last > 0 && code->pieces[last - 1].kind != CODE_STEP && code->pieces[last - 1].kind != CODE_BREAK)
        last--;
    if (last == 0 || code->pieces[last - 1].kind == CODE_BREAK)
        return;
    if (!strchr(text_string(&code->text) + code->pieces[last - 1].at, '\n'))
        write_piece(writer, CODE_BREAK, 0);
}

void write_note(struct writer *writer, enum status status)
{
    if (writer->status == STATUS_OK)
        writer->status = status;
}

void write_refuse(struct writer *writer, const char *reason)
{
    if (writer->status == STATUS_OK)
        writer->status = error_set(writer->error, STATUS_UNSUPPORTED, "%s", reason);
}

/* ---- printing ---- */

void code_print_function(const struct code_function *function, struct text *text)
{
    text_add(text, "FUNCTION %s %s(%s", function->result, function->name, function->parameter_count > 0 ? "" : "void");
    for (size_t i = 0; i < function->parameter_count; i++)
        text_add(text, "%s%s%s", i > 0 ? ", " : "", function->parameters[i].type, function->parameters[i].name);
    text_add(text, ")\n{\n    %s\n}\n\n", function->body);
}

static void print_budget(const struct writer *writer, const struct code_piece *piece, struct text *text)
{
    const int in = (int)piece->columns;
    const unsigned body = piece->body;
    text_add(text, "%*sif (p%u_spins == 0) {\n%*s    p%u_gave_up = 1;\n%*s    ", in, "", body, in, "", body, in, "");
    if (piece->number == CODE_LEAVES_THREAD && writer->lowering->syntax->jumps)
        text_add(text, "goto p%u_end", body);
    else
        text_add(text, "break");
    text_add(text, ";\n%*s}\n%*sp%u_spins--;\n", in, "", in, "", body);
}

void code_print_piece(const struct writer *writer, const struct code_piece *piece, struct text *text)
{
    const int columns = (int)piece->columns;
    switch (piece->kind) {
    case CODE_OWN:
        text_add(text, "p%u_", piece->body);
        break;
    case CODE_REGISTER:
    case CODE_TARGET:
        text_add(text, "p%u_r%u%s", piece->body, piece->number, piece->kind == CODE_TARGET ? " = " : "");
        break;
    case CODE_POINTER:
        text_add(text, "p%u_x%u", piece->body, piece->number);
        break;
    case CODE_CALL:
        text_add(text, "%s(", writer->functions[piece->number].name);
        break;
    case CODE_NEXT:
    case CODE_END:
        text_add(text, piece->kind == CODE_NEXT ? ", " : ")");
        break;
    case CODE_INDENT:
        text_add(text, "%*s", columns, "");
        break;
    case CODE_BREAK:
        if (text->size > 0 && text->data[text->size - 1] == ' ')
            text->data[--text->size] = '\0';
        text_add(text, "\n%*s", columns + 8, "");
        break;
    case CODE_STEP:
        break;
    case CODE_SITE:
        text_add(text, "%*sdelay(MEMORY_ARGUMENTS, delays, %uu);\n", columns, "", piece->number);
        break;
    case CODE_OPEN:
        text_add(text, "    { // P%u\n", piece->number);
        break;
    case CODE_CLOSE:
        text_add(text, "    }\n");
        break;
    case CODE_BUDGET:
        print_budget(writer, piece, text);
        break;
    }
}

unsigned code_count_lines(const char *text)
{
    unsigned lines = 0;
    for (const char *end = text; (end = strchr(end, '\n')); end++)
        lines++;
    return lines;
}

void code_print(const struct writer *writer, struct kernel_step *steps, struct text *text)
{
    const struct code *code = &writer->code;
    const char *characters = text_string(&code->text);
    size_t at = 0, counted = text->size;
    unsigned line = 1;
    for (size_t i = 0; i < code->count; i++) {
        text_add_bytes(text, characters + at, code->pieces[i].at - at);
        at = code->pieces[i].at;
        code_print_piece(writer, &code->pieces[i], text);
        if (code->pieces[i].kind == CODE_STEP && steps) {
            line += code_count_lines(text_string(text) + counted);
            counted = text->size;
            steps[code->pieces[i].number].line = line;
        }
    }
    text_add_bytes(text, characters + at, code->text.size - at);
}

void code_print_constants(const struct litmus_test *test, const char *word, struct text *text)
{
    for (size_t l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        if (!location->constant)
            continue;
        text_add(text, "%s %s constant_%zu[%u] = {", word, lower_type(location->type), l, location->elements);
        for (uint32_t e = 0; e < location->elements; e++)
            text_add(text, "%s(%s)0x%llxu", e > 0 ? ", " : "", lower_type(location->type),
                     (unsigned long long)litmus_value_bits(location->type, location->initial[e]));
        text_add(text, "};\n\n");
    }
}
