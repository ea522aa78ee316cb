// SPDX-License-Identifier: Apache-2.0
/* Accesses, of one word or of a vector, fences, barriers and expressions as code. Each distinct access and fence of a
 * test becomes one function of the kernel. */
#include "kernel/body.h"
#include "litmus/language/order.h"

/* Adds the parameters of the function of an access: its place, the expected value and the operand. */
static void access_add_parameters(struct writer *writer, const struct access_shape *shape, const char *type,
                                  struct code_function *function)
{
    const struct syntax *syntax = writer->lowering->syntax;
    const char *const by_value = arena_print(writer->arena, "%s ", type);
    const char *const place = shape->constant                 ? arena_print(writer->arena, "CONSTANT %s *", type)
                              : shape->region == LITMUS_LOCAL ? syntax->local
                                                              : syntax->global;
    if (shape->proxy != LITMUS_GENERIC && shape->proxy != LITMUS_ASYNC && !shape->read_only)
        access_place_parameters(writer, shape->proxy, function);
    else
        code_parameter(writer, function, place, "p");
    if (shape->expected == EXPECTED_VALUE)
        code_parameter(writer, function, by_value, "expected");
    else if (shape->expected == EXPECTED_REGISTER)
        code_parameter(writer, function,
                       arena_print(writer->arena, "%s%s%s", syntax->reference.before, type, syntax->reference.type),
                       "expected");
    if (shape->operation != LITMUS_LOAD && !shape->single)
        code_parameter(writer, function, by_value, "value");
}

/* The number of the access's function. */
static unsigned function_of(struct writer *writer, const struct access_shape *shape)
{
    const struct code_key key = access_key(shape);
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    struct text body = {0};
    const bool of_mbarrier = operation_is_mbarrier(shape->operation);
    const char *type = of_mbarrier ? "u32" : lower_type(shape->type);
    access_note_shape(writer, shape);
    write_note(writer, lower_access(writer->lowering, shape, &body, &writer->user_code, writer->error));
    function->name = access_name(writer, shape);
    if (!access_gives_nothing(shape->operation, shape->no_result))
        function->result = shape->expected == EXPECTED_REGISTER || of_mbarrier ? "int" : type;
    access_add_parameters(writer, shape, type, function);
    function->body = code_keep(writer, &body);
    return number;
}

/* The pointer to a location's cell, or another name of it (body.h), advanced to the element if it has several. */
static void write_name(struct writer *writer, const struct litmus_expression *address, char kind)
{
    const struct allocation *allocation = writer->allocation;
    if (address->kind != LITMUS_EXPRESSION_ADDRESS) {
        write_refuse(writer, "an access through an address in a register");
        return;
    }
    const struct litmus_location *location = &allocation->test->locations[address->index];
    if (kind == 'x')
        write_piece(writer, CODE_POINTER, (unsigned)address->index);
    else
        write_text(writer, "@%c%d", kind, address->index);
    if (!address->left)
        return;
    writer->needs |= CODE_NEEDS_ELEMENT;
    write_text(writer, " + element(");
    write_expression(writer, address->left);
    if (location->constant)
        write_text(writer, ", %u)", location->elements);
    else if (allocation_in_one_piece(allocation, (unsigned)address->index))
        write_text(writer, ", %u) * %u", location->elements, allocation_words(location->type));
    else
        write_text(writer, ", %u) * %u * draw[%s]", location->elements, allocation_words(location->type),
                   allocation->region_of[address->index] == LITMUS_LOCAL ? "DRAW_LOCAL_STRIDE" : "DRAW_STRIDE");
}

void write_pointer(struct writer *writer, const struct litmus_expression *address)
{
    write_name(writer, address, 'x');
}

