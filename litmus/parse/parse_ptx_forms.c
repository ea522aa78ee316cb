// SPDX-License-Identifier: Apache-2.0
/* The words after the first one of PTX's instructions, and the instructions that have all their words in a row of the
 * table: asynchronous copies, mbarriers, barriers, fences, tensor maps. */
#include "litmus/language/collective.h"
#include "litmus/language/value.h"
#include "litmus/parse/ptx_cell.h"

/* ---- the words after an instruction's first one, and instructions that are kept as text ---- */

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
        parser_advance(parser);
        const struct token word = parser->token;
        if (word.kind != TOKEN_WORD && word.kind != TOKEN_NUMBER)
            return parser_expected(parser, "a modifier after '.'");
        parser_advance(parser);
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
    LOCAL(text) text = {0};
    const char *end = cell->name.text + cell->name.size;
    text_add_bytes(&text, cell->name.text, cell->name.size);
    FOR_EACH(const struct token, part, cell->parts, cell->part_count) {
        text_add(&text, "%s%.*s", part->text[0] == ':' ? "" : ".", (int)part->size, part->text);
        end = part->text + part->size;
    }
    while (!parser_at(parser, "|") && !parser_at(parser, ";")) {
        if (parser->token.kind == TOKEN_END || parser->token.kind == TOKEN_TEXT)
            return parser_expected(parser, "an operand, '|' or ';'");
        if (parser->token.text != end)
            text_add_bytes(&text, " ", 1);
        text_add_bytes(&text, parser->token.text, parser->token.size);
        end = parser->token.text + parser->token.size;
        parser_advance(parser);
    }
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, cell->instruction->means.shape == PTX_IDLE ? LITMUS_IDLE : LITMUS_UNSUPPORTED,
                          &statement));
    statement->text = arena_copy(parser_arena(parser), text_string(&text));
    return STATUS_OK;
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

/* State spaces; "shared::cta" and "shared::cluster" arrive as two parts, the second without effect: the location tells
 * whose memory it is in. */
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

/* Refuses cache operators, hints, .nc and .mmio on accesses for which the ISA does not have them. */
static enum status ptx_check_cache(struct ptx_cell *cell)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool weak = modifiers->order == LITMUS_NONE || modifiers->order == LITMUS_PLAIN;
    if (modifiers->mmio)
        TRY(check_mmio(cell));
    if (modifiers->read_only) {
        const bool right = cell->instruction->means.shape == PTX_LOAD && modifiers->order == LITMUS_NONE &&
                           modifiers->scope == LITMUS_NONE && modifiers->space == LITMUS_GLOBAL;
        if (!right)
            return ptx_expected_whole(cell, "ld.global.nc, which has no order and no scope");
    }
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

/* ---- all of them ---- */

enum status ptx_parse_modifiers(struct ptx_cell *cell)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    const enum ptx_shape shape = cell->instruction->means.shape;
    const bool access = shape <= PTX_RED, atomic = shape == PTX_ATOM || shape == PTX_RED;
    const bool generic = access && cell->instruction->means.proxy == LITMUS_GENERIC;
    const char *const words = cell->instruction->operands ? cell->instruction->operands : "";
    const struct ptx_word silent = {.text = words, .size = access ? 0 : strlen(words)}; /* they change nothing */
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
                           (atomic && ptx_take_slot(modifiers, PTX_OPERATION, part)) ||
                           ptx_word_is(&silent, part->text, part->size);
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

enum { MOST_BYTES = LITMUS_MAXIMUM_ELEMENTS * 8, MOST_MASK = 0xffff, MAP_BYTES = 128 };

/* ---- mbarriers ---- */

static enum status take_mbarrier(struct ptx_cell *cell, struct litmus_expression **result)
{
    cell->modifiers.space = LITMUS_NONE;
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        cell->parser->test->locations[(*result)->index].type != LITMUS_MBARRIER)
        return parser_expected_not(cell->parser, &name,
                                   "an mbarrier, which the initial state declares: { mbarrier m=1; }");
    return STATUS_OK;
}

