// SPDX-License-Identifier: Apache-2.0
/* Instructions of PTX that have all their words in a row of the table: asynchronous copies, mbarriers, barriers, fences,
 * tensor maps. */
#include "litmus/parse/ptx_cell.h"

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
    const int order = word_find(ptx_order_words, text), scope = word_find(ptx_scope_words, text);
    const int proxy = word_find(proxy_words, text);
    switch (word->slot) {
    case PTX_ORDER:
        return ptx_set_once(&modifiers->order, order);
    case PTX_FENCE_ORDER:
        return order >= LITMUS_ACQUIRE && ptx_set_once(&modifiers->order, order);
    case PTX_SCOPE:
        return ptx_set_once(&modifiers->scope, scope);
    case PTX_WIDE_SCOPE:
        return scope >= LITMUS_DEVICE && ptx_set_once(&modifiers->scope, scope);
    case PTX_MEMBAR_SCOPE:
        return ptx_set_once(&modifiers->scope, word_find(ptx_membar_words, text));
    case PTX_TYPE:
        return ptx_set_once(&modifiers->type, word_find(ptx_type_words, text));
    case PTX_OPERATION:
        return ptx_set_once(&modifiers->operation, ptx_find_operation(text));
    case PTX_PROXY:
        return proxy < LITMUS_READONLY && proxy != LITMUS_ASYNC && ptx_set_once(&modifiers->proxy, proxy);
    default:
        return ptx_word_is(word, text->text, text->size);
    }
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

static void start_copy(struct ptx_cell *cell, const struct ptx_meaning *means)
{
    const struct ptx_modifiers *words = &cell->modifiers;
    const bool changes = words->operation != LITMUS_NONE;
    cell->statement.copy = (struct litmus_copy){
        .bulk = (means->flags & PTX_BULK) != 0,
        .through_l2 = (means->flags & PTX_THROUGH_L2) != 0,
        .cluster = cell->cluster || (means->flags & PTX_CLUSTER) != 0,
        .operation = changes                           ? (enum litmus_operation)words->operation
                     : means->operation != LITMUS_LOAD ? means->operation
                                                       : LITMUS_STORE,
        .type = words->type == LITMUS_NONE ? (enum litmus_type)PTX_NO_TYPE : (enum litmus_type)words->type,
        .order = means->order,
        .scope = words->scope == LITMUS_NONE ? means->scope : (enum litmus_scope)words->scope,
        .bytes = (means->flags & PTX_TENSOR) != 0 ? PTX_BOX_BYTES : 0};
}

static void start_fence(struct ptx_cell *cell, const struct ptx_meaning *means)
{
    const struct ptx_modifiers *words = &cell->modifiers;
    cell->statement.fence =
        (struct litmus_fence){.order = words->order == LITMUS_NONE ? means->order : (enum litmus_order)words->order,
                              .scope = words->scope == LITMUS_NONE ? means->scope : (enum litmus_scope)words->scope,
                              .proxy = words->proxy == LITMUS_NONE ? means->proxy : (enum litmus_proxy)words->proxy,
                              .flag_global = (means->flags & PTX_ON_GLOBAL) != 0,
                              .flag_local = (means->flags & PTX_ON_SHARED) != 0,
                              .cluster = (means->flags & PTX_CLUSTER) != 0,
                              .restriction = means->restriction};
}