/* The first arguments of an access's function, which locate the cell. */
static void write_way(struct writer *writer, const struct litmus_expression *address, enum litmus_proxy proxy,
                      bool read_only)
{
    if (proxy == LITMUS_GENERIC || proxy == LITMUS_ASYNC) {
        write_pointer(writer, address);
        return;
    }
    if (read_only) {
        write_piece(writer, CODE_BREAK, 0);
        write_pointer(writer, address);
        write_text(writer, " + pinned(draw, 0)");
        return;
    }
    if (proxy != LITMUS_CONSTANT)
        write_text(writer, "@t%d,", address->index);
    /* The code that pins the place is not a step of the test, so it has a line of its own. */
    write_piece(writer, CODE_BREAK, 0);
    write_text(writer, "pinned(draw, ");
    write_name(writer, address, proxy == LITMUS_CONSTANT ? 'k' : 'c');
    write_text(writer, ")");
}

/* The number of the function of such a compare_exchange (below), which calls those of its three accesses. plain: the
 * load of the expected value; becomes the store. */
static unsigned function_through_location(struct writer *writer, const struct access_shape *cas,
                                          struct access_shape *plain)
{
    const unsigned compare = function_of(writer, cas), load = function_of(writer, plain);
    plain->operation = LITMUS_STORE;
    const unsigned store = function_of(writer, plain);
    struct code_function *function;
    const unsigned number = code_function(
        writer, &(struct code_key){.kind = CODE_THROUGH_LOCATION, .values = {compare, load, store}}, &function);
    if (!function)
        return number;
    const char *const type = lower_type(cas->type);
    const struct code_function *const functions = writer->functions;
    function->name = arena_print(writer->arena, "%s_through_%s%s", functions[compare].name,
                                 plain->is_volatile ? "kept_" : "", access_region_word(plain));
    function->result = "int";
    code_parameter(writer, function, arena_print(writer->arena, "%s u32 *", access_space_word(cas)), "p");
    code_parameter(writer, function, arena_print(writer->arena, "%s u32 *", access_space_word(plain)), "expected");
    code_parameter(writer, function, arena_print(writer->arena, "%s ", type), "value");
    function->body = arena_print(writer->arena,
                                 "%s old = %s(expected);\n    const int success = %s(p, &old, value);\n"
                                 "    if (!success)\n        %s(expected, old);\n    return success;",
                                 type, functions[load].name, functions[compare].name, functions[store].name);
    memcpy(function->calls, (const unsigned[]){compare, load, store}, sizeof function->calls);
    function->call_count = 3;
    return number;
}

/* Herd's form of compare_exchange: the expected value lies in a shared location, and is read and written plainly. */
static void write_cas_through_location(struct writer *writer, const struct litmus_access *access,
                                       const struct access_shape *cas, struct litmus_place place)
{
    const struct litmus_location *location = &writer->allocation->test->locations[access->expected_address->index];
    struct access_shape plain = {.operation = LITMUS_LOAD,
                                 .type = access->type,
                                 .region = location->region,
                                 .spelling = {.explicit_order = true, .explicit_scope = true},
                                 .generic = access->expected_address->generic,
                                 .is_volatile = location->is_volatile};
    if (!writer->lowering->syntax->converts) /* as map.c says */
        write_refuse(writer, "a compare_exchange whose expected value is in memory");
    write_call(writer, (struct kernel_step){.place = place, .access = access},
               function_through_location(writer, cas, &plain));
    write_pointer(writer, access->address);
    write_piece(writer, CODE_NEXT, 0);
    write_pointer(writer, access->expected_address);
    write_piece(writer, CODE_NEXT, 0);
    write_value(writer, access->operand, access->type);
    write_end(writer, "");
}

