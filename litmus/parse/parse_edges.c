// SPDX-License-Identifier: Apache-2.0
/* Edges between launches: the lines "P1 after P0 by queue" and "P1 beside P0", and whether they fit the test. */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "litmus/parse/parser.h"

#define EDGE(name) (1U << LAUNCH_EDGE_##name)

/* The calls of each API. C has none: its tests do not name devices. */
static const unsigned edges_of_dialect[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] = EDGE(QUEUE) | EDGE(EVENT) | EDGE(BARRIER) | EDGE(HOST) | EDGE(MAP) | EDGE(COPY),
    [LITMUS_PTX] = EDGE(QUEUE) | EDGE(EVENT) | EDGE(HOST) | EDGE(GRAPH) | EDGE(COPY) | EDGE(PROGRAMMATIC),
    [LITMUS_CUDA] = EDGE(QUEUE) | EDGE(EVENT) | EDGE(HOST) | EDGE(GRAPH) | EDGE(COPY) | EDGE(PROGRAMMATIC),
};

/* The calls that order launches of several devices. A queue belongs to one device; a graph may have several, but the
 * graph that plays a test has only one. */
static const unsigned edges_between_devices = EDGE(EVENT) | EDGE(HOST);

/* ---- the lines ---- */

/* "P1" and a word: in PTX, where rows of cells precede these lines, no cell starts like this. */
bool parse_at_edge(const struct parser *parser)
{
    unsigned number;
    return parser->token.kind == TOKEN_WORD && token_is_thread(&parser->token, &number) &&
           parser_next(parser).kind == TOKEN_WORD;
}

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* "queue, event or host". */
static void add_words(unsigned kinds, struct text *text)
{
    for (unsigned kind = 0; kind < LAUNCH_EDGE_COUNT; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        kinds &= ~(1U << kind);
        text_add(text, "%s%s", launch_edge_word((enum launch_edge)kind),
                 count_bits(kinds) > 1 ? ", "
                 : kinds               ? " or "
                                       : "");
    }
}

static enum status parse_kind(struct parser *parser, enum launch_edge *kind)
{
    const unsigned kinds = edges_of_dialect[parser->test->dialect];
    TRY(parser_take(parser, "by"));
    for (unsigned k = 0; k < LAUNCH_EDGE_COUNT; k++)
        if (kinds >> k & 1 && parser_take_if(parser, launch_edge_word((enum launch_edge)k))) {
            *kind = (enum launch_edge)k;
            return STATUS_OK;
        }
    LOCAL(text) words = {0};
    add_words(kinds, &words);
    return parser_expected(parser, text_string(&words));
}

/* The thread's index in the future test->threads. */
static unsigned index_of(const struct parser *parser, const struct draft *draft)
{
    return SUM_OF(unsigned, one, parser->drafts, parser->draft_count, (*one)->thread.first < draft->thread.first);
}

/* The thread at hand, as such an index. */
static enum status parse_body(struct parser *parser, struct token *name, unsigned *body)
{
    unsigned number;
    TRY(parser_take_word(parser, "a thread such as P0", name));
    const struct draft *draft = token_is_thread(name, &number) ? parser_find_thread(parser, number) : NULL;
    if (!draft)
        return parser_expected_not(parser, name, "a thread of the test");
    *body = index_of(parser, draft);
    return STATUS_OK;
}

static enum status refuse_second(struct parser *parser, const struct litmus_edge *edge, const struct token *later,
                                 const struct token *earlier)
{
    const struct litmus_test *test = parser->test;
    FOR_EACH(const struct litmus_edge, other, test->edges, test->edge_count)
        if ((other->later == edge->later && other->earlier == edge->earlier) ||
            (other->later == edge->earlier && other->earlier == edge->later))
            return parser_fail(parser, edge->place,
                               "expected one line for %.*s and %.*s, found a second one; the first is line %u",
                               (int)later->size, later->text, (int)earlier->size, earlier->text, other->place.line);
    return STATUS_OK;
}

enum status parse_ssw_edge(struct parser *parser, const struct ssw_line *line)
{
    const struct token names[] = {line->earlier, line->later};
    unsigned bodies[2];
    for (int i = 0; i < 2; i++) {
        unsigned number;
        const struct draft *draft = token_is_thread(&names[i], &number) ? parser_find_thread(parser, number) : NULL;
        if (!draft)
            return parser_expected_not(parser, &names[i], "a thread of the test");
        bodies[i] = index_of(parser, draft);
    }
    const struct litmus_edge edge = {
        .later = bodies[1], .earlier = bodies[0], .kind = LAUNCH_EDGE_BARRIER, .place = line->earlier.place};
    if (edge.earlier == edge.later)
        return parser_expected_not(parser, &line->later, "another thread than the first");
    TRY(refuse_second(parser, &edge, &line->later, &line->earlier));
    ARENA_ADD(parser_arena(parser), parser->test->edges, parser->test->edge_count) = edge;
    return STATUS_OK;
}

