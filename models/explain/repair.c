// SPDX-License-Identifier: Apache-2.0
/* The search for changes. First everything is made as strong as possible, and then every change that is not needed is
 * undone: if this finds nothing, there is no repair. The result need not be the smallest, so sets of sites are tried
 * from small to large. The strongest options in one scope decide whether a set can suffice at all, since no model
 * allows more with stronger orders; for a set that can, all options are tried, cheapest first. Orders of launches have
 * a search of their own. */
#include "models/explain/repair.h"

#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "models/explain/sites.h"

enum { MOST_CHANGES = 4, ALL_OPTIONS_CHANGES = 2, MOST_COMBINATIONS = 4096 };

struct repair_search {
    const struct repair_wanted *wanted;
    struct sites sites;
    struct repairs *found;
    size_t *order;            /* of the sites: those that are likely to be needed come first */
    size_t set[MOST_CHANGES]; /* the sites of the present set */
    unsigned best;            /* the lowest cost found */
};

/* ---- asking the model ---- */

static bool is_over(struct repair_search *search)
{
    return change_is_over(search->wanted, search->found);
}

static bool repair_gives(struct repair_search *search, enum change_answer answer)
{
    return change_judge_chosen(search->wanted, &search->sites, search->found, NULL).answer == answer;
}

static bool repair_forbids(struct repair_search *search)
{
    return repair_gives(search, CHANGE_FORBIDS);
}

/* ---- the options of a set ---- */

struct combination {
    unsigned cost;
    unsigned char options[MOST_CHANGES];
};

ORDERED_BY(compare_combinations, const struct combination,
           ORDER(a->cost, b->cost) ?: memcmp(a->options, b->options, sizeof a->options))

/* For larger sets, only options in one scope. */
static bool repair_is_listed(const struct repair_search *search, const struct combination *combination, size_t size)
{
    const struct site *first = &search->sites.items[search->set[0]];
    bool one_scope = true;
    for (size_t i = 1; i < size; i++)
        one_scope &= search->sites.items[search->set[i]].options[combination->options[i]].scope ==
                     first->options[combination->options[0]].scope;
    return one_scope || size <= ALL_OPTIONS_CHANGES;
}

/* Finds the cheapest options of the set that forbid the outcome. */
static void try_options(struct repair_search *search, size_t size)
{
    FREED struct combination *list = memory_take(MOST_COMBINATIONS, sizeof *list);
    struct combination next = {0};
    size_t count = 0;
    for (size_t at = 0; at < size && count < MOST_COMBINATIONS;) {
        next.cost = 0;
        for (size_t i = 0; i < size; i++)
            next.cost += search->sites.items[search->set[i]].options[next.options[i]].cost;
        if (repair_is_listed(search, &next, size))
            list[count++] = next;
        for (at = 0; at < size; at++) {
            if (++next.options[at] < search->sites.items[search->set[at]].option_count)
                break;
            next.options[at] = 0;
        }
    }
    SORT(list, count, compare_combinations);
    bool done = false;
    for (size_t i = 0; i < count && !done && list[i].cost <= search->best && !is_over(search); i++) {
        for (size_t k = 0; k < size; k++) {
            struct site *site = &search->sites.items[search->set[k]];
            site_choose(site, &site->options[list[i].options[k]]);
        }
        done = repair_forbids(search);
        if (!done)
            continue;
        if (list[i].cost < search->best)
            search->found->count = 0;
        search->best = list[i].cost;
        if (search->found->count < REPAIRS_SHOWN)
            change_note(search->wanted, &search->sites, search->found, (struct repair){.cost = list[i].cost});
    }
    sites_choose_none(&search->sites);
}

