// SPDX-License-Identifier: Apache-2.0
/*
 * The search for changes. First everything is made as strong as possible, and then every change
 * that is not needed is undone: if this finds nothing, there is no repair. The result need not be
 * the smallest, so sets of sites are tried from small to large. The strongest options in one scope
 * decide whether a set can suffice at all, since no model allows more with stronger orders; for a
 * set that can, all options are tried, cheapest first.
 */
#include "models/explain/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "models/explain/change.h"
#include "models/explain/sites.h"

enum { MOST_CHANGES = 4, ALL_OPTIONS_CHANGES = 2, MOST_COMBINATIONS = 4096 };

struct search {
    const struct repair_wanted *wanted;
    struct sites sites;
    struct repairs *found;
    size_t *order;            /* of the sites: those that are likely to be needed come first */
    size_t set[MOST_CHANGES]; /* the sites of the present set */
    unsigned best;            /* the lowest cost found */
};

/* ---- asking the model ---- */

static bool is_over(struct search *search)
{
    return change_is_over(search->wanted, search->found);
}

/* The model's answer for the test with the chosen options. */
static struct change_asked ask(struct search *search)
{
    struct litmus_test *changed = NULL;
    struct error error;
    if (is_over(search) || sites_apply(&search->sites, &changed, &error) != STATUS_OK)
        return (struct change_asked){.answer = CHANGE_UNKNOWN};
    search->found->tried++;
    const struct change_asked asked = change_ask(search->wanted, changed, search->found);
    litmus_release(changed);
    return asked;
}

static bool allows(struct search *search)
{
    return ask(search).answer == CHANGE_ALLOWS;
}

static bool forbids(struct search *search)
{
    return ask(search).answer == CHANGE_FORBIDS;
}

static void choose(struct site *site, const struct site_option *option)
{
    site->is_chosen = option != NULL;
    if (option)
        site->chosen = *option;
}

static void choose_none(struct sites *sites)
{
    for (size_t i = 0; i < sites->count; i++)
        sites->items[i].is_chosen = false;
}

/* ---- results ---- */

static const char *instruction_at(struct search *search, const struct litmus_test *test, unsigned number)
{
    struct text text = {0};
    const bool known = sites_print_instruction(test, number, &text);
    const char *instruction = known ? arena_copy(&search->found->arena, text_string(&text)) : "?";
    text_release(&text);
    return instruction;
}

static void note_change(struct search *search, const struct litmus_test *changed, const struct site *site,
                        unsigned added, struct repair *repair)
{
    const struct litmus_test *test = search->sites.test;
    const bool gap = site->kind == SITE_GAP, gone = site->chosen.left_out;
    ARENA_ADD(&search->found->arena, repair->changes, repair->count) = (struct repair_change){
        .thread = (int)test->threads[site->body].first,
        .line = site->place.line,
        .before = gap ? NULL : instruction_at(search, test, site->number),
        .after = gone ? NULL : instruction_at(search, changed, site->number + added),
    };
}

/* The chosen options, as instructions. */
static void note_repair(struct search *search, unsigned cost)
{
    struct litmus_test *changed;
    struct error error;
    unsigned added = 0;
    if (sites_apply(&search->sites, &changed, &error) != STATUS_OK)
        return;
    struct repair *repair = &ARENA_ADD(&search->found->arena, search->found->items, search->found->count);
    *repair = (struct repair){.cost = cost};
    for (size_t i = 0; i < search->sites.count; i++) {
        const struct site *site = &search->sites.items[i];
        if (!site->is_chosen)
            continue;
        note_change(search, changed, site, added, repair);
        added += site->kind == SITE_GAP;
    }
    const struct change_asked asked = change_ask(search->wanted, changed, search->found);
    repair->then = asked.then;
    repair->flag = asked.flag;
    litmus_release(changed);
}

/* ---- the options of a set ---- */

struct combination {
    unsigned cost;
    unsigned char options[MOST_CHANGES];
};

static int compare_combinations(const void *left, const void *right)
{
    const struct combination *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return memcmp(a->options, b->options, sizeof a->options);
}

/* For larger sets, only options in one scope. */
static bool is_listed(const struct search *search, const struct combination *combination, size_t size)
{
    const struct site *first = &search->sites.items[search->set[0]];
    bool one_scope = true;
    for (size_t i = 1; i < size; i++)
        one_scope &= search->sites.items[search->set[i]].options[combination->options[i]].scope ==
                     first->options[combination->options[0]].scope;
    return one_scope || size <= ALL_OPTIONS_CHANGES;
}