enum status parse_edge(struct parser *parser)
{
    if (dialects[parser->test->dialect].is_dat3m)
        return parser_expected(parser, "a section or the condition (the order of launches is in braces before the "
                                       "threads: { ssw 0 1; })");
    struct litmus_edge edge = {.kind = LAUNCH_EDGE_BESIDE, .place = parser->token.place};
    struct token later, earlier;
    TRY(parse_body(parser, &later, &edge.later));
    const bool beside = parser_take_if(parser, "beside");
    if (!beside && !parser_take_if(parser, "after"))
        return parser_expected(parser, "after or beside");
    TRY(parse_body(parser, &earlier, &edge.earlier));
    if (edge.earlier == edge.later)
        return parser_expected_not(parser, &earlier, "a thread of another launch, not this thread or one of its range");
    if (!beside)
        TRY(parse_kind(parser, &edge.kind));
    TRY(refuse_second(parser, &edge, &later, &earlier));
    ARENA_ADD(parser_arena(parser), parser->test->edges, parser->test->edge_count) = edge;
    return STATUS_OK;
}

/* ---- checks against the test ---- */

static enum status check_agents(struct parser *parser, const struct litmus_edge *edge)
{
    const struct litmus_thread *later = &parser->test->threads[edge->later],
                               *earlier = &parser->test->threads[edge->earlier];
    const bool host = later->placement.host || earlier->placement.host;
    if (host && edge->kind == LAUNCH_EDGE_BESIDE)
        return parser_fail(parser, edge->place,
                           "expected no line for P%u and P%u, found 'beside': without a line, a host thread runs "
                           "beside all other threads",
                           later->first, earlier->first);
    if (host && edge->kind != LAUNCH_EDGE_HOST)
        return parser_fail(parser, edge->place,
                           "expected 'by host' between P%u and P%u, one of which is a host thread, found '%s'",
                           later->first, earlier->first, launch_edge_word(edge->kind));
    if (later->placement.device != earlier->placement.device && edge->kind != LAUNCH_EDGE_BESIDE &&
        !(edges_between_devices >> edge->kind & 1))
        return parser_fail(parser, edge->place,
                           "expected 'by event' or 'by host' between P%u and P%u, which are on two devices, found '%s'",
                           later->first, earlier->first, launch_edge_word(edge->kind));
    return STATUS_OK;
}

/* The property of two bodies that requires one launch, or NULL. */
static const char *shared_level(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return scope_includes(LITMUS_WORK_GROUP, a, b) ? "work-group"
           : scope_includes(LITMUS_CLUSTER, a, b)  ? "cluster"
                                                   : NULL;
}

/* The line to show for two bodies that are in different launches: one that has either of them. */
static struct litmus_place edge_of(const struct litmus_test *test, unsigned a, unsigned b)
{
    return VALUE_OF(struct litmus_place, edge, test->edges, test->edge_count,
                    edge->later == a || edge->later == b || edge->earlier == a || edge->earlier == b, edge->place,
                    test->edges[0].place);
}

/* Local memory ends with its launch. */
static enum status check_local(struct parser *parser, const struct litmus_launches *launches)
{
    const struct litmus_test *test = parser->test;
    unsigned user[LITMUS_MAXIMUM_LOCATIONS]; /* the first body that reaches the location */
    for (size_t i = 0; i < test->location_count; i++)
        user[i] = LITMUS_MAXIMUM_BODIES;
    for (unsigned body = 0; body < test->body_count; body++) {
        bool reached[LITMUS_MAXIMUM_LOCATIONS] = {false};
        /* The locations that a thread names, or whose addresses it has at its start. */
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[body].body); litmus_walk_next(&walk);)
            if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_ADDRESS)
                reached[walk.expression->index] = true;
        for (size_t i = 0; i < test->threads[body].register_count; i++)
            if (test->threads[body].registers[i].points_to != LITMUS_NONE)
                reached[test->threads[body].registers[i].points_to] = true;
        for (size_t i = 0; i < test->location_count; i++)
            for (int root = test->locations[i].alias_of; reached[i] && root != LITMUS_NONE;
                 root = test->locations[root].alias_of)
                reached[root] = true;
        for (size_t i = 0; i < test->location_count; i++) {
            if (!reached[i] || test->locations[i].region != LITMUS_LOCAL)
                continue;
            user[i] = user[i] == LITMUS_MAXIMUM_BODIES ? body : user[i];
            if (launches->of_body[user[i]] != launches->of_body[body])
                return parser_fail(parser, edge_of(test, user[i], body),
                                   "expected launches to share only global memory, found the local '%s' in P%u and P%u",
                                   test->locations[i].name, test->threads[user[i]].first, test->threads[body].first);
        }
    }
    return STATUS_OK;
}

enum status parse_check_edges(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    struct litmus_launches launches;
    struct error error = {0};
    if (test->edge_count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < test->edge_count; i++)
        TRY(check_agents(parser, &test->edges[i]));
    const enum status status = litmus_find_launches(test, &launches, &error);
    const struct litmus_place last = test->edges[test->edge_count - 1].place;
    if (status != STATUS_OK)
        return error_set(parser->error, status, "%s:%u:%u: %s", parser->file, last.line, last.column, error.text);
    /* Dat3M's ssw lines are between threads anywhere. */
    if (!dialects[test->dialect].is_dat3m)
        for (unsigned a = 0; a < test->body_count; a++)
            for (unsigned b = a + 1; b < test->body_count; b++) {
                const char *level = shared_level(&test->threads[a].placement, &test->threads[b].placement);
                if (level && launches.of_body[a] != launches.of_body[b])
                    return parser_fail(parser, edge_of(test, a, b),
                                       "expected the same lines for P%u and P%u, which share a %s and therefore a "
                                       "launch",
                                       test->threads[a].first, test->threads[b].first, level);
            }
    return check_local(parser, &launches);
}
