// SPDX-License-Identifier: Apache-2.0
/* Why a model allows a weak outcome. Each possible reason is a changed test: with wider scopes, with strong accesses,
 * with fences. The model judges it as a whole, because several executions may have the outcome: a fence that ends one
 * of them says nothing about the others. So fences go into all gaps of all threads, not only into those of the cycle
 * that is shown. */
#include "litmus/language/order.h"
#include "models/explain/sites.h"

struct cause_search {
    const struct repair_wanted *wanted;
    struct sites sites;
    struct repairs found; /* counts the questions */
    struct weakness *weakness;
    enum litmus_scope scope; /* the one that includes all threads */
    bool unsure;             /* the model could not judge a claim */
};

/* ---- claims ---- */

static bool weakness_is_allowed(enum verdict verdict)
{
    return verdict == VERDICT_WEAK || verdict == VERDICT_SC;
}

/* The verdict for the chosen options, which are then taken back. An answer is noted as a claim; without says it is
 * not. */
static struct change_judgement judge_chosen(struct cause_search *search, const char *says,
                                            bool (*fits)(const struct explanation *explanation))
{
    const struct change_judgement judged = change_judge_chosen(search->wanted, &search->sites, &search->found, fits);
    const bool known = weakness_is_allowed(judged.then) || judged.then == VERDICT_FORBIDDEN;
    if (says && known) {
        /* Which changes: "..." with sc fences between all instructions but those of an edge of the cycle. */
        struct weakness *weakness = search->weakness;
        struct repair claim = {.then = judged.then, .says = arena_copy(&weakness->arena, says)};
        struct litmus_test *changed = change_apply(&search->sites, &weakness->arena, &claim);
        if (changed)
            ARENA_ADD(&weakness->arena, weakness->claims, weakness->claim_count) = claim;
        litmus_release(changed);
    }
    search->unsure |= !known;
    sites_choose_none(&search->sites);
    return judged;
}

/* Forgets the claims of a reason that does not apply. */
static void forget_claims(struct cause_search *search)
{
    search->weakness->claim_count = 0;
    search->weakness->claims = NULL;
    search->unsure = false;
}

static bool forbids_so(struct cause_search *search, const char *says)
{
    forget_claims(search);
    return judge_chosen(search, says, NULL).then == VERDICT_FORBIDDEN;
}

/* ---- changes of accesses and fences ---- */

/* A barrier has no order, and no scope, that this file changes. */
static struct litmus_ordering ordering_of(const struct site *site)
{
    return site->kind == SITE_ACCESS             ? site->access->ordering
           : site->fence->kind == LITMUS_BARRIER ? (struct litmus_ordering){.order = LITMUS_PLAIN}
                                                 : site->fence->fence.ordering;
}

static void choose_order(struct site *site, enum litmus_order order, enum litmus_scope scope)
{
    for (size_t i = 0; i < site->option_count; i++)
        if (site->options[i].proxy == LITMUS_GENERIC && site->options[i].order == order &&
            site->options[i].scope == scope)
            site_choose(site, &site->options[i]);
}

static bool is_weak(const struct site *site)
{
    return ordering_of(site).order == LITMUS_PLAIN;
}

/* Widens this scope, or with COUNT all that are narrower than the one that includes all threads. */
static void weakness_widen(struct cause_search *search, enum litmus_scope narrow)
{
    FOR_EACH(struct site, site, search->sites.items, search->sites.count)
        if (site->kind != SITE_GAP && !is_weak(site) && ordering_of(site).scope < search->scope &&
            (narrow == LITMUS_SCOPE_COUNT || ordering_of(site).scope == narrow))
            choose_order(site, ordering_of(site).order, search->scope);
}

/* Makes weak accesses relaxed. */
static void relax(struct cause_search *search)
{
    FOR_EACH(struct site, site, search->sites.items, search->sites.count)
        if (site->kind != SITE_GAP && is_weak(site))
            choose_order(site, LITMUS_RELAXED, search->scope);
}

static bool is_edge_gap(const struct cause_search *search, const struct site *site, size_t edge)
{
    const struct explanation *cause = search->wanted->cause;
    if (edge >= cause->cycle_count)
        return false;
    const struct explained_event *from = &cause->events[cause->cycle[edge].from],
                                 *to = &cause->events[cause->cycle[edge].to];
    return site_is_gap_between(site, from->body, from->place, to->place);
}

