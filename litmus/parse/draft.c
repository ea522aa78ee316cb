// SPDX-License-Identifier: Apache-2.0
/* Locations and threads of the test under construction, where threads are placed, and what needs all of them. */
#include "litmus/dialects.h"
#include "litmus/parse/parser.h"

int parser_find_location(const struct parser *parser, const struct token *name)
{
    for (size_t i = 0; i < parser->test->location_count; i++)
        if (token_is(name, parser->test->locations[i].name))
            return (int)i;
    return LITMUS_NONE;
}

enum status parser_location(struct parser *parser, const struct token *name, int *index)
{
    *index = parser_find_location(parser, name);
    if (*index != LITMUS_NONE)
        return STATUS_OK;
    struct litmus_test *test = parser->test;
    char *copy;
    TRY(parser_name(parser, name, &copy));
    if (test->location_count == LITMUS_MAXIMUM_LOCATIONS)
        return parser_limit(parser, LITMUS_MAXIMUM_LOCATIONS, "locations");
    *index = (int)test->location_count;
    ARENA_ADD(&test->arena, test->locations, test->location_count) = (struct litmus_location){
        .name = copy,
        .type = LITMUS_INT,
        .initial = arena_take(&test->arena, 1, sizeof *test->locations->initial),
        .elements = 1,
        .points_to = LITMUS_NONE,
        .alias_of = LITMUS_NONE,
        .home = LITMUS_NONE,
        .place = name->place,
    };
    return STATUS_OK;
}

enum status parser_type_location(struct parser *parser, int index, enum litmus_type type, struct litmus_place place)
{
    struct litmus_location *location = &parser->test->locations[index];
    if (parser->notes[index].typed && location->type != type)
        return parser_fail(parser, place, "expected type %s, as '%s' has elsewhere, found %s",
                           litmus_type_word(parser->test->dialect, location->type), location->name,
                           litmus_type_word(parser->test->dialect, type));
    parser->notes[index].typed = true;
    location->type = type;
    return STATUS_OK;
}

enum status parser_place_location(struct parser *parser, int index, enum litmus_region region,
                                  struct litmus_place place)
{
    struct litmus_location *location = &parser->test->locations[index];
    if (parser->notes[index].placed && location->region != region)
        return parser_fail(parser, place, "expected the same region for '%s' everywhere, found %s and %s",
                           location->name, litmus_region_name(location->region), litmus_region_name(region));
    parser->notes[index].placed = true;
    location->region = region;
    return STATUS_OK;
}

struct draft *parser_find_thread(const struct parser *parser, unsigned number)
{
    return VALUE_OF(struct draft *, row, parser->drafts, parser->draft_count,
                    number >= (*row)->thread.first && number - (*row)->thread.first < (*row)->thread.count, *row, NULL);
}

int draft_find_register(const struct draft *draft, const struct token *name)
{
    for (size_t i = 0; i < draft->thread.register_count; i++)
        if (token_is(name, draft->thread.registers[i].name))
            return (int)i;
    return LITMUS_NONE;
}

static enum status add_register(struct parser *parser, struct draft *draft, struct litmus_register first, int *index)
{
    struct litmus_thread *thread = &draft->thread;
    if (thread->register_count == LITMUS_MAXIMUM_REGISTERS)
        return parser_limit(parser, LITMUS_MAXIMUM_REGISTERS, "registers of one thread");
    *index = (int)thread->register_count;
    draft->registers =
        arena_grow(parser_arena(parser), draft->registers, thread->register_count, sizeof *draft->registers);
    ARENA_ADD(parser_arena(parser), thread->registers, thread->register_count) = first;
    return STATUS_OK;
}

enum status draft_register(struct parser *parser, struct draft *draft, const struct token *name, int *index)
{
    *index = draft_find_register(draft, name);
    if (*index != LITMUS_NONE)
        return STATUS_OK;
    char *copy;
    TRY(parser_name(parser, name, &copy));
    return add_register(parser, draft,
                        (struct litmus_register){.name = copy, .type = LITMUS_INT, .points_to = LITMUS_NONE}, index);
}