/* The arguments after an access's place. */
static void write_arguments(struct writer *writer, const struct litmus_access *access, const struct access_shape *shape)
{
    if (access->expected_register != LITMUS_NONE && shape->expected == EXPECTED_REGISTER) {
        /* "&p0_r1", of the function's parameter type: C lets the signs differ. */
        const enum litmus_type own =
            writer->allocation->test->threads[writer->body].registers[access->expected_register].type;
        const bool differs = strcmp(lower_type(own), lower_type(access->type)) != 0;
        const struct syntax *syntax = writer->lowering->syntax;
        write_piece(writer, CODE_NEXT, 0);
        if (differs && !syntax->converts)
            write_refuse(writer, "a compare_exchange whose expected value has another type");
        if (differs)
            write_text(writer, "(%s *)", lower_type(access->type));
        write_text(writer, "%s", syntax->refer);
        write_piece(writer, CODE_REGISTER, (unsigned)access->expected_register);
    }
    if (access->expected_address) { /* C++ takes a reference to any memory */
        write_piece(writer, CODE_NEXT, 0);
        write_text(writer, "(%s *)", lower_type(access->type));
        write_pointer(writer, access->expected_address);
    }
    if (access->expected) {
        write_piece(writer, CODE_NEXT, 0);
        write_typed(writer, access->expected, access->type);
    }
    if (access->operand && !shape->single) {
        write_piece(writer, CODE_NEXT, 0);
        write_typed(writer, access->operand, operation_is_mbarrier(access->operation) ? LITMUS_UINT : access->type);
    }
}

static void write_access(struct writer *writer, const struct litmus_access *access, struct litmus_place place)
{
    const struct access_shape shape = access_shape_of(writer, access);
    const unsigned function = function_of(writer, &shape);
    const bool settles =
        access->proxy != LITMUS_GENERIC && access->proxy != LITMUS_ASYNC && access->operation == LITMUS_LOAD;
    const bool holds = access->proxy == LITMUS_SURFACE && access->operation != LITMUS_LOAD;
    if (settles) { /* on a line of its own, like the code that pins its place */
        write_text(writer, litmus_type_size(access->type) == 8 ? "settled_long(" : "settled(");
        write_piece(writer, CODE_BREAK, 0);
    }
    write_new_line(writer);
    if (access->expected_address && !writer->lowering->is_cuda) {
        write_cas_through_location(writer, access, &shape, place);
        return;
    }
    write_call(writer, (struct kernel_step){.place = place, .access = access}, function);
    write_way(writer, access->address, access->proxy, access->read_only);
    write_arguments(writer, access, &shape);
    write_end(writer, settles ? ")" : "");
    if (holds) {
        write_text(writer, ",");
        write_piece(writer, CODE_BREAK, 0);
        write_text(writer, "hold(draw)");
    }
}

/* The type of an expression by C's usual conversions. */
static enum litmus_type access_type_of(const struct writer *writer, const struct litmus_expression *expression)
{
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        return litmus_type_of_constant(expression);
    case LITMUS_EXPRESSION_REGISTER:
        return litmus_type_promoted(writer->allocation->test->threads[writer->body].registers[expression->index].type);
    case LITMUS_EXPRESSION_ADDRESS:
        return LITMUS_ULONG;
    case LITMUS_EXPRESSION_UNARY:
        return expression->op == LITMUS_NOT ? LITMUS_INT : access_type_of(writer, expression->left);
    case LITMUS_EXPRESSION_ACCESS:
        return access_shape_of(writer, expression->access).expected == EXPECTED_REGISTER ||
                       operation_is_wait(expression->access->operation)
                   ? LITMUS_INT
                   : litmus_type_promoted(expression->access->type);
    case LITMUS_EXPRESSION_BINARY:
        break;
    }
    if (expression->op >= LITMUS_EQ && expression->op <= LITMUS_LOGICAL_OR)
        return LITMUS_INT;
    const enum litmus_type left = access_type_of(writer, expression->left),
                           right = access_type_of(writer, expression->right);
    if (expression->op == LITMUS_SHL || expression->op == LITMUS_SHR)
        return left;
    return litmus_type_common(left, right);
}

/* How an operator is written: unsigned with a cast back, as a function of the skeleton, or as in C. */
static const struct {
    bool wraps;
    const char *function, *function_unsigned;
    unsigned needs; /* of function; the next bit is the other's */
} operator_forms[LITMUS_OPERATOR_COUNT] = {
    [LITMUS_NEGATE] = {.wraps = true},
    [LITMUS_ADD] = {.wraps = true},
    [LITMUS_SUB] = {.wraps = true},
    [LITMUS_MUL] = {.wraps = true},
    [LITMUS_SHL] = {.wraps = true},
    [LITMUS_DIV] = {.function = "divide", .function_unsigned = "divide_unsigned", .needs = CODE_NEEDS_DIVIDE},
    [LITMUS_REM] = {.function = "remainder_of",
                    .function_unsigned = "remainder_unsigned",
                    .needs = CODE_NEEDS_REMAINDER},
};

