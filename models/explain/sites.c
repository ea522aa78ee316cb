// SPDX-License-Identifier: Apache-2.0
/* Accesses, fences and gaps of a test, the options of each, and what a model says of the test with other options. */
#include "models/explain/sites.h"

#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"

/* ---- what a changed instruction of VULKAN needs besides its order and scope ---- */

/* Its orders name the storage
 * classes of all accesses of the test, and make all of its accesses available and visible if any is non-private without
 * doing so itself. So an instruction whose order and scope stay can get stronger, too. */

enum { IN_SEMANTICS = LITMUS_ON_STORAGE | LITMUS_MAKE_AVAILABLE | LITMUS_MAKE_VISIBLE };

unsigned sites_semantics(const struct litmus_test *test, enum litmus_order order)
{
    unsigned used = 0;
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t k = 0; k < test->threads[i].body.count; k++) {
            const struct litmus_expression *value = test->threads[i].body.statements[k].value;
            if (value && value->kind == LITMUS_EXPRESSION_ACCESS)
                used |= value->access->semantics;
        }
    return order_semantics(order, used & LITMUS_OF_STORAGE, (used & LITMUS_NON_PRIVATE) != 0);
}

/* Of a plain access: the word that shows it to other threads. */
static unsigned shown_word(const struct litmus_access *access)
{
    return access->operation == LITMUS_LOAD ? LITMUS_VISIBLE : LITMUS_AVAILABLE;
}

/* VULKAN: the semantics of an instruction after its order or scope has changed. */
static void vulkan_set_access(const struct litmus_test *test, struct litmus_access *access, bool stronger)
{
    const unsigned full = sites_semantics(test, access->order);
    if (access->order == LITMUS_PLAIN)
        access->semantics = (access->semantics & ~(unsigned)LITMUS_NON_PRIVATE) | shown_word(access);
    else if (stronger)
        access->semantics |= full;
    else /* what the weaker order does not have goes */
        access->semantics &= ~(unsigned)IN_SEMANTICS | (full != 0 ? (unsigned)LITMUS_ON_STORAGE : 0) | full;
}

static void vulkan_set_fence(const struct litmus_test *test, struct litmus_fence *fence, bool stronger)
{
    const unsigned full = sites_semantics(test, fence->order);
    fence->semantics = stronger ? fence->semantics | full : fence->semantics & (LITMUS_ON_STORAGE | full);
}

/* ---- the cost of changes ---- */

/* The relative cost of orders in implementations, from cheap to expensive; a scope costs less than any step of order. A
 * new fence costs more than the same order in a fence that is there. Only the order of these numbers matters. */
enum { COST_RELAXED = 10, COST_HALF = 20, COST_BOTH = 30, COST_FENCE = 20, COST_NEW = 6, COST_SC = 50 };

static unsigned cost_of(enum litmus_order order, enum litmus_scope scope, bool fence)
{
    static const unsigned orders[LITMUS_ORDER_COUNT] = {
        [LITMUS_VOLATILE] = COST_RELAXED, [LITMUS_RELAXED] = COST_RELAXED, [LITMUS_ACQUIRE] = COST_HALF,
        [LITMUS_RELEASE] = COST_HALF,     [LITMUS_ACQ_REL] = COST_BOTH,    [LITMUS_SEQ_CST] = COST_SC};
    return orders[order] + (fence ? COST_FENCE : 0) + (unsigned)scope;
}

/* ---- options ---- */

static bool order_fits(enum litmus_dialect dialect, const struct litmus_access *access, enum litmus_order order)
{
    if (operation_is_mbarrier(access->operation)) {
        /* An arrival may release, and a test or a wait may acquire; operations that only count bytes are relaxed. */
        const bool arrives = access->operation == LITMUS_ARRIVE || access->operation == LITMUS_ARRIVE_EXPECT_TX;
        return order == LITMUS_RELAXED || (order == LITMUS_RELEASE && arrives) ||
               (order == LITMUS_ACQUIRE && operation_is_wait(access->operation));
    }
    if (order == LITMUS_SEQ_CST)
        return dialects[dialect].has_seq_cst;
    return order_is_atomic(order) && operation_has_order(access->operation, order);
}

static void add_option(struct site *site, struct site_option option)
{
    size_t at = site->option_count;
    if (at == SITE_MAXIMUM_OPTIONS)
        return;
    for (; at > 0 && site->options[at - 1].cost > option.cost; at--)
        site->options[at] = site->options[at - 1];
    site->options[at] = option;
    site->option_count++;
}

static const enum litmus_order orders[] = {LITMUS_RELAXED, LITMUS_ACQUIRE, LITMUS_RELEASE, LITMUS_ACQ_REL,
                                           LITMUS_SEQ_CST};