enum status draft_label(struct parser *parser, struct draft *draft, const struct token *name, bool define, int *index)
{
    struct litmus_thread *thread = &draft->thread;
    const size_t i = INDEX_OF(one, thread->labels, thread->label_count, token_is(name, *one));
    if (i == thread->label_count) {
        char *copy;
        TRY(parser_name(parser, name, &copy));
        draft->labels = arena_grow(parser_arena(parser), draft->labels, i, sizeof *draft->labels);
        draft->labels[i] = (struct label_note){.place = name->place};
        ARENA_ADD(parser_arena(parser), thread->labels, thread->label_count) = copy;
    }
    if (define && draft->labels[i].defined)
        return parser_expected_not(parser, name, "a label not used in the thread");
    draft->labels[i].defined |= define;
    *index = (int)i;
    return STATUS_OK;
}

enum status draft_close(struct parser *parser, struct draft *draft)
{
    for (size_t i = 0; i < draft->thread.label_count; i++)
        if (!draft->labels[i].defined)
            return parser_fail(parser, draft->labels[i].place, "expected a label of thread P%u, found '%s'",
                               draft->thread.first, draft->thread.labels[i]);
    return STATUS_OK;
}

struct token register_start_name(const struct register_start *start)
{
    return (struct token){
        .kind = TOKEN_WORD, .place = start->place, .text = start->first.name, .size = strlen(start->first.name)};
}

/* Gives the thread the registers that the initial state declares for it, in that order. */
static enum status take_starts(struct parser *parser, struct draft *draft)
{
    const struct litmus_thread *thread = &draft->thread;
    FOR_EACH(struct register_start, start, parser->starts, parser->start_count) {
        if (start->thread < thread->first || start->thread - thread->first >= thread->count)
            continue;
        if (start->thread != thread->first)
            return parser_fail(parser, start->place,
                               "expected P%u, because a register of equal threads belongs to the first thread of "
                               "the range, found P%u",
                               thread->first, start->thread);
        const struct token name = register_start_name(start);
        if (draft_find_register(draft, &name) != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register not yet in the initial state");
        int index;
        TRY(add_register(parser, draft, start->first, &index));
        draft->registers[index].typed = start->typed;
        draft->registers[index].value = start->value;
        start->taken = true;
    }
    return STATUS_OK;
}

static enum status parse_thread_number(struct parser *parser, const char *what, unsigned *number)
{
    if (parser->token.kind != TOKEN_WORD || !token_is_thread(&parser->token, number))
        return parser_expected(parser, what);
    if (*number >= LITMUS_MAXIMUM_THREADS)
        return parser_limit(parser, LITMUS_MAXIMUM_THREADS, "threads");
    parser_advance(parser);
    return STATUS_OK;
}

/* "P2" or "P2..33". */
static enum status parse_thread_range(struct parser *parser, const char *what, unsigned *first, unsigned *last)
{
    TRY(parse_thread_number(parser, what, first));
    *last = *first;
    if (!parser_take_if(parser, ".."))
        return STATUS_OK;
    const struct token end = parser->token;
    TRY(parse_thread_number(parser, "the last thread of the range", last));
    return *last < *first ? parser_expected_not(parser, &end, "a last thread that is not before the first") : STATUS_OK;
}

enum status parser_start_thread(struct parser *parser, struct draft **result)
{
    struct draft *draft = arena_take(parser_arena(parser), 1, sizeof *draft);
    const struct token name = parser->token;
    unsigned first, last;
    /* "kernel void f(...)", as in listings. */
    if (parser_at(parser, "kernel") || parser_at(parser, "__kernel") || parser_at(parser, "__global__") ||
        parser_at(parser, "void"))
        return parser_expected(parser, "a thread such as P0 (instead of a kernel and its name)");
    TRY(parse_thread_range(parser, "a thread such as P0", &first, &last));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *other = &parser->drafts[i]->thread;
        if (first < other->first + other->count && other->first <= last)
            return parser_expected_not(parser, &name, "a thread not used in the test");
    }
    if (parser->draft_count == LITMUS_MAXIMUM_BODIES)
        return parser_limit(parser, LITMUS_MAXIMUM_BODIES, "threads with code of their own");
    draft->thread = (struct litmus_thread){
        .first = first,
        .count = last - first + 1,
        .placement = litmus_unplaced,
        .place = name.place,
    };
    TRY(parser_placement(parser, draft));
    TRY(take_starts(parser, draft));
    parser->drafts[parser->draft_count++] = draft;
    *result = draft;
    return STATUS_OK;
}

/* ---- placement: "P0@wg 0, dev 0" on the thread's line, or one tree after the code ---- */

