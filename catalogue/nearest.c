// SPDX-License-Identifier: Apache-2.0
/* The distance between tests of one shape. */
#include "catalogue/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "catalogue/catalogue.h"
#include "catalogue/shape.h"

/* ---- the same shape ---- */

/* The thread and location of the other test that correspond to each of the first. */
struct matching {
    size_t thread[NEAREST_THREADS];
    int location[MAXIMUM_LOCATIONS], back[MAXIMUM_LOCATIONS];
};

static bool match_location(struct matching *matching, const struct step *a, const struct step *b)
{
    if (a->location == LITMUS_NONE || b->location == LITMUS_NONE)
        return a->location == b->location;
    if (matching->location[a->location] == LITMUS_NONE && matching->back[b->location] == LITMUS_NONE) {
        matching->location[a->location] = b->location;
        matching->back[b->location] = a->location;
    }
    return matching->location[a->location] == b->location;
}

static bool match_steps(const struct shape *a, const struct shape *b, struct matching *matching)
{
    for (size_t i = 0; i < MAXIMUM_LOCATIONS; i++)
        matching->location[i] = matching->back[i] = LITMUS_NONE;
    for (size_t t = 0; t < a->threads; t++) {
        const size_t other = matching->thread[t];
        if (a->counts[t] != b->counts[other])
            return false;
        for (size_t i = 0; i < a->counts[t]; i++)
            if (a->steps[t][i].kind != b->steps[other][i].kind ||
                !match_location(matching, &a->steps[t][i], &b->steps[other][i]))
                return false;
    }
    return true;
}

/* ---- the distance ---- */

enum {
    FAR_ORDER = 2,
    FAR_SCOPE = 1,
    FAR_SCOPES = 2,
    FAR_FENCE = 3,
    FAR_PLACE = 1,
    FAR_DEVICE = 6, /* it needs other hardware */
    FAR_LAUNCH = 3,
    FAR_MEMORY = 2,
    FAR_DEPENDENCY = 2,
    FAR_OPERATION = 1,
    FAR_BARRIER = 2,
    FAR_SWAP = 1,
    FAR_CONDITION = 3
};

struct shape_comparison {
    const struct shape *a, *b; /* the test, and the other */
    const struct matching *matching;
    bool rescoped;      /* each of the two has one scope everywhere, so it is reported once */
    bool any_call;      /* ignore by which call the host orders two launches */
    struct text *words; /* of differences; or NULL */
    unsigned distance;
};

static void add_difference(struct shape_comparison *comparison, unsigned distance, const char *words)
{
    comparison->distance += distance;
    if (comparison->words && *words)
        text_add(comparison->words, "%s%s", comparison->words->size > 0 ? "; " : "", words);
}

/* "device", not "memory_scope_device" or "cuda::thread_scope_device". */
static const char *scope_word(enum litmus_dialect dialect, enum litmus_scope scope)
{
    static const char middle[] = "_scope_";
    const char *name = litmus_scope_name(dialect, scope), *prefix = strstr(name, middle);
    return prefix ? prefix + strlen(middle) : name;
}

/* Both of the same proxy and for the same memory, or neither of a proxy. */
static bool same_proxy(const struct litmus_fence *a, const struct litmus_fence *b)
{
    return (!a && !b) ||
           (a && b && a->proxy == b->proxy && a->restriction == b->restriction && a->order == b->order &&
            a->flag_global == b->flag_global && a->flag_local == b->flag_local && a->cluster == b->cluster);
}

static void name_proxy_fence(const struct litmus_fence *fence, size_t thread, struct text *words)
{
    litmus_print_ptx_fence(fence, words);
    text_add(words, " in P%zu", thread);
}