/* A plain access of OPENCL or C would need another type, an access of OpenCL C 1.x has a single order, and so has PTX's
 * .mmio. A cache operator needs a weak access (PTX ISA, ld and st). */
static bool access_can_change(enum litmus_dialect dialect, const struct litmus_access *access)
{
    return !access->spelling.legacy && !access->mmio && !litmus_cache_is_operator(access->cache) &&
           access->type != LITMUS_FLAG && access->operation != LITMUS_MBARRIER_INIT &&
           (access->order != LITMUS_PLAIN || dialects[dialect].is_nvidia);
}

/* VULKAN: a plain access that makes available or visible, in a scope as wide as before. */
static void show_access(const struct sites *sites, struct site *site)
{
    const struct litmus_access *access = site->access;
    for (size_t k = 0; k < sites->scope_count; k++) {
        const enum litmus_scope scope = sites->scopes[k];
        if ((access->semantics & shown_word(access)) == 0 || scope > access->scope)
            add_option(site, (struct site_option){
                                 .order = LITMUS_PLAIN, .scope = scope, .cost = cost_of(LITMUS_PLAIN, scope, false)});
    }
}

/* Has the instruction what its order needs? */
static bool is_complete(const struct sites *sites, struct litmus_ordering ordering)
{
    return !dialects[sites->test->dialect].has_semantics ||
           (sites_semantics(sites->test, ordering.order) & ~ordering.semantics) == 0;
}

static void strengthen_access(const struct sites *sites, struct site *site)
{
    const struct litmus_access *access = site->access;
    if (dialects[sites->test->dialect].has_semantics && access->order == LITMUS_PLAIN)
        show_access(sites, site);
    if (!access_can_change(sites->test->dialect, access) || access->proxy != LITMUS_GENERIC)
        return;
    for (size_t i = 0; i < COUNT(orders); i++)
        for (size_t k = 0; k < sites->scope_count; k++) {
            const enum litmus_scope scope = sites->scopes[k];
            const bool same =
                orders[i] == access->order && scope == access->scope && is_complete(sites, access->ordering);
            if (operation_is_mbarrier(access->operation) &&
                scope > LITMUS_CLUSTER) /* mbarriers are of a work-group or of a cluster */
                continue;
            if (!same && order_fits(sites->test->dialect, access, orders[i]) &&
                order_at_least(orders[i], access->order) && scope >= access->scope)
                add_option(site, (struct site_option){
                                     .order = orders[i], .scope = scope, .cost = cost_of(orders[i], scope, false)});
        }
}

enum litmus_order sites_strongest_fence(enum litmus_dialect dialect)
{
    return dialect == LITMUS_VULKAN ? LITMUS_ACQ_REL : LITMUS_SEQ_CST;
}

/* PTX and CUDA have fences of two orders, which order everything; C, OpenCL and Vulkan also have fences that only
 * release or acquire. */
static bool fence_fits(enum litmus_dialect dialect, enum litmus_order order)
{
    if (order == LITMUS_ACQ_REL || order == LITMUS_SEQ_CST)
        return order <= sites_strongest_fence(dialect);
    return order != LITMUS_RELAXED && !dialects[dialect].is_nvidia;
}

static void strengthen_fence(const struct sites *sites, struct site *site, const struct litmus_fence *fence)
{
    const enum litmus_order order = fence ? fence->order : LITMUS_RELAXED;
    const enum litmus_scope narrowest = fence ? fence->scope : LITMUS_SCOPE_NONE;
    if (fence && (fence->spelling.legacy || fence->proxy != LITMUS_GENERIC || fence->restriction))
        return;
    if (fence && dialects[sites->test->dialect].has_semantics && order == LITMUS_PLAIN) /* avdevice, visdevice */
        return;
    for (size_t i = 0; i < COUNT(orders); i++)
        for (size_t k = 0; k < sites->scope_count; k++) {
            const enum litmus_scope scope = sites->scopes[k];
            const bool same = fence && orders[i] == order && scope == narrowest && is_complete(sites, fence->ordering);
            if (!same && fence_fits(sites->test->dialect, orders[i]) && order_at_least(orders[i], order) &&
                scope >= narrowest)
                add_option(site,
                           (struct site_option){.order = orders[i],
                                                .scope = scope,
                                                .cost = cost_of(orders[i], scope, true) + (fence ? 0 : COST_NEW)});
        }
}