/* "((u32)", whose end is syntax->cast.after and ")". */
static void open_cast(struct writer *writer, const char *type)
{
    write_text(writer, "(");
    syntax_open(&writer->lowering->syntax->cast, type, &writer->code.text);
}

/* "(u32)p0_r0", for a type that is wider or signed. */
static void write_wrapping(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax_around *cast = &writer->lowering->syntax->cast;
    /* The unsigned type of the same size, in which overflow is defined. */
    syntax_open(cast, litmus_type_size(type) == 8 ? "u64" : "u32", &writer->code.text);
    write_expression(writer, expression);
    write_text(writer, "%s", cast->after);
}

void write_condition(struct writer *writer, const struct litmus_expression *expression)
{
    const struct syntax_around *condition = &writer->lowering->syntax->condition;
    write_text(writer, "%s", condition->before);
    write_expression(writer, expression);
    write_text(writer, "%s", condition->after);
}

static void write_unary(struct writer *writer, const struct litmus_expression *expression)
{
    const enum litmus_type type = access_type_of(writer, expression);
    if (operator_forms[expression->op].wraps) {
        open_cast(writer, lower_type(type));
        write_text(writer, "(0 - ");
        write_wrapping(writer, expression->left, type);
        write_text(writer, ")%s)", writer->lowering->syntax->cast.after);
        return;
    }
    const bool logical = expression->op == LITMUS_NOT;
    const struct syntax_around *number = &writer->lowering->syntax->number;
    write_text(writer, "(%s%s", logical ? number->before : "", litmus_operator_name(expression->op));
    (logical ? write_condition : write_expression)(writer, expression->left);
    write_text(writer, "%s)", logical ? number->after : "");
}

/* The smaller or the larger of two numbers. Both are written twice, so neither may be an access. */
static void write_choice(struct writer *writer, const struct litmus_expression *expression)
{
    if (expression->left->kind == LITMUS_EXPRESSION_ACCESS || expression->right->kind == LITMUS_EXPRESSION_ACCESS)
        write_refuse(writer, "the minimum or maximum of an access");
    write_text(writer, "(");
    write_expression(writer, expression->left);
    write_text(writer, expression->op == LITMUS_MINIMUM ? " < " : " > ");
    write_expression(writer, expression->right);
    write_text(writer, " ? ");
    write_expression(writer, expression->left);
    write_text(writer, " : ");
    write_expression(writer, expression->right);
    write_text(writer, ")");
}

static void write_function(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const enum litmus_operator op = expression->op;
    writer->needs |= operator_forms[op].needs << litmus_type_is_unsigned(type);
    open_cast(writer, lower_type(type));
    write_text(writer, "%s(",
               litmus_type_is_unsigned(type) ? operator_forms[op].function_unsigned : operator_forms[op].function);
    write_expression(writer, expression->left);
    write_text(writer, ", ");
    write_expression(writer, expression->right);
    write_text(writer, ")%s)", writer->lowering->syntax->cast.after);
}

/* Compares whole numbers as bits. */
static void write_equality(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax_around *number = &writer->lowering->syntax->number;
    write_text(writer, "(%s", number->before);
    write_value(writer, expression->left, type);
    write_text(writer, " %s ", litmus_operator_name(expression->op));
    write_value(writer, expression->right, type);
    write_text(writer, "%s)", number->after);
}

/* The right operand of an operator that is written as in C; a shift's is reduced to the bits of the type. */
static void write_right(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const bool shift = expression->op == LITMUS_SHL || expression->op == LITMUS_SHR;
    if (shift)
        write_text(writer, "(%d & ", litmus_type_size(type) == 8 ? 63 : 31);
    else if (operator_forms[expression->op].wraps) {
        write_wrapping(writer, expression->right, type);
        return;
    }
    write_expression(writer, expression->right);
    write_text(writer, "%s", shift ? ")" : "");
}