static void compare_fences(struct shape_comparison *comparison, size_t thread, const struct step *a,
                           const struct step *b)
{
    const enum litmus_dialect dialect = comparison->a->test->dialect;
    struct text words = {0};
    const bool same_scope = a->fence_scope == b->fence_scope || comparison->rescoped;
    if (a->fence == b->fence && same_proxy(a->proxy_fence, b->proxy_fence) &&
        (!a->fence || (a->fence_order == b->fence_order && same_scope)))
        return;
    if (b->proxy_fence)
        name_proxy_fence(b->proxy_fence, thread, &words);
    else if (b->fence)
        text_add(&words, "fence %s%s%s in P%zu",
                 dialect == LITMUS_PTX ? litmus_order_name(dialect, b->fence_order) : litmus_order_word(b->fence_order),
                 dialect == LITMUS_C ? "" : " ", dialect == LITMUS_C ? "" : scope_word(dialect, b->fence_scope),
                 thread);
    else
        text_add(&words, "no fence in P%zu", thread);
    add_difference(comparison, a->fence == b->fence ? FAR_ORDER : FAR_FENCE, text_string(&words));
    text_release(&words);
}

/* The memory that an OpenCL barrier orders, and its scope. */
static void compare_barriers(struct shape_comparison *comparison, size_t thread, const struct litmus_barrier *a,
                             const struct litmus_barrier *b)
{
    struct text words = {0};
    if (a->flag_global == b->flag_global && a->flag_local == b->flag_local && a->flag_image == b->flag_image &&
        a->scope == b->scope && a->sub_group == b->sub_group && a->arrive == b->arrive && a->wait == b->wait &&
        a->relaxed == b->relaxed)
        return;
    const unsigned flags = (unsigned)b->flag_global + b->flag_local + b->flag_image;
    text_add(&words, "P%zu %sbarrier", thread, b->sub_group ? "sub-group " : "");
    if (comparison->b->test->dialect == LITMUS_OPENCL)
        text_add(&words, "%s%s%s%s",
                 flags == 0   ? " without flags"
                 : flags == 1 ? " flag"
                              : " flags",
                 b->flag_global ? " global" : "", b->flag_local ? " local" : "", b->flag_image ? " image" : "");
    if (a->scope != b->scope)
        text_add(&words, " %s", scope_word(comparison->a->test->dialect, b->scope));
    text_add(&words, "%s%s", b->relaxed ? " that orders nothing" : "", b->arrive ? " that does not wait" : "");
    add_difference(comparison, FAR_BARRIER, text_string(&words));
    text_release(&words);
}

/* The size and the path of a copy. */
static void compare_copies(struct shape_comparison *comparison, const char *place, const struct litmus_copy *a,
                           const struct litmus_copy *b)
{
    struct text words = {0};
    if (a->bulk != b->bulk)
        text_add(&words, "%s %s", place, b->bulk ? "in bulk" : "not in bulk");
    if (a->bytes != b->bytes)
        text_add(&words, "%s of %u bytes", words.size > 0 ? "," : place, b->bytes);
    if (words.size > 0)
        add_difference(comparison, FAR_OPERATION, text_string(&words));
    text_release(&words);
}

/* The operation of a thread on its groups of copies. */
static void compare_groups(struct shape_comparison *comparison, size_t thread, const struct litmus_group *a,
                           const struct litmus_group *b)
{
    static const char *const actions[] = {
        [LITMUS_GROUP_COMMIT] = "ends a group",
        [LITMUS_GROUP_WAIT] = "waits for groups",
        [LITMUS_GROUP_WAIT_ALL] = "waits for all copies",
        [LITMUS_GROUP_ARRIVE] = "has an arrival for its copies",
    };
    struct text words = {0};
    if (a->action == b->action && a->bulk == b->bulk && a->pending == b->pending && a->read == b->read &&
        a->no_increment == b->no_increment)
        return;
    text_add(&words, "P%zu %s%s", thread, actions[b->action], b->read ? ", for what they read" : "");
    if (b->action == LITMUS_GROUP_WAIT && a->pending != b->pending)
        text_add(&words, " but %u", b->pending);
    add_difference(comparison, FAR_FENCE, text_string(&words));
    text_release(&words);
}