/* From mild to severe: a narrower scope, a weaker order. */
static void weaken(const struct sites *sites, struct site *site, enum litmus_order order, enum litmus_scope scope)
{
    static const enum litmus_order weaker[] = {LITMUS_ACQ_REL, LITMUS_RELEASE, LITMUS_ACQUIRE, LITMUS_RELAXED};
    const bool fence = site->kind == SITE_FENCE;
    unsigned cost = 0;
    for (size_t i = 0; i < COUNT(weaker); i++) {
        const bool fits = fence ? fence_fits(sites->test->dialect, weaker[i])
                                : order_fits(sites->test->dialect, site->access, weaker[i]);
        if (fits && order_at_least(order, weaker[i]) && !order_at_least(weaker[i], order))
            add_option(site, (struct site_option){.order = weaker[i], .scope = scope, .cost = cost++});
    }
    for (size_t k = sites->scope_count; k-- > 0 && order_is_atomic(order);)
        if (sites->scopes[k] < scope)
            add_option(site, (struct site_option){.order = order, .scope = sites->scopes[k], .cost = cost++});
    if (fence)
        add_option(site, (struct site_option){.left_out = true, .cost = cost});
    else if (sites->test->dialect == LITMUS_PTX && order_is_atomic(order) && operation_moves(site->access->operation))
        add_option(site, (struct site_option){.order = LITMUS_PLAIN, .scope = LITMUS_SCOPE_NONE, .cost = cost});
}

static void find_any_options(const struct sites *sites, enum site_direction direction, struct site *site)
{
    if (site->kind == SITE_GAP) {
        strengthen_fence(sites, site, NULL);
        /* Fences of proxies, which have neither order nor scope. */
        for (size_t i = 0; i < sites->proxy_count; i++)
            if (sites->proxies[i] != LITMUS_GENERIC)
                add_option(site,
                           (struct site_option){.proxy = sites->proxies[i], .cost = COST_FENCE + COST_HALF + COST_NEW});
    } else if (direction == SITES_STRONGER && site->kind == SITE_ACCESS)
        strengthen_access(sites, site);
    else if (direction == SITES_STRONGER && site->fence->kind == LITMUS_FENCE)
        strengthen_fence(sites, site, &site->fence->fence);
    else if (direction == SITES_STRONGER)
        return;
    else if (site->kind == SITE_ACCESS && access_can_change(sites->test->dialect, site->access))
        weaken(sites, site, site->access->order, site->access->scope);
    else if (site->kind == SITE_FENCE &&
             (site->fence->kind == LITMUS_BARRIER || site->fence->fence.order == LITMUS_PLAIN ||
              site->fence->fence.proxy != LITMUS_GENERIC || site->fence->fence.restriction))
        add_option(site, (struct site_option){.left_out = true});
    else if (site->kind == SITE_FENCE)
        weaken(sites, site, site->fence->fence.order, site->fence->fence.scope);
}

/* The host's options: only the system scope, and no proxies. */
static bool host_has(const struct site_option *option)
{
    return option->proxy == LITMUS_GENERIC &&
           (option->left_out || option->order == LITMUS_PLAIN || option->scope == LITMUS_ALL_DEVICES);
}

const struct site_option *site_strongest(const struct site *site, enum litmus_scope scope, enum litmus_proxy proxy)
{
    const struct site_option *strongest = NULL;
    for (size_t i = 0; proxy != LITMUS_GENERIC && i < site->option_count; i++)
        if (site->options[i].proxy == proxy)
            return &site->options[i];
    for (size_t i = 0; i < site->option_count; i++)
        if (site->options[i].proxy == LITMUS_GENERIC && site->options[i].scope == scope &&
            (!strongest || site->options[i].order >= strongest->order))
            strongest = &site->options[i];
    return strongest;
}

/* ---- the walk through the bodies ---- */

struct site_walk {
    struct sites *sites; /* NULL: only searches the numbered instruction */
    enum site_direction direction;
    bool wanted; /* the present body's sites are listed */
    int body;
    unsigned number;
    unsigned slot;
    struct litmus_place last; /* of the last instruction of the body; line 0: there is none yet */
    bool fresh_gap;           /* an instruction came since the last gap */
    unsigned sought;
    struct litmus_place found;
};

static void add_site(struct site_walk *walk, struct site site)
{
    site.body = walk->body;
    site.number = walk->number;
    site.slot = walk->slot;
    if (walk->direction != SITES_MEETINGS) {
        size_t kept = 0;
        find_any_options(walk->sites, walk->direction, &site);
        for (size_t i = 0; i < site.option_count; i++)
            if (!walk->sites->test->threads[site.body].placement.host || host_has(&site.options[i]))
                site.options[kept++] = site.options[i];
        site.option_count = kept;
    }
    if (walk->direction == SITES_MEETINGS ? site.kind != SITE_ACCESS && site.depth == 0 : site.option_count > 0)
        ARENA_ADD(&walk->sites->arena, walk->sites->items, walk->sites->count) = site;
}