/* Do the strongest options in some scope forbid the outcome? */
static bool can_do(struct repair_search *search, size_t size)
{
    const struct sites *sites = &search->sites;
    bool can = false;
    for (size_t p = 0; p < sites->proxy_count; p++)
        for (size_t s = sites->scope_count; s-- > 0 && !can && !is_over(search);) {
            /* Do the strongest options in a scope, with fences of a proxy in the gaps, forbid the outcome? */
            bool all = true;
            for (size_t i = 0; i < size; i++) {
                struct site *site = &search->sites.items[search->set[i]];
                const struct site_option *option = site_strongest(site, sites->scopes[s], sites->proxies[p]);
                site_choose(site, option);
                all &= option != NULL;
            }
            can = all && repair_forbids(search);
        }
    sites_choose_none(&search->sites);
    return can;
}

static void try_sets(struct repair_search *search, size_t size, size_t depth, size_t from)
{
    if (depth == size) {
        if (can_do(search, size))
            try_options(search, size);
        return;
    }
    for (size_t i = from; i < search->sites.count && !is_over(search); i++) {
        search->set[depth] = search->order[i];
        try_sets(search, size, depth + 1, i + 1);
    }
}

/* ---- from everything to the needed changes ---- */

/* The cheapest option with which the outcome stays forbidden; the present option is one. */
static void relax_site(struct repair_search *search, struct site *site)
{
    const struct site_option strongest = site->chosen;
    for (size_t i = 0; i < site->option_count && site->options[i].cost < strongest.cost && !is_over(search); i++) {
        site_choose(site, &site->options[i]);
        if (repair_forbids(search))
            return;
    }
    site_choose(site, &strongest);
}

/* The strongest everywhere, in some scope; false: even that leaves the outcome allowed. */
static bool choose_everything(struct repair_search *search)
{
    const struct sites *sites = &search->sites;
    for (size_t i = 0; i < sites->scope_count * sites->proxy_count; i++) {
        const size_t scope = (sites->reaching + i) % sites->scope_count;
        const enum litmus_proxy proxy = sites->proxies[i / sites->scope_count];
        for (size_t k = 0; k < sites->count; k++)
            site_choose(&sites->items[k], site_strongest(&sites->items[k], sites->scopes[scope], proxy));
        if (repair_forbids(search))
            return true;
    }
    return false;
}

/* Finds changes that suffice and are all needed, if there are any. Their sites come first in the order. */
static void find_some(struct repair_search *search)
{
    struct sites *sites = &search->sites;
    unsigned cost = 0;
    size_t first = 0;
    search->order = arena_take(&search->found->arena, sites->count + 1, sizeof *search->order);
    if (choose_everything(search)) {
        FOR_EACH(struct site, site, search->sites.items, search->sites.count) {
            const bool was = site->is_chosen;
            site->is_chosen = false;
            site->is_chosen = was && !repair_forbids(search);
        }
        for (size_t i = 0; i < search->sites.count; i++)
            if (search->sites.items[i].is_chosen)
                relax_site(search, &search->sites.items[i]);
        for (size_t i = 0; i < sites->count; i++)
            if (sites->items[i].is_chosen) {
                cost += sites->items[i].chosen.cost;
                search->order[first++] = i;
            }
        change_note(search->wanted, &search->sites, search->found, (struct repair){.cost = cost});
        search->found->changes = first;
    }
    for (size_t i = 0; i < sites->count; i++)
        if (!sites->items[i].is_chosen)
            search->order[first++] = i;
    sites_choose_none(sites);
}

/* ---- the searches ---- */

static enum status open_search(const struct repair_wanted *wanted, uint64_t bodies, enum site_direction direction,
                               struct repair_search *search, struct repairs *repairs, struct error *error)
{
    *search = (struct repair_search){.wanted = wanted, .found = repairs, .best = UINT32_MAX};
    return sites_find(wanted->test, bodies, direction, &search->sites, error);
}

static int compare_repairs(const void *left, const void *right)
{
    const struct repair *a = left, *b = right;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const struct repair_change *x = &a->changes[i], *y = &b->changes[i];
        if (x->thread != y->thread)
            return x->thread < y->thread ? -1 : 1;
        if (x->line != y->line)
            return x->line < y->line ? -1 : 1;
    }
    return 0;
}