/* "((int)((u32)p0_r0 + (u32)1))" */
static void write_wrapped(struct writer *writer, const struct litmus_expression *expression, const char *word,
                          enum litmus_type type)
{
    open_cast(writer, lower_type(type));
    write_text(writer, "(");
    write_wrapping(writer, expression->left, type);
    write_text(writer, " %s ", word);
    write_right(writer, expression, type);
    write_text(writer, ")%s)", writer->lowering->syntax->cast.after);
}

/* A comparison, && or ||, as a number. */
static void write_comparison(struct writer *writer, const struct litmus_expression *expression, const char *word)
{
    const struct syntax_around *number = &writer->lowering->syntax->number;
    const bool logical = expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR;
    write_text(writer, "(%s", number->before);
    (logical ? write_condition : write_expression)(writer, expression->left);
    write_text(writer, " %s ", word);
    (logical ? write_condition : write_expression)(writer, expression->right);
    write_text(writer, "%s)", number->after);
}

static void write_binary(struct writer *writer, const struct litmus_expression *expression)
{
    const enum litmus_type left = access_type_of(writer, expression->left),
                           right = access_type_of(writer, expression->right);
    if (litmus_type_is_float(left) || litmus_type_is_float(right)) {
        write_equality(writer, expression, left > right ? left : right);
        return;
    }
    const enum litmus_operator op = expression->op;
    const enum litmus_type type = access_type_of(writer, expression);
    if (op == LITMUS_MINIMUM || op == LITMUS_MAXIMUM) {
        write_choice(writer, expression);
        return;
    }
    if (operator_forms[op].function) {
        write_function(writer, expression, type);
        return;
    }
    const char *const word = litmus_operator_name(op);
    if (operator_forms[op].wraps)
        write_wrapped(writer, expression, word, type);
    else if (op >= LITMUS_EQ && op <= LITMUS_LOGICAL_OR)
        write_comparison(writer, expression, word);
    else {
        write_text(writer, "(");
        write_expression(writer, expression->left);
        write_text(writer, " %s ", word);
        write_right(writer, expression, type);
        write_text(writer, ")");
    }
}

void write_value(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT &&
        (litmus_type_is_float(type) || (litmus_type_is_unsigned(type) && expression->value < 0)))
        write_text(writer, "0x%llx%s", (unsigned long long)litmus_value_bits(type, expression->value),
                   litmus_type_size(type) == 8 ? writer->lowering->syntax->long_suffix : "u");
    else
        write_expression(writer, expression);
}

void write_typed(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type)
{
    const struct syntax *syntax = writer->lowering->syntax;
    if (!syntax->converts)
        syntax_open(&syntax->cast, lower_type(type), &writer->code.text);
    write_value(writer, expression, type);
    if (!syntax->converts)
        write_text(writer, "%s", syntax->cast.after);
}

/* "((LONG)0x80000000u)" */
static void write_long(struct writer *writer, enum litmus_type type, int64_t value)
{
    const struct syntax *syntax = writer->lowering->syntax;
    access_note_type(writer, LITMUS_LONG, LITMUS_GLOBAL);
    write_text(writer, "(");
    syntax_open(&syntax->cast, type == LITMUS_ULONG ? "u64" : "LONG", &writer->code.text);
    write_text(writer, "0x%llx%s%s)", (unsigned long long)value, syntax->long_suffix, syntax->cast.after);
}

void write_expression(struct writer *writer, const struct litmus_expression *expression)
{
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        if (litmus_type_of_constant(expression) == LITMUS_UINT)
            write_text(writer, "%uu", (unsigned)expression->value);
        else if (litmus_type_of_constant(expression) == LITMUS_INT && expression->value > INT32_MIN)
            write_text(writer, expression->value < 0 ? "(%d)" : "%d", (int)expression->value);
        else
            write_long(writer, litmus_type_of_constant(expression), expression->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        write_piece(writer, CODE_REGISTER, (unsigned)expression->index);
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        write_refuse(writer, "an address used as a value");
        break;
    case LITMUS_EXPRESSION_UNARY:
        write_unary(writer, expression);
        break;
    case LITMUS_EXPRESSION_BINARY:
        write_binary(writer, expression);
        break;
    case LITMUS_EXPRESSION_ACCESS:
        write_access(writer, expression->access, expression->place);
        break;
    }
}