/* By another operation, or dependent on a read or not. */
static void compare_kinds(struct shape_comparison *comparison, const char *place, const struct step *a,
                          const struct step *b)
{
    struct text words = {0};
    if (a->operation != b->operation) {
        text_add(&words, "%s by %s", place, litmus_operation_name(comparison->a->test->dialect, b->operation));
        add_difference(comparison, FAR_OPERATION, text_string(&words));
        text_clear(&words);
    }
    if (a->depends != b->depends) {
        text_add(&words, "%s depends on %s%s%s%s", place, b->depends ? "a read" : "no read",
                 b->depends & ON_ADDRESS ? " (address)" : "", b->depends & ON_DATA ? " (data)" : "",
                 b->depends & ON_CONTROL ? " (control)" : "");
        add_difference(comparison, FAR_DEPENDENCY, text_string(&words));
    }
    text_release(&words);
}

/* The number of words, and the path to memory. */
static void compare_words(struct shape_comparison *comparison, const char *place, const struct step *a,
                          const struct step *b)
{
    const unsigned lanes = b->vector ? b->vector->lanes : 1;
    const bool whole = b->vector && b->vector->whole;
    struct text words = {0};
    if (lanes != (a->vector ? a->vector->lanes : 1) || whole != (a->vector && a->vector->whole))
        text_add(&words, "%s of %u word%s%s", place, lanes, lanes == 1 ? "" : "s", whole ? " at once" : "");
    if (a->access->read_only != b->access->read_only || a->access->mmio != b->access->mmio)
        text_add(&words, "%s%s", words.size > 0 ? "," : place,
                 b->access->read_only ? " by .nc"
                 : b->access->mmio    ? " by .mmio"
                                      : " by no special way");
    if (words.size > 0)
        add_difference(comparison, FAR_OPERATION, text_string(&words));
    text_release(&words);
}

static void compare_orders(struct shape_comparison *comparison, const char *place, const struct step *a,
                           const struct step *b)
{
    const enum litmus_dialect dialect = comparison->a->test->dialect;
    const bool order = a->order != b->order,
               scope = a->scope != b->scope && dialect != LITMUS_C && !comparison->rescoped;
    struct text words = {0};
    if (!order && !scope)
        return;
    text_add(&words, "%s%s%s", place, order ? " " : "", order ? litmus_order_word(b->order) : "");
    if (scope && b->order > LITMUS_VOLATILE)
        text_add(&words, " %s", scope_word(dialect, b->scope));
    const unsigned steps = (unsigned)abs((int)a->order - (int)b->order);
    const unsigned distance = (order ? FAR_ORDER + (unsigned)(steps > 2) : 0u) + (scope ? FAR_SCOPE : 0u);
    add_difference(comparison, distance, text_string(&words));
    text_release(&words);
}

static void compare_steps(struct shape_comparison *comparison, size_t thread, const struct step *a,
                          const struct step *b)
{
    const struct litmus_test *test = comparison->a->test;
    struct text place = {0};
    text_add(&place, "P%zu%s%s", thread, a->location == LITMUS_NONE ? "" : " ",
             a->location == LITMUS_NONE ? "" : test->locations[a->location].name);
    compare_fences(comparison, thread, a, b);
    compare_kinds(comparison, text_string(&place), a, b);
    compare_orders(comparison, text_string(&place), a, b);
    if (a->kind <= STEP_UPDATE)
        compare_words(comparison, text_string(&place), a, b);
    if (a->kind == STEP_BARRIER)
        compare_barriers(comparison, thread, a->barrier, b->barrier);
    if (a->kind == STEP_COPY_TO)
        compare_copies(comparison, text_string(&place), a->copy, b->copy);
    if (a->kind == STEP_GROUP)
        compare_groups(comparison, thread, a->group, b->group);
    text_release(&place);
}