static size_t list_combinations(const struct search *search, size_t size, struct combination *list)
{
    struct combination next = {0};
    size_t count = 0;
    for (size_t at = 0; at < size && count < MOST_COMBINATIONS;) {
        next.cost = 0;
        for (size_t i = 0; i < size; i++)
            next.cost += search->sites.items[search->set[i]].options[next.options[i]].cost;
        if (is_listed(search, &next, size))
            list[count++] = next;
        for (at = 0; at < size; at++) {
            if (++next.options[at] < search->sites.items[search->set[at]].option_count)
                break;
            next.options[at] = 0;
        }
    }
    qsort(list, count, sizeof *list, compare_combinations);
    return count;
}

/* Finds the cheapest options of the set that forbid the outcome. */
static void try_options(struct search *search, size_t size)
{
    struct combination *list = memory_take(MOST_COMBINATIONS, sizeof *list);
    const size_t count = list_combinations(search, size, list);
    bool done = false;
    for (size_t i = 0; i < count && !done && list[i].cost <= search->best && !is_over(search); i++) {
        for (size_t k = 0; k < size; k++) {
            struct site *site = &search->sites.items[search->set[k]];
            choose(site, &site->options[list[i].options[k]]);
        }
        done = forbids(search);
        if (!done)
            continue;
        if (list[i].cost < search->best)
            search->found->count = 0;
        search->best = list[i].cost;
        if (search->found->count < REPAIRS_SHOWN)
            note_repair(search, list[i].cost);
    }
    choose_none(&search->sites);
    free(list);
}

/* Do the strongest options in a scope, with fences of a proxy in the gaps, forbid the outcome? */
static bool can_do_with(struct search *search, size_t size, enum litmus_scope scope, enum litmus_proxy proxy)
{
    bool all = true;
    for (size_t i = 0; i < size; i++) {
        struct site *site = &search->sites.items[search->set[i]];
        const struct site_option *option = site_strongest(site, scope, proxy);
        choose(site, option);
        all &= option != NULL;
    }
    return all && forbids(search);
}

/* Do the strongest options in some scope forbid the outcome? */
static bool can_do(struct search *search, size_t size)
{
    const struct sites *sites = &search->sites;
    bool can = false;
    for (size_t p = 0; p < sites->proxy_count; p++)
        for (size_t s = sites->scope_count; s-- > 0 && !can && !is_over(search);)
            can = can_do_with(search, size, sites->scopes[s], sites->proxies[p]);
    choose_none(&search->sites);
    return can;
}

static void try_sets(struct search *search, size_t size, size_t depth, size_t from)
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
static void relax_site(struct search *search, struct site *site)
{
    const struct site_option strongest = site->chosen;
    for (size_t i = 0; i < site->option_count && site->options[i].cost < strongest.cost && !is_over(search); i++) {
        choose(site, &site->options[i]);
        if (forbids(search))
            return;
    }
    choose(site, &strongest);
}

/* The strongest everywhere, in some scope; false: even that leaves the outcome allowed. */
static bool choose_everything(struct search *search)
{
    const struct sites *sites = &search->sites;
    for (size_t i = 0; i < sites->scope_count * sites->proxy_count; i++) {
        const size_t scope = (sites->reaching + i) % sites->scope_count;
        const enum litmus_proxy proxy = sites->proxies[i / sites->scope_count];
        for (size_t k = 0; k < sites->count; k++)
            choose(&sites->items[k], site_strongest(&sites->items[k], sites->scopes[scope], proxy));
        if (forbids(search))
            return true;
    }
    return false;
}

static void take_back(struct search *search)
{
    for (size_t i = 0; i < search->sites.count; i++) {
        struct site *site = &search->sites.items[i];
        const bool was = site->is_chosen;
        site->is_chosen = false;
        site->is_chosen = was && !forbids(search);
    }
    for (size_t i = 0; i < search->sites.count; i++)
        if (search->sites.items[i].is_chosen)
            relax_site(search, &search->sites.items[i]);
}

/* Finds changes that suffice and are all needed, if there are any. Their sites come first in the
 * order. */
static void find_some(struct search *search)
{
    struct sites *sites = &search->sites;
    unsigned cost = 0;
    size_t first = 0;
    search->order = arena_take(&search->found->arena, sites->count + 1, sizeof *search->order);
    if (choose_everything(search)) {
        take_back(search);
        for (size_t i = 0; i < sites->count; i++)
            if (sites->items[i].is_chosen) {
                cost += sites->items[i].chosen.cost;
                search->order[first++] = i;
            }
        note_repair(search, cost);
        search->found->changes = first;
    }
    for (size_t i = 0; i < sites->count; i++)
        if (!sites->items[i].is_chosen)
            search->order[first++] = i;
    choose_none(sites);
}