/* Of fences, as in "sc fences between all instructions". */
static const char *strongest_word(const struct cause_search *search)
{
    return sites_strongest_fence(search->wanted->test->dialect) == LITMUS_SEQ_CST ? "sc" : "acq_rel";
}

/* Keeps the order of all threads with fences and strong accesses; `but` is an edge of the cycle whose order is left as
 * it is, or SIZE_MAX. */
static void keep_orders(struct cause_search *search, enum litmus_order order, size_t but)
{
    weakness_widen(search, LITMUS_SCOPE_COUNT);
    relax(search);
    FOR_EACH(struct site, site, search->sites.items, search->sites.count)
        if (site->kind == SITE_GAP && !is_edge_gap(search, site, but))
            choose_order(site, order, search->scope);
}

/* ---- the edges of a cycle ---- */

static bool is_order_of_accesses(const struct explanation *cause, const struct explained_edge *edge)
{
    return explanation_is_program_order(cause, edge) && strcmp(edge->relation, "po") == 0;
}

static bool has_fence_between(const struct explanation *cause, const struct explained_edge *edge)
{
    bool has = false;
    for (unsigned i = edge->from + 1; i < edge->to; i++)
        has |= cause->events[i].kind == EXPLAINED_FENCE && cause->events[i].order >= LITMUS_ACQ_REL;
    return has;
}

/* Has each program order of the cycle a fence that keeps it? Fences of acq_rel keep all but a write before a later
 * read. The halves of a read-modify-write need none. */
static bool needs_no_reordering(const struct explanation *cause)
{
    bool kept = cause->closed;
    FOR_EACH(const struct explained_edge, edge, cause->cycle, cause->cycle_count) {
        const struct explained_event *from = &cause->events[edge->from], *to = &cause->events[edge->to];
        if (is_order_of_accesses(cause, edge) && from->other_half != (int)edge->to)
            kept &= has_fence_between(cause, edge) && (from->kind != EXPLAINED_WRITE || to->kind != EXPLAINED_READ);
    }
    return kept;
}

static bool has_branch(const struct litmus_block *block, struct litmus_place after, struct litmus_place before)
{
    bool has = false;
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        const bool branches = statement->kind == LITMUS_IF || statement->kind == LITMUS_WHILE ||
                              statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_GOTO;
        has |= branches && statement->value && place_before(after, statement->place) &&
               place_before(statement->place, before);
        has |= has_branch(&statement->body, after, before) || has_branch(&statement->otherwise, after, before);
    }
    return has;
}

/* ---- reasons ---- */

static bool find_scopes(struct cause_search *search)
{
    struct weakness *weakness = search->weakness;
    weakness->wide = search->scope;
    weakness->narrow = LITMUS_SCOPE_NONE;
    weakness_widen(search, LITMUS_SCOPE_COUNT);
    if (!forbids_so(search, "wider scopes"))
        return false;
    for (unsigned scope = LITMUS_WORK_ITEM; scope < (unsigned)search->scope; scope++) {
        weakness_widen(search, (enum litmus_scope)scope);
        if (!forbids_so(search, "wider scopes"))
            continue;
        weakness->narrow = (enum litmus_scope)scope;
        /* Is one of the threads in another group of the scope than the first one? */
        const struct explanation *cause = search->wanted->cause;
        const struct litmus_placement *first = NULL;
        bool apart = false;
        for (size_t i = 0; i < cause->cycle_count; i++) {
            if (!explanation_is_program_order(cause, &cause->cycle[i]))
                continue;
            const struct litmus_placement *next =
                &search->wanted->test->threads[search->wanted->cause->events[cause->cycle[i].from].body].placement;
            first = first ? first : next;
            apart |= next != first && !scope_includes(weakness->narrow, next, first);
        }
        weakness->apart = apart;
        return true;
    }
    weakness_widen(search, LITMUS_SCOPE_COUNT);
    return forbids_so(search, "wider scopes");
}

