// SPDX-License-Identifier: Apache-2.0
/* The base sets and relations of cat. */
#include "models/cat/base_lists.h"
#include "models/cat/cat.h"

static bool is_memory(const struct event *event)
{
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE || event->kind == EVENT_UPDATE;
}

/* Predicates of one event, some with an argument. */
#define HOLDS(function, condition)                                                                                     \
    static bool function(const struct event *event, int argument)                                                      \
    {                                                                                                                  \
        (void)argument;                                                                                                \
        return condition;                                                                                              \
    }
HOLDS(of_kind, (int)event->kind == argument)
HOLDS(has_semantics, (event->semantics & (unsigned)argument) != 0)
/* VULKAN: a control barrier with memory semantics is a memory barrier, too. */
HOLDS(fence, event->kind == EVENT_FENCE || (event->kind == EVENT_BARRIER && has_semantics(event, LITMUS_ON_STORAGE)))
/* A read or a write, or both. */
HOLDS(is_access, (int)event->kind == argument || event->kind == EVENT_UPDATE)
HOLDS(memory, is_memory(event))
HOLDS(initial, event->thread == LITMUS_NONE)
HOLDS(of_order, (int)event->order == argument && event->thread != LITMUS_NONE)
/* VULKAN: a barrier that acquires and releases is one that acquires, and one that releases. */
HOLDS(of_order_or_both,
      of_order(event, argument) || (of_order(event, LITMUS_ACQ_REL) && has_semantics(event, LITMUS_ON_STORAGE)))
/* Includes volatile accesses, which are relaxed ones of the widest scope. */
HOLDS(relaxed, of_order(event, LITMUS_RELAXED) || of_order(event, LITMUS_VOLATILE))
HOLDS(plain, is_memory(event) && event->order == LITMUS_PLAIN && event->thread != LITMUS_NONE)
HOLDS(of_scope, (int)event->scope == argument)
HOLDS(of_proxy, (int)event->proxy == argument)
HOLDS(proxy_fence, event->kind == EVENT_FENCE && event->order == LITMUS_PLAIN)
HOLDS(atomic, event->atomic)
/* VULKAN, by SPIR-V's memory operands; an atomic access has them all by itself. */
HOLDS(atomic_access, is_memory(event) && event->atomic)
HOLDS(non_private,
      atomic_access(event, 0) || has_semantics(event, LITMUS_NON_PRIVATE | LITMUS_AVAILABLE | LITMUS_VISIBLE))
HOLDS(private_access, is_memory(event) && event->thread != LITMUS_NONE && !non_private(event, 0))
HOLDS(making_available,
      has_semantics(event, LITMUS_AVAILABLE) || (atomic_access(event, 0) && is_access(event, EVENT_WRITE)))
HOLDS(making_visible, has_semantics(event, LITMUS_VISIBLE) || (atomic_access(event, 0) && is_access(event, EVENT_READ)))
HOLDS(rmw_half, event->rmw)
HOLDS(reduction, event->no_result)
HOLDS(in_assembly, event->assembly)
HOLDS(non_atomic_location, is_memory(event) && !event->atomic_location)
HOLDS(entry_fence, event->entry)
HOLDS(exit_fence, event->exit)
HOLDS(arriving, event->arrive)
HOLDS(diverging, event->diverged)
HOLDS(nowhere, event->nowhere)
HOLDS(sc_fence, event->kind == EVENT_FENCE && event->order == LITMUS_SEQ_CST)
HOLDS(of_mbarrier, event->mbarrier)
HOLDS(initialising, event->initialises)
HOLDS(finished_wait, event->finished)
HOLDS(unready, event->unready)
HOLDS(restricted, event->restriction != LITMUS_UNRESTRICTED)
HOLDS(of_host, event->host)
HOLDS(never, !event)

static bool in_region(const struct event *event, int region)
{
    if (is_memory(event))
        return (int)event->region == region;
    return region == LITMUS_GLOBAL  ? event->flag_global
           : region == LITMUS_LOCAL ? event->flag_local
                                    : event->flag_image;
}

/* Relations that the execution contains. */
static void stored(const struct execution *execution, int offset, struct relation *result)
{
    const struct relation *relation = (const struct relation *)(const void *)((const char *)execution + offset);
    memcpy(result->row, relation->row, execution->count * sizeof result->row[0]);
}

static void nothing(const struct execution *execution, UNUSED int ignored, struct relation *result)
{
    relation_clear(result, execution->count);
}

static void initial_first(const struct execution *execution, UNUSED int ignored, struct relation *result)
{
    execution_initial_coherence(execution, result);
}

static void launch_order(const struct execution *execution, UNUSED int ignored, struct relation *result)
{
    execution_launch_order(execution, result);
}

static void identity(const struct execution *execution, UNUSED int ignored, struct relation *result)
{
    for (unsigned i = 0; i < execution->count; i++)
        result->row[i] = set_of(i);
}

/* Relations between two events that a predicate decides. */
typedef bool pair_predicate(const struct execution *execution, const struct event *a, const struct event *b,
                            int argument);

