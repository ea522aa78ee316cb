// SPDX-License-Identifier: Apache-2.0
/* Instructions of PTX that have all their words in a row of the table: asynchronous copies, mbarriers, barriers, fences,
 * tensor maps. */
#include <stdio.h>

#include "litmus/language/value.h"
#include "litmus/parse/ptx_cell.h"

/* ---- operands: of asynchronous copies, mbarriers, barriers and tensor maps ---- */

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

/* What a tensor map names from now on. */
static enum status take_map_target(struct ptx_cell *cell, struct litmus_expression **result)
{
    cell->modifiers.space = LITMUS_GLOBAL;
    TRY(ptx_take_fixed_address(cell, result));
    if (!(*result)->left)
        return STATUS_OK;
    return parser_fail(cell->parser, (*result)->place, STATUS_SYNTAX,
                       "expected a location without an index for a tensor map, found an element");
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
        TRY(parser_take_if(cell->parser, ",", &more));
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
        return parser_fail(cell->parser, copy->to->place, STATUS_SYNTAX,
                           "expected several destinations of a multicast, found one");
    if (count_places(copy->to) == count_places(copy->mbarrier))
        return STATUS_OK;
    return parser_fail(cell->parser, mbarriers.place, STATUS_SYNTAX,
                       "expected %u mbarriers, one for each destination, found %u", count_places(copy->to),
                       count_places(copy->mbarrier));
}

/* PTX ISA: bit k of ctaMask is for the work-group of rank k in the cluster. Here it is the number of a destination's. */
static enum status take_mask(struct ptx_cell *cell)
{
    const struct litmus_copy *copy = &cell->statement.copy;
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const int own = cell->draft->thread.placement.work_group;
    unsigned mask, wanted = 0;
    char what[96];
    for (const struct litmus_expression *to = copy->to; to; to = to->right) {
        const int home = parser->test->locations[to->index].home, group = home == LITMUS_NONE ? own : home;
        if (group < 0 || group > 15 || (wanted & 1U << group) != 0)
            return parser_fail(
                parser, to->place, STATUS_SYNTAX,
                "expected destinations in different work-groups, of numbers below 16, found '%s' in cta %d",
                parser->test->locations[to->index].name, group);
        wanted |= 1U << group;
    }
    (void)snprintf(what, sizeof what, "%u, with a bit for the cta of each destination", wanted);
    TRY(parser_count(parser, what, MOST_MASK, &mask));
    return mask == wanted ? STATUS_OK : parser_expected_not(parser, &number, what);
}

/* ---- all ---- */

static struct litmus_expression **add_constant(struct ptx_cell *cell, int64_t value)
{
    struct litmus_expression **slot = ptx_operand(&cell->statement, 'c');
    *slot = parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->parser->token.place);
    (*slot)->value = value;
    return slot;
}

static enum status ptx_assume_one(struct ptx_cell *cell)
{
    (void)add_constant(cell, 1);
    return STATUS_OK;
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

/* An operand that is no expression. */
static enum status take_other(struct ptx_cell *cell, char letter)
{
    switch (letter) {
    case 'b':
        return take_bytes(cell);
    case 'k':
        return take_mask(cell);
    case 'r':
        return ptx_take_target(cell, &cell->target);
    case '_':
        return parser_take(cell->parser, "_");
    case 'I':
        return ptx_take_instance(cell, &cell->statement.barrier);
    case 'R':
        return ptx_take_resource(cell, &cell->statement.barrier);
    default:
        return take_number(cell, letter);
    }
}

/* Its operand of a letter of the table, and the 1 that stands for "c" if it is left out. */
static enum status ptx_take_operand(struct ptx_cell *cell, char letter)
{
    const struct ptx_meaning *means = &cell->instruction->means;
    if (!strchr("tTfvmMaAw", letter))
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
        return ptx_take_value(cell, slot);
    case 'm':
        return take_mbarrier(cell, slot);
    case 'M':
        return take_notified_places(cell);
    case 'w':
        return take_map_target(cell, slot);
    default:
        return take_map(cell, letter == 'a' ? means->to : means->from, slot);
    }
}