/* Wide to narrow; the numbers of a level count inside one instance of the next wider level that has numbers. */
struct tree_state {
    int level; /* an enum level, of the parent of the children; LITMUS_NONE outside the tree */
    int devices, queue_families, work_groups, clusters, sub_groups; /* instances met so far inside it */
    struct litmus_placement placement;
};

static int *placement_slot(struct litmus_placement *placement, enum level level)
{
    switch (level) {
    case LEVEL_DEVICE:
        return &placement->device;
    case LEVEL_QUEUE_FAMILY:
        return &placement->queue_family;
    case LEVEL_CLUSTER:
        return &placement->cluster;
    case LEVEL_WORK_GROUP:
        return &placement->work_group;
    case LEVEL_SUB_GROUP:
        return &placement->sub_group;
    case LEVEL_SYSTEM:
    case LEVEL_KERNEL:
    case LEVEL_THREAD:
        break;
    }
    return NULL;
}

/* Vulkan's threads are in sub-groups, work-groups and queue families, all of one device. */
static enum status check_level(struct parser *parser, enum level level)
{
    const bool vulkan = dialects[parser->test->dialect].is_dat3m;
    if (vulkan && level != LEVEL_SUB_GROUP && level != LEVEL_WORK_GROUP && level != LEVEL_QUEUE_FAMILY)
        return parser_expected(parser, "a VULKAN level (sg, wg or qf)");
    if (!vulkan && level == LEVEL_QUEUE_FAMILY)
        return parser_expected(parser, "a level such as wg, cta or dev (only VULKAN has queue families)");
    return STATUS_OK;
}

enum status parser_placement(struct parser *parser, struct draft *draft)
{
    bool more = parser_take_if(parser, "@");
    draft->placed = more;
    if (more && parser_at(parser, "host")) {
        /* "host", which is the whole of a placement. */
        if (dialects[parser->test->dialect].is_dat3m)
            return parser_expected(parser, "a VULKAN level (sg, wg or qf)");
        parser_advance(parser);
        draft->thread.placement.host = true;
        return parser_at(parser, ",") ? parser_expected(parser, "host without a level (the host belongs to no device)")
                                      : STATUS_OK;
    }
    while (more) {
        if (parser_at(parser, "host"))
            return parser_expected(parser, "a level such as wg, cta or dev (host goes with no other level)");
        const struct token name = parser->token;
        const int level = word_find(level_words, &name);
        if (level == LITMUS_NONE || level == LEVEL_KERNEL || level == LEVEL_THREAD)
            return parser_expected(parser, "host, or a level such as wg, cta or dev");
        TRY(check_level(parser, (enum level)level));
        parser_advance(parser);
        int *slot = placement_slot(&draft->thread.placement, (enum level)level);
        unsigned number;
        /* A test has one system, which therefore has no number in the structure. */
        TRY(parser_count(parser, "the number of that level", slot ? LITMUS_MAXIMUM_THREADS - 1 : 0, &number));
        if (slot && *slot != LITMUS_NONE)
            return parser_expected_not(parser, &name, "each level once");
        if (slot)
            *slot = (int)number;
        more = parser_take_if(parser, ",");
    }
    return STATUS_OK;
}

static enum status place_thread(struct parser *parser, const struct litmus_placement *placement)
{
    const struct token name = parser->token;
    unsigned first, last;
    TRY(parse_thread_range(parser, "a thread, '(' or ')'", &first, &last));
    struct draft *draft = parser_find_thread(parser, first);
    /* The column of a host thread does not contain PTX, so the parser must know about it before it reads the column. */
    if (placement->host && parser->test->dialect == LITMUS_PTX)
        return parser_expected_not(parser, &name, "'P1@host' above the column (the tree holds only device threads)");
    if (!draft || draft->thread.first != first || last - first + 1 != draft->thread.count)
        return parser_expected_not(parser, &name, "a thread of the test");
    if (draft->placed)
        return parser_expected_not(parser, &name, "a thread that is not placed yet");
    draft->placed = true;
    draft->thread.placement = *placement;
    return STATUS_OK;
}

static enum status parse_tree(struct parser *parser, struct tree_state *outer);

