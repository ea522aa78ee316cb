// SPDX-License-Identifier: Apache-2.0
/*
 * Vectors of OPENCL, and of CUDA, which has no vload and vstore:
 * "int4 r = vload4(0, x);", "vstore4((int4)(1, 2, 3, 4), 0, x);", "*(global int4
 * *)x = r;". A vector in a register is as many registers, "r.s0", "r.s1", ..., as OpenCL C names
 * its components (OpenCL C 3.0, 6.3.7).
 */
#include "litmus/language/walk.h"
#include "litmus/parse/c_body.h"

struct vector_type {
    enum litmus_type type; /* of a word */
    unsigned lanes;
};

/* ---- types and names ---- */

/* "int4": a type's word and 2, 3, 4 or 8. */
static bool find_type(const struct token *word, struct vector_type *found)
{
    struct token name = *word;
    if (word->kind != TOKEN_WORD || word->size < 2 || !strchr("2348", word->text[word->size - 1]))
        return false;
    name.size--;
    const int type = word_find(type_words, &name);
    *found = (struct vector_type){(enum litmus_type)type, (unsigned)(word->text[word->size - 1] - '0')};
    return type != LITMUS_NONE && type != LITMUS_FLAG;
}

/* "vload4" or "vstore4". */
static bool is_function(const struct token *word, const char *start, unsigned *lanes)
{
    const size_t size = strlen(start);
    if (word->kind != TOKEN_WORD || word->size != size + 1 || memcmp(word->text, start, size) != 0 ||
        !strchr("2348", word->text[size]))
        return false;
    *lanes = (unsigned)(word->text[size] - '0');
    return true;
}

static struct token component(const struct parser *parser, const struct token *name, unsigned lane)
{
    const bool letters = parser->test->dialect == LITMUS_CUDA;
    char *text = letters ? arena_print(parser_arena(parser), "%.*s.%c", (int)name->size, name->text, "xyzw????"[lane])
                         : arena_print(parser_arena(parser), "%.*s.s%u", (int)name->size, name->text, lane);
    return (struct token){.kind = TOKEN_WORD, .place = name->place, .text = text, .size = strlen(text)};
}

unsigned c_lanes_of(const struct parser *parser, const struct draft *draft, const struct token *name)
{
    unsigned lanes = 0;
    while (lanes < LITMUS_MAXIMUM_LANES) {
        const struct token own = component(parser, name, lanes);
        if (draft_find_register(draft, &own) == LITMUS_NONE)
            break;
        lanes++;
    }
    return lanes;
}

enum status parse_c_component(struct parser *parser, const struct draft *draft, struct token *name)
{
    static const struct word letters[] = {{"x", 0}, {"y", 1}, {"z", 2}, {"w", 3}, {NULL, 0}};
    const unsigned lanes = parser_at(parser, ".") ? c_lanes_of(parser, draft, name) : 0;
    if (lanes == 0)
        return STATUS_OK;
    parser_advance(parser);
    const struct token word = parser->token;
    int lane = word_find(letters, &word);
    if (word.kind == TOKEN_WORD && word.size == 2 && (word.text[0] == 's' || word.text[0] == 'S'))
        lane = word.text[1] - '0';
    if (lane < 0 || (unsigned)lane >= lanes || (lanes == 8 && word.size == 1))
        return parser_fail(parser, word.place, "expected a component of '%.*s', from s0 to s%u, found '%.*s'",
                           (int)name->size, name->text, lanes - 1, (int)word.size, word.text);
    *name = component(parser, name, (unsigned)lane);
    parser_advance(parser);
    return STATUS_OK;
}

/* ---- operands ---- */