/* The order and scope of an operation of an mbarrier. PTX ISA: an arrival is release or relaxed, a wait acquire or
 * relaxed, and a change of the bytes alone relaxed. */
static enum status ptx_set_mbarrier_order(struct ptx_cell *cell, struct litmus_access *access)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const enum litmus_order usual = cell->instruction->means.order;
    const struct token whole = ptx_whole_name(cell);
    const int order = modifiers->order, scope = modifiers->scope;
    if (order != LITMUS_NONE && order != LITMUS_RELAXED && order != (int)usual)
        return parser_expected_not(cell->parser, &whole,
                                   usual == LITMUS_RELEASE   ? "an arrival that is release or relaxed"
                                   : usual == LITMUS_ACQUIRE ? "a wait that is acquire or relaxed"
                                                             : "a relaxed change of the bytes");
    if ((order == LITMUS_NONE) != (scope == LITMUS_NONE) ||
        (scope != LITMUS_NONE && scope != LITMUS_WORK_GROUP && scope != LITMUS_CLUSTER))
        return parser_expected_not(cell->parser, &whole, "an order with the scope cta or cluster, or neither");
    access->order = access->failure = order == LITMUS_NONE ? usual : (enum litmus_order)order;
    access->scope = access->order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE
                    : scope == LITMUS_NONE        ? LITMUS_WORK_GROUP
                                                  : (enum litmus_scope)scope;
    return STATUS_OK;
}

/* ---- tensor maps ---- */

/* The name of a tensor map that lies in that region. */
static enum status take_map(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    cell->modifiers.space = (int)region;
    TRY(ptx_take_address(cell, result));
    cell->modifiers.space = LITMUS_NONE;
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        cell->parser->test->locations[(*result)->index].type != LITMUS_TENSORMAP)
        return parser_expected_not(cell->parser, &name,
                                   "a tensor map, which the initial state declares: { tensormap t=x; }");
    return STATUS_OK;
}

/* "[t, {0}]" of a tensor map: the box at its start. */
static enum status take_box(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    unsigned coordinate;
    TRY(parser_take(parser, "["));
    TRY(take_map(cell, LITMUS_GLOBAL, result));
    TRY(parser_take(parser, ","));
    TRY(parser_take(parser, "{"));
    TRY(parser_count(parser, "a coordinate", 0, &coordinate));
    TRY(parser_take(parser, "}"));
    return parser_take(parser, "]");
}

/* ---- copies ---- */

/* "[x]" or "[x[4]]" in that region: the start of a copy is known before the run. */
static enum status take_place(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    cell->modifiers.space = (int)region;
    TRY(ptx_take_fixed_address(cell, result));
    cell->modifiers.space = LITMUS_NONE;
    return STATUS_OK;
}

/* A side of a copy: a place, or a tensor map instead of a place in global memory. */
static enum status take_side(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    const bool map = (cell->instruction->means.flags & PTX_TENSOR) != 0 && region == LITMUS_GLOBAL;
    return map ? take_box(cell, result) : take_place(cell, region, result);
}

/* PTX ISA: cp.async moves 4, 8 or 16 bytes, .cg only 16; a bulk copy moves whole units of 16 bytes. */
static enum status take_bytes(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const bool bulk = cell->statement.copy.bulk, cg = cell->statement.copy.through_l2;
    uint32_t *const bytes = &cell->statement.copy.bytes;
    const char *const what = bulk ? "a number of bytes that is a multiple of 16" : cg ? "16 bytes" : "4, 8 or 16 bytes";
    TRY(parser_count(parser, what, MOST_BYTES, bytes));
    const bool right = bulk ? *bytes > 0 && *bytes % 16 == 0 : *bytes == 16 || (!cg && (*bytes == 4 || *bytes == 8));
    return right ? STATUS_OK : parser_expected_not(parser, &number, what);
}