/* How far apart two threads are. Without clusters in the test, threads of two blocks are APART. */
enum apartness { SAME_BLOCK, SAME_CLUSTER, APART, TWO_CLUSTERS, TWO_DEVICES };

static enum apartness apartness_of(const struct litmus_placement *a, const struct litmus_placement *b)
{
    const bool clusters = a->cluster != LITMUS_NONE && b->cluster != LITMUS_NONE;
    if (a->device != b->device || a->host != b->host)
        return TWO_DEVICES;
    if (clusters && a->cluster != b->cluster)
        return TWO_CLUSTERS;
    if (a->work_group == b->work_group && a->work_group != LITMUS_NONE)
        return SAME_BLOCK;
    return clusters ? SAME_CLUSTER : APART;
}

/* The threads of each block, by their numbers in the first test: "blocks P0+P1, P2+P3". */
static void add_blocks(const struct shape_comparison *comparison, const char *block, struct text *words)
{
    const struct litmus_thread *threads = comparison->b->test->threads;
    const size_t *other = comparison->matching->thread;
    unsigned named = 0;
    text_add(words, "%ss", block);
    for (size_t i = 0; i < comparison->a->threads; i++) {
        bool first = true;
        for (size_t k = i; k < comparison->a->threads; k++) {
            if (named >> k & 1 ||
                (k > i && apartness_of(&threads[other[i]].placement, &threads[other[k]].placement) != SAME_BLOCK))
                continue;
            text_add(words, "%sP%zu", !first ? "+" : i == 0 ? " " : ", ", k);
            named |= 1u << k;
            first = false;
        }
    }
}

static void describe_places(const struct shape_comparison *comparison, bool equal, enum apartness apart,
                            struct text *words)
{
    const enum litmus_dialect dialect = comparison->a->test->dialect;
    const char *block = dialect == LITMUS_OPENCL || dialect == LITMUS_VULKAN ? "work-group" : "block";
    const bool two = comparison->a->threads == 2;
    if (equal && apart == SAME_BLOCK)
        text_add(words, "one %s", block);
    else if (equal && apart == SAME_CLUSTER)
        text_add(words, two ? "two %ss of one cluster" : "%ss of one cluster", block);
    else if (equal && apart == APART)
        text_add(words, two ? "two %ss" : "%ss of their own", block);
    else if (equal)
        text_add(words, "%s%s", two ? "two " : "different ", apart == TWO_CLUSTERS ? "clusters" : "devices");
    else
        add_blocks(comparison, block, words);
}

static void compare_places(struct shape_comparison *comparison)
{
    const struct litmus_thread *a = comparison->a->test->threads, *b = comparison->b->test->threads;
    const size_t *other = comparison->matching->thread;
    bool differs = false, equal = true, devices = false;
    enum apartness first = SAME_BLOCK;
    struct text words = {0};
    for (size_t i = 1; i < comparison->a->threads; i++)
        for (size_t k = 0; k < i; k++) {
            const enum apartness here = apartness_of(&a[i].placement, &a[k].placement),
                                 there = apartness_of(&b[other[i]].placement, &b[other[k]].placement);
            first = i == 1 ? there : first;
            equal &= there == first;
            differs |= here != there;
            devices |= (here == TWO_DEVICES) != (there == TWO_DEVICES);
        }
    if (!differs)
        return;
    describe_places(comparison, equal, first, &words);
    add_difference(comparison, devices ? FAR_DEVICE : FAR_PLACE, text_string(&words));
    text_release(&words);
}

/* The edge between the launches of two threads, or NULL; *after: the first comes after the
 * second. */
static const struct litmus_edge *edge_between(const struct litmus_test *test, size_t first, size_t second, bool *after)
{
    for (size_t i = 0; i < test->edge_count; i++) {
        const struct litmus_edge *edge = &test->edges[i];
        *after = edge->later == first && edge->earlier == second;
        if (*after || (edge->later == second && edge->earlier == first))
            return edge;
    }
    return NULL;
}

