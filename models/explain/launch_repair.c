// SPDX-License-Identifier: Apache-2.0
/*
 * The search for orders of launches. For a model it makes no difference which call of the host
 * orders two launches, so the first call is taken that the test can have: a queue, unless it would
 * also order other launches; then an event, and so on.
 */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "models/explain/sites.h"

enum {
    MOST_UNITS = 6,
    MOST_PAIRS = MOST_UNITS * (MOST_UNITS - 1),
    MOST_ORDERS = 3,
    SPLIT_ORDERS = MOST_UNITS * MOST_UNITS / 4
};

/* Bodies that are launched together: those of a launch or, if it may be divided, of a work-group or
 * cluster. */
struct unit {
    uint64_t bodies;
    unsigned first, launch;
};

struct launch_pair {
    unsigned earlier, later; /* units */
};

struct launch_search {
    const struct repair_wanted *wanted;
    struct repairs *found;
    struct litmus_launches launches;
    struct unit units[MOST_UNITS];
    unsigned unit_count;
    struct launch_pair pairs[MOST_PAIRS]; /* pairs that the host may order */
    unsigned pair_count;
    struct launch_pair set[SPLIT_ORDERS]; /* those that it orders in the present variant */
    unsigned size;
    bool split;              /* the set has all pairs of two halves of the test */
    unsigned least_backward; /* in the results: orders against the order of the threads' numbers */
};

static void open_search(const struct repair_wanted *wanted, struct repairs *found, struct launch_search *search)
{
    *search = (struct launch_search){.wanted = wanted, .found = found, .least_backward = SPLIT_ORDERS + 1};
}

/* ---- the units ---- */

/* whole: launches are not divided. False: the test has no launches, or too many units. */
static bool find_units(struct launch_search *search, bool whole)
{
    const struct litmus_test *test = search->wanted->test;
    struct error error;
    if (!dialects[test->dialect].has_places || test->body_count > LITMUS_MAXIMUM_BODIES ||
        litmus_find_launches(test, &search->launches, &error) != STATUS_OK)
        return false;
    for (unsigned body = 0; body < test->body_count; body++) {
        const unsigned launch = search->launches.of_body[body];
        unsigned at = 0;
        for (; at < search->unit_count; at++)
            if (search->units[at].launch == launch &&
                (whole || scope_includes(LITMUS_CLUSTER, &test->threads[search->units[at].first].placement,
                                         &test->threads[body].placement)))
                break;
        if (at == MOST_UNITS)
            return false;
        if (at == search->unit_count)
            search->units[search->unit_count++] = (struct unit){.first = body, .launch = launch};
        search->units[at].bodies |= UINT64_C(1) << body;
    }
    return true;
}

/* The pairs that the host does not order yet: first those in the order of the threads' numbers. */
static void find_pairs(struct launch_search *search)
{
    for (unsigned backward = 0; backward < 2; backward++)
        for (unsigned a = 0; a < search->unit_count; a++)
            for (unsigned b = a + 1; b < search->unit_count; b++) {
                const unsigned one = search->units[a].launch, two = search->units[b].launch;
                if (!litmus_launch_precedes(&search->launches, one, two) &&
                    !litmus_launch_precedes(&search->launches, two, one))
                    search->pairs[search->pair_count++] =
                        backward ? (struct launch_pair){b, a} : (struct launch_pair){a, b};
            }
}

/* ---- the lines of a changed test ---- */

static const enum launch_edge no_line = LAUNCH_EDGE_COUNT; /* the kind of an omitted line */

/* A line between launches, and the line that it replaces; NULL: none. */
struct launch_line {
    struct litmus_edge edge;
    const struct litmus_edge *was;
};

struct launch_lines {
    struct arena arena;
    struct launch_line *items;
    size_t count;
};

static bool joins(const struct litmus_edge *edge, unsigned one, unsigned two)
{
    return (edge->earlier == one && edge->later == two) || (edge->earlier == two && edge->later == one);
}

static void set_line(struct launch_lines *lines, struct litmus_edge edge)
{
    size_t at = 0;
    while (at < lines->count && !joins(&lines->items[at].edge, edge.earlier, edge.later))
        at++;
    if (at == lines->count)
        ARENA_ADD(&lines->arena, lines->items, lines->count) = (struct launch_line){.was = NULL};
    lines->items[at].edge = edge;
}

/* The set's pairs by `kind`; unqueued: other lines use events instead of queues. */
static void make_lines(const struct launch_search *search, enum launch_edge kind, bool unqueued,
                       struct launch_lines *lines)
{
    const struct litmus_test *test = search->wanted->test;
    for (size_t i = 0; i < test->edge_count; i++) {
        struct launch_line line = {test->edges[i], &test->edges[i]};
        if (unqueued && launch_edge_shares_queue(line.edge.kind))
            line.edge.kind = LAUNCH_EDGE_EVENT;
        ARENA_ADD(&lines->arena, lines->items, lines->count) = line;
    }
    for (unsigned i = 0; i < search->size; i++)
        for (unsigned later = 0; later < test->body_count; later++)
            for (unsigned earlier = 0; earlier < test->body_count; earlier++)
                if (search->units[search->set[i].later].bodies >> later & 1 &&
                    search->units[search->set[i].earlier].bodies >> earlier & 1)
                    set_line(lines, (struct litmus_edge){.later = later, .earlier = earlier, .kind = kind});
}