/* The text after a level's word: threads and narrower levels up to ')'. */
static enum status parse_children(struct parser *parser, struct tree_state *state)
{
    while (!parser_at(parser, ")")) {
        if (parser_at(parser, "("))
            TRY(parse_tree(parser, state));
        else
            TRY(place_thread(parser, &state->placement));
    }
    return parser_take(parser, ")");
}

/* "(host P1 P2)" with the parenthesis taken. */
static enum status parse_host_tree(struct parser *parser, const struct tree_state *outer)
{
    struct litmus_placement placement = litmus_unplaced;
    placement.host = true;
    if (outer->level > LEVEL_SYSTEM)
        return parser_expected(parser, "a level (the host belongs to no device)");
    parser_advance(parser);
    while (!parser_at(parser, ")"))
        TRY(place_thread(parser, &placement));
    return parser_take(parser, ")");
}

static enum status parse_tree(struct parser *parser, struct tree_state *outer)
{
    TRY(parser_enter(parser));
    if (dialects[parser->test->dialect].is_dat3m)
        return parser_expected(parser, "placements such as 'P0@sg 0, wg 0, qf 0' above the columns instead of a tree");
    TRY(parser_take(parser, "("));
    if (parser_at(parser, "host")) {
        parser_leave(parser);
        return parse_host_tree(parser, outer);
    }
    const int level = word_find(level_words, &parser->token);
    if (level == LITMUS_NONE)
        return parser_expected(parser, "a level such as device or work_group");
    if (outer->level >= level)
        return parser_expected(parser, "a level narrower than the one around it");
    TRY(check_level(parser, (enum level)level));
    parser_advance(parser);
    struct tree_state inner = *outer;
    inner.level = level;
    int *counters[] = {[LEVEL_SYSTEM] = NULL,
                       [LEVEL_DEVICE] = &outer->devices,
                       [LEVEL_QUEUE_FAMILY] = &outer->queue_families,
                       [LEVEL_KERNEL] = NULL,
                       [LEVEL_CLUSTER] = &outer->clusters,
                       [LEVEL_WORK_GROUP] = &outer->work_groups,
                       [LEVEL_SUB_GROUP] = &outer->sub_groups,
                       [LEVEL_THREAD] = NULL};
    if (counters[level]) {
        *placement_slot(&inner.placement, (enum level)level) = (*counters[level])++;
        inner.devices = inner.queue_families = inner.clusters = inner.work_groups = inner.sub_groups = 0;
    }
    TRY(parse_children(parser, &inner));
    if (!counters[level]) {
        /* A kernel inside a device has no number, so numbering continues through the device. */
        inner.level = outer->level;
        inner.placement = outer->placement;
        *outer = inner;
    }
    parser_leave(parser);
    return STATUS_OK;
}

enum status parse_scope_tree(struct parser *parser)
{
    const struct token name = parser->token;
    const bool colon = parser_at(parser, "scopes");
    parser_advance(parser);
    if (colon)
        TRY(parser_take(parser, ":"));
    if (ANY_OF(draft, parser->drafts, parser->draft_count, (*draft)->placed))
        return parser_expected_not(parser, &name, "placements either on the thread lines or in a tree, not both");
    struct tree_state outer = {
        .level = LITMUS_NONE,
        .placement = litmus_unplaced,
    };
    do
        TRY(parse_tree(parser, &outer));
    while (parser_at(parser, "("));
    for (size_t i = 0; i < parser->draft_count; i++)
        if (!parser->drafts[i]->placed)
            return parser_fail(parser, name.place, "expected every thread in the tree, but P%u is missing",
                               parser->drafts[i]->thread.first);
    return STATUS_OK;
}

/* ---- what needs all threads and their placements: locations of two regions, barriers that count ---- */

static bool same_group(const struct draft *a, const struct draft *b)
{
    const struct litmus_placement *p = &a->thread.placement, *q = &b->thread.placement;
    return p->work_group == q->work_group && p->cluster == q->cluster && p->device == q->device;
}

/* How a barrier counts; LITMUS_OPERATION_COUNT: it does not. */
static enum litmus_operation reduction_of(const struct draft *draft, size_t statement)
{
    return VALUE_OF(enum litmus_operation, reduction, draft->reductions, draft->reduction_count,
                    reduction->statement == statement, reduction->operation, LITMUS_OPERATION_COUNT);
}

static bool meets_group(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_BARRIER && statement->barrier.scope == LITMUS_WORK_GROUP;
}