static void meet_instruction(struct site_walk *walk, struct litmus_place place)
{
    if (walk->number++ == walk->sought)
        walk->found = place;
    walk->last = place;
    walk->fresh_gap = true;
}

static void walk_expression(struct site_walk *walk, struct litmus_expression *expression)
{
    if (!expression)
        return;
    walk_expression(walk, expression->left);
    walk_expression(walk, expression->right);
    struct litmus_access *access = expression->access;
    if (expression->kind != LITMUS_EXPRESSION_ACCESS)
        return;
    walk_expression(walk, access->address);
    walk_expression(walk, access->operand);
    walk_expression(walk, access->expected);
    walk_expression(walk, access->expected_address);
    if (walk->wanted)
        add_site(walk, (struct site){.kind = SITE_ACCESS, .place = expression->place, .access = access});
    meet_instruction(walk, expression->place);
}

static void walk_block(struct site_walk *walk, struct litmus_block *block, unsigned depth);

static void walk_statement(struct site_walk *walk, struct litmus_block *block, size_t index, unsigned depth)
{
    struct litmus_statement *statement = &block->statements[index];
    const bool loop_end = statement->kind == LITMUS_DO_WHILE;
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    const size_t count = loop_end ? 0 : litmus_statement_operands(statement, operands);
    for (size_t i = 0; i < count; i++)
        walk_expression(walk, operands[i]);
    if (statement->kind == LITMUS_VECTOR && walk->wanted) /* all words have one order and scope */
        add_site(walk,
                 (struct site){.kind = SITE_ACCESS, .place = statement->place, .access = &statement->vector.access});
    if (statement->kind == LITMUS_COPY || statement->kind == LITMUS_GROUP || statement->kind == LITMUS_VECTOR)
        meet_instruction(walk, statement->place);
    const bool barrier = statement->kind == LITMUS_BARRIER;
    if (statement->kind == LITMUS_FENCE || barrier) {
        walk->slot += barrier;
        if (walk->wanted)
            add_site(walk, (struct site){.kind = SITE_FENCE,
                                         .place = statement->place,
                                         .fence = statement,
                                         .block = block,
                                         .index = index,
                                         .depth = depth});
        walk->slot += barrier;
        meet_instruction(walk, statement->place);
    }
    walk_block(walk, &statement->body, depth + 1);
    walk_block(walk, &statement->otherwise, depth + 1);
    if (loop_end)
        walk_expression(walk, statement->value);
}

/* The line after which a line with a new fence would come before the statement of the block. In columns that is the
 * line of the last instruction, if no branch or loop lies between; elsewhere a statement may have several lines, and
 * the one before the next statement is sure. If both are on one line, it is that line. */
static unsigned line_before(const struct site_walk *walk, const struct litmus_block *block, size_t index)
{
    const unsigned next = block->statements[index].place.line;
    const struct litmus_statement *previous = index > 0 ? &block->statements[index - 1] : NULL;
    const bool follows = previous && previous->body.count + previous->otherwise.count == 0;
    const bool columns = walk->sites->test->dialect == LITMUS_PTX;
    return next <= walk->last.line || (columns && follows) ? walk->last.line : next - 1;
}

static bool is_jump(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_LABEL || statement->kind == LITMUS_GOTO;
}

/* Whether no jump can lead across the place before this statement of a thread's own block. */
static bool is_passed_once(const struct litmus_block *block, size_t index)
{
    const struct litmus_block before = {block->statements, index},
                              after = {&block->statements[index], block->count - index};
    return !litmus_any_statement(&before, is_jump) || !litmus_any_statement(&after, is_jump);
}

static void add_gap(struct site_walk *walk, struct litmus_block *block, size_t index, unsigned depth, unsigned after)
{
    if (walk->direction != SITES_MEETINGS || (depth == 0 && is_passed_once(block, index)))
        add_site(
            walk,
            (struct site){
                .kind = SITE_GAP, .place = walk->last, .after = after, .block = block, .index = index, .depth = depth});
    walk->fresh_gap = false;
}

/* Gaps without an instruction between them are one gap. A fence orders nothing before the first instruction of a thread
 * or after its last, except in loops. */
static void walk_block(struct site_walk *walk, struct litmus_block *block, unsigned depth)
{
    for (size_t i = 0; i < block->count; i++) {
        if (walk->wanted && walk->direction != SITES_WEAKER && walk->fresh_gap && walk->last.line > 0)
            add_gap(walk, block, i, depth, line_before(walk, block, i));
        if (depth > 0 && i == 0)
            walk->fresh_gap = true;
        walk_statement(walk, block, i, depth);
    }
}