static bool has_changed(const struct launch_line *line)
{
    return !line->was || line->was->kind != line->edge.kind || line->was->later != line->edge.later;
}

/* The test with these lines, read again; false: no test has them. */
static bool read_changed(const struct launch_search *search, const struct launch_lines *lines,
                         struct litmus_test **changed)
{
    struct litmus_test test = *search->wanted->test;
    struct arena arena = {0};
    struct text text = {0};
    struct error error;
    test.edges = NULL;
    test.edge_count = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].edge.kind != no_line)
            ARENA_ADD(&arena, test.edges, test.edge_count) = lines->items[i].edge;
    litmus_print(&test, &text);
    const bool read = litmus_parse(test.name, text_string(&text), text.size, changed, &error) == STATUS_OK;
    text_release(&text);
    arena_release(&arena);
    return read;
}

/* ---- results ---- */

/* "P1's", "P1's and P2's". */
static void add_bodies(const struct launch_search *search, uint64_t bodies, struct text *text)
{
    const struct litmus_test *test = search->wanted->test;
    for (unsigned body = 0; body < test->body_count; body++)
        if (bodies >> body & 1)
            text_add(text, "%sP%u's", bodies & ((UINT64_C(1) << body) - 1) ? " and " : "", test->threads[body].first);
}

/* The bodies of a pair of the set; for a split, of all pairs. */
static void find_bodies(const struct launch_search *search, unsigned index, uint64_t *earlier, uint64_t *later)
{
    *earlier = *later = 0;
    for (unsigned i = 0; i < search->size; i++)
        if (i == index || search->split) {
            *earlier |= search->units[search->set[i].earlier].bodies;
            *later |= search->units[search->set[i].later].bodies;
        }
}

static const char *sentence_of(const struct launch_search *search, enum launch_edge kind, bool unqueued)
{
    const bool is_beside = kind == LAUNCH_EDGE_BESIDE || kind == no_line;
    struct text text = {0};
    for (unsigned i = 0; i < (search->split ? 1 : search->size); i++) {
        const struct unit *unit = &search->units[search->set[i].later];
        const bool host = search->wanted->test->threads[unit->first].placement.host;
        uint64_t earlier, later;
        find_bodies(search, i, &earlier, &later);
        text_add(&text, "%s", i > 0 ? ", and " : host ? "start " : "launch ");
        add_bodies(search, later, &text);
        text_add(&text, "%s%s", i > 0 ? "" : host ? " code" : " kernel", is_beside ? " beside " : " after ");
        add_bodies(search, earlier, &text);
        text_add(&text, "%s", is_beside ? "" : " has ended");
    }
    if (unqueued)
        text_add(&text, ", and order the others by event, since one queue would order all of them");
    const char *sentence = arena_copy(&search->found->arena, text_string(&text));
    text_release(&text);
    return sentence;
}

static const char *line_text(struct arena *arena, const struct litmus_test *test, const struct litmus_edge *edge)
{
    struct text text = {0};
    litmus_print_edge(test, edge, &text);
    const char *line = arena_copy(arena, text_string(&text));
    text_release(&text);
    return line;
}

static void note_repair(struct launch_search *search, const struct launch_lines *lines,
                        const struct change_judgement *judged, const char *says)
{
    const struct litmus_test *test = search->wanted->test;
    struct repairs *found = search->found;
    struct repair *repair = &ARENA_ADD(&found->arena, found->launches, found->launch_count);
    *repair = (struct repair){.then = judged->then, .flag = judged->flag, .says = says};
    for (size_t i = 0; i < lines->count; i++) {
        const struct launch_line *line = &lines->items[i];
        if (has_changed(line))
            ARENA_ADD(&found->arena, repair->changes, repair->count) = (struct repair_change){
                .thread = (int)test->threads[line->edge.later].first,
                .line = line->was ? line->was->place.line : 0,
                .before = line->was ? line_text(&found->arena, test, line->was) : NULL,
                .after = line->edge.kind == no_line ? NULL : line_text(&found->arena, test, &line->edge),
            };
    }
}

/* ---- the search ---- */

/* The ways in which the host may order launches, the most usual first, and whether the test must
 * give up its queues for it. Launches without an order are concurrent with everything; for a thread
 * of the host and a kernel there is no other way to express that. */