/* ---- the searches ---- */

static uint64_t bodies_of(const struct repair_wanted *wanted)
{
    uint64_t bodies = 0;
    for (size_t i = 0; wanted->cause && i < wanted->cause->cycle_count; i++) {
        const int body = wanted->cause->events[wanted->cause->cycle[i].from].body;
        const int other = wanted->cause->events[wanted->cause->cycle[i].to].body;
        bodies |= body == LITMUS_NONE ? 0 : UINT64_C(1) << body;
        bodies |= other == LITMUS_NONE ? 0 : UINT64_C(1) << other;
    }
    return bodies ? bodies : UINT64_MAX;
}

static enum status open_search(const struct repair_wanted *wanted, enum site_direction direction, struct search *search,
                               struct repairs *repairs, struct error *error)
{
    *search = (struct search){.wanted = wanted, .found = repairs, .best = UINT32_MAX};
    return sites_find(wanted->test, bodies_of(wanted), direction, &search->sites, error);
}

/* Tries all sets with at most as many sites as the result. */
static void find_fewest(struct search *search)
{
    struct repairs *found = search->found;
    const size_t most = found->changes < MOST_CHANGES ? found->changes : MOST_CHANGES;
    for (size_t size = 1; size <= most && !found->cut && !found->is_fewest; size++) {
        try_sets(search, size, 0, 0);
        if (search->best == UINT32_MAX)
            continue;
        found->changes = size;
        found->is_fewest = true;
    }
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

enum status repairs_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    struct search search;
    const enum status status = open_search(wanted, SITES_STRONGER, &search, repairs, error);
    if (status == STATUS_OK) {
        find_some(&search);
        find_fewest(&search);
        if (repairs->count > 1)
            qsort(repairs->items, repairs->count, sizeof *repairs->items, compare_repairs);
    }
    sites_release(&search.sites);
    return status;
}

enum status weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    struct search search;
    const enum status status = open_search(wanted, SITES_WEAKER, &search, repairs, error);
    for (size_t i = 0; status == STATUS_OK && i < search.sites.count; i++) {
        struct site *site = &search.sites.items[i];
        bool done = false;
        for (size_t k = 0; k < site->option_count && !done && !is_over(&search); k++) {
            choose(site, &site->options[k]);
            done = allows(&search);
            if (done)
                note_repair(&search, site->options[k].cost);
        }
        site->is_chosen = false;
    }
    repairs->changes = repairs->count > 0;
    sites_release(&search.sites);
    return status;
}

void repairs_release(struct repairs *repairs)
{
    arena_release(&repairs->arena);
    *repairs = (struct repairs){.items = NULL};
}

/* ---- causes of weak outcomes ---- */

static bool is_order_of_accesses(const struct explanation *cause, const struct explained_edge *edge)
{
    return explanation_is_program_order(cause, edge) && strcmp(edge->relation, "po") == 0;
}

/* Puts a fence into an edge of the cycle, if there is room for one. */
static void fence_edge(struct search *search, size_t edge, enum litmus_order order, enum litmus_scope scope)
{
    const struct explanation *cause = search->wanted->cause;
    const struct explained_event *from = &cause->events[cause->cycle[edge].from],
                                 *to = &cause->events[cause->cycle[edge].to];
    struct site *gap = sites_gap_between(&search->sites, from->body, from->place, to->place);
    for (size_t i = 0; gap && i < gap->option_count; i++)
        if (gap->options[i].order == order && gap->options[i].scope == scope)
            choose(gap, &gap->options[i]);
}

/* Gives accesses and fences a scope that is wide enough, and weak accesses the order relaxed. */
static void reach(struct search *search, enum litmus_scope scope, bool weak_too)
{
    for (size_t i = 0; i < search->sites.count; i++) {
        struct site *site = &search->sites.items[i];
        if (site->kind == SITE_GAP)
            continue;
        const enum litmus_order own = site->kind == SITE_ACCESS ? site->access->order : site->fence->fence.order;
        const enum litmus_scope has = site->kind == SITE_ACCESS ? site->access->scope : site->fence->fence.scope;
        const enum litmus_order order = own == LITMUS_PLAIN && weak_too ? LITMUS_RELAXED : own;
        for (size_t k = 0; k < site->option_count; k++)
            if (site->options[k].order == order && site->options[k].scope == scope && has < scope)
                choose(site, &site->options[k]);
    }
}

