// SPDX-License-Identifier: Apache-2.0
/* Jumps in C: break, continue, return and goto are one, to a label, and print as goto. */
#include "litmus/parse/c_body.h"

static const struct {
    const char *word;
    unsigned goal;
} jumps[] = {{"return", TO_END_OF_THREAD}, {"break", TO_END_OF_LOOP}, {"continue", TO_END_OF_ROUND}};

static const char *const goals[] = {"_return", "_break", "_continue"};

/* The labels that jumps of the statement name: those of the loop are new in each. */
struct c_labels c_enter_loop(struct c_body *body, bool rounds)
{
    const struct c_labels around = body->labels;
    body->labels.goals |= 1U << TO_END_OF_LOOP | (rounds ? 1U << TO_END_OF_ROUND : 0U);
    body->labels.numbers[TO_END_OF_LOOP] = body->loops;
    if (rounds)
        body->labels.numbers[TO_END_OF_ROUND] = body->loops;
    body->labels.used[TO_END_OF_LOOP] = 0;
    if (rounds)
        body->labels.used[TO_END_OF_ROUND] = 0;
    body->loops++;
    return around;
}

enum status name_c_goal(struct c_body *body, unsigned goal, bool define, struct litmus_place place, int *label)
{
    const char *const name = arena_print(parser_arena(body->parser), "%s%u", goals[goal], body->labels.numbers[goal]);
    const struct token token = {.kind = TOKEN_WORD, .place = place, .text = name, .size = strlen(name)};
    body->labels.used[goal]++;
    return draft_label(body->parser, body->draft, &token, define, label);
}

/* The label where the jumps to the goal end, if there are any. */
enum status add_c_goal(struct c_body *body, struct litmus_block *block, unsigned goal)
{
    struct litmus_statement *statement;
    int label;
    if (body->labels.used[goal] == 0)
        return STATUS_OK;
    TRY(name_c_goal(body, goal, true, body->parser->token.place, &label));
    TRY(parser_statement(body->parser, block, LITMUS_LABEL, body->parser->token.place, &statement));
    statement->label = label;
    return STATUS_OK;
}

enum status add_c_new_label(struct c_body *body, struct litmus_block *block, struct litmus_place place, int *label)
{
    struct litmus_statement *statement;
    const char *const name = arena_print(parser_arena(body->parser), "_case%u", body->loops++);
    const struct token token = {.kind = TOKEN_WORD, .place = place, .text = name, .size = strlen(name)};
    TRY(draft_label(body->parser, body->draft, &token, true, label));
    TRY(parser_statement(body->parser, block, LITMUS_LABEL, place, &statement));
    statement->label = *label;
    return STATUS_OK;
}

enum status add_c_jump(struct c_body *body, struct litmus_block *block, int label, struct litmus_place place)
{
    struct litmus_statement *statement;
    TRY(parser_statement(body->parser, block, LITMUS_GOTO, place, &statement));
    statement->label = label;
    return STATUS_OK;
}

/* A return that ends the thread's text jumps nowhere. */
enum status parse_c_jump(struct c_body *body, struct litmus_block *block, struct litmus_place place, bool *found)
{
    struct parser *parser = body->parser;
    struct token name;
    int label;
    *found = parser_take_if(parser, "goto");
    if (*found) {
        TRY(parser_take_word(parser, "a label", &name));
        TRY(draft_label(parser, body->draft, &name, false, &label));
        TRY(add_c_jump(body, block, label, place));
        return parser_take(parser, ";");
    }
    for (size_t i = 0; i < COUNT(jumps) && !*found; i++) {
        if (parser_at(parser, jumps[i].word) && (body->labels.goals & 1U << jumps[i].goal) == 0)
            return parser_expected(parser, "a loop around it");
        *found = parser_take_if(parser, jumps[i].word);
        if (!*found)
            continue;
        TRY(parser_take(parser, ";"));
        if (jumps[i].goal == TO_END_OF_THREAD && block == &body->draft->thread.body && parser_at(parser, "}"))
            return STATUS_OK;
        TRY(name_c_goal(body, jumps[i].goal, false, place, &label));
        TRY(add_c_jump(body, block, label, place));
    }
    return STATUS_OK;
}

struct numbering {
    int *numbers; /* of the labels so far; LITMUS_NONE: none yet */
    char **names;
    size_t count;
};