static enum status find_repairs(const struct repair_wanted *wanted, uint64_t bodies, bool accesses,
                                struct repairs *repairs, struct error *error)
{
    struct repair_search search;
    const enum status status = open_search(wanted, bodies, SITES_STRONGER, &search, repairs, error);
    if (status == STATUS_OK) {
        if (!accesses) {
            /* A fence that is there is rather changed than another put beside it. */
            enum { COST_BESIDE = 100 };
            size_t kept = 0;
            FOR_EACH(struct site, site, search.sites.items, search.sites.count) {
                for (size_t k = 0; k < site->option_count && site->kind == SITE_GAP; k++)
                    site->options[k].cost += COST_BESIDE;
                if (site->kind != SITE_ACCESS)
                    search.sites.items[kept++] = *site;
            }
            search.sites.count = kept;
        }
        find_some(&search);
        /* Tries all sets with at most as many sites as the result. */
        struct repairs *found = search.found;
        const size_t most = found->changes < MOST_CHANGES ? found->changes : MOST_CHANGES;
        for (size_t size = 1; size <= most && !found->cut && search.best == UINT32_MAX; size++) {
            try_sets(&search, size, 0, 0);
            if (search.best == UINT32_MAX)
                continue;
            found->changes = size;
            found->is_fewest = found->unjudged == 0;
        }
    }
    sites_release(&search.sites);
    return status;
}

/* Who wrote fences may not be able to change the accesses. Programs of CUDA have __threadfence(), and atomicCAS() has
 * no order: there this repair comes first, unless it has more changes. */
static enum status add_fences_alone(const struct repair_wanted *wanted, uint64_t bodies, struct repairs *repairs,
                                    struct error *error)
{
    const struct repairs before = *repairs;
    repairs->items = NULL;
    repairs->count = 0;
    const enum status status = find_repairs(wanted, bodies, false, repairs, error);
    const struct repair *fences = repairs->count > 0 ? repairs->items : NULL;
    repairs->items = before.items;
    repairs->count = before.count;
    repairs->changes = before.changes;
    repairs->is_fewest = before.is_fewest;
    if (!fences)
        return status;
    struct repair *const last = &ARENA_ADD(&repairs->arena, repairs->items, repairs->count);
    *last = *fences;
    if (wanted->test->dialect == LITMUS_CUDA && fences->count <= before.changes) {
        *last = repairs->items[0];
        repairs->items[0] = *fences;
    }
    return status;
}

enum status repairs_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    uint64_t bodies = change_bodies(wanted);
    TRY(find_repairs(wanted, bodies, true, repairs, error));
    /* Other executions with the outcome may need changes of other threads. */
    if (repairs->count == 0 && bodies != UINT64_MAX)
        TRY(find_repairs(wanted, bodies = UINT64_MAX, true, repairs, error));
    bool accesses = repairs->count > 0;
    for (size_t i = 0; i < repairs->count; i++)
        accesses &= repairs->items[i].accesses;
    SORT(repairs->items, repairs->count, compare_repairs);
    const bool fences =
        wanted->test->dialect == LITMUS_CUDA || ANY_OF(thread, wanted->test->threads, wanted->test->body_count,
                                                       litmus_any_statement(&thread->body, litmus_is_fence));
    return accesses && fences ? add_fences_alone(wanted, bodies, repairs, error) : STATUS_OK;
}

enum status weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    struct repair_search search;
    const enum status status = open_search(wanted, UINT64_MAX, SITES_WEAKER, &search, repairs, error);
    for (size_t i = 0; status == STATUS_OK && i < search.sites.count; i++) {
        struct site *site = &search.sites.items[i];
        bool done = false;
        for (size_t k = 0; k < site->option_count && !done && !is_over(&search); k++) {
            site_choose(site, &site->options[k]);
            done = repair_gives(&search, CHANGE_ALLOWS);
            if (done)
                change_note(search.wanted, &search.sites, search.found, (struct repair){.cost = site->options[k].cost});
        }
        site->is_chosen = false;
    }
    repairs->changes = repairs->count > 0;
    sites_release(&search.sites);
    return status;
}