/* The line after which a line comes last in the thread: in C the one before its closing brace, or that one if the
 * thread's last instruction is on it. */
static unsigned last_line(const struct litmus_test *test, struct litmus_place start, unsigned last)
{
    unsigned line = 1, depth = 0;
    const bool columns = test->dialect == LITMUS_PTX || dialects[test->dialect].has_semantics;
    for (const char *at = test->text; *at && !columns; at++) {
        line += *at == '\n';
        if (line >= start.line && *at == '{')
            depth++;
        else if (line >= start.line && *at == '}' && --depth == 0)
            return line > last ? line - 1 : line;
    }
    return last;
}

static void walk_bodies(struct site_walk *walk, const struct litmus_test *test, uint64_t bodies)
{
    for (size_t i = 0; i < test->body_count; i++) {
        walk->body = (int)i;
        walk->wanted = walk->sites && (bodies >> i & 1);
        const bool meets = walk->direction == SITES_MEETINGS && walk->wanted;
        walk->last = meets ? test->threads[i].place : (struct litmus_place){0};
        walk->fresh_gap = meets;
        walk->slot = 0;
        walk_block(walk, &test->threads[i].body, 0);
        if (meets)
            add_gap(walk, &test->threads[i].body, test->threads[i].body.count, 0,
                    last_line(test, test->threads[i].place, walk->last.line));
        if (walk->sites)
            walk->sites->ends[i] = walk->number;
    }
}

/* ---- finding them ---- */

/* The scope that includes all threads: of several scopes the last but one is the device, which suffices if there is
 * only one. VULKAN has none that is wider. */
static size_t reaching_scope(const struct sites *sites)
{
    if (dialects[sites->test->dialect].has_semantics)
        return sites->scope_count - 1;
    struct litmus_agents agents;
    struct error error;
    (void)litmus_find_agents(sites->test, &agents, &error);
    return sites->scope_count - (agents.count > 1 || sites->scope_count == 1 ? 1 : 2);
}

static void find_scopes(struct sites *sites)
{
    static const enum litmus_scope gpu[] = {LITMUS_WORK_GROUP, LITMUS_CLUSTER, LITMUS_DEVICE, LITMUS_ALL_DEVICES};
    static const enum litmus_scope vulkan[] = {LITMUS_SUB_GROUP, LITMUS_WORK_GROUP, LITMUS_QUEUE_FAMILY, LITMUS_DEVICE};
    if (!dialects[sites->test->dialect].has_scopes) {
        sites->scopes[sites->scope_count++] = LITMUS_DEVICE;
        return;
    }
    if (dialects[sites->test->dialect].has_semantics) {
        memcpy(sites->scopes, vulkan, sizeof vulkan);
        sites->scope_count = COUNT(vulkan);
        return;
    }
    const bool clusters =
        ANY_OF(thread, sites->test->threads, sites->test->body_count, thread->placement.cluster != LITMUS_NONE);
    for (size_t i = 0; i < COUNT(gpu); i++)
        if (gpu[i] != LITMUS_CLUSTER || (sites->test->dialect == LITMUS_PTX && clusters))
            sites->scopes[sites->scope_count++] = gpu[i];
}

static bool is_of_async_proxy(const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value ? statement->value->access : NULL;
    return (statement->kind == LITMUS_COPY && statement->copy.bulk) || (access && access->proxy == LITMUS_ASYNC);
}

/* PTX has fences of two proxies: the asynchronous one, which bulk copies and wgmma use, and the one for other addresses
 * of the same memory. */
static void find_proxies(struct sites *sites)
{
    const struct litmus_test *test = sites->test;
    const bool copies =
        ANY_OF(thread, test->threads, test->body_count, litmus_any_statement(&thread->body, is_of_async_proxy));
    const bool aliases = ANY_OF(location, test->locations, test->location_count,
                                location->alias_of != LITMUS_NONE && location->proxy == LITMUS_GENERIC);
    sites->proxies[sites->proxy_count++] = LITMUS_GENERIC;
    if (copies)
        sites->proxies[sites->proxy_count++] = LITMUS_ASYNC;
    if (aliases && test->dialect == LITMUS_PTX)
        sites->proxies[sites->proxy_count++] = LITMUS_ALIAS;
}

