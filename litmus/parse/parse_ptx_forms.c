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