ARENA_RELEASES(, repairs)

/* ---- the search for orders of launches ---- */

/* For a model it makes no difference which call of the host orders two launches, so the first call is taken that the
 * test can have: a queue, unless it would also order other launches; then an event, and so on. */

enum {
    MOST_UNITS = 6,
    MOST_PAIRS = MOST_UNITS * (MOST_UNITS - 1),
    MOST_ORDERS = 3,
    SPLIT_ORDERS = MOST_UNITS * MOST_UNITS / 4
};

struct launch_pair {
    unsigned earlier, later; /* units */
};

struct launch_search {
    const struct repair_wanted *wanted;
    struct repairs *found;
    struct litmus_launches launches;
    /* Bodies that are launched together: those of a launch or, if it may be divided, of a work-group or cluster. */
    struct {
        uint64_t bodies;
        unsigned first, launch;
    } units[MOST_UNITS];
    unsigned unit_count;
    struct launch_pair pairs[MOST_PAIRS]; /* pairs that the host may order */
    unsigned pair_count;
    struct launch_pair set[SPLIT_ORDERS]; /* those that it orders in the present variant */
    unsigned size;
    bool split;              /* the set has all pairs of two halves of the test */
    unsigned least_backward; /* in the results: orders against the order of the threads' numbers */
    /* The lines of the present variant. */
    struct launch_line {
        struct litmus_edge edge;
        const struct litmus_edge *was; /* that it replaces; NULL: none */
    } * lines;
    size_t line_count;
    struct arena arena; /* of lines */
};

static void open_launch_search(const struct repair_wanted *wanted, struct repairs *found, struct launch_search *search)
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
        if (at == search->unit_count) {
            search->units[at].first = body;
            search->units[at].launch = launch;
            search->unit_count++;
        }
        search->units[at].bodies |= UINT64_C(1) << body;
    }
    return true;
}

/* ---- the lines of a changed test ---- */

static const enum launch_edge no_line = LAUNCH_EDGE_COUNT; /* the kind of an omitted line */

static bool repair_joins(const struct litmus_edge *edge, unsigned one, unsigned two)
{
    return (edge->earlier == one && edge->later == two) || (edge->earlier == two && edge->later == one);
}

static void set_line(struct launch_search *search, struct litmus_edge edge)
{
    const size_t at =
        INDEX_OF(line, search->lines, search->line_count, repair_joins(&line->edge, edge.earlier, edge.later));
    if (at == search->line_count)
        ARENA_ADD(&search->arena, search->lines, search->line_count) = (struct launch_line){.was = NULL};
    search->lines[at].edge = edge;
}

static void forget_lines(struct launch_search *search)
{
    arena_release(&search->arena);
    search->lines = NULL;
    search->line_count = 0;
}

/* The test with these lines, read again; false: no test has them. */
static bool read_changed(const struct launch_search *search, struct litmus_test **changed)
{
    struct litmus_test test = *search->wanted->test;
    LOCAL(arena) arena = {0};
    struct error error;
    test.edges = NULL;
    test.edge_count = 0;
    for (size_t i = 0; i < search->line_count; i++)
        if (search->lines[i].edge.kind != no_line)
            ARENA_ADD(&arena, test.edges, test.edge_count) = search->lines[i].edge;
    return litmus_reread(&test, changed, &error) == STATUS_OK;
}

/* "P1's", "P1's and P2's". */
static void add_bodies(const struct launch_search *search, uint64_t bodies, struct text *text)
{
    const struct litmus_test *test = search->wanted->test;
    for (unsigned body = 0; body < test->body_count; body++)
        if (bodies >> body & 1)
            text_add(text, "%sP%u's", bodies & ((UINT64_C(1) << body) - 1) ? " and " : "", test->threads[body].first);
}