/* ---- words ---- */

/* A word of the instruction with its suffix: "shared::cta". */
static struct token word_at(const struct ptx_cell *cell, size_t *at)
{
    struct token word = *at == 0 ? cell->name : cell->parts[*at - 1];
    for (++*at; *at <= cell->part_count && cell->parts[*at - 1].text[0] == ':'; ++*at)
        word.size = (size_t)(cell->parts[*at - 1].text + cell->parts[*at - 1].size - word.text);
    return word;
}

/* Does the word match the row's? Stores its meaning. */
static bool fits(struct ptx_modifiers *modifiers, const struct token *text, const struct ptx_word *word)
{
    return word->slot == LITMUS_NONE ? ptx_word_is(word, text->text, text->size)
                                     : ptx_take_slot(modifiers, (enum ptx_slot)word->slot, text);
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
        if (text.size > 0 && fits(&cell->modifiers, &text, &word)) {
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
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    return parser_at(parser, "[") && token_is(&next, "{");
}

bool ptx_has_form(struct ptx_cell *cell, const struct ptx_instruction *row)
{
    const char first = row->operands ? row->operands[0] : '\0';
    return take_words(cell, row->words) && (first != '_' || parser_at(cell->parser, "_")) &&
           (first != 'T' || at_list(cell->parser)) && (row->unread == 0 || count_operands(cell->parser) != row->unread);
}

/* ---- statements ---- */

static void set_if_written(void *slot, int written)
{
    if (written != LITMUS_NONE)
        memcpy(slot, &written, sizeof written);
}

/* What the row says, with what the words add. */
static struct ptx_meaning read_meaning(const struct ptx_cell *cell)
{
    struct ptx_meaning meaning = cell->instruction->means;
    meaning.type = (enum litmus_type)PTX_NO_TYPE;
    meaning.flags |= cell->cluster ? PTX_CLUSTER : 0;
    set_if_written(&meaning.order, cell->modifiers.order);
    set_if_written(&meaning.scope, cell->modifiers.scope);
    set_if_written(&meaning.type, cell->modifiers.type);
    set_if_written(&meaning.proxy, cell->modifiers.proxy);
    set_if_written(&meaning.operation, cell->modifiers.operation);
    return meaning;
}

/* Starts an access of an mbarrier or a tensor map. */
static enum status start_access(struct ptx_cell *cell)
{
    const struct ptx_meaning *means = &cell->instruction->means;
    struct litmus_access *access = parser_access(cell->parser);
    cell->statement.value = parser_expression(cell->parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    cell->statement.value->access = access;
    access->operation = means->operation;
    access->type = means->shape == PTX_REPLACE ? LITMUS_TENSORMAP : LITMUS_MBARRIER;
    access->no_result = means->shape == PTX_MBARRIER && cell->instruction->operands[0] != 'r';
    return means->shape == PTX_REPLACE ? STATUS_OK : ptx_set_mbarrier_order(cell, access);
}

/* What follows "r" has its comma already, and a resource takes its own. */
static enum status take_operands(struct ptx_cell *cell, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        bool more = true;
        if (*at == 'c')
            TRY(parser_take_if(cell->parser, ",", &more));
        else if (at > letters && at[-1] != 'r' && *at != 'R')
            TRY(parser_take(cell->parser, ","));
        TRY(more ? ptx_take_operand(cell, *at) : ptx_assume_one(cell));
    }
    return STATUS_OK;
}

enum status ptx_parse_form(struct ptx_cell *cell)
{
    static const enum litmus_statement_kind kinds[] = {
        [PTX_COPY] = LITMUS_COPY,       [PTX_GROUP] = LITMUS_GROUP, [PTX_MBARRIER] = LITMUS_PERFORM,
        [PTX_REPLACE] = LITMUS_PERFORM, [PTX_FENCE] = LITMUS_FENCE, [PTX_BARRIER] = LITMUS_BARRIER};
    const struct ptx_instruction *row = cell->instruction;
    const struct ptx_meaning meaning = read_meaning(cell);
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
    return STATUS_OK;
}