/* Gives the labels numbers in the order of the text that the block prints as. */
static void number_labels(struct litmus_thread *thread, const struct litmus_block *block, struct numbering *numbering)
{
    FOR_EACH(struct litmus_statement, statement, block->statements, block->count) {
        if (statement->kind == LITMUS_GOTO || statement->kind == LITMUS_LABEL) {
            int *number = &numbering->numbers[statement->label];
            if (*number == LITMUS_NONE) {
                *number = (int)numbering->count;
                numbering->names[numbering->count++] = thread->labels[statement->label];
            }
            statement->label = *number;
        }
        number_labels(thread, &statement->body, numbering);
        number_labels(thread, &statement->otherwise, numbering);
    }
}

/* reached: the labels of the block, and of those around it, where a jump may go. */
static enum status check_jumps(struct c_body *body, const struct litmus_block *block, bool *reached)
{
    for (size_t i = 0; i < block->count; i++)
        if (block->statements[i].kind == LITMUS_LABEL)
            reached[block->statements[i].label] = true;
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        if (statement->kind == LITMUS_GOTO && !reached[statement->label])
            return parser_fail(body->parser, statement->place,
                               "expected a label in this block or one around it, found '%s'",
                               body->draft->thread.labels[statement->label]);
        TRY(check_jumps(body, &statement->body, reached));
        TRY(check_jumps(body, &statement->otherwise, reached));
    }
    for (size_t i = 0; i < block->count; i++)
        if (block->statements[i].kind == LITMUS_LABEL)
            reached[block->statements[i].label] = false;
    return STATUS_OK;
}

enum status finish_c_jumps(struct c_body *body)
{
    struct litmus_thread *thread = &body->draft->thread;
    struct arena *arena = parser_arena(body->parser);
    struct numbering numbering = {.numbers = arena_take(arena, thread->label_count + 1, sizeof *numbering.numbers),
                                  .names = arena_take(arena, thread->label_count + 1, sizeof *numbering.names)};
    for (size_t i = 0; i < thread->label_count; i++)
        numbering.numbers[i] = LITMUS_NONE;
    TRY(check_jumps(body, &thread->body, arena_take(arena, thread->label_count + 1, sizeof(bool))));
    number_labels(thread, &thread->body, &numbering);
    thread->labels = numbering.names;
    thread->label_count = numbering.count;
    return STATUS_OK;
}

/* "while (1) { S if (e) break; }" is "do { S } while (!e)" if there is no other break. */
static enum status fold_break(struct c_body *body, struct litmus_statement *loop)
{
    const struct litmus_block *repeated = &loop->body;
    const struct litmus_statement *last = repeated->count > 0 ? &repeated->statements[repeated->count - 1] : NULL;
    int label;
    if (!last || loop->kind != LITMUS_WHILE || loop->value->kind != LITMUS_EXPRESSION_CONSTANT ||
        loop->value->value == 0 || body->labels.used[TO_END_OF_LOOP] != 1 || last->kind != LITMUS_IF ||
        last->otherwise.count > 0 || last->body.count != 1 || last->body.statements[0].kind != LITMUS_GOTO)
        return STATUS_OK;
    TRY(name_c_goal(body, TO_END_OF_LOOP, true, loop->place, &label));
    if (last->body.statements[0].label == label) {
        loop->value = parser_expression(body->parser, LITMUS_EXPRESSION_UNARY, last->value->place);
        loop->value->op = LITMUS_NOT;
        loop->value->left = last->value;
        loop->kind = --loop->body.count == 0 ? LITMUS_WHILE : LITMUS_DO_WHILE;
        body->labels.used[TO_END_OF_LOOP] = 0;
    } else
        body->draft->labels[label].defined = false;
    return STATUS_OK;
}

void c_leave_loop(struct c_body *body, const struct c_labels *around)
{
    const struct c_labels inside = body->labels;
    body->labels = *around;
    body->labels.used[TO_END_OF_THREAD] = inside.used[TO_END_OF_THREAD];
    if (inside.numbers[TO_END_OF_ROUND] == around->numbers[TO_END_OF_ROUND])
        body->labels.used[TO_END_OF_ROUND] = inside.used[TO_END_OF_ROUND];
}

/* The loop, and the label where it ends. */
enum status add_c_loop(struct c_body *body, struct litmus_block *block, struct litmus_statement loop,
                       const struct c_labels *around)
{
    TRY(fold_break(body, &loop));
    TRY(add_c_statement(body, block, loop));
    TRY(add_c_goal(body, block, TO_END_OF_LOOP));
    c_leave_loop(body, around);
    return STATUS_OK;
}