static const char *sentence_of(const struct launch_search *search, enum launch_edge kind, bool unqueued)
{
    const bool is_beside = kind == LAUNCH_EDGE_BESIDE || kind == no_line;
    struct text text = {0};
    for (unsigned i = 0; i < (search->split ? 1 : search->size); i++) {
        const unsigned first = search->units[search->set[i].later].first;
        const bool host = search->wanted->test->threads[first].placement.host;
        /* The bodies of a pair of the set; for a split, of all pairs. */
        uint64_t earlier = 0, later = 0;
        for (unsigned k = 0; k < search->size; k++)
            if (k == i || search->split) {
                earlier |= search->units[search->set[k].earlier].bodies;
                later |= search->units[search->set[k].later].bodies;
            }
        text_add(&text, "%s", i > 0 ? ", and " : host ? "start " : "launch ");
        add_bodies(search, later, &text);
        text_add(&text, "%s%s", i > 0 ? "" : host ? " code" : " kernel", is_beside ? " beside " : " after ");
        add_bodies(search, earlier, &text);
        text_add(&text, "%s", is_beside ? "" : " has ended");
    }
    if (unqueued)
        text_add(&text, ", and order the others by event, since one queue would order all of them");
    return arena_keep(&search->found->arena, &text);
}

static const char *line_text(struct arena *arena, const struct litmus_test *test, const struct litmus_edge *edge)
{
    struct text text = {0};
    litmus_print_edge(test, edge, &text);
    return arena_keep(arena, &text);
}

static void note_launch_repair(struct launch_search *search, const struct change_judgement *judged, const char *says)
{
    const struct litmus_test *test = search->wanted->test;
    struct repairs *found = search->found;
    struct repair *repair = &ARENA_ADD(&found->arena, found->launches, found->launch_count);
    *repair = (struct repair){.then = judged->then, .flag = judged->flag, .says = says};
    FOR_EACH(const struct launch_line, line, search->lines, search->line_count)
        if (!line->was || line->was->kind != line->edge.kind || line->was->later != line->edge.later)
            ARENA_ADD(&found->arena, repair->changes, repair->count) = (struct repair_change){
                .thread = (int)test->threads[line->edge.later].first,
                .line = line->was ? line->was->place.line : 0,
                .before = line->was ? line_text(&found->arena, test, line->was) : NULL,
                .after = line->edge.kind == no_line ? NULL : line_text(&found->arena, test, &line->edge),
            };
}

/* The ways in which the host may order launches, the most usual first, and whether the test must give up its queues for
 * it. Launches without an order are concurrent with everything; for a thread of the host and a kernel there is no other
 * way to express that. */
static const struct call {
    enum launch_edge kind;
    bool unqueued;
} calls[] = {{LAUNCH_EDGE_QUEUE, false}, {LAUNCH_EDGE_EVENT, false}, {LAUNCH_EDGE_GRAPH, false},
             {LAUNCH_EDGE_HOST, false},  {LAUNCH_EDGE_EVENT, true},  {LAUNCH_EDGE_HOST, true}},
  beside[] = {{LAUNCH_EDGE_BESIDE, false}, {LAUNCH_EDGE_BESIDE, true}, {LAUNCH_EDGE_COUNT, false}};