/* "[{d, e}]": the places that one address of a multicast names, one in each work-group of its mask. */
static enum status take_places(struct ptx_cell *cell, bool mbarriers, struct litmus_expression **first)
{
    bool more = true;
    TRY(parser_take(cell->parser, "["));
    TRY(parser_take(cell->parser, "{"));
    for (unsigned count = 0; more; count++) {
        const struct token start = cell->parser->token;
        if (count == LITMUS_MAXIMUM_DESTINATIONS)
            return parser_expected_not(cell->parser, &start, "at most 8 destinations");
        TRY(mbarriers ? take_mbarrier(cell, first) : take_place(cell, LITMUS_LOCAL, first));
        first = &(*first)->right;
        more = parser_take_if(cell->parser, ",");
    }
    TRY(parser_take(cell->parser, "}"));
    return parser_take(cell->parser, "]");
}

static unsigned count_places(const struct litmus_expression *address)
{
    return address ? 1 + count_places(address->right) : 0;
}

static enum status take_notified_places(struct ptx_cell *cell)
{
    struct litmus_copy *copy = &cell->statement.copy;
    const struct token mbarriers = cell->parser->token;
    TRY(take_places(cell, true, &copy->mbarrier));
    if (!copy->to->right)
        return parser_fail(cell->parser, copy->to->place, "expected several destinations of a multicast, found one");
    if (count_places(copy->to) == count_places(copy->mbarrier))
        return STATUS_OK;
    return parser_fail(cell->parser, mbarriers.place, "expected %u mbarriers, one for each destination, found %u",
                       count_places(copy->to), count_places(copy->mbarrier));
}

/* PTX ISA: bit k of ctaMask is for the work-group of rank k in the cluster. Here it is the number of a
 * destination's. */
static enum status take_mask(struct ptx_cell *cell)
{
    const struct litmus_copy *copy = &cell->statement.copy;
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const int own = cell->draft->thread.placement.work_group;
    unsigned mask, wanted = 0;
    for (const struct litmus_expression *to = copy->to; to; to = to->right) {
        const int home = parser->test->locations[to->index].home, group = home == LITMUS_NONE ? own : home;
        if (group < 0 || group > 15 || (wanted & 1U << group) != 0)
            return parser_fail(
                parser, to->place,
                "expected destinations in different work-groups with numbers below 16, found '%s' in cta %d",
                parser->test->locations[to->index].name, group);
        wanted |= 1U << group;
    }
    const char *const what = PRINTED(96, "%u, with a bit for the cta of each destination", wanted);
    TRY(parser_count(parser, what, MOST_MASK, &mask));
    return mask == wanted ? STATUS_OK : parser_expected_not(parser, &number, what);
}

static struct litmus_expression **add_constant(struct ptx_cell *cell, int64_t value)
{
    struct litmus_expression **slot = ptx_operand(&cell->statement, 'c');
    *slot = parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->parser->token.place);
    (*slot)->value = value;
    return slot;
}

/* A number, kept where the statement has it. The size of a tensor map is always the same (PTX ISA). */
static enum status take_number(struct ptx_cell *cell, char letter)
{
    static const struct {
        char letter;
        const char *what;
        unsigned least, most;
    } numbers[] = {
        {'n', "the number of groups that may be pending", 0, LITMUS_MAXIMUM_STATEMENTS},
        {'s', "128, the bytes of a tensor map", MAP_BYTES, MAP_BYTES},
        {'c', "the number of arrivals, from 1 on", 1, MBARRIER_MOST},
        {'i', "the number of arrivals, from 1 on", 1, MBARRIER_MOST},
        {'x', "a number of bytes", 0, MBARRIER_MOST},
        {'p', "the parity of a phase", 0, 1},
    };
    const struct token token = cell->parser->token;
    size_t i = 0;
    unsigned count = 0;
    while (numbers[i].letter != letter)
        i++;
    struct litmus_expression **slot = cell->statement.value ? add_constant(cell, 0) : NULL;
    TRY(parser_count(cell->parser, numbers[i].what, numbers[i].most, &count));
    if (slot)
        (*slot)->value = count;
    else if (letter == 'n')
        cell->statement.group.pending = count;
    return count >= numbers[i].least ? STATUS_OK : parser_expected_not(cell->parser, &token, numbers[i].what);
}

