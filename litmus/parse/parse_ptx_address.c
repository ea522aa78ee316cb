// SPDX-License-Identifier: Apache-2.0
/* Addresses in registers, as compiled PTX has them: "mov.u64 %rd1, x", "ld.param.u64 %rd1, [x]", "cvta.to.global.u64
 * %rd2, %rd1", "add.s64 %rd3, %rd2, 4" and "[%rd3+4]". Such a register has one address in its whole thread, which the
 * parser puts in its place, so the test has no such register. */
#include "litmus/language/walk.h"
#include "litmus/parse/ptx_cell.h"

static const struct pointer_note *find_pointer(const struct draft *draft, const struct token *name)
{
    for (size_t i = 0; i < draft->pointer_count; i++)
        if (token_is(name, draft->pointers[i].name))
            return &draft->pointers[i];
    return NULL;
}

bool ptx_is_pointer(const struct ptx_cell *cell, const struct token *name, struct pointer_note *pointer)
{
    const struct pointer_note *found = find_pointer(cell->draft, name);
    if (found && pointer)
        *pointer = *found;
    return found != NULL;
}

enum status ptx_take_offset(struct ptx_cell *cell, int64_t *bytes)
{
    struct parser *parser = cell->parser;
    struct litmus_place place;
    int64_t offset;
    bool plus;
    TRY(parser_take_if(parser, "+", &plus));
    if (!plus && !parser_at(parser, "-"))
        return STATUS_OK;
    TRY(parser_integer(parser, "a number of bytes", &offset, &place));
    *bytes += offset;
    return STATUS_OK;
}

enum status ptx_set_element(struct ptx_cell *cell, int64_t bytes, struct litmus_expression *address)
{
    struct parser *parser = cell->parser;
    const int suffix = cell->modifiers.type;
    if (bytes == 0)
        return STATUS_OK;
    if (!parser->notes[address->index].typed)
        TRY(parser_type_location(parser, address->index, suffix == LITMUS_NONE ? LITMUS_INT : (enum litmus_type)suffix,
                                 address->place));
    const struct litmus_location *location = &parser->test->locations[address->index];
    const int64_t size = (int64_t)litmus_type_size(location->type);
    if (address->left || bytes < 0 || bytes % size != 0 || bytes / size >= location->elements)
        return parser_fail(parser, address->place, STATUS_SYNTAX,
                           "expected an offset within '%s' that is a multiple of %lld, below %lld (declare as many "
                           "elements as the test uses: %s[2]), found %lld",
                           location->name, (long long)size, (long long)(size * location->elements), location->name,
                           (long long)bytes);
    address->left = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, address->place);
    address->left->value = bytes / size;
    return STATUS_OK;
}

/* Reads "x+4", "[x]" or "%rd1", and what is added. */
static enum status take_operands(struct ptx_cell *cell, bool adds, int64_t *bytes)
{
    struct parser *parser = cell->parser;
    struct litmus_place place;
    int64_t number;
    bool bracket, percent;
    TRY(parser_take_if(parser, "[", &bracket));
    TRY(parser_take_percent(parser, &percent));
    TRY(parser_advance(parser));
    TRY(ptx_take_offset(cell, bytes));
    if (bracket)
        TRY(parser_take(parser, "]"));
    if (!adds)
        return STATUS_OK;
    TRY(parser_take(parser, ","));
    TRY(parser_integer(parser, "a number of bytes: an address is known before the run (x[r0] has an index)", &number,
                       &place));
    *bytes += cell->instruction->means.op == LITMUS_SUB ? -number : number;
    return STATUS_OK;
}

enum status ptx_take_pointer(struct ptx_cell *cell, const struct token *target, bool *done)
{
    struct parser *parser = cell->parser;
    struct scanner ahead = parser->scanner;
    struct token operand = parser->token;
    const struct ptx_meaning *means = &cell->instruction->means;
    const bool moves = means->shape == PTX_MOVE;
    const bool adds = means->shape == PTX_COMPUTE && (means->op == LITMUS_ADD || means->op == LITMUS_SUB);
    struct pointer_note pointer = {.location = LITMUS_NONE};
    while (token_is(&operand, "[") || token_is(&operand, "%"))
        operand = scanner_next(&ahead);
    const bool known = operand.kind == TOKEN_WORD && ptx_is_pointer(cell, &operand, &pointer);
    if (!known && moves && draft_find_register(cell->draft, &operand) == LITMUS_NONE)
        pointer.location = operand.kind == TOKEN_WORD ? parser_find_location(parser, &operand) : LITMUS_NONE;
    *done = (moves || adds) && pointer.location != LITMUS_NONE;
    if (!*done)
        return STATUS_OK;
    if (draft_find_register(cell->draft, target) != LITMUS_NONE || find_pointer(cell->draft, target) ||
        parser_find_location(parser, target) != LITMUS_NONE)
        return parser_expected_not(parser, target, "a register for an address that nothing else sets");
    TRY(take_operands(cell, adds, &pointer.bytes));
    TRY(parser_name(parser, target, &pointer.name));
    ARENA_ADD(parser_arena(parser), cell->draft->pointers, cell->draft->pointer_count) = pointer;
    return STATUS_OK;
}

/* ---- registers to which the initial state gives an address: "0:.reg .b64 r1 = x" ---- */

static bool is_set(const struct litmus_block *body, int index)
{
    bool set = false;
    for (size_t i = 0; i < body->count; i++) {
        const int *registers;
        for (size_t count = litmus_statement_registers(&body->statements[i], &registers); count > 0; count--)
            set |= registers[count - 1] == index;
    }
    return set;
}

enum status ptx_name_locations(struct parser *parser, struct draft *draft)
{
    struct litmus_thread *thread = &draft->thread;
    for (size_t i = 0; i < thread->register_count; i++)
        if (draft->registers[i].based.line > 0 && is_set(&thread->body, (int)i))
            return parser_fail(parser, draft->registers[i].based, STATUS_SYNTAX,
                               "expected an offset from a register with one address, but '%s' is set again",
                               thread->registers[i].name);
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);) {
        struct litmus_expression *address = walk.access ? walk.access->address : NULL;
        if (!address || address->kind != LITMUS_EXPRESSION_REGISTER || is_set(&thread->body, address->index) ||
            thread->registers[address->index].points_to == LITMUS_NONE)
            continue;
        address->kind = LITMUS_EXPRESSION_ADDRESS;
        address->value = 1 + address->index;
        address->index = thread->registers[address->index].points_to;
    }
    return STATUS_OK;
}