static bool same_call(const struct shape_comparison *comparison, const struct litmus_edge *a,
                      const struct litmus_edge *b)
{
    const bool both_order = a->kind != LAUNCH_EDGE_BESIDE && b->kind != LAUNCH_EDGE_BESIDE;
    return a->kind == b->kind || (comparison->any_call && both_order);
}

static void compare_launches_of(struct shape_comparison *comparison, size_t one, size_t two)
{
    const size_t *other = comparison->matching->thread;
    bool here_after = false, there_after = false;
    const struct litmus_edge *here = edge_between(comparison->a->test, one, two, &here_after),
                             *there = edge_between(comparison->b->test, other[one], other[two], &there_after);
    const bool beside = there && there->kind == LAUNCH_EDGE_BESIDE;
    struct text words = {0};
    if (!here == !there && (!here || (same_call(comparison, here, there) && (beside || here_after == there_after))))
        return;
    if (!there)
        text_add(&words, "P%zu and P%zu launched at once", two, one);
    else if (beside)
        text_add(&words, "P%zu beside P%zu", one, two);
    else
        text_add(&words, "P%zu after P%zu by %s", there_after ? one : two, there_after ? two : one,
                 comparison->any_call ? "a call" : launch_edge_word(there->kind));
    add_difference(comparison, FAR_LAUNCH, text_string(&words));
    text_release(&words);
}

static void compare_launches(struct shape_comparison *comparison)
{
    for (size_t one = 1; one < comparison->a->threads; one++)
        for (size_t two = 0; two < one; two++)
            compare_launches_of(comparison, one, two);
}

/* ---- the condition ---- */

/* The step of a thread whose value goes to the register, or LITMUS_NONE. */
static int step_of(const struct shape *shape, int body, int target)
{
    for (size_t i = 0; body != LITMUS_NONE && i < shape->counts[body]; i++)
        if (shape->steps[body][i].target == target)
            return (int)i;
    return LITMUS_NONE;
}

/* Reads of one location whose values a condition swaps; none: thread is LITMUS_NONE. */
struct swap {
    int thread, one, two;
};

static bool same_term(const struct shape_comparison *comparison, const struct litmus_term *a,
                      const struct litmus_term *b, struct swap swap)
{
    if (a->variable == LITMUS_NONE || b->variable == LITMUS_NONE)
        return a->variable == b->variable && a->value == b->value;
    const struct litmus_variable *x = &comparison->a->test->variables[a->variable],
                                 *y = &comparison->b->test->variables[b->variable];
    if (x->body == LITMUS_NONE || y->body == LITMUS_NONE)
        return x->body == y->body && x->element == y->element && comparison->matching->location[x->index] == y->index;
    int step = step_of(comparison->a, x->body, x->index);
    if (x->body == swap.thread && (step == swap.one || step == swap.two))
        step = step == swap.one ? swap.two : swap.one;
    return (int)comparison->matching->thread[x->body] == y->body && step == step_of(comparison->b, y->body, y->index);
}

enum { MAXIMUM_ATOMS = 32 };

/* The atoms of a conjunction, or of a disjunction; false if it is neither, or is too long. */
static bool list_atoms(const struct litmus_proposition *condition, enum litmus_proposition_kind joined,
                       const struct litmus_proposition **atoms, size_t *count)
{
    if (condition->kind == joined)
        return list_atoms(condition->left, joined, atoms, count) && list_atoms(condition->right, joined, atoms, count);
    if (condition->kind != LITMUS_ATOM || *count == MAXIMUM_ATOMS)
        return false;
    atoms[(*count)++] = condition;
    return true;
}