/* The first reason that a change of the present instructions, without fences, shows; UNKNOWN: none does. */
static enum weak_reason find_in_instructions(struct cause_search *search)
{
    if (find_scopes(search))
        return WEAK_SCOPES;
    relax(search);
    if (forbids_so(search, "relaxed accesses instead of weak ones"))
        return WEAK_ACCESSES;
    weakness_widen(search, LITMUS_SCOPE_COUNT);
    relax(search);
    return forbids_so(search, "relaxed accesses instead of weak ones, and wider scopes") ? WEAK_BOTH : WEAK_UNKNOWN;
}

static enum weak_reason find_in_orders(struct cause_search *search)
{
    size_t orders = 0;
    keep_orders(search, LITMUS_ACQ_REL, SIZE_MAX);
    if (judge_chosen(search, "acq_rel fences between all instructions", needs_no_reordering).fits)
        return WEAK_PROPAGATION;
    search->weakness->claim_count = 1; /* the first one, that sc fences forbid it */
    search->unsure = false;
    /* Is each program order of the cycle alone enough? */
    const struct explanation *cause = search->wanted->cause;
    struct weakness *weakness = search->weakness;
    bool any = false;
    for (size_t i = 0; i < cause->cycle_count; i++) {
        const struct explained_edge *edge = &cause->cycle[i];
        LOCAL(text) says = {0};
        if (!is_order_of_accesses(cause, edge))
            continue;
        text_add(&says, "%s fences between all instructions except in edge %zu of the cycle", strongest_word(search),
                 i);
        keep_orders(search, sites_strongest_fence(search->wanted->test->dialect), i);
        weakness->alone[i] = weakness_is_allowed(judge_chosen(search, text_string(&says), NULL).then);
        const struct explained_event *from = &cause->events[edge->from], *to = &cause->events[edge->to];
        weakness->across[i] = has_branch(&search->wanted->test->threads[from->body].body, from->place, to->place);
        any |= weakness->alone[i];
        orders++;
    }
    search->weakness->alone_only = !search->unsure;
    if (any)
        return WEAK_REORDERED;
    weakness_widen(search, LITMUS_SCOPE_COUNT);
    relax(search);
    const bool together = weakness_is_allowed(judge_chosen(search, "no fences", NULL).then);
    return together && orders > 1 && !search->unsure ? WEAK_TOGETHER : WEAK_UNKNOWN;
}

static enum weak_reason find_reason(struct cause_search *search)
{
    const enum weak_reason reason = find_in_instructions(search);
    if (reason != WEAK_UNKNOWN)
        return reason;
    forget_claims(search);
    LOCAL(text) says = {0};
    text_add(&says, "%s fences between all instructions", strongest_word(search));
    keep_orders(search, sites_strongest_fence(search->wanted->test->dialect), SIZE_MAX);
    const enum verdict kept = judge_chosen(search, text_string(&says), NULL).then;
    return weakness_is_allowed(kept) ? WEAK_DESPITE : kept == VERDICT_FORBIDDEN ? find_in_orders(search) : WEAK_UNKNOWN;
}

enum status weakness_find(const struct repair_wanted *wanted, struct weakness *weakness, struct error *error)
{
    struct cause_search search = {.wanted = wanted, .weakness = weakness};
    const size_t count = wanted->cause->cycle_count + 1;
    weakness->alone = arena_take(&weakness->arena, count, sizeof *weakness->alone);
    weakness->across = arena_take(&weakness->arena, count, sizeof *weakness->across);
    weakness->dialect = wanted->test->dialect;
    const enum status status = sites_find(wanted->test, UINT64_MAX, SITES_STRONGER, &search.sites, error);
    if (status == STATUS_OK) {
        search.scope = search.sites.scopes[search.sites.reaching];
        weakness->other_proxies = search.sites.proxy_count > 1;
        weakness->reason = find_reason(&search);
    }
    weakness->cut = search.found.cut;
    if (weakness->cut || weakness->reason == WEAK_UNKNOWN) {
        weakness->reason = WEAK_UNKNOWN;
        memset(weakness->alone, 0, count * sizeof *weakness->alone);
        forget_claims(&search);
    }
    sites_release(&search.sites);
    repairs_release(&search.found);
    return status;
}

ARENA_RELEASES(, weakness)