/* "r0", "r0|p" or "_|p": of elect.sync p, of other functions of lanes r0, with a p only for shfl.sync. */
static enum status take_result_of_lanes(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    const enum litmus_collective_function function = cell->instruction->means.together;
    const bool elects = function == LITMUS_ELECT;
    cell->predicate = true; /* nothing need set the values of its operands */
    (void)parser_take_percent(parser);
    TRY(parser_take_word(parser, "a register or '_'", &cell->target));
    if (elects && !token_is(&cell->target, "_"))
        return parser_expected_not(parser, &cell->target, "'_|p': a test can ask only whether its own thread leads");
    if (!elects && function != LITMUS_SHUFFLE && function != LITMUS_SHUFFLE_XOR)
        return STATUS_OK;
    if (elects)
        TRY(parser_take(parser, "|"));
    else if (!parser_take_if(parser, "|"))
        return STATUS_OK;
    (void)parser_take_percent(parser);
    TRY(parser_take_word(parser, "a predicate or '_'", elects ? &cell->target : &cell->second));
    return STATUS_OK;
}

/* Its registers: the second one of shfl.sync says that there is such a lane. */
static enum status make_results_of_lanes(struct ptx_cell *cell, struct litmus_statement *added)
{
    const struct token names[] = {cell->target, cell->second};
    cell->modifiers = ptx_no_modifiers;
    if (cell->target.text && !token_is(&cell->target, "_"))
        TRY(ptx_make_target(cell, &cell->target, &added->target));
    if (!names[1].text || token_is(&names[1], "_"))
        return STATUS_OK;
    struct litmus_statement *exists;
    TRY(ptx_add_statement(cell, LITMUS_ASSIGN, &exists));
    exists->value = parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->name.place);
    exists->value->value = 1;
    return ptx_make_target(cell, &names[1], &exists->target);
}

/* A number that the instruction always has here. */
static enum status take_fixed(struct ptx_cell *cell, int64_t number, const char *what)
{
    struct litmus_expression *value;
    const struct token start = cell->parser->token;
    TRY(ptx_take_value(cell, &value));
    return value->kind == LITMUS_EXPRESSION_CONSTANT && value->value == number
               ? STATUS_OK
               : parser_expected_not(cell->parser, &start, what);
}

/* An operand that is no expression. */
static enum status take_other(struct ptx_cell *cell, char letter)
{
    struct litmus_expression *limit;
    struct token dropped;
    switch (letter) {
    case 'b':
        return take_bytes(cell);
    case 'k':
        return take_mask(cell);
    case 'r':
        return ptx_take_target(cell, &cell->target);
    case 'D':
        return take_result_of_lanes(cell);
    case 'C':
        return take_fixed(cell, LITMUS_MASK_BITS - 1, "31, for a shuffle among all lanes of the warp");
    case 'O':
        return take_fixed(cell, 0, "0, then the mask");
    case '_':
        (void)parser_take_percent(cell->parser);
        return parser_take_word(cell->parser, "a register or '_'", &dropped);
    case 'I':
        return ptx_take_instance(cell, &cell->statement.barrier);
    case 'R':
        return ptx_take_resource(cell, &cell->statement.barrier);
    case 'h':
        return ptx_take_value(cell, &limit);
    case 'N':
        return ptx_take_number(cell, &cell->statement.barrier);
    default:
        return take_number(cell, letter);
    }
}

