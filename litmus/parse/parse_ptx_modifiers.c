// SPDX-License-Identifier: Apache-2.0
/* The words after an instruction's first one, and instructions that are kept as text. */
#include <stddef.h>

#include "litmus/parse/ptx_cell.h"

/* ".relaxed.gpu.shared::cta" after the first word. */
enum status ptx_parse_parts(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    while (parser_at(parser, ".") || parser_at(parser, "::")) {
        if (cell->part_count == PTX_MAXIMUM_PARTS)
            return parser_limit(parser, PTX_MAXIMUM_PARTS, "modifiers of one instruction");
        /* "::cta" and "::cluster" stay apart from the scopes of the same names by keeping their colons. */
        const bool colons = parser_at(parser, "::");
        struct token part = parser->token;
        TRY(parser_advance(parser));
        const struct token word = parser->token;
        if (word.kind != TOKEN_WORD && word.kind != TOKEN_NUMBER)
            return parser_expected(parser, "a modifier after '.'");
        TRY(parser_advance(parser));
        if (colons && word.text == part.text + part.size)
            part = (struct token){.kind = TOKEN_WORD, .place = part.place, .text = part.text, .size = word.size + 2};
        else
            part = word;
        cell->parts[cell->part_count++] = part;
    }
    return STATUS_OK;
}

struct token ptx_whole_name(const struct ptx_cell *cell)
{
    struct token whole = cell->name;
    if (cell->part_count > 0) {
        const struct token *last = &cell->parts[cell->part_count - 1];
        whole.size = (size_t)(last->text + last->size - whole.text);
    }
    return whole;
}

bool ptx_starts_with(const struct ptx_cell *cell, const struct ptx_instruction *row)
{
    const char *dotted = row->words;
    size_t length = strcspn(dotted, ".");
    if (cell->name.size != length || memcmp(cell->name.text, dotted, length) != 0)
        return false;
    for (size_t i = 0; dotted[length] == '.'; i++) {
        dotted += length + 1;
        length = strcspn(dotted, ".");
        if (i == cell->part_count || cell->parts[i].size != length || memcmp(cell->parts[i].text, dotted, length) != 0)
            return false;
    }
    return true;
}

enum status ptx_keep_text(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    struct text text = {0};
    const char *end = cell->name.text + cell->name.size;
    text_add_bytes(&text, cell->name.text, cell->name.size);
    for (size_t i = 0; i < cell->part_count; i++) {
        const struct token *part = &cell->parts[i];
        text_add(&text, "%s%.*s", part->text[0] == ':' ? "" : ".", (int)part->size, part->text);
        end = part->text + part->size;
    }
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !parser_at(parser, "|") && !parser_at(parser, ";")) {
        if (parser->token.kind == TOKEN_END || parser->token.kind == TOKEN_TEXT)
            status = parser_expected(parser, "an operand, '|' or ';'");
        else {
            if (parser->token.text != end)
                text_add_bytes(&text, " ", 1);
            text_add_bytes(&text, parser->token.text, parser->token.size);
            end = parser->token.text + parser->token.size;
            status = parser_advance(parser);
        }
    }
    struct litmus_statement *statement;
    if (status == STATUS_OK)
        status = parser_statement(parser, &cell->draft->thread.body, LITMUS_UNSUPPORTED, cell->name.place, &statement);
    if (status == STATUS_OK)
        statement->text = arena_copy(parser_arena(parser), text_string(&text));
    text_release(&text);
    return status;
}

bool ptx_set_once(int *slot, int value)
{
    if (value == LITMUS_NONE || *slot != LITMUS_NONE)
        return false;
    *slot = value;
    return true;
}

