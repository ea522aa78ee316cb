// SPDX-License-Identifier: Apache-2.0
/* Addresses in registers, as compiled PTX has them: "mov.u64 %rd1, x", "ld.param.u64 %rd1, [x]", "cvta.to.global.u64
 * %rd2, %rd1" and "[%rd2+4]". Such a register has one address in its whole thread, which the parser puts in its place,
 * so the test has no such register. */
#include "litmus/language/walk.h"
#include "litmus/parse/ptx_cell.h"

const struct pointer_note *ptx_find_pointer(const struct draft *draft, const struct token *name)
{
    return FIRST_OF(pointer, draft->pointers, draft->pointer_count, token_is(name, pointer->name));
}

enum status ptx_take_offset(struct ptx_cell *cell, int64_t *bytes)
{
    struct litmus_place place;
    int64_t offset = 0;
    if (parser_take_if(cell->parser, "+") || parser_at(cell->parser, "-"))
        TRY(parser_integer(cell->parser, "a number of bytes", &offset, &place));
    if (offset > UINT16_MAX || offset < -UINT16_MAX)
        return parser_fail(cell->parser, place, "expected an offset of at most 65535 bytes");
    *bytes += offset;
    return STATUS_OK;
}

/* A location without a type has as many elements as the test uses. */
enum status ptx_reach(struct ptx_cell *cell, const struct litmus_expression *address, int64_t elements)
{
    struct parser *parser = cell->parser;
    struct litmus_location *location = &parser->test->locations[address->index];
    const bool open = !parser->notes[address->index].typed && !location->array && location->initial[0] == 0;
    if (elements <= location->elements || !open || elements > LITMUS_MAXIMUM_ELEMENTS)
        return STATUS_OK;
    location->elements = (uint32_t)elements;
    location->initial = arena_take(parser_arena(parser), location->elements, sizeof *location->initial);
    return STATUS_OK;
}

enum status ptx_set_element(struct ptx_cell *cell, int64_t bytes, struct litmus_expression *address)
{
    struct parser *parser = cell->parser;
    struct litmus_location *location = &parser->test->locations[address->index];
    const int suffix = cell->modifiers.type;
    if (bytes == 0)
        return STATUS_OK;
    TRY(ptx_reach(cell, address,
                  1 + bytes / (suffix == LITMUS_NONE ? 4 : (int)litmus_type_size((enum litmus_type)suffix))));
    if (!parser->notes[address->index].typed)
        TRY(parser_type_location(parser, address->index, suffix == LITMUS_NONE ? LITMUS_INT : (enum litmus_type)suffix,
                                 address->place));
    const int64_t size = (int64_t)litmus_type_size(location->type), most = size * location->elements;
    if (address->left || bytes < 0 || bytes % size != 0 || bytes >= most)
        return parser_fail(
            parser, address->place,
            "expected an offset within '%s', a multiple of %lld below %lld (declare more elements, as in "
            "u32 %s[2]), found %lld",
            location->name, (long long)size, (long long)most, location->name, (long long)bytes);
    address->left = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, address->place);
    address->left->value = bytes / size;
    return STATUS_OK;
}

enum status ptx_take_pointer(struct ptx_cell *cell, const struct token *target, bool *done)
{
    struct parser *parser = cell->parser;
    struct scanner ahead = parser->scanner;
    struct token operand = parser->token;
    while (token_is(&operand, "[") || token_is(&operand, "%"))
        operand = scanner_next(&ahead);
    const struct pointer_note *known = ptx_find_pointer(cell->draft, &operand);
    const int location = operand.kind == TOKEN_WORD ? parser_find_location(parser, &operand) : LITMUS_NONE;
    struct pointer_note pointer = known ? *known : (struct pointer_note){.location = location};
    *done = cell->instruction->means.shape == PTX_MOVE && pointer.location != LITMUS_NONE;
    if (!*done)
        return STATUS_OK;
    if (draft_find_register(cell->draft, target) != LITMUS_NONE || ptx_find_pointer(cell->draft, target) ||
        parser_find_location(parser, target) != LITMUS_NONE)
        return parser_expected_not(parser, target, "a register for an address that is not set elsewhere");
    const bool bracket = parser_take_if(parser, "[");
    (void)parser_take_percent(parser);
    parser_advance(parser);
    TRY(ptx_take_offset(cell, &pointer.bytes));
    if (bracket)
        TRY(parser_take(parser, "]"));
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
    const struct litmus_thread *thread = &draft->thread;
    enum status status = STATUS_OK;
    if (thread->placement.host)
        return STATUS_OK;
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);) {
        struct litmus_expression *address = walk.access ? walk.access->address : NULL;
        const bool named = address && address->kind == LITMUS_EXPRESSION_REGISTER,
                   added = address && address->value > 0;
        const int index = named ? address->index : added ? (int)address->value - 1 : LITMUS_NONE;
        const bool set = index != LITMUS_NONE && is_set(&thread->body, index);
        if (status != STATUS_OK || index == LITMUS_NONE || thread->registers[index].points_to == LITMUS_NONE ||
            (set && named))
            continue;
        if (set) {
            status = parser_fail(parser, address->place,
                                 "expected an offset from a register that always holds the same address, but '%s' "
                                 "is set",
                                 thread->registers[index].name);
            continue;
        }
        address->kind = LITMUS_EXPRESSION_ADDRESS;
        address->index = thread->registers[index].points_to;
        address->value = named ? 1 + index : 0;
    }
    return status;
}