void write_fence(struct writer *writer, const struct litmus_fence *fence, struct litmus_place place)
{
    const struct code_key key = access_fence_key(writer, fence);
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (function) {
        struct text body = {0};
        write_note(writer, lower_fence(writer->lowering, fence, writer->allocation->test->dialect, &body,
                                       &writer->user_code, writer->error));
        access_note_fence(writer, fence);
        function->name = access_fence_name(writer, fence);
        function->body = code_keep(writer, &body);
    }
    write_call(writer, (struct kernel_step){.place = place, .fence = fence}, number);
    write_end(writer, ";");
}

void write_barrier(struct writer *writer, const struct litmus_barrier *barrier)
{
    struct text body = {0};
    write_note(writer, lower_barrier(writer->lowering, barrier, writer->allocation->test->dialect, &body,
                                     &writer->user_code, writer->error));
    if (barrier->spelling.explicit_scope || barrier->sub_group)
        access_note_declared(writer, LITMUS_ACQ_REL, barrier->scope, true);
    const char *const code = code_keep(writer, &body);
    for (size_t i = writer->step_count; i-- > 0 && !writer->steps[i].code;)
        writer->steps[i].code = code;
    write_text(writer, "    %s\n", code);
}

void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only)
{
    const struct litmus_location *location = &writer->allocation->test->locations[l];
    const struct access_shape shape = {.operation = LITMUS_LOAD,
                                       .type = location->type,
                                       .region = location->region,
                                       .proxy = proxy,
                                       .read_only = read_only,
                                       .spelling = {.explicit_order = true, .explicit_scope = true}};
    struct litmus_expression element = {.kind = LITMUS_EXPRESSION_CONSTANT};
    struct litmus_expression address = {.kind = LITMUS_EXPRESSION_ADDRESS, .index = (int)l};
    const unsigned function = function_of(writer, &shape);
    if (location->elements > 1)
        address.left = &element;
    for (; element.value < location->elements; element.value++) {
        write_text(writer, "    sum += (u32)");
        write_piece(writer, CODE_CALL, function);
        write_way(writer, &address, proxy, read_only);
        write_end(writer, ";\n");
    }
}

/* ---- vector accesses: a function that returns each word through a pointer, and a block that stores them ---- */

static bool reads(const struct litmus_vector *vector)
{
    return !access_gives_nothing(vector->access.operation, vector->access.no_result);
}

/* Adds a parameter of the type for each word: v0, v1, ... */
static void access_add_words(struct writer *writer, struct code_function *function, unsigned lanes, const char *type,
                             const char *name)
{
    for (unsigned lane = 0; lane < lanes; lane++)
        code_parameter(writer, function, type, arena_print(writer->arena, "%s%u", name, lane));
}

/* The number of the vector access's function. */
static unsigned function_of_vector(struct writer *writer, const struct litmus_vector *vector,
                                   const struct access_shape *shape)
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
        access_add_words(writer, function, shape->lanes, arena_print(writer->arena, "%s *", type), "r");
    if (shape->operation == LITMUS_CAS)
        access_add_words(writer, function, shape->lanes, value, "e");
    if (shape->operation != LITMUS_LOAD)
        access_add_words(writer, function, shape->lanes, value, "v");
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

/* Called for each word read by a segment's vectors. number: among the words that no register keeps. */
typedef void word_visit(struct writer *writer, const struct litmus_vector *vector, unsigned lane, unsigned number);

static void each_word(struct writer *writer, const struct litmus_block *block, word_visit *visit, unsigned *number)
{
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
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
    const unsigned function = function_of_vector(writer, vector, shape);
    write_call(writer, (struct kernel_step){.place = place, .vector = vector}, function);
    write_way(writer, vector->access.address, vector->access.proxy, vector->access.read_only);
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
