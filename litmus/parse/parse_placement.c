// SPDX-License-Identifier: Apache-2.0
/* Placement of threads: "P0@wg 0, dev 0" on the thread's line, or one tree after the code. */
#include "litmus/dialects.h"
#include "litmus/parse/parser.h"

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
        return parser_expected(parser, "a level of VULKAN: sg, wg or qf");
    if (!vulkan && level == LEVEL_QUEUE_FAMILY)
        return parser_expected(parser, "a level such as wg, cta or dev (only VULKAN has queue families)");
    return STATUS_OK;
}

/* "host", which is the whole of a placement. */
static enum status parse_host(struct parser *parser, struct litmus_placement *placement)
{
    if (dialects[parser->test->dialect].is_dat3m)
        return parser_expected(parser, "a level of VULKAN: sg, wg or qf");
    TRY(parser_advance(parser));
    placement->host = true;
    return parser_at(parser, ",") ? parser_expected(parser, "host without a level (the host belongs to no device)")
                                  : STATUS_OK;
}

enum status parser_placement(struct parser *parser, struct draft *draft)
{
    bool more;
    TRY(parser_take_if(parser, "@", &more));
    draft->placed = more;
    if (more && parser_at(parser, "host"))
        return parse_host(parser, &draft->thread.placement);
    while (more) {
        if (parser_at(parser, "host"))
            return parser_expected(parser, "a level such as wg, cta or dev (host goes with no other level)");
        const struct token name = parser->token;
        const int level = word_find(level_words, &name);
        if (level == LITMUS_NONE || level == LEVEL_KERNEL || level == LEVEL_THREAD)
            return parser_expected(parser, "host, or a level such as wg, cta or dev");
        TRY(check_level(parser, (enum level)level));
        TRY(parser_advance(parser));
        int *slot = placement_slot(&draft->thread.placement, (enum level)level);
        unsigned number;
        /* A test has one system, which therefore has no number in the structure. */
        TRY(parser_count(parser, "the number of that level", slot ? LITMUS_MAXIMUM_THREADS - 1 : 0, &number));
        if (slot && *slot != LITMUS_NONE)
            return parser_expected_not(parser, &name, "each level once");
        if (slot)
            *slot = (int)number;
        TRY(parser_take_if(parser, ",", &more));
    }
    return STATUS_OK;
}

static enum status place_thread(struct parser *parser, const struct litmus_placement *placement)
{
    const struct token name = parser->token;
    unsigned first, last;
    if (name.kind != TOKEN_WORD || !token_is_thread(&name, &first))
        return parser_expected(parser, "a thread, '(' or ')'");
    TRY(parser_advance(parser));
    last = first;
    bool range;
    TRY(parser_take_if(parser, "..", &range));
    if (range) {
        if (parser->token.kind != TOKEN_WORD || !token_is_thread(&parser->token, &last))
            return parser_expected(parser, "the last thread of the range");
        TRY(parser_advance(parser));
    }
    struct draft *draft = parser_find_thread(parser, first);
    /* The column of a host thread does not contain PTX, so the parser must know about it before
     * it reads the column. */
    if (placement->host && parser->test->dialect == LITMUS_PTX)
        return parser_expected_not(parser, &name, "'P1@host' above the column, and the tree for threads of devices");
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
    return parser_advance(parser);
}

/* "(host P1 P2)" with the parenthesis taken. */
static enum status parse_host_tree(struct parser *parser, const struct tree_state *outer)
{
    struct litmus_placement placement = litmus_unplaced;
    placement.host = true;
    if (outer->level > LEVEL_SYSTEM)
        return parser_expected(parser, "a level (the host belongs to no device)");
    TRY(parser_advance(parser));
    while (!parser_at(parser, ")"))
        TRY(place_thread(parser, &placement));
    return parser_advance(parser);
}

static enum status parse_tree(struct parser *parser, struct tree_state *outer)
{
    TRY(parser_enter(parser));
    if (dialects[parser->test->dialect].is_dat3m)
        return parser_expected(parser, "placements such as 'P0@sg 0, wg 0, qf 0' above the columns, and no tree");
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
    TRY(parser_advance(parser));
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
    TRY(parser_advance(parser));
    if (colon)
        TRY(parser_take(parser, ":"));
    for (size_t i = 0; i < parser->draft_count; i++)
        if (parser->drafts[i]->placed)
            return parser_expected_not(parser, &name, "placements either on the thread lines or in one tree");
    struct tree_state outer = {
        .level = LITMUS_NONE,
        .placement = litmus_unplaced,
    };
    do
        TRY(parse_tree(parser, &outer));
    while (parser_at(parser, "("));
    for (size_t i = 0; i < parser->draft_count; i++)
        if (!parser->drafts[i]->placed)
            return parser_fail(parser, name.place, STATUS_SYNTAX, "expected every thread in the tree, found no P%u",
                               parser->drafts[i]->thread.first);
    return STATUS_OK;
}