static enum status start_access(struct ptx_cell *cell, const struct ptx_meaning *means)
{
    struct litmus_access *access = parser_access(cell->parser);
    cell->statement.value = parser_expression(cell->parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    cell->statement.value->access = access;
    access->operation = means->shape == PTX_REPLACE ? LITMUS_STORE : means->operation;
    access->type = means->shape == PTX_REPLACE ? LITMUS_TENSORMAP : LITMUS_MBARRIER;
    access->no_result = means->shape == PTX_MBARRIER && cell->instruction->operands[0] != 'r';
    return means->shape == PTX_REPLACE ? STATUS_OK : ptx_set_mbarrier_order(cell, access);
}

static enum status start_statement(struct ptx_cell *cell, const struct ptx_meaning *means)
{
    const bool arrives = (means->flags & PTX_ARRIVES) != 0;
    switch (means->shape) {
    case PTX_COPY:
        start_copy(cell, means);
        return STATUS_OK;
    case PTX_GROUP:
        cell->statement.group = (struct litmus_group){.action = means->action,
                                                      .bulk = (means->flags & PTX_BULK) != 0,
                                                      .read = (means->flags & PTX_READ) != 0,
                                                      .no_increment = (means->flags & PTX_NO_INCREMENT) != 0};
        return STATUS_OK;
    case PTX_FENCE:
        start_fence(cell, means);
        return STATUS_OK;
    case PTX_BARRIER:
        cell->statement.barrier = (struct litmus_barrier){.arrive = arrives,
                                                          .wait = (means->flags & PTX_WAITS) != 0,
                                                          .relaxed = means->order == LITMUS_RELAXED,
                                                          .scope = means->scope};
        return STATUS_OK;
    default:
        return start_access(cell, means);
    }
}

static enum status take_register(struct ptx_cell *cell, struct litmus_statement *statement)
{
    (void)statement;
    return ptx_take_target(cell, &cell->target);
}

static enum status take_sink(struct ptx_cell *cell, struct litmus_statement *statement)
{
    (void)statement;
    return parser_take(cell->parser, "_");
}

static enum status take_pending(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return parser_count(cell->parser, "the number of groups that may be pending", LITMUS_MAXIMUM_STATEMENTS,
                        &statement->group.pending);
}

static enum status take_instance(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return ptx_take_instance(cell, &statement->barrier);
}

static enum status take_resource(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return ptx_take_resource(cell, &statement->barrier);
}

static const struct {
    char letter;
    enum status (*take)(struct ptx_cell *cell, struct litmus_statement *statement);
} operands[] = {
    {'t', ptx_take_to},         {'T', ptx_take_all_to},   {'f', ptx_take_from},         {'b', ptx_take_bytes},
    {'v', ptx_take_copied},     {'m', ptx_take_notified}, {'M', ptx_take_all_notified}, {'k', ptx_take_mask},
    {'n', take_pending},        {'_', take_sink},         {'r', take_register},         {'c', ptx_take_arrivals},
    {'i', ptx_take_arrivals},   {'x', ptx_take_expected}, {'p', ptx_take_parity},       {'I', take_instance},
    {'R', take_resource},       {'a', ptx_take_map},      {'A', ptx_take_copied_map},   {'s', ptx_take_map_size},
    {'w', ptx_take_map_target},
};

/* What follows "r" has its comma already, and an operand that may be left out takes its own. */
static enum status take_operands(struct ptx_cell *cell, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        size_t i = 0;
        while (operands[i].letter != *at)
            i++;
        if (at > letters && at[-1] != 'r' && *at != 'c' && *at != 'R')
            TRY(parser_take(cell->parser, ","));
        TRY(operands[i].take(cell, &cell->statement));
    }
    return STATUS_OK;
}

enum status ptx_parse_form(struct ptx_cell *cell)
{
    static const enum litmus_statement_kind kinds[] = {
        [PTX_COPY] = LITMUS_COPY,       [PTX_GROUP] = LITMUS_GROUP, [PTX_MBARRIER] = LITMUS_PERFORM,
        [PTX_REPLACE] = LITMUS_PERFORM, [PTX_FENCE] = LITMUS_FENCE, [PTX_BARRIER] = LITMUS_BARRIER};
    const struct ptx_instruction *row = cell->instruction;
    struct litmus_statement *added;
    cell->statement = (struct litmus_statement){.target = LITMUS_NONE, .label = LITMUS_NONE};
    TRY(start_statement(cell, &row->means));
    TRY(take_operands(cell, row->operands));
    if (row->operands[0] == 'r')
        TRY(ptx_make_target(cell, &cell->target, &cell->statement.target));
    cell->statement.kind = row->operands[0] == 'r' ? LITMUS_ASSIGN : kinds[row->means.shape];
    cell->statement.place = cell->name.place;
    TRY(ptx_add_statement(cell, cell->statement.kind, &added));
    *added = cell->statement;
    return STATUS_OK;
}