static const struct call {
    enum launch_edge kind;
    bool unqueued;
} calls[] = {{LAUNCH_EDGE_QUEUE, false}, {LAUNCH_EDGE_EVENT, false}, {LAUNCH_EDGE_GRAPH, false},
             {LAUNCH_EDGE_HOST, false},  {LAUNCH_EDGE_EVENT, true},  {LAUNCH_EDGE_HOST, true}},
  beside[] = {{LAUNCH_EDGE_BESIDE, false}, {LAUNCH_EDGE_BESIDE, true}, {LAUNCH_EDGE_COUNT, false}};

/* Notes the set if the model gives this answer for the first call that the test can have; false: it
 * does not. */
static bool try_set(struct launch_search *search, const struct call *list, size_t count, enum change_answer wanted)
{
    struct launch_lines lines = {.count = 0};
    struct litmus_test *changed = NULL;
    bool read = false, does = false;
    size_t at = 0;
    for (; at < count && !read && !change_is_over(search->wanted, search->found); at += !read) {
        arena_release(&lines.arena);
        lines = (struct launch_lines){.count = 0};
        make_lines(search, list[at].kind, list[at].unqueued, &lines);
        read = read_changed(search, &lines, &changed);
    }
    if (read) {
        const struct change_judgement judged = change_judge(search->wanted, changed, search->found);
        search->found->tried += judged.judged;
        does = judged.answer == wanted && (wanted == CHANGE_ALLOWS || judged.ends);
        if (does)
            note_repair(search, &lines, &judged, sentence_of(search, list[at].kind, list[at].unqueued));
        litmus_release(changed);
    }
    arena_release(&lines.arena);
    return does;
}

static unsigned count_backward(const struct launch_search *search)
{
    unsigned backward = 0;
    for (unsigned i = 0; i < search->size; i++)
        backward += search->set[i].earlier > search->set[i].later;
    return backward;
}

static bool has_pair(const struct launch_search *search, const struct launch_pair *pair)
{
    bool has = false;
    for (unsigned i = 0; i < search->size; i++)
        has |= (search->set[i].earlier == pair->earlier && search->set[i].later == pair->later) ||
               (search->set[i].earlier == pair->later && search->set[i].later == pair->earlier);
    return has;
}

/* Notes the set if it suffices, replacing results with more orders against the threads' numbers. */
static void try_orders(struct launch_search *search)
{
    const unsigned backward = count_backward(search);
    struct repairs *found = search->found;
    const size_t count = found->launch_count;
    const bool fewer = backward < search->least_backward;
    if (backward > search->least_backward || (!fewer && count == REPAIRS_SHOWN) ||
        !try_set(search, calls, sizeof calls / sizeof *calls, CHANGE_FORBIDS))
        return;
    if (fewer && count > 0) {
        found->launches[0] = found->launches[count];
        found->launch_count = 1;
    }
    search->least_backward = backward;
}

/* Tries all supersets of the present set with further pairs from `from` on. */
static void try_sets(struct launch_search *search, unsigned size, unsigned from)
{
    if (search->size == size) {
        try_orders(search);
        return;
    }
    for (unsigned i = from; i < search->pair_count && !change_is_over(search->wanted, search->found); i++) {
        if (has_pair(search, &search->pairs[i]))
            continue;
        search->set[search->size++] = search->pairs[i];
        try_sets(search, size, i + 1);
        search->size--;
    }
}

/* Tries to split units that run at once into two kernels: some units, and after them all others. */
static void try_splits(struct launch_search *search)
{
    const unsigned units = search->unit_count;
    if (search->pair_count < units * (units - 1))
        return;
    search->split = true;
    for (unsigned late = 1; late + 1 < 1U << units && !change_is_over(search->wanted, search->found); late++) {
        search->size = 0;
        for (unsigned i = 0; i < search->pair_count; i++)
            if (late >> search->pairs[i].later & 1 && !(late >> search->pairs[i].earlier & 1))
                search->set[search->size++] = search->pairs[i];
        try_orders(search);
    }
    search->size = 0;
    search->split = false;
}

void launch_repairs_find(const struct repair_wanted *wanted, struct repairs *repairs)
{
    struct launch_search search;
    open_search(wanted, repairs, &search);
    if (!find_units(&search, false))
        return;
    find_pairs(&search);
    try_sets(&search, 1, 0);
    if (repairs->launch_count == 0)
        try_splits(&search);
    for (unsigned size = 2; size <= MOST_ORDERS && repairs->launch_count == 0; size++)
        try_sets(&search, size, 0);
}

void launch_weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs)
{
    struct launch_search search;
    open_search(wanted, repairs, &search);
    if (!find_units(&search, true))
        return;
    search.size = 1;
    for (unsigned later = 0; later < search.unit_count; later++)
        for (unsigned earlier = 0; earlier < search.unit_count; earlier++) {
            const unsigned before = search.units[earlier].launch, after = search.units[later].launch;
            search.set[0] = (struct launch_pair){earlier, later};
            if (search.launches.launches[after].after >> before & 1)
                (void)try_set(&search, beside, sizeof beside / sizeof *beside, CHANGE_ALLOWS);
        }
}
