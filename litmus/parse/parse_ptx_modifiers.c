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

/* Sets the slot if there is a value and the slot is empty. */
static bool ptx_set_once(int *slot, int value)
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

/* ---- how loads and stores treat caches: operators, hints, .nc, .mmio and .proxy::readonly ---- */

static size_t ptx_take_cache_word(struct ptx_cell *cell, size_t index)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    struct token word = cell->parts[index];
    size_t count = 1;
    if (token_is(&word, "nc") || token_is(&word, "mmio")) {
        bool *const flag = token_is(&word, "nc") ? &modifiers->read_only : &modifiers->mmio;
        const bool again = *flag;
        *flag = true;
        return again ? 0 : 1;
    }
    if (index + 1 < cell->part_count && cell->parts[index + 1].text[0] == ':') {
        const struct token *end = &cell->parts[index + 1];
        word.size = (size_t)(end->text + end->size - word.text);
        count = 2;
    }
    if (token_is(&word, "proxy::readonly")) {
        const bool again = modifiers->readonly_proxy;
        modifiers->readonly_proxy = true;
        return again ? 0 : count;
    }
    const int cache = ptx_find_cache(word.text, word.size);
    enum litmus_cache *const slot = cache >= LITMUS_CACHE_PREFETCH_64 ? &modifiers->prefetch : &modifiers->cache;
    if (cache == LITMUS_NONE || *slot != LITMUS_CACHE_NONE)
        return 0;
    *slot = (enum litmus_cache)cache;
    return count;
}

/* PTX ISA, ld and st: .mmio is .relaxed.sys, of one value in global memory, with no hint. */
static enum status check_mmio(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape <= PTX_STORE && modifiers->order == LITMUS_RELAXED &&
                       modifiers->scope == LITMUS_ALL_DEVICES && modifiers->space != LITMUS_LOCAL &&
                       (modifiers->lanes == 0 || modifiers->whole) && !modifiers->read_only &&
                       modifiers->cache == LITMUS_CACHE_NONE && modifiers->prefetch == LITMUS_CACHE_NONE;
    return right ? STATUS_OK
                 : ptx_expected_whole(cell, "ld.mmio.relaxed.sys or st.mmio.relaxed.sys of one value in global memory, "
                                            "without a cache operator or hint");
}

static enum status check_read_only(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape == PTX_LOAD && modifiers->order == LITMUS_NONE &&
                       modifiers->scope == LITMUS_NONE && modifiers->space == LITMUS_GLOBAL;
    return right ? STATUS_OK : ptx_expected_whole(cell, "ld.global.nc, which has no order and no scope");
}

/* PTX ISA, ld: .proxy::readonly is a form of its own, for global and constant memory. */
static enum status check_readonly_proxy(const struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool right = cell->instruction->means.shape == PTX_LOAD && modifiers->order == LITMUS_NONE &&
                       modifiers->scope == LITMUS_NONE && modifiers->space != LITMUS_LOCAL && modifiers->lanes == 0 &&
                       !modifiers->read_only && !modifiers->mmio && modifiers->cache == LITMUS_CACHE_NONE &&
                       modifiers->prefetch == LITMUS_CACHE_NONE;
    return right ? STATUS_OK
                 : ptx_expected_whole(cell, "ld.proxy::readonly of one value in global memory, without an order, a "
                                            "scope or a hint");
}

/* Refuses cache operators, hints, .nc and .mmio on accesses for which the ISA does not have
 * them. */
static enum status ptx_check_cache(struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool weak = modifiers->order == LITMUS_NONE || modifiers->order == LITMUS_PLAIN;
    if (modifiers->mmio)
        TRY(check_mmio(cell));
    if (modifiers->read_only)
        TRY(check_read_only(cell));
    if (modifiers->readonly_proxy)
        TRY(check_readonly_proxy(cell));
    const enum ptx_shape shape = cell->instruction->means.shape;
    const unsigned instructions = shape == PTX_LOAD    ? modifiers->read_only ? PTX_ON_READ_ONLY : PTX_ON_LOADS
                                  : shape == PTX_STORE ? PTX_ON_STORES
                                                       : 0;
    if (!ptx_has_cache(instructions, modifiers->cache) || !ptx_has_cache(instructions, modifiers->prefetch))
        return ptx_expected_whole(cell, modifiers->read_only ? "a cache operator or hint of ld.global.nc (not cv or lu)"
                                        : shape == PTX_LOAD  ? "a cache operator of loads: ca, cg, cs, cv or lu"
                                        : shape == PTX_STORE
                                            ? "a cache operator of stores: wb, cg, cs or wt, and no prefetch"
                                            : "no cache operator (only loads and stores have one)");
    if (litmus_cache_is_operator(modifiers->cache) && !weak)
        return ptx_expected_whole(cell, "a weak access with that cache operator (hints such as L1::no_allocate go with "
                                        "other orders)");
    if (modifiers->cache != LITMUS_CACHE_NONE && modifiers->order == LITMUS_VOLATILE)
        return ptx_expected_whole(cell, "no eviction hint with a volatile access");
    return STATUS_OK;
}

/* ---- all words ---- */

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
