// SPDX-License-Identifier: Apache-2.0
/* The words for a thread's place, threadIdx.x and get_global_id(0) for example. In a test, a work-group has the threads
 * that the test places in it, in the order of their numbers, and the group's number is the one that the test gives it:
 * that is where a launch of one dimension puts them (OpenCL C 3.0, "Work-Item Functions"; CUDA C++ Programming Guide,
 * "Built-in Variables"). So a word is a register of the thread that has a value at first, as %tid gives one in PTX. */
#include "litmus/language/order.h"
#include "litmus/parse/c_body.h"

enum what { LOCAL_ID, GROUP_ID, GLOBAL_ID, LANE, LOCAL_SIZE, GROUPS, GLOBAL_SIZE };

/* The registers, by what they hold. */
static const char *const names[] = {
    [LOCAL_ID] = "_local_id",     [GROUP_ID] = "_group_id", [GLOBAL_ID] = "_global_id",    [LANE] = "_lane",
    [LOCAL_SIZE] = "_local_size", [GROUPS] = "_groups",     [GLOBAL_SIZE] = "_global_size"};

static const struct {
    unsigned set;
    const char *word;
    enum what what;
    bool linear; /* a function without an argument */
} words[] = {
    {C_CUDA, "threadIdx", LOCAL_ID, false},
    {C_CUDA, "blockIdx", GROUP_ID, false},
    {C_CUDA, "blockDim", LOCAL_SIZE, false},
    {C_CUDA, "gridDim", GROUPS, false},
    {C_OPENCL, "get_local_id", LOCAL_ID, false},
    {C_OPENCL, "get_group_id", GROUP_ID, false},
    {C_OPENCL, "get_global_id", GLOBAL_ID, false},
    {C_OPENCL, "get_local_size", LOCAL_SIZE, false},
    {C_OPENCL, "get_num_groups", GROUPS, false},
    {C_OPENCL, "get_global_size", GLOBAL_SIZE, false},
    {C_OPENCL, "get_local_linear_id", LOCAL_ID, true},
    {C_OPENCL, "get_global_linear_id", GLOBAL_ID, true},
    {C_OPENCL, "get_sub_group_local_id", LANE, true},
};

static size_t find_word(const struct c_body *body, const struct token *name)
{
    return INDEX_OF(one, words, COUNT(words), (one->set & body->language->functions) != 0 && token_is(name, one->word));
}

bool is_c_place(const struct c_body *body, const struct token *name)
{
    return find_word(body, name) < COUNT(words);
}

static struct token register_name(size_t word, struct litmus_place place)
{
    const char *const name = names[words[word].what];
    return (struct token){.kind = TOKEN_WORD, .place = place, .text = name, .size = strlen(name)};
}

/* Registers with an initial value come first. */
enum status add_c_places(struct c_body *body)
{
    struct parser *parser = body->parser;
    struct scanner ahead = parser->scanner;
    struct token token = scanner_next(&ahead);
    for (unsigned open = 1; open > 0 && token.kind != TOKEN_END && token.kind != TOKEN_FAULT;
         token = scanner_next(&ahead)) {
        open += token_is(&token, "{");
        open -= token_is(&token, "}");
        const size_t word = find_word(body, &token);
        const struct token name =
            token.kind == TOKEN_WORD && word < COUNT(words) ? register_name(word, token.place) : token;
        int index;
        if (token.kind != TOKEN_WORD || word == COUNT(words) || draft_find_register(body->draft, &name) != LITMUS_NONE)
            continue;
        if (body->draft->thread.placement.host)
            return parser_expected_not(parser, &token, "a device thread (a host thread has no place in a group)");
        TRY(draft_register(parser, body->draft, &name, &index));
        body->draft->thread.registers[index].type = words[word].set == C_CUDA ? LITMUS_UINT : LITMUS_SIZE;
        body->draft->registers[index].typed = true;
        ARENA_ADD(parser_arena(parser), body->draft->places, body->draft->place_count) =
            (struct place_note){index, (unsigned)word, token.place};
    }
    return STATUS_OK;
}

