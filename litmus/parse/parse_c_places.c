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

enum { WORDS = sizeof words / sizeof *words };

static size_t find_word(const struct c_body *body, const struct token *name)
{
    size_t i = 0;
    while (i < WORDS && !((words[i].set & body->language->functions) != 0 && token_is(name, words[i].word)))
        i++;
    return i;
}

bool is_c_place(const struct c_body *body, const struct token *name)
{
    return find_word(body, name) < WORDS;
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
        const struct token name = token.kind == TOKEN_WORD && word < WORDS ? register_name(word, token.place) : token;
        int index;
        if (token.kind != TOKEN_WORD || word == WORDS || draft_find_register(body->draft, &name) != LITMUS_NONE)
            continue;
        if (body->draft->thread.placement.host)
            return parser_expected_not(parser, &token, "a thread of a device for the place of a thread in its group");
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
        TRY(parser_advance(parser));
    } else {
        if (!words[word].linear)
            TRY(parser_count(parser, "the number of a dimension, 0 to 2", 2, &dimension));
        TRY(parser_take(parser, ")"));
    }
    *result = dimension > 0 ? make_c_constant(body, words[word].what >= LOCAL_SIZE, name->place)
                            : make_c_register(body, draft_find_register(body->draft, &own), name->place);
    return STATUS_OK;
}

/* How many threads are on the device, in the group or the sub-group of a thread, and how many of them come before it;
 * how many groups the device has; whether all groups have one size. */
struct census {
    unsigned device, group, before, lane;
    unsigned groups;
    bool even;
};

static unsigned size_of_group(const struct parser *parser, const struct litmus_placement *placement)
{
    unsigned size = 0;
    for (size_t i = 0; i < parser->draft_count; i++)
        size += scope_includes(LITMUS_WORK_GROUP, placement, &parser->drafts[i]->thread.placement)
                    ? parser->drafts[i]->thread.count
                    : 0;
    return size;
}

static struct census count_places(const struct parser *parser, const struct litmus_thread *thread)
{
    struct census census = {.group = size_of_group(parser, &thread->placement), .even = true};
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *other = &parser->drafts[i]->thread;
        const bool first = other->first < thread->first;
        if (!scope_includes(LITMUS_DEVICE, &thread->placement, &other->placement))
            continue;
        census.device += other->count;
        census.even &= size_of_group(parser, &other->placement) == census.group;
        census.before +=
            first && scope_includes(LITMUS_WORK_GROUP, &thread->placement, &other->placement) ? other->count : 0;
        census.lane +=
            first && scope_includes(LITMUS_SUB_GROUP, &thread->placement, &other->placement) ? other->count : 0;
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= scope_includes(LITMUS_WORK_GROUP, &other->placement, &parser->drafts[k]->thread.placement);
        census.groups += !again;
    }
    return census;
}

enum status settle_c_places(struct parser *parser, struct draft *draft)
{
    const struct litmus_thread *thread = &draft->thread;
    for (size_t i = 0; i < draft->place_count; i++) {
        const struct place_note *note = &draft->places[i];
        const enum what what = words[note->word].what;
        const struct census census = count_places(parser, thread);
        const unsigned group = (unsigned)thread->placement.work_group;
        const unsigned values[] = {
            [LOCAL_ID] = census.before,    [GROUP_ID] = group,        [GLOBAL_ID] = group * census.group + census.before,
            [LANE] = census.lane,          [LOCAL_SIZE] = census.group, [GROUPS] = census.groups,
            [GLOBAL_SIZE] = census.device,
        };
        struct litmus_register *own = &draft->thread.registers[note->index];
        const bool whole = what == GLOBAL_ID || what == GLOBAL_SIZE;
        if (thread->placement.work_group == LITMUS_NONE || (whole && !census.even))
            return parser_fail(parser, note->place, STATUS_SYNTAX, "expected %s for %s",
                               whole ? "groups of one size" : "a place of the thread in a group",
                               words[note->word].word);
        own->initial = values[what];
        own->numbered = thread->count > 1 && (what == LOCAL_ID || what == GLOBAL_ID || what == LANE);
        if (own->numbered && own->initial != 0)
            return parser_fail(parser, note->place, STATUS_SYNTAX,
                               "expected the range of P%u to be the first threads of the group for %s", thread->first,
                               words[note->word].word);
    }
    return STATUS_OK;
}