/* A vector access of the words from `address` on, with nothing kept and nothing stored yet. */
static enum status make_vector(struct c_body *body, struct litmus_expression *address, unsigned lanes,
                               struct litmus_vector *vector)
{
    const struct token name = {.kind = TOKEN_WORD, .place = address->place};
    struct parser *parser = body->parser;
    if (address->kind != LITMUS_EXPRESSION_ADDRESS ||
        (address->left && address->left->kind != LITMUS_EXPRESSION_CONSTANT) ||
        body->draft->points_to_atomic[address->index])
        return parser_fail(parser, name.place,
                           "expected a parameter of the thread that is not atomic, with a constant index");
    *vector = (struct litmus_vector){.access = *parser_access(parser), .lanes = lanes};
    vector->access.address = address;
    vector->access.type = body->draft->points_to[address->index];
    for (unsigned i = 0; i < LITMUS_MAXIMUM_LANES; i++)
        vector->registers[i] = LITMUS_NONE;
    return STATUS_OK;
}

static enum status check_type(struct c_body *body, const struct litmus_vector *vector, enum litmus_type type,
                              struct litmus_place place)
{
    if (vector->access.type == type)
        return STATUS_OK;
    return parser_fail(body->parser, place, "expected a vector of %s, the type of the pointer, found one of %s",
                       litmus_type_name(vector->access.type), litmus_type_name(type));
}

/* "0, x)" of vload and vstore: the words from x + 0 * lanes on. */
static enum status take_place(struct c_body *body, unsigned lanes, struct litmus_vector *vector)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    struct litmus_expression *address;
    unsigned offset;
    if (start.kind != TOKEN_NUMBER)
        return parser_expected(parser, "the number of the vector, such as 0");
    TRY(parser_count(parser, "the number of the vector", LITMUS_MAXIMUM_ELEMENTS, &offset));
    TRY(parser_take(parser, ","));
    TRY(parse_c_pointer(body, &address));
    TRY(parser_take(parser, ")"));
    TRY(make_vector(body, address, lanes, vector));
    /* Moves the address on by a number of words. */
    const int64_t element = (address->left ? address->left->value : 0) + (int64_t)offset * lanes;
    address->left = element == 0 ? NULL : make_c_constant(body, element, address->place);
    vector->unaligned = true;
    return STATUS_OK;
}

/* "(global int4 *)x" with the parenthesis at hand. */
static enum status take_cast(struct c_body *body, struct litmus_vector *vector)
{
    struct parser *parser = body->parser;
    struct vector_type type;
    struct litmus_expression *address;
    TRY(parser_take(parser, "("));
    const struct token space = parser->token;
    const int region = word_find(region_words, &space);
    if (region != LITMUS_NONE)
        parser_advance(parser);
    const struct token word = parser->token;
    if (!find_type(&word, &type) || type.lanes == 3 || (type.lanes == 8 && parser->test->dialect == LITMUS_CUDA))
        return parser_expected(parser, "a vector type such as int4 (of three words, vload3 and vstore3)");
    parser_advance(parser);
    TRY(parser_take(parser, "*"));
    TRY(parser_take(parser, ")"));
    TRY(parse_c_pointer(body, &address));
    TRY(make_vector(body, address, type.lanes, vector));
    if (region != LITMUS_NONE && parser->test->locations[address->index].region != (enum litmus_region)region)
        return parser_expected_not(parser, &space, "the address space of the pointer");
    return check_type(body, vector, type.type, word.place);
}

/* "(1, r0, 2, 3)", or "(1)" for all components. */
static enum status take_components(struct c_body *body, const struct vector_type *type,
                                   struct litmus_expression *values[])
{
    struct parser *parser = body->parser;
    TRY(parser_take(parser, "("));
    unsigned count = 0;
    for (bool more = true; more; count++) {
        if (count == type->lanes)
            return parser_expected(parser, "no more values than the vector has components");
        TRY(parse_c_expression(body, &values[count]));
        if (litmus_has_access(values[count]))
            return parser_fail(parser, values[count]->place,
                               "expected a component that does not read memory (load it into a register first)");
        more = parser_take_if(parser, ",");
    }
    if (count != 1 && count != type->lanes)
        return parser_fail(parser, parser->token.place, "expected %u components, or one for all, found %u", type->lanes,
                           count);
    for (; count < type->lanes; count++)
        values[count] = values[0];
    return parser_take(parser, ")");
}

