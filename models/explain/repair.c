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

static struct change_judgement judge_chosen(struct repair_search *search)
{
    return change_judge_chosen(search->wanted, &search->sites, search->found, NULL);
}

static bool allows(struct repair_search *search)
{
    return judge_chosen(search).answer == CHANGE_ALLOWS;
}

static bool forbids(struct repair_search *search)
{
    return judge_chosen(search).answer == CHANGE_FORBIDS;
}

/* ---- results ---- */

/* Whether the outcome has another verdict without any single one of the chosen options. */
static bool all_are_needed(struct repair_search *search)
{
    bool needed = true;
    for (size_t i = 0; i < search->sites.count && needed; i++) {
        struct site *site = &search->sites.items[i];
        if (!site->is_chosen)
            continue;
        site->is_chosen = false;
        needed = allows(search);
        site->is_chosen = true;
    }
    return needed;
}

/* The chosen options, as instructions. */
static void note_repair(struct repair_search *search, unsigned cost)
{
    struct repairs *found = search->found;
    struct repair repair = {.cost = cost};
    struct litmus_test *changed;
    struct error error;
    if (sites_apply(&search->sites, &changed, &error) != STATUS_OK)
        return;
    change_list(&search->sites, changed, &found->arena, &repair);
    const struct change_judgement judged = change_judge(search->wanted, changed, found);
    repair.then = judged.then;
    repair.flag = judged.flag;
    repair.needed = all_are_needed(search);
    ARENA_ADD(&found->arena, found->items, found->count) = repair;
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
static bool is_listed(const struct repair_search *search, const struct combination *combination, size_t size)
{
    const struct site *first = &search->sites.items[search->set[0]];
    bool one_scope = true;
    for (size_t i = 1; i < size; i++)
        one_scope &= search->sites.items[search->set[i]].options[combination->options[i]].scope ==
                     first->options[combination->options[0]].scope;
    return one_scope || size <= ALL_OPTIONS_CHANGES;
}

static size_t list_combinations(const struct repair_search *search, size_t size, struct combination *list)
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
static void try_options(struct repair_search *search, size_t size)
{
    struct combination *list = memory_take(MOST_COMBINATIONS, sizeof *list);
    const size_t count = list_combinations(search, size, list);
    bool done = false;
    for (size_t i = 0; i < count && !done && list[i].cost <= search->best && !is_over(search); i++) {
        for (size_t k = 0; k < size; k++) {
            struct site *site = &search->sites.items[search->set[k]];
            site_choose(site, &site->options[list[i].options[k]]);
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
    sites_choose_none(&search->sites);
    free(list);
}

/* Do the strongest options in a scope, with fences of a proxy in the gaps, forbid the outcome? */
static bool can_do_with(struct repair_search *search, size_t size, enum litmus_scope scope, enum litmus_proxy proxy)
{
    bool all = true;
    for (size_t i = 0; i < size; i++) {
        struct site *site = &search->sites.items[search->set[i]];
        const struct site_option *option = site_strongest(site, scope, proxy);
        site_choose(site, option);
        all &= option != NULL;
    }
    return all && forbids(search);
}

/* Do the strongest options in some scope forbid the outcome? */
static bool can_do(struct repair_search *search, size_t size)
{
    const struct sites *sites = &search->sites;
    bool can = false;
    for (size_t p = 0; p < sites->proxy_count; p++)
        for (size_t s = sites->scope_count; s-- > 0 && !can && !is_over(search);)
            can = can_do_with(search, size, sites->scopes[s], sites->proxies[p]);
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
        if (forbids(search))
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
        if (forbids(search))
            return true;
    }
    return false;
}

static void take_back(struct repair_search *search)
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
static void find_some(struct repair_search *search)
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
    sites_choose_none(sites);
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

static enum status open_search(const struct repair_wanted *wanted, uint64_t bodies, enum site_direction direction,
                               struct repair_search *search, struct repairs *repairs, struct error *error)
{
    *search = (struct repair_search){.wanted = wanted, .found = repairs, .best = UINT32_MAX};
    return sites_find(wanted->test, bodies, direction, &search->sites, error);
}

/* Tries all sets with at most as many sites as the result. */
static void find_fewest(struct repair_search *search)
{
    struct repairs *found = search->found;
    const size_t most = found->changes < MOST_CHANGES ? found->changes : MOST_CHANGES;
    for (size_t size = 1; size <= most && !found->cut && search->best == UINT32_MAX; size++) {
        try_sets(search, size, 0, 0);
        if (search->best == UINT32_MAX)
            continue;
        found->changes = size;
        found->is_fewest = found->unjudged == 0;
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

static enum status find_repairs(const struct repair_wanted *wanted, uint64_t bodies, struct repairs *repairs,
                                struct error *error)
{
    struct repair_search search;
    const enum status status = open_search(wanted, bodies, SITES_STRONGER, &search, repairs, error);
    if (status == STATUS_OK) {
        find_some(&search);
        find_fewest(&search);
    }
    sites_release(&search.sites);
    return status;
}

enum status repairs_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    const uint64_t bodies = bodies_of(wanted);
    TRY(find_repairs(wanted, bodies, repairs, error));
    /* Other executions with the outcome may need changes of other threads. */
    if (repairs->count == 0 && bodies != UINT64_MAX)
        TRY(find_repairs(wanted, UINT64_MAX, repairs, error));
    if (repairs->count > 1)
        qsort(repairs->items, repairs->count, sizeof *repairs->items, compare_repairs);
    return STATUS_OK;
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