enum status sites_find(const struct litmus_test *test, uint64_t bodies, enum site_direction direction,
                       struct sites *sites, struct error *error)
{
    *sites = (struct sites){.test = NULL, .stronger = direction == SITES_STRONGER};
    TRY(test->text ? litmus_parse(test->name, test->text, strlen(test->text), &sites->test, error)
                   : litmus_reread(test, &sites->test, error));
    find_scopes(sites);
    sites->reaching = reaching_scope(sites);
    find_proxies(sites);
    sites->ends = arena_take(&sites->arena, test->body_count + 1, sizeof *sites->ends);
    struct site_walk walk = {.sites = sites, .direction = direction, .sought = UINT32_MAX};
    walk_bodies(&walk, sites->test, bodies);
    if (direction == SITES_STRONGER) {
        /* A gap at the end of a thread orders nothing. Instructions that cannot change are no sites, so their numbers
         * count. */
        size_t kept = 0;
        FOR_EACH(const struct site, site, sites->items, sites->count)
            if (site->kind != SITE_GAP || site->number < sites->ends[site->body])
                sites->items[kept++] = *site;
        sites->count = kept;
    }
    return STATUS_OK;
}

void sites_release(struct sites *sites)
{
    litmus_release(sites->test);
    arena_release(&sites->arena);
    *sites = (struct sites){.test = NULL};
}

/* The place of an instruction of a test, by its number: an access, a fence, a barrier, a copy, or an operation on
 * groups of copies. */
static struct litmus_place instruction_place(const struct litmus_test *test, unsigned number)
{
    struct site_walk walk = {.sought = number};
    walk_bodies(&walk, test, 0);
    return walk.found;
}