/* "make_int4" of CUDA. */
static bool is_maker(const struct token *word, struct vector_type *type)
{
    static const char start[] = "make_";
    struct token name = *word;
    if (word->kind != TOKEN_WORD || word->size <= strlen(start) || memcmp(word->text, start, strlen(start)) != 0)
        return false;
    name.text += strlen(start);
    name.size -= strlen(start);
    return find_type(&name, type);
}

/* "(int4)(1, r0, 2, 3)", make_int4(1, r0, 2, 3), or a vector register. */
static enum status take_values(struct c_body *body, struct vector_type *type, struct litmus_expression *values[])
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    if (is_maker(&start, type)) {
        parser_advance(parser);
        return take_components(body, type, values);
    }
    if (start.kind == TOKEN_WORD) {
        type->lanes = c_lanes_of(parser, body->draft, &start);
        if (type->lanes == 0)
            return parser_expected(parser, "a vector, such as (int4)(1, 2, 3, 4) or a register of vector type");
        for (unsigned i = 0; i < type->lanes; i++) {
            const struct token own = component(parser, &start, i);
            values[i] = make_c_register(body, draft_find_register(body->draft, &own), start.place);
        }
        type->type = body->draft->thread.registers[values[0]->index].type;
        parser_advance(parser);
        return STATUS_OK;
    }
    TRY(parser_take(parser, "("));
    if (!find_type(&parser->token, type))
        return parser_expected(parser, "a vector type such as int4");
    parser_advance(parser);
    TRY(parser_take(parser, ")"));
    return take_components(body, type, values);
}

/* ---- statements ---- */

static enum status add_vector(struct c_body *body, struct litmus_block *block, const struct litmus_vector *vector,
                              struct litmus_place place)
{
    TRY(add_c_statement(body, block,
                        (struct litmus_statement){.kind = LITMUS_VECTOR, .place = place, .vector = *vector}));
    return parser_take(body->parser, ";");
}

static enum status check_lanes(struct c_body *body, unsigned expected, unsigned found, struct litmus_place place)
{
    if (expected == found)
        return STATUS_OK;
    return parser_fail(body->parser, place, "expected a vector of %u components, found %u", expected, found);
}

/* "vload4(0, x)" or "*(global int4 *)x" for the register; nothing else gives a vector. */
static enum status parse_load(struct c_body *body, struct litmus_block *block, const struct token *name, unsigned lanes)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    struct litmus_vector vector;
    unsigned loaded;
    const bool star = parser_take_if(parser, "*");
    if (!star && (!is_function(&start, "vload", &loaded) || parser->test->dialect == LITMUS_CUDA))
        return parser_expected(parser, "a load of a vector, such as vload4(0, x) or *(global int4 *)x");
    if (star)
        TRY(take_cast(body, &vector));
    else {
        parser_advance(parser);
        TRY(parser_take(parser, "("));
        TRY(take_place(body, loaded, &vector));
    }
    TRY(check_lanes(body, lanes, vector.lanes, start.place));
    vector.access.operation = LITMUS_LOAD;
    for (unsigned i = 0; i < lanes; i++) {
        const struct token own = component(parser, name, i);
        vector.registers[i] = draft_find_register(body->draft, &own);
    }
    TRY(check_type(body, &vector, body->draft->thread.registers[vector.registers[0]].type, start.place));
    return add_vector(body, block, &vector, start.place);
}