static enum change_answer ask_once(struct search *search)
{
    const enum change_answer answer = ask(search).answer;
    choose_none(&search->sites);
    return answer;
}

/* Is the outcome allowed with fences in all edges of program order except one? */
static bool holds_with_fences(struct search *search, size_t but, enum litmus_order order, enum litmus_scope scope)
{
    const struct explanation *cause = search->wanted->cause;
    reach(search, scope, true);
    for (size_t i = 0; i < cause->cycle_count; i++)
        if (i != but && is_order_of_accesses(cause, &cause->cycle[i]))
            fence_edge(search, i, order, scope);
    return ask_once(search) == CHANGE_ALLOWS;
}

static bool has_write_to_read(const struct explanation *cause)
{
    bool has = false;
    for (size_t i = 0; i < cause->cycle_count; i++)
        has |= is_order_of_accesses(cause, &cause->cycle[i]) &&
               cause->events[cause->cycle[i].from].kind == EXPLAINED_WRITE &&
               cause->events[cause->cycle[i].to].kind == EXPLAINED_READ;
    return has;
}

static bool is_before(struct litmus_place a, struct litmus_place b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static bool has_branch(const struct litmus_block *block, struct litmus_place after, struct litmus_place before)
{
    bool has = false;
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        const bool branches = statement->kind == LITMUS_IF || statement->kind == LITMUS_WHILE ||
                              statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_GOTO;
        has |=
            branches && statement->value && is_before(after, statement->place) && is_before(statement->place, before);
        has |= has_branch(&statement->body, after, before) || has_branch(&statement->otherwise, after, before);
    }
    return has;
}

static bool crosses_branch(const struct litmus_test *test, const struct explanation *cause,
                           const struct explained_edge *edge)
{
    const struct explained_event *from = &cause->events[edge->from], *to = &cause->events[edge->to];
    return has_branch(&test->threads[from->body].body, from->place, to->place);
}

static bool find_reorderings(struct search *search, struct weakness *weakness, enum litmus_scope scope)
{
    const struct explanation *cause = search->wanted->cause;
    bool any = false;
    for (size_t i = 0; i < cause->cycle_count; i++) {
        const struct explained_edge *edge = &cause->cycle[i];
        const bool order = is_order_of_accesses(cause, edge);
        weakness->alone[i] = order && holds_with_fences(search, i, LITMUS_SEQ_CST, scope);
        weakness->across[i] = order && crosses_branch(search->wanted->test, cause, edge);
        any |= weakness->alone[i];
    }
    return any;
}

/* The narrowest scope among the sites chosen to get another. */
static enum litmus_scope narrowest_changed(const struct sites *sites)
{
    enum litmus_scope narrowest = LITMUS_SCOPE_COUNT;
    for (size_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        const enum litmus_scope own = site->kind == SITE_ACCESS  ? site->access->scope
                                      : site->kind == SITE_FENCE ? site->fence->fence.scope
                                                                 : LITMUS_SCOPE_COUNT;
        narrowest = site->is_chosen && own < narrowest ? own : narrowest;
    }
    return narrowest;
}

static enum weak_reason find_reason(struct search *search, struct weakness *weakness)
{
    const struct sites *sites = &search->sites;
    const enum litmus_scope scope = sites->scopes[sites->reaching];
    reach(search, scope, false);
    weakness->wide = scope;
    weakness->narrow = narrowest_changed(sites);
    if (ask_once(search) == CHANGE_FORBIDS)
        return WEAK_SCOPES;
    reach(search, scope, true);
    if (ask_once(search) == CHANGE_FORBIDS)
        return WEAK_ACCESSES;
    const bool any = find_reorderings(search, weakness, scope);
    /* Only a sequentially consistent fence keeps a write before a later read. */
    if (!has_write_to_read(search->wanted->cause) && holds_with_fences(search, SIZE_MAX, LITMUS_ACQ_REL, scope))
        return WEAK_PROPAGATION;
    return any ? WEAK_REORDERED : WEAK_TOGETHER;
}

enum status weakness_find(const struct repair_wanted *wanted, struct weakness *weakness, struct error *error)
{
    struct repairs found = {.items = NULL};
    struct search search;
    const enum status status = open_search(wanted, SITES_STRONGER, &search, &found, error);
    weakness->dialect = wanted->test->dialect;
    if (status == STATUS_OK)
        weakness->reason = find_reason(&search, weakness);
    if (found.cut)
        weakness->reason = WEAK_UNKNOWN;
    sites_release(&search.sites);
    repairs_release(&found);
    return status;
}