/* Where the words of a slot come from and go to, and the values that they may have there. */
static const struct {
    const struct word *words;
    size_t member;
    int least, most;
} slots[] = {
    [PTX_ORDER] = {ptx_order_words, offsetof(struct ptx_modifiers, order), 0, LITMUS_SEQ_CST},
    [PTX_FENCE_ORDER] = {ptx_order_words, offsetof(struct ptx_modifiers, order), LITMUS_ACQUIRE, LITMUS_SEQ_CST},
    [PTX_SCOPE] = {ptx_scope_words, offsetof(struct ptx_modifiers, scope), 0, LITMUS_ALL_DEVICES},
    [PTX_WIDE_SCOPE] = {ptx_scope_words, offsetof(struct ptx_modifiers, scope), LITMUS_DEVICE, LITMUS_ALL_DEVICES},
    [PTX_MEMBAR_SCOPE] = {ptx_membar_words, offsetof(struct ptx_modifiers, scope), 0, LITMUS_ALL_DEVICES},
    [PTX_TYPE] = {ptx_type_words, offsetof(struct ptx_modifiers, type), 0, LITMUS_TYPE_COUNT},
    [PTX_OPERATION] = {ptx_operation_words, offsetof(struct ptx_modifiers, operation), LITMUS_EXCHANGE,
                       LITMUS_OPERATION_COUNT},
    [PTX_PROXY] = {proxy_words, offsetof(struct ptx_modifiers, proxy), 0, LITMUS_ALIAS},
};

bool ptx_take_slot(struct ptx_modifiers *modifiers, enum ptx_slot slot, const struct token *word)
{
    const int value = word_find(slots[slot].words, word);
    return value >= slots[slot].least && value <= slots[slot].most &&
           ptx_set_once((int *)((char *)modifiers + slots[slot].member), value);
}

/* State spaces; "shared::cta" and "shared::cluster" arrive as two parts, the second without effect:
 * the location tells whose memory it is in. */
static const struct word space_words[] = {{"global", LITMUS_GLOBAL}, {"shared", LITMUS_LOCAL}, {NULL, 0}};

const struct ptx_modifiers ptx_no_modifiers = {.order = LITMUS_NONE,
                                               .scope = LITMUS_NONE,
                                               .type = LITMUS_NONE,
                                               .operation = LITMUS_NONE,
                                               .proxy = LITMUS_NONE,
                                               .space = LITMUS_NONE};

enum status ptx_parse_modifiers(struct ptx_cell *cell)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    const enum ptx_shape shape = cell->instruction->means.shape;
    const bool access = shape <= PTX_RED, atomic = shape == PTX_ATOM || shape == PTX_RED;
    const bool generic = access && cell->instruction->means.proxy == LITMUS_GENERIC;
    *modifiers = ptx_no_modifiers;
    for (size_t i = 0, taken; i < cell->part_count; i += taken) {
        const struct token *part = &cell->parts[i];
        taken = generic ? ptx_take_vector_word(cell, i) : 0;
        taken = generic && taken == 0 ? ptx_take_cache_word(cell, i) : taken;
        if (taken > 0)
            continue;
        taken = 1;
        const int order = access ? word_find(ptx_order_words, part) : LITMUS_NONE;
        if (order != LITMUS_NONE && (cell->instruction->orders & 1U << order) == 0)
            return parser_expected_not(cell->parser, part, cell->instruction->expected);
        const bool known = ptx_set_once(&modifiers->order, order) || ptx_take_slot(modifiers, PTX_TYPE, part) ||
                           (access && ptx_take_slot(modifiers, PTX_SCOPE, part)) ||
                           (access && ptx_set_once(&modifiers->space, word_find(space_words, part))) ||
                           (modifiers->space == LITMUS_LOCAL && i > 0 && token_is(&cell->parts[i - 1], "shared") &&
                            (token_is(part, "::cta") || token_is(part, "::cluster"))) ||
                           (atomic && ptx_take_slot(modifiers, PTX_OPERATION, part));
        if (!known)
            return parser_expected_not(cell->parser, part,
                                       atomic   ? "an order, a scope, a state space, an operation, a vector or a type, "
                                                  "each once"
                                       : access ? "an order, a scope, a state space, a cache operator, a vector or a "
                                                  "type, each once"
                                                : "a type, once");
    }
    return ptx_check_cache(cell);
}