/* Its operand of a letter of the table, and the 1 that stands for "c" if it is left out. */
static enum status ptx_take_operand(struct ptx_cell *cell, char letter)
{
    const struct ptx_meaning *means = &cell->instruction->means;
    if (!strchr("tTfvqlKmMaAdwe", letter))
        return take_other(cell, letter);
    struct litmus_expression **const slot = ptx_operand(&cell->statement, letter);
    switch (letter) {
    case 't':
        return take_side(cell, means->to, slot);
    case 'T':
        return take_places(cell, false, slot);
    case 'f':
        return take_side(cell, means->from, slot);
    case 'v':
    case 'q':
    case 'l':
        return ptx_take_value(cell, slot);
    case 'K':
        TRY(ptx_take_value(cell, slot));
        if ((*slot)->kind == LITMUS_EXPRESSION_CONSTANT)
            (*slot)->value = (uint32_t)(*slot)->value;
        return STATUS_OK;
    case 'm':
        return take_mbarrier(cell, slot);
    case 'M':
        return take_notified_places(cell);
    case 'd':
        return take_place(cell, LITMUS_LOCAL, slot);
    case 'w':
        /* What a tensor map names from now on. */
        cell->modifiers.space = LITMUS_GLOBAL;
        TRY(ptx_take_fixed_address(cell, slot));
        if (!(*slot)->left)
            return STATUS_OK;
        return parser_fail(cell->parser, (*slot)->place,
                           "expected a location without an index for a tensor map, found an element");
    case 'e':
        return ptx_take_address(cell, slot);
    default:
        return take_map(cell, letter == 'a' ? means->to : means->from, slot);
    }
}

/* ---- words of such instructions ---- */

/* A word of the instruction with its suffix: "shared::cta". */
static struct token word_at(const struct ptx_cell *cell, size_t *at)
{
    struct token word = *at == 0 ? cell->name : cell->parts[*at - 1];
    for (++*at; *at <= cell->part_count && cell->parts[*at - 1].text[0] == ':'; ++*at)
        word.size = (size_t)(cell->parts[*at - 1].text + cell->parts[*at - 1].size - word.text);
    return word;
}

/* Reads the words in the row's order; false if they do not match. */
static bool take_words(struct ptx_cell *cell, const char *words)
{
    static const char cluster[] = "shared::cluster";
    struct ptx_word word;
    size_t at = 0;
    cell->modifiers = ptx_no_modifiers;
    cell->cluster = false;
    while (ptx_next_word(&words, &word)) {
        size_t after = at;
        const struct token text = at <= cell->part_count ? word_at(cell, &after) : (struct token){0};
        /* Does the word match the row's? Stores its meaning. */
        if (text.size > 0 &&
            (word.slot == LITMUS_NONE ? ptx_word_is(&word, text.text, text.size)
                                      : ptx_take_slot(&cell->modifiers, (enum ptx_slot)word.slot, &text))) {
            cell->cluster |= token_is(&text, cluster);
            at = after;
        } else if (!word.optional)
            return false;
    }
    return at == cell->part_count + 1;
}

/* The number of operands up to the end of the cell. */
static unsigned count_operands(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    unsigned count = 1, depth = 0;
    for (struct token token = parser->token; !token_is(&token, "|") && !token_is(&token, ";");
         token = scanner_next(&ahead)) {
        if (token.kind == TOKEN_END || token.kind == TOKEN_FAULT)
            break;
        depth += token_is(&token, "[");
        depth -= token_is(&token, "]") && depth > 0;
        count += token_is(&token, ",") && depth == 0;
    }
    return count;
}

/* Does "[{" come next? */
static bool at_list(const struct parser *parser)
{
    return parser_at(parser, "[") && parser_next_is(parser, "{");
}

bool ptx_has_form(struct ptx_cell *cell, const struct ptx_instruction *row)
{
    const char first = row->operands ? row->operands[0] : '\0';
    return take_words(cell, row->words) && (first != 'T' || at_list(cell->parser)) &&
           (row->unread == 0 || count_operands(cell->parser) != row->unread);
}

/* ---- statements ---- */

static void set_if_written(void *slot, int written)
{
    if (written != LITMUS_NONE)
        memcpy(slot, &written, sizeof written);
}