static void make_pairs(const struct execution *execution, pair_predicate *predicate, int argument,
                       struct relation *result)
{
    relation_clear(result, execution->count);
    for (unsigned i = 0; i < execution->count; i++)
        for (unsigned k = 0; k < execution->count; k++)
            if (predicate(execution, &execution->events[i], &execution->events[k], argument))
                relation_add(result, i, k);
}

static bool base_same_place(UNUSED const struct execution *execution, const struct event *a, const struct event *b,
                            int virtually)
{
    return is_memory(a) && is_memory(b) && a->storage == b->storage && a->offset == b->offset && a->size == b->size &&
           (!virtually || a->address == b->address);
}

static bool overlapping(UNUSED const struct execution *execution, const struct event *a, const struct event *b,
                        UNUSED int ignored)
{
    return is_memory(a) && is_memory(b) && a->storage == b->storage && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size;
}

static bool same_thread(UNUSED const struct execution *execution, const struct event *a, const struct event *b,
                        int wanted)
{
    return (a == b || (a->thread == b->thread && a->thread != LITMUS_NONE)) == (wanted != 0);
}

static bool same_instance(const struct execution *execution, const struct event *a, const struct event *b, int level)
{
    return execution_same_instance(execution, a, b, (enum litmus_scope)level);
}

static bool scopes_include(const struct execution *execution, const struct event *a, const struct event *b,
                           UNUSED int ignored)
{
    return execution_scope_includes(execution, a, b) && execution_scope_includes(execution, b, a);
}

/* PTX: does a fence cover the memory of an access? Fences of the async proxy and restricted ones may cover only one
 * memory; shared::cta is that of the fence's own work-group. Those of the tensormap proxy are for global memory, where
 * the maps of copies are, and may be for one map. fence.mbarrier_init is for its thread's mbarrier.init, which are of
 * objects of its work-group. */
static bool base_covers(const struct execution *execution, const struct event *fence, const struct event *access,
                        UNUSED int ignored)
{
    if (fence->kind != EVENT_FENCE || !is_memory(access))
        return false;
    if (fence->map != LITMUS_NONE && fence->map != access->storage)
        return false;
    if (fence->restriction == LITMUS_INIT_RESTRICT)
        return access->initialises && access->thread == fence->thread;
    const bool chosen = fence->proxy == LITMUS_ASYNC || fence->restriction != LITMUS_UNRESTRICTED;
    if (!chosen || access->region != LITMUS_LOCAL)
        return !chosen || fence->flag_global;
    const int home = execution->test->locations[access->storage].home;
    const bool near = home == LITMUS_NONE || home == execution->test->threads[fence->body].placement.work_group;
    return fence->flag_local && (near || fence->cluster);
}

#define PAIRS(function, predicate)                                                                                     \
    static void function(const struct execution *execution, int argument, struct relation *result)                     \
    {                                                                                                                  \
        make_pairs(execution, predicate, argument, result);                                                            \
    }
PAIRS(make_place, base_same_place)
PAIRS(make_overlap, overlapping)
PAIRS(make_thread, same_thread)
PAIRS(make_instance, same_instance)
PAIRS(make_scopes, scopes_include)
PAIRS(make_covers, base_covers)

#define SET(name, function, argument) {name, STAGE_EVENTS, argument, function, NULL},
#define RELATION(name, stage, function, argument) {name, stage, argument, NULL, function},
#define STORED(name, stage, member) {name, stage, (int)offsetof(struct execution, member), NULL, stored},

#define ROW(...) __VA_ARGS__
const struct base bases[] = {BASE_LIST(ROW)};
const size_t base_count = COUNT(bases);

/* Names of herd for what no test of orchil has: locks of C; in AArch64 caches, translations, tags, faults, exceptions,
 * and the parts of an instruction. */
static const char absent_sets[] =
    "LK UL LS NExp T FAULT TLBI TLBInXS TLBIIS PTE PTEV PTEINV AF DB MMU Translation AccessFlag SPURIOUS DC.CVAU "
    "IC.IALLU IC.IALLUIS IC.IVAU EXC-ENTRY EXC-RET SVC TagCheck PRED "
    "PTEXS Permission";
static const char absent_relations[] = "lo iico_data iico_ctrl iico_order same-low-order-bits inv-domain";

int base_find(const char *name, size_t size)
{
    const bool relation = text_has_word(absent_relations, name, size);
    if (relation || text_has_word(absent_sets, name, size))
        return relation ? base_find("lxsx", strlen("lxsx")) : base_find("emptyset", strlen("emptyset"));
    return VALUE_OF(int, base, bases, base_count, strlen(base->name) == size && memcmp(base->name, name, size) == 0,
                    (int)(base - bases), -1);
}

bool base_is_of_writes(const struct base *base)
{
    return base->holds == initial || (base->holds == is_access && base->argument == EVENT_WRITE);
}

bool base_is_empty(const struct base *base)
{
    return base->holds == never || base->make == nothing;
}

uint64_t base_set(const struct base *base, const struct execution *execution)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (base->holds(&execution->events[i], base->argument))
            set |= set_of(i);
    return set;
}