/* Conjunctions are compared, and disjunctions; any other proposition differs. */
static bool same_condition(const struct shape_comparison *comparison, struct swap swap)
{
    const struct litmus_proposition *a[MAXIMUM_ATOMS], *b[MAXIMUM_ATOMS];
    size_t a_count = 0, b_count = 0, same = 0;
    const struct litmus_proposition *here = comparison->a->test->condition, *there = comparison->b->test->condition;
    const enum litmus_proposition_kind joined =
        here->kind == LITMUS_DISJUNCTION ? LITMUS_DISJUNCTION : LITMUS_CONJUNCTION;
    if (!list_atoms(here, joined, a, &a_count) || !list_atoms(there, joined, b, &b_count) || a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (b[k] && a[i]->relation == b[k]->relation &&
                same_term(comparison, &a[i]->terms[0], &b[k]->terms[0], swap) &&
                same_term(comparison, &a[i]->terms[1], &b[k]->terms[1], swap)) {
                b[k] = NULL;
                same++;
                break;
            }
    return same == a_count;
}

/* Two reads of one location that, swapped, make the conditions the same. */
static bool find_swap(const struct shape_comparison *comparison, struct swap *swap)
{
    for (size_t t = 0; t < comparison->a->threads; t++)
        for (size_t i = 0; i < comparison->a->counts[t]; i++)
            for (size_t k = i + 1; k < comparison->a->counts[t]; k++) {
                const struct step *one = &comparison->a->steps[t][i], *two = &comparison->a->steps[t][k];
                *swap = (struct swap){(int)t, (int)i, (int)k};
                if (one->kind == STEP_READ && two->kind == STEP_READ && one->location == two->location &&
                    same_condition(comparison, *swap))
                    return true;
            }
    return false;
}

/* The quantifier does not matter: exists and ~exists have the same witnesses. */
static void compare_conditions(struct shape_comparison *comparison)
{
    struct text words = {0};
    struct swap swap = {.thread = LITMUS_NONE};
    if (!comparison->a->test->condition || !comparison->b->test->condition || same_condition(comparison, swap))
        return;
    const bool swapped = find_swap(comparison, &swap);
    if (swapped)
        text_add(&words, "P%d's two reads swapped", swap.thread);
    else
        litmus_print_condition(comparison->b->test, &words);
    add_difference(comparison, swapped ? FAR_SWAP : FAR_CONDITION, text_string(&words));
    text_release(&words);
}

static void compare_memory(struct shape_comparison *comparison)
{
    const struct litmus_test *a = comparison->a->test, *b = comparison->b->test;
    struct text words = {0};
    for (size_t i = 0; i < a->location_count; i++) {
        const int other = comparison->matching->location[i];
        if (other == LITMUS_NONE)
            continue;
        const struct litmus_location *here = &a->locations[i], *there = &b->locations[other];
        text_clear(&words);
        if (here->region != there->region)
            text_add(&words, "%s in %s", here->name,
                     there->region == LITMUS_LOCAL   ? "local memory"
                     : there->region == LITMUS_IMAGE ? "an image"
                                                     : "global memory");
        else if (litmus_type_size(here->type) != litmus_type_size(there->type))
            text_add(&words, "%s of %zu bytes", here->name, litmus_type_size(there->type));
        if (words.size > 0)
            add_difference(comparison, FAR_MEMORY, text_string(&words));
    }
    text_release(&words);
}

/* The one scope of all accesses and fences, or SCOPE_NONE. */
static enum litmus_scope one_scope(const struct shape *shape)
{
    enum litmus_scope scope = LITMUS_SCOPE_NONE;
    for (size_t t = 0; t < shape->threads; t++)
        for (size_t i = 0; i < shape->counts[t]; i++) {
            const struct step *step = &shape->steps[t][i];
            const enum litmus_scope found[] = {step->scope, step->fence ? step->fence_scope : LITMUS_SCOPE_NONE};
            for (size_t k = 0; k < 2; k++) {
                if (found[k] != LITMUS_SCOPE_NONE && scope != LITMUS_SCOPE_NONE && found[k] != scope)
                    return LITMUS_SCOPE_NONE;
                scope = found[k] != LITMUS_SCOPE_NONE ? found[k] : scope;
            }
        }
    return scope;
}

static void compare_scopes(struct shape_comparison *comparison)
{
    const enum litmus_scope here = one_scope(comparison->a), there = one_scope(comparison->b);
    struct text words = {0};
    if (here == LITMUS_SCOPE_NONE || there == LITMUS_SCOPE_NONE || here == there)
        return;
    comparison->rescoped = true;
    text_add(&words, "all scopes %s", scope_word(comparison->a->test->dialect, there));
    add_difference(comparison, FAR_SCOPES, text_string(&words));
    text_release(&words);
}

static unsigned compare(struct shape_comparison comparison)
{
    const struct shape *a = comparison.a, *b = comparison.b;
    compare_scopes(&comparison);
    for (size_t t = 0; t < a->threads; t++)
        for (size_t i = 0; i < a->counts[t]; i++)
            compare_steps(&comparison, t, &a->steps[t][i], &b->steps[comparison.matching->thread[t]][i]);
    compare_places(&comparison);
    compare_launches(&comparison);
    compare_memory(&comparison);
    compare_conditions(&comparison);
    return comparison.distance;
}

/* ---- the search ---- */

struct nearness {
    const struct shape *a, *b;
    struct matching now, best;
    unsigned distance; /* of the best; UINT32_MAX: none */
};

static void try_threads(struct nearness *nearness, size_t from, unsigned used)
{
    if (from == nearness->a->threads) {
        if (!match_steps(nearness->a, nearness->b, &nearness->now))
            return;
        const unsigned distance =
            compare((struct shape_comparison){.a = nearness->a, .b = nearness->b, .matching = &nearness->now});
        if (distance < nearness->distance) {
            nearness->distance = distance;
            nearness->best = nearness->now;
        }
        return;
    }
    for (size_t i = 0; i < nearness->b->threads; i++) {
        nearness->now.thread[from] = i;
        if (!(used >> i & 1) && nearness->a->counts[from] == nearness->b->counts[i])
            try_threads(nearness, from + 1, used | 1u << i);
    }
}

/* The nearest tests, and the nearest ones with the other verdict. */
struct nearest_found {
    struct nearest_test any[NEAREST_MAXIMUM], other[NEAREST_OTHER];
    size_t any_count, other_count;
    const char *expect; /* of the test itself, as "allowed"; or "" */
};

/* Keeps only the nearest of a kind; false if the list already has one. */
static bool make_room(struct nearest_test *list, size_t *count, const struct nearest_test *item)
{
    size_t at = 0;
    while (at < *count && strcmp(list[at].kind, item->kind) != 0)
        at++;
    if (at == *count)
        return true;
    if (list[at].distance <= item->distance)
        return false;
    memmove(&list[at], &list[at + 1], (--*count - at) * sizeof *list);
    return true;
}

static void insert(struct nearest_test *list, size_t *count, size_t maximum, struct nearest_test item)
{
    if (!make_room(list, count, &item))
        return;
    size_t at = *count < maximum ? (*count)++ : maximum;
    for (; at > 0 && list[at - 1].distance > item.distance; at--)
        if (at < maximum)
            list[at] = list[at - 1];
    if (at < maximum)
        list[at] = item;
}

static struct nearest_test describe_test(const struct nearness *nearness, struct arena *arena)
{
    const struct litmus_test *test = nearness->b->test;
    const char *expect = litmus_metadata(test, "Expect");
    struct text words = {0}, kind = {0};
    struct shape_comparison comparison = {
        .a = nearness->a, .b = nearness->b, .matching = &nearness->best, .words = &words};
    (void)compare(comparison);
    comparison.any_call = true;
    comparison.words = &kind;
    (void)compare(comparison);
    if (strcmp(text_string(&words), text_string(&kind)) == 0) /* no call differs */
        text_add(&kind, "; %s", test->name);
    text_add(&kind, ": %s", expect ? expect : "");
    const struct nearest_test item = {.name = arena_copy(arena, test->name),
                                      .expect = arena_copy(arena, expect ? expect : ""),
                                      .differs = arena_copy(arena, text_string(&words)),
                                      .kind = arena_copy(arena, text_string(&kind)),
                                      .distance = nearness->distance};
    text_release(&words);
    text_release(&kind);
    return item;
}

static bool is_full(const struct nearest_test *list, size_t count, size_t maximum, unsigned distance)
{
    return count == maximum && distance >= list[maximum - 1].distance;
}

static void consider(const struct shape *shape, const struct shape *other, struct arena *arena,
                     struct nearest_found *found)
{
    struct nearness nearness = {.a = shape, .b = other, .distance = UINT32_MAX};
    const char *expect = litmus_metadata(other->test, "Expect");
    if (!other->fits || other->threads != shape->threads)
        return;
    try_threads(&nearness, 0, 0);
    if (nearness.distance == UINT32_MAX || nearness.distance == 0)
        return;
    const bool forbidden = litmus_claim(other->test) == LITMUS_CLAIM_FORBIDDEN;
    const bool opposite = expect && *found->expect && forbidden != (strcmp(found->expect, "forbidden") == 0);
    const bool any = !is_full(found->any, found->any_count, NEAREST_MAXIMUM, nearness.distance),
               of_other = opposite && !is_full(found->other, found->other_count, NEAREST_OTHER, nearness.distance);
    if (!any && !of_other)
        return;
    const struct nearest_test item = describe_test(&nearness, arena);
    if (any)
        insert(found->any, &found->any_count, NEAREST_MAXIMUM, item);
    if (of_other)
        insert(found->other, &found->other_count, NEAREST_OTHER, item);
}

static bool is_among(const struct nearest_test *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

/* Tests with the other verdict enter the list first; then it is filled up. */
static void choose(const struct nearest_found *found, struct nearest_test *list, size_t *count)
{
    for (size_t i = 0; i < found->other_count; i++)
        insert(list, count, NEAREST_MAXIMUM, found->other[i]);
    for (size_t i = 0; i < found->any_count && *count < NEAREST_MAXIMUM; i++)
        if (!is_among(list, *count, found->any[i].name))
            insert(list, count, NEAREST_MAXIMUM, found->any[i]);
}

/* The test itself, and any test without such differences, has distance 0 and is left out. */
enum status nearest_find(const struct litmus_test *test, bool allowed, struct arena *arena,
                         struct nearest_test **nearest, size_t *count, struct error *error)
{
    struct catalogue catalogue;
    enum status status = STATUS_OK;
    struct shape *shape = arena_take(arena, 1, sizeof *shape), *other = arena_take(arena, 1, sizeof *other);
    *nearest = arena_take(arena, NEAREST_MAXIMUM, sizeof **nearest);
    *count = 0;
    shape_make(test, shape);
    if (!shape->fits)
        return STATUS_OK;
    struct nearest_found found = {.expect = allowed ? "allowed" : "forbidden"};
    catalogue_open(&catalogue);
    for (size_t i = 0; i < catalogue.count && status == STATUS_OK; i++) {
        const struct catalogue_entry *entry = &catalogue.entries[i];
        struct litmus_test *candidate;
        if (entry->dialect != test->dialect)
            continue;
        status = template_test(entry->template, entry->instance, &candidate, error);
        if (status != STATUS_OK)
            break;
        shape_make(candidate, other);
        consider(shape, other, arena, &found);
        litmus_release(candidate);
    }
    catalogue_release(&catalogue);
    choose(&found, *nearest, count);
    return status;
}