/* Starts an access of an mbarrier, a tensor map or a matrix. */
static enum status start_access(struct ptx_cell *cell)
{
    const struct ptx_meaning *means = &cell->instruction->means;
    struct litmus_access *access = parser_access(cell->parser);
    cell->statement.value = parser_expression(cell->parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    cell->statement.value->access = access;
    access->operation = means->operation;
    access->proxy = means->proxy;
    access->type = means->shape == PTX_REPLACE    ? LITMUS_TENSORMAP
                   : means->shape == PTX_MULTIPLY ? (enum litmus_type)PTX_NO_TYPE
                                                  : LITMUS_MBARRIER;
    access->no_result = means->shape == PTX_MBARRIER && cell->instruction->operands[0] != 'r';
    return means->shape == PTX_MBARRIER ? ptx_set_mbarrier_order(cell, access) : STATUS_OK;
}

/* What follows "r" has its comma already, and a resource takes its own. */
static enum status take_operands(struct ptx_cell *cell, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        const bool optional = *at == 'c' || *at == 'h';
        if (!optional && at > letters && at[-1] != 'r' && *at != 'R')
            TRY(parser_take(cell->parser, ","));
        if (!optional || parser_take_if(cell->parser, ","))
            TRY(ptx_take_operand(cell, *at));
        else if (*at == 'c')
            add_constant(cell, 1);
    }
    return STATUS_OK;
}

/* Its operands are read, so that they are right, and then kept as written. */
enum status ptx_parse_idle(struct ptx_cell *cell)
{
    const struct position start = parser_position(cell->parser);
    cell->statement = (struct litmus_statement){.kind = LITMUS_COPY};
    TRY(take_operands(cell, cell->instruction->operands));
    parser_return(cell->parser, &start);
    return ptx_keep_text(cell);
}

enum status ptx_parse_form(struct ptx_cell *cell)
{
    static const enum litmus_statement_kind kinds[] = {
        [PTX_COPY] = LITMUS_COPY,        [PTX_GROUP] = LITMUS_GROUP,          [PTX_MBARRIER] = LITMUS_PERFORM,
        [PTX_REPLACE] = LITMUS_PERFORM,  [PTX_FENCE] = LITMUS_FENCE,          [PTX_BARRIER] = LITMUS_BARRIER,
        [PTX_MULTIPLY] = LITMUS_PERFORM, [PTX_COLLECTIVE] = LITMUS_COLLECTIVE};
    const struct ptx_instruction *row = cell->instruction;
    /* What the row says, with what the words add. */
    struct ptx_meaning meaning = cell->instruction->means;
    meaning.type = meaning.shape != PTX_COLLECTIVE ? (enum litmus_type)PTX_NO_TYPE
                   : meaning.type == LITMUS_UINT   ? LITMUS_UINT
                                                   : LITMUS_INT;
    meaning.flags |= cell->cluster ? PTX_CLUSTER : 0;
    set_if_written(&meaning.order, cell->modifiers.order);
    set_if_written(&meaning.scope, cell->modifiers.scope);
    set_if_written(&meaning.type, cell->modifiers.type);
    set_if_written(&meaning.proxy, cell->modifiers.proxy);
    set_if_written(&meaning.operation, cell->modifiers.operation);
    struct litmus_statement *added;
    cell->statement = (struct litmus_statement){
        .kind = kinds[meaning.shape], .place = cell->name.place, .target = LITMUS_NONE, .label = LITMUS_NONE};
    ptx_set_statement(&meaning, &cell->statement);
    if (cell->statement.kind == LITMUS_PERFORM)
        TRY(start_access(cell));
    if ((meaning.flags & PTX_TENSOR) != 0 && meaning.shape == PTX_COPY)
        cell->statement.copy.bytes = PTX_BOX_BYTES;
    TRY(take_operands(cell, row->operands));
    if (row->operands[0] == 'r') {
        TRY(ptx_make_target(cell, &cell->target, &cell->statement.target));
        cell->statement.kind = LITMUS_ASSIGN;
    }
    TRY(ptx_add_statement(cell, cell->statement.kind, &added));
    *added = cell->statement;
    return meaning.shape == PTX_COLLECTIVE ? make_results_of_lanes(cell, added) : STATUS_OK;
}