bool place_before(struct litmus_place a, struct litmus_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

bool site_is_gap_between(const struct site *site, int body, struct litmus_place after, struct litmus_place before)
{
    return site->kind == SITE_GAP && site->body == body && !place_before(site->place, after) &&
           place_before(site->place, before);
}

void site_choose(struct site *site, const struct site_option *option)
{
    site->is_chosen = option != NULL;
    if (option)
        site->chosen = *option;
}

void sites_choose_none(struct sites *sites)
{
    for (size_t i = 0; i < sites->count; i++)
        site_choose(&sites->items[i], NULL);
}

/* ---- changing the test ---- */

unsigned sites_memories(const struct litmus_test *test)
{
    unsigned memories = 0;
    if (dialects[test->dialect].has_semantics)
        return sites_semantics(test, LITMUS_ACQ_REL) >> LITMUS_STORAGE_SHIFT & LITMUS_OF_STORAGE;
    for (size_t i = 0; i < test->location_count; i++)
        memories |= dialects[test->dialect].has_flags ? 1U << test->locations[i].region : 1U;
    return memories;
}

static struct litmus_statement new_fence(const struct litmus_test *test, bool host, const struct site_option *option)
{
    const bool opencl = dialects[test->dialect].has_flags;
    struct litmus_statement statement = {
        .kind = LITMUS_FENCE,
        .target = LITMUS_NONE,
        .fence = {.order = option->order,
                  .scope = option->scope,
                  .proxy = option->proxy,
                  .spelling = {.library = host},
                  .flag_global = opencl || option->proxy == LITMUS_ASYNC,
                  .flag_local =
                      (opencl && !host && sites_memories(test) >> LITMUS_LOCAL & 1) || option->proxy == LITMUS_ASYNC}};
    if (dialects[test->dialect].has_semantics)
        vulkan_set_fence(test, &statement.fence, true);
    return statement;
}

/* Gives the block its own list, with `added` at the site's index or, if that is NULL, without the statement there. */
static void change_block(struct sites *sites, struct site *site, const struct litmus_statement *added, size_t count)
{
    struct litmus_block *block = site->block;
    const size_t rest = site->index + (added ? 0 : 1), next = site->index + count;
    struct litmus_statement *statements = arena_take(&sites->arena, block->count + count, sizeof *statements);
    site->block_was = *block;
    if (site->index > 0)
        memcpy(statements, block->statements, site->index * sizeof *statements);
    if (added)
        memcpy(&statements[site->index], added, count * sizeof *statements);
    if (block->count > rest)
        memcpy(&statements[next], &block->statements[rest], (block->count - rest) * sizeof *statements);
    *block = (struct litmus_block){statements, next + block->count - rest};
}

static bool changes_block(const struct site *site)
{
    return site->kind == SITE_GAP || (site->kind == SITE_FENCE && site->chosen.left_out);
}

static void change_site(struct sites *sites, struct site *site)
{
    const struct site_option *option = &site->chosen;
    if (site->kind == SITE_GAP && option->statements) {
        change_block(sites, site, option->statements, option->count);
    } else if (site->kind == SITE_GAP) {
        const bool host = sites->test->threads[site->body].placement.host;
        const struct litmus_statement fence = new_fence(sites->test, host, option);
        change_block(sites, site, &fence, 1);
    } else if (changes_block(site)) {
        change_block(sites, site, NULL, 0);
    } else if (option->statements) {
        site->fence_was = *site->fence;
        site->fence->orders = option->statements->orders;
    } else if (site->kind == SITE_ACCESS) {
        site->access_was = *site->access;
        struct litmus_access *access = site->access;
        const bool scoped = sites->test->dialect == LITMUS_OPENCL;
        access->order = option->order;
        access->failure = order_of_read(option->order);
        access->scope = option->scope;
        access->spelling.explicit_order = access->spelling.explicit_order || scoped || option->order != LITMUS_SEQ_CST;
        access->spelling.explicit_scope = access->spelling.explicit_scope || scoped;
        if (dialects[sites->test->dialect].has_semantics)
            vulkan_set_access(sites->test, site->access, sites->stronger);
    } else {
        site->fence_was = *site->fence;
        site->fence->fence.order = option->order;
        site->fence->fence.scope = option->scope;
        if (dialects[sites->test->dialect].has_semantics)
            vulkan_set_fence(sites->test, &site->fence->fence, sites->stronger);
    }
}

/* A list of statements is copied when it gets a fence, so changes inside its statements come first, and in each list
 * the last statement first, so that indices stay valid. */
enum { STEPS = LITMUS_MAXIMUM_NESTING + 2 };

static bool is_step(const struct site *site, unsigned step)
{
    const unsigned own = changes_block(site) ? STEPS - 1 - (site->depth < STEPS - 2 ? site->depth : STEPS - 2) : 0;
    return site->is_chosen && own == step;
}

/* The test with the chosen options, read again from its text. UNSUPPORTED or SYNTAX if the dialect cannot express
 * it. */
static enum status sites_apply(struct sites *sites, struct litmus_test **changed, struct error *error)
{
    for (unsigned step = 0; step < STEPS; step++)
        for (size_t i = sites->count; i-- > 0;)
            if (is_step(&sites->items[i], step))
                change_site(sites, &sites->items[i]);
    const enum status status = litmus_reread(sites->test, changed, error);
    for (unsigned step = STEPS; step-- > 0;)
        for (size_t i = 0; i < sites->count; i++)
            if (is_step(&sites->items[i], step)) {
                struct site *site = &sites->items[i];
                if (changes_block(site))
                    *site->block = site->block_was;
                else if (site->kind == SITE_ACCESS)
                    *site->access = site->access_was;
                else
                    *site->fence = site->fence_was;
            }
    return status;
}

/* ---- the verdict of an outcome in a changed test ---- */

bool change_is_over(const struct repair_wanted *wanted, struct repairs *found)
{
    if (!found->cut)
        found->cut = clock_seconds() >= wanted->deadline || (wanted->stopped && wanted->stopped(wanted->context));
    return found->cut;
}

static const struct judged_outcome *sites_find_outcome(const struct litmus_test *test,
                                                       const struct judgement *judgement, const int64_t *values)
{
    for (size_t i = 0; values && i < judgement->outcome_count; i++)
        if (memcmp(judgement->outcomes[i].values, values, test->variable_count * sizeof *values) == 0)
            return &judgement->outcomes[i];
    return NULL;
}

/* NONE: not known. */
static enum verdict verdict_of(const struct litmus_test *test, const struct judgement *judgement, const int64_t *values)
{
    const struct judged_outcome *outcome = sites_find_outcome(test, judgement, values);
    if (judgement->racy)
        return VERDICT_UNDEFINED;
    if (outcome)
        return outcome->verdict;
    return judgement->cut || !values ? VERDICT_NONE : VERDICT_FORBIDDEN;
}

static enum change_answer answer_of(const struct repair_wanted *wanted, enum verdict verdict)
{
    if (verdict == VERDICT_UNDEFINED)
        return CHANGE_ALLOWS;
    if (wanted->undefined || verdict == VERDICT_FORBIDDEN)
        return CHANGE_FORBIDS;
    return verdict == VERDICT_SC || verdict == VERDICT_WEAK ? CHANGE_ALLOWS : CHANGE_UNKNOWN;
}

static void count_allowed(const struct litmus_test *test, const struct judgement *judgement,
                          struct change_judgement *judged)
{
    FOR_EACH(const struct judged_outcome, outcome, judgement->outcomes, judgement->outcome_count) {
        const bool allowed = outcome->verdict == VERDICT_SC || outcome->verdict == VERDICT_WEAK;
        judged->allowed += allowed;
        judged->witness |= allowed && outcome->witness;
        for (size_t k = 0; allowed && k < test->variable_count; k++)
            judged->seen += outcome->values[k] != 0;
    }
}

struct change_judgement change_judge(const struct repair_wanted *wanted, const struct litmus_test *changed,
                                     struct repairs *found, bool (*fits)(const struct explanation *explanation))
{
    const struct judge_options options = {
        .explain = fits != NULL, .deadline = wanted->deadline, .stopped = wanted->stopped, .context = wanted->context};
    struct change_judgement judged = {.answer = CHANGE_UNKNOWN, .then = VERDICT_NONE};
    LOCAL(judgement) judgement = {0};
    struct error error;
    if (changed->variable_count != wanted->test->variable_count ||
        wanted->judging(wanted->model, changed, &options, &judgement, &error) != STATUS_OK)
        return judged;
    const struct judged_outcome *outcome = sites_find_outcome(changed, &judgement, wanted->values);
    judged.judged = true;
    judged.then = verdict_of(changed, &judgement, wanted->values);
    judged.answer = answer_of(wanted, judged.then);
    judged.flag = judgement.undefined_by ? arena_copy(&found->arena, judgement.undefined_by) : NULL;
    judged.fits = fits && judged.then == VERDICT_WEAK && outcome->explanation && fits(outcome->explanation);
    count_allowed(changed, &judgement, &judged);
    return judged;
}

struct change_judgement change_judge_chosen(const struct repair_wanted *wanted, struct sites *sites,
                                            struct repairs *found, bool (*fits)(const struct explanation *explanation))
{
    struct litmus_test *changed = NULL;
    struct error error;
    if (change_is_over(wanted, found) || sites_apply(sites, &changed, &error) != STATUS_OK)
        return (struct change_judgement){.answer = CHANGE_UNKNOWN};
    const struct change_judgement judged = change_judge(wanted, changed, found, fits);
    found->tried++;
    found->unjudged += judged.answer == CHANGE_UNKNOWN;
    litmus_release(changed);
    return judged;
}

/* ---- changes as text ---- */

static const char *instruction_at(const struct litmus_test *test, unsigned number, struct arena *arena)
{
    struct text text = {0};
    const struct litmus_place place = instruction_place(test, number);
    const bool known = place.line > 0 && litmus_print_instruction(test, place, &text);
    return known ? arena_keep(arena, &text) : "?";
}

/* Of a gap: the instruction after it, if it is on the line after which the gap is. */
static const char *next_of(const struct sites *sites, const struct site *site, struct arena *arena)
{
    const bool last = site->kind != SITE_GAP || site->number == sites->ends[site->body];
    return last || instruction_place(sites->test, site->number).line != site->after
               ? NULL
               : instruction_at(sites->test, site->number, arena);
}

struct litmus_test *change_apply(struct sites *sites, struct arena *arena, struct repair *repair)
{
    struct litmus_test *changed;
    struct error error;
    unsigned added = 0;
    if (sites_apply(sites, &changed, &error) != STATUS_OK)
        return NULL;
    FOR_EACH(const struct site, site, sites->items, sites->count) {
        const bool gap = site->kind == SITE_GAP, gone = site->chosen.left_out;
        const size_t count = gap && site->chosen.statements ? site->chosen.count : 1;
        for (size_t k = 0; k < count && site->is_chosen; k++) {
            ARENA_ADD(arena, repair->changes, repair->count) = (struct repair_change){
                .thread = (int)sites->test->threads[site->body].first,
                .line = gap ? site->after : site->place.line,
                .before = gap ? NULL : instruction_at(sites->test, site->number, arena),
                .after = gone ? NULL : instruction_at(changed, site->number + added, arena),
                .next = next_of(sites, site, arena),
                .order = site->chosen.order,
            };
            added += gap;
        }
        repair->accesses |= site->is_chosen && site->kind == SITE_ACCESS;
    }
    return changed;
}

void change_note(const struct repair_wanted *wanted, struct sites *sites, struct repairs *found, struct repair repair)
{
    struct litmus_test *changed = change_apply(sites, &found->arena, &repair);
    if (!changed)
        return;
    const struct change_judgement judged = change_judge(wanted, changed, found, NULL);
    repair.then = judged.then;
    repair.flag = judged.flag;
    /* Whether the outcome has another verdict without any single one of the chosen options. */
    bool needed = true;
    for (size_t i = 0; i < sites->count && needed; i++) {
        struct site *site = &sites->items[i];
        if (!site->is_chosen)
            continue;
        site->is_chosen = false;
        needed = change_judge_chosen(wanted, sites, found, NULL).answer == CHANGE_ALLOWS;
        site->is_chosen = true;
    }
    repair.needed = needed;
    ARENA_ADD(&found->arena, found->items, found->count) = repair;
    litmus_release(changed);
}

uint64_t change_bodies(const struct repair_wanted *wanted)
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