/* A vector register of the thread, which may have it already, with the same type. */
static enum status declare(struct c_body *body, const struct token *name, struct vector_type type)
{
    struct parser *parser = body->parser;
    const int location = parser_find_location(parser, name);
    const unsigned lanes = c_lanes_of(parser, body->draft, name);
    if ((location != LITMUS_NONE && body->draft->visible[location]) ||
        draft_find_register(body->draft, name) != LITMUS_NONE)
        return parser_expected_not(parser, name, "a name not used in the thread");
    if (lanes > 0)
        TRY(check_lanes(body, lanes, type.lanes, name->place));
    char *copy; /* refuses words of the language */
    TRY(parser_name(parser, name, &copy));
    for (unsigned i = 0; i < type.lanes; i++) {
        const struct token own = component(parser, name, i);
        int index;
        TRY(draft_register(parser, body->draft, &own, &index));
        if (body->draft->registers[index].typed && body->draft->thread.registers[index].type != type.type)
            return parser_expected_not(parser, name, "a vector of its declared type");
        body->draft->thread.registers[index].type = type.type;
        body->draft->registers[index].typed = true;
    }
    return STATUS_OK;
}

/* Stores the values to the place of `vector`. */
static enum status add_store(struct c_body *body, struct litmus_block *block, struct litmus_vector *vector,
                             struct vector_type type, const struct token *start)
{
    vector->access.operation = LITMUS_STORE;
    TRY(check_lanes(body, vector->lanes, type.lanes, start->place));
    TRY(check_type(body, vector, type.type, start->place));
    return add_vector(body, block, vector, start->place);
}

/* "vstore4((int4)(1, 2, 3, 4), 0, x);". */
static enum status parse_vstore(struct c_body *body, struct litmus_block *block, unsigned lanes)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    struct litmus_expression *values[LITMUS_MAXIMUM_LANES] = {0};
    struct litmus_vector vector;
    struct vector_type type;
    parser_advance(parser);
    TRY(parser_take(parser, "("));
    TRY(take_values(body, &type, values));
    TRY(parser_take(parser, ","));
    TRY(take_place(body, lanes, &vector));
    memcpy(vector.values, values, sizeof values);
    return add_store(body, block, &vector, type, &start);
}

/* "*(global int4 *)x = (int4)(1, 2, 3, 4);". */
static enum status parse_cast_store(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    struct litmus_vector vector;
    struct vector_type type;
    parser_advance(parser);
    TRY(take_cast(body, &vector));
    TRY(parser_take(parser, "="));
    TRY(take_values(body, &type, vector.values));
    return add_store(body, block, &vector, type, &start);
}

/* Is "*(global int4 *" or "*(int4 *" at hand? */
static bool at_cast(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    struct vector_type type;
    if (!parser_at(parser, "*"))
        return false;
    struct token token = scanner_next(&ahead);
    if (!token_is(&token, "("))
        return false;
    token = scanner_next(&ahead);
    if (word_find(region_words, &token) != LITMUS_NONE)
        token = scanner_next(&ahead);
    return find_type(&token, &type);
}

enum status parse_c_vector(struct c_body *body, struct litmus_block *block, bool *found)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    const struct token next = parser_next(parser);
    struct vector_type type;
    unsigned lanes;
    *found = true;
    const bool opencl = parser->test->dialect == LITMUS_OPENCL;
    if (opencl || parser->test->dialect == LITMUS_CUDA) {
        if (find_type(&start, &type) && (opencl || type.lanes == 2 || type.lanes == 4) && next.kind == TOKEN_WORD) {
            /* "int4 r = vload4(0, x);", "int4 r;". */
            struct token name;
            parser_advance(parser);
            TRY(parser_take_word(parser, "the name of a register", &name));
            TRY(declare(body, &name, type));
            return parser_take_if(parser, "=") ? parse_load(body, block, &name, type.lanes) : parser_take(parser, ";");
        }
        if (opencl && is_function(&start, "vstore", &lanes) && token_is(&next, "("))
            return parse_vstore(body, block, lanes);
        if (at_cast(parser))
            return parse_cast_store(body, block);
        if (start.kind == TOKEN_WORD && token_is(&next, "=") && (lanes = c_lanes_of(parser, body->draft, &start)) > 0) {
            parser_advance(parser);
            parser_advance(parser);
            return parse_load(body, block, &start, lanes);
        }
    }
    *found = false;
    return STATUS_OK;
}