enum status parse_c_place(struct c_body *body, const struct token *name, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    const size_t word = find_word(body, name);
    const bool member = words[word].set == C_CUDA;
    const struct token own = register_name(word, name->place);
    unsigned dimension = 0;
    TRY(parser_take(parser, member ? "." : "("));
    if (member) {
        dimension = parser_at(parser, "y") ? 1 : parser_at(parser, "z") ? 2 : 0;
        if (dimension == 0 && !parser_at(parser, "x"))
            return parser_expected(parser, "x, y or z");
        parser_advance(parser);
    } else {
        if (!words[word].linear)
            TRY(parser_count(parser, "the number of a dimension, 0 to 2", 2, &dimension));
        TRY(parser_take(parser, ")"));
    }
    *result = dimension > 0 ? make_c_constant(body, words[word].what >= LOCAL_SIZE, name->place)
                            : make_c_register(body, draft_find_register(body->draft, &own), name->place);
    return STATUS_OK;
}

/* How many threads are in one instance of the scope with the thread, itself included; before: of those before it. */
static unsigned count_threads(const struct parser *parser, enum litmus_scope scope, const struct litmus_thread *thread,
                              bool before)
{
    unsigned count = 0;
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *other = &parser->drafts[i]->thread;
        if ((other == thread || scope_includes(scope, &thread->placement, &other->placement)) &&
            (!before || other->first < thread->first))
            count += other->count;
    }
    return count;
}

/* The number of work-groups on the thread's device. */
static unsigned count_groups(const struct parser *parser, const struct litmus_thread *thread, bool *even)
{
    unsigned groups = 0;
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *other = &parser->drafts[i]->thread;
        if (!scope_includes(LITMUS_DEVICE, &thread->placement, &other->placement))
            continue;
        groups += count_threads(parser, LITMUS_WORK_GROUP, other, true) == 0;
        *even &= count_threads(parser, LITMUS_WORK_GROUP, other, false) ==
                 count_threads(parser, LITMUS_WORK_GROUP, thread, false);
    }
    return groups;
}

static enum status settle_c_place(struct parser *parser, struct draft *draft, const struct place_note *note)
{
    const struct litmus_thread *thread = &draft->thread;
    const enum what what = words[note->word].what;
    const unsigned group = (unsigned)thread->placement.work_group;
    const unsigned size = count_threads(parser, LITMUS_WORK_GROUP, thread, false);
    const unsigned local = count_threads(parser, LITMUS_WORK_GROUP, thread, true);
    bool even = true;
    const unsigned values[] = {
        [LOCAL_ID] = local,
        [GROUP_ID] = group,
        [GLOBAL_ID] = group * size + local,
        [LANE] = count_threads(parser, LITMUS_SUB_GROUP, thread, true),
        [LOCAL_SIZE] = size,
        [GROUPS] = count_groups(parser, thread, &even),
        [GLOBAL_SIZE] = count_threads(parser, LITMUS_DEVICE, thread, false),
    };
    struct litmus_register *own = &draft->thread.registers[note->index];
    own->initial = values[what];
    own->numbered = thread->count > 1 && (what == LOCAL_ID || what == GLOBAL_ID || what == LANE);
    const char *const lacks = thread->placement.work_group == LITMUS_NONE           ? "a place of the thread in a group"
                              : (what == GLOBAL_ID || what == GLOBAL_SIZE) && !even ? "groups of one size"
                              : own->numbered && own->initial != 0 ? "a range of threads that come first in their group"
                                                                   : NULL;
    return lacks ? parser_fail(parser, note->place, "expected %s for %s", lacks, words[note->word].word) : STATUS_OK;
}

enum status settle_c_places(struct parser *parser)
{
    for (size_t i = 0; i < parser->draft_count; i++)
        for (size_t k = 0; k < parser->drafts[i]->place_count; k++)
            TRY(settle_c_place(parser, parser->drafts[i], &parser->drafts[i]->places[k]));
    return STATUS_OK;
}