static bool meets_inside(const struct litmus_block *block)
{
    return ANY_OF(statement, block->statements, block->count,
                  meets_group(statement) || meets_inside(&statement->body) || meets_inside(&statement->otherwise));
}

/* The number of the barrier at a statement among the work-group's, from 0 on. */
static size_t meeting_number(const struct draft *draft, size_t statement)
{
    return SUM_OF(size_t, one, draft->thread.body.statements, statement, meets_group(one));
}

/* The statement of the number'th such barrier, or the number of statements if there are fewer. */
static size_t meeting_statement(const struct draft *draft, size_t number)
{
    const struct litmus_block *block = &draft->thread.body;
    return INDEX_OF(one, block->statements, block->count, meets_group(one) && number-- == 0);
}

/* Checks that all threads of the block reach the same barrier, outside branches and loops. */
static enum status check_meeting(struct parser *parser, const struct draft *draft, const struct reduction_note *note)
{
    const size_t number = meeting_number(draft, note->statement);
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct draft *other = parser->drafts[i];
        if (!same_group(draft, other))
            continue;
        bool fits = reduction_of(other, meeting_statement(other, number)) == note->operation;
        for (size_t s = 0; s < other->thread.body.count && fits; s++)
            fits = !meets_inside(&other->thread.body.statements[s].body) &&
                   !meets_inside(&other->thread.body.statements[s].otherwise);
        if (!fits)
            return parser_fail(
                parser, note->place,
                "expected every thread of the block to call the same function as barrier %zu, outside branches and "
                "loops, but P%u does not",
                number + 1, other->thread.first);
    }
    return STATUS_OK;
}

/* A new location of the block, in which its threads count. */
static enum status add_meeting_location(struct parser *parser, const struct reduction_note *note, int *index)
{
    struct token name = {.kind = TOKEN_WORD, .place = note->place};
    for (unsigned number = 0; name.size == 0 || parser_find_location(parser, &name) != LITMUS_NONE; number++) {
        name.text = arena_print(parser_arena(parser), "meeting%u", number);
        name.size = strlen(name.text);
    }
    TRY(parser_location(parser, &name, index));
    struct litmus_location *location = &parser->test->locations[*index];
    location->region = LITMUS_LOCAL;
    location->initial[0] = note->operation == LITMUS_FETCH_AND;
    return STATUS_OK;
}

/* Sets the location of the thread's barrier, and of barriers of its block that have none yet. */
static enum status settle_reduction(struct parser *parser, const struct draft *draft, const struct reduction_note *note)
{
    const size_t number = meeting_number(draft, note->statement);
    int index;
    if (note->addresses[0]->index != LITMUS_NONE)
        return STATUS_OK;
    TRY(check_meeting(parser, draft, note));
    TRY(add_meeting_location(parser, note, &index));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct draft *other = parser->drafts[i];
        const size_t statement = meeting_statement(other, number);
        for (size_t k = 0; k < other->reduction_count && same_group(draft, other); k++)
            if (other->reductions[k].statement == statement)
                other->reductions[k].addresses[0]->index = other->reductions[k].addresses[1]->index = index;
    }
    return STATUS_OK;
}

enum status parse_groups(struct parser *parser)
{
    for (size_t i = 0; i < parser->test->location_count; i++)
        if (parser->notes[i].mixed.line > 0) {
            /* A name means one memory, and a pointer to global memory cannot have an address of local memory. So one of
             * the words is wrong: "global", which is written by habit, if all threads with the location are in one
             * work-group. */
            const struct draft *first = NULL;
            for (size_t j = 0; j < parser->draft_count; j++) {
                const struct draft *draft = parser->drafts[j];
                if (!draft->visible[i])
                    continue;
                first = first ? first : draft;
                if (first->thread.placement.work_group == LITMUS_NONE || !same_group(first, draft))
                    return parser_fail(parser, parser->notes[i].mixed,
                                       "expected the same region for '%s' everywhere, found %s",
                                       parser->test->locations[i].name,
                                       parser->notes[i].mixed_local ? "global and local" : "local and global");
            }
        }
    for (size_t i = 0; i < parser->draft_count; i++)
        for (size_t k = 0; k < parser->drafts[i]->reduction_count; k++)
            TRY(settle_reduction(parser, parser->drafts[i], &parser->drafts[i]->reductions[k]));
    return STATUS_OK;
}