/* Notes the set if the model gives this answer for the first call that the test can have; false: it does not. */
static bool try_set(struct launch_search *search, const struct call *list, size_t count, enum change_answer wanted)
{
    struct litmus_test *changed = NULL;
    bool read = false, does = false;
    size_t at = 0;
    for (; at < count && !read && !change_is_over(search->wanted, search->found); at += !read) {
        /* The set's pairs by `kind`; unqueued: other lines use events instead of queues. */
        const struct litmus_test *test = search->wanted->test;
        forget_lines(search);
        for (size_t i = 0; i < test->edge_count; i++) {
            struct launch_line line = {test->edges[i], &test->edges[i]};
            if (list[at].unqueued && launch_edge_shares_queue(line.edge.kind))
                line.edge.kind = LAUNCH_EDGE_EVENT;
            ARENA_ADD(&search->arena, search->lines, search->line_count) = line;
        }
        for (unsigned i = 0; i < search->size; i++)
            for (unsigned later = 0; later < test->body_count; later++)
                for (unsigned earlier = 0; earlier < test->body_count; earlier++)
                    if (search->units[search->set[i].later].bodies >> later & 1 &&
                        search->units[search->set[i].earlier].bodies >> earlier & 1)
                        set_line(search,
                                 (struct litmus_edge){.later = later, .earlier = earlier, .kind = list[at].kind});
        read = read_changed(search, &changed);
    }
    if (read) {
        const struct change_judgement judged = change_judge(search->wanted, changed, search->found, NULL);
        search->found->tried += judged.judged;
        does = judged.answer == wanted && (wanted == CHANGE_ALLOWS || judged.allowed > 0);
        if (does)
            note_launch_repair(search, &judged, sentence_of(search, list[at].kind, list[at].unqueued));
        litmus_release(changed);
    }
    forget_lines(search);
    return does;
}

/* Notes the set if it suffices, replacing results with more orders against the threads' numbers. */
static void try_orders(struct launch_search *search)
{
    const unsigned backward = SUM_OF(unsigned, one, search->set, search->size, one->earlier > one->later);
    struct repairs *found = search->found;
    const size_t count = found->launch_count;
    const bool fewer = backward < search->least_backward;
    if (backward > search->least_backward || (!fewer && count == REPAIRS_SHOWN) ||
        !try_set(search, calls, COUNT(calls), CHANGE_FORBIDS))
        return;
    if (fewer && count > 0) {
        found->launches[0] = found->launches[count];
        found->launch_count = 1;
    }
    search->least_backward = backward;
}

/* Tries all supersets of the present set with further pairs from `from` on. */
static void try_launch_sets(struct launch_search *search, unsigned size, unsigned from)
{
    if (search->size == size) {
        try_orders(search);
        return;
    }
    for (unsigned i = from; i < search->pair_count && !change_is_over(search->wanted, search->found); i++) {
        const struct launch_pair *pair = &search->pairs[i];
        if (ANY_OF(one, search->set, search->size,
                   (one->earlier == pair->earlier && one->later == pair->later) ||
                       (one->earlier == pair->later && one->later == pair->earlier)))
            continue;
        search->set[search->size++] = *pair;
        try_launch_sets(search, size, i + 1);
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
    open_launch_search(wanted, repairs, &search);
    if (!find_units(&search, false))
        return;
    /* The pairs that the host does not order yet: first those in the order of the threads' numbers. */
    for (unsigned backward = 0; backward < 2; backward++)
        for (unsigned a = 0; a < search.unit_count; a++)
            for (unsigned b = a + 1; b < search.unit_count; b++) {
                const unsigned one = search.units[a].launch, two = search.units[b].launch;
                if (!litmus_launch_precedes(&search.launches, one, two) &&
                    !litmus_launch_precedes(&search.launches, two, one))
                    search.pairs[search.pair_count++] =
                        backward ? (struct launch_pair){b, a} : (struct launch_pair){a, b};
            }
    try_launch_sets(&search, 1, 0);
    if (repairs->launch_count == 0)
        try_splits(&search);
    for (unsigned size = 2; size <= MOST_ORDERS && repairs->launch_count == 0; size++)
        try_launch_sets(&search, size, 0);
}

void launch_weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs)
{
    struct launch_search search;
    open_launch_search(wanted, repairs, &search);
    if (!find_units(&search, true))
        return;
    search.size = 1;
    for (unsigned later = 0; later < search.unit_count; later++)
        for (unsigned earlier = 0; earlier < search.unit_count; earlier++) {
            const unsigned before = search.units[earlier].launch, after = search.units[later].launch;
            search.set[0] = (struct launch_pair){earlier, later};
            if (search.launches.launches[after].after >> before & 1)
                (void)try_set(&search, beside, COUNT(beside), CHANGE_ALLOWS);
        }
}
