// SPDX-License-Identifier: Apache-2.0
/* Names: the catalogue's, a cycle's, or the accesses of the test in words. */
#include "catalogue/cycles/variant.h"
#include "catalogue/synthesis/strength.h"
#include "litmus/dialects.h"

struct ring {
    const struct sketch *sketch;
    const struct outcome *outcome;
    enum litmus_dialect dialect;
    const char *key;
    uint8_t threads[SKETCH_MAXIMUM_THREADS];                              /* in the order of the ring */
    unsigned first[SKETCH_MAXIMUM_THREADS], last[SKETCH_MAXIMUM_THREADS]; /* accesses, by thread */
    bool any_turn; /* also from another thread than the usual first one */
    struct text *name;
};

/* Does a write come before another in coherence, as far as the outcome tells? */
static bool sketch_name_is_before(const struct ring *ring, uint8_t a, unsigned b)
{
    const struct sketch *sketch = ring->sketch;
    const unsigned location = sketch->location[b];
    if (a == OUTCOME_INITIAL)
        return true;
    return a != b && sketch_write_count(sketch, location) == 2 && ring->outcome->last[location] == b;
}

/* How the outcome lets one access come before another of its location. */
static bool find_communication(const struct ring *ring, unsigned from, unsigned to, enum cycle_relation *relation)
{
    const struct sketch *sketch = ring->sketch;
    if (sketch->location[from] != sketch->location[to] || sketch->kind[from] == SKETCH_UPDATE ||
        sketch->kind[to] == SKETCH_UPDATE)
        return false;
    if (sketch_writes(sketch, from)) {
        *relation = sketch_writes(sketch, to) ? CYCLE_CO : CYCLE_RF;
        return *relation == CYCLE_CO ? sketch_name_is_before(ring, (uint8_t)from, to)
                                     : ring->outcome->source[to] == from;
    }
    *relation = CYCLE_FR;
    return sketch_writes(sketch, to) && ring->outcome->source[from] != to &&
           sketch_name_is_before(ring, ring->outcome->source[from], to);
}

static struct cycle_edge edge_between(const struct ring *ring, unsigned from, unsigned to)
{
    const struct sketch *sketch = ring->sketch;
    const uint8_t strength = sketch->strength[to];
    struct cycle_edge edge = {.relation = CYCLE_PO, .same_location = sketch->location[from] == sketch->location[to]};
    if (strength & SKETCH_DEPENDS)
        edge.relation = strength & SKETCH_ADDRESS ? CYCLE_ADDRESS : strength & SKETCH_DATA ? CYCLE_DATA : CYCLE_CONTROL;
    if (sketch->fence[to]) {
        edge.relation = CYCLE_FENCE;
        edge.fence = strength_order(sketch->fence[to]);
        edge.fence_scope =
            sketch->fence[to] & SKETCH_WIDE || !dialects[ring->dialect].has_scopes ? LITMUS_DEVICE : LITMUS_WORK_GROUP;
    }
    return edge;
}

static void sketch_name_add_event(const struct ring *ring, struct cycle *cycle, unsigned access, struct cycle_edge edge)
{
    cycle->events[cycle->count] =
        (struct cycle_event){.direction = ring->sketch->kind[access] == SKETCH_READ ? CYCLE_READ : CYCLE_WRITE,
                             .ordered = true,
                             .order = strength_order(ring->sketch->strength[access])};
    cycle->edges[cycle->count++] = edge;
}

static bool make_cycle(const struct ring *ring, struct cycle *cycle)
{
    *cycle = (struct cycle){0};
    for (unsigned i = 0; i < ring->sketch->threads; i++) {
        const unsigned thread = ring->threads[i], next = ring->threads[(i + 1) % ring->sketch->threads];
        struct cycle_edge out = {.external = true, .same_location = true};
        if (!find_communication(ring, ring->last[thread], ring->first[next], &out.relation))
            return false;
        for (unsigned access = ring->first[thread]; access < ring->last[thread]; access++)
            sketch_name_add_event(ring, cycle, access, edge_between(ring, access, access + 1));
        sketch_name_add_event(ring, cycle, ring->last[thread], out);
    }
    struct error error;
    return cycle_check(cycle, &error) == STATUS_OK;
}

/* The widest scope that an access has: the one of the variant. */
static enum litmus_scope access_scope(const struct ring *ring)
{
    bool narrow = false;
    for (unsigned i = 0; i < ring->sketch->count; i++) {
        const uint8_t strength = ring->sketch->strength[i];
        narrow |= (strength & SKETCH_ATOMIC) && !(strength & SKETCH_WIDE);
    }
    return narrow && dialects[ring->dialect].has_scopes ? LITMUS_WORK_GROUP : LITMUS_DEVICE;
}

/* Does the cycle begin with the thread that names begin with? */
static bool is_usual(const struct cycle *cycle)
{
    LOCAL(text) given = {0}, usual = {0};
    struct cycle normal = *cycle;
    cycle_normalize(&normal);
    cycle_print(cycle, &given);
    cycle_print(&normal, &usual);
    return strcmp(text_string(&given), text_string(&usual)) == 0;
}

/* The cycle's locations that are in local memory. Its events are the accesses, thread by thread of the ring. */
static unsigned find_local(const struct ring *ring, const struct cycle *cycle)
{
    const struct sketch *sketch = ring->sketch;
    unsigned locations[CYCLE_MAXIMUM_EDGES], local = 0, event = 0;
    (void)cycle_locations(cycle, locations);
    for (unsigned i = 0; i < sketch->threads; i++)
        for (unsigned access = ring->first[ring->threads[i]]; access <= ring->last[ring->threads[i]]; access++, event++)
            if (sketch->local >> sketch->location[access] & 1)
                local |= 1U << locations[event];
    return local;
}

/* Names the variant, if its test is the one that is wanted. */
static bool name_variant(const struct ring *ring, const struct cycle *cycle)
{
    struct variant variant;
    struct litmus_test *test;
    struct error error;
    LOCAL(text) key = {0};
    if (!ring->any_turn && !is_usual(cycle))
        return false;
    variant_of_cycle(cycle, ring->dialect, &variant);
    variant.scope = access_scope(ring);
    variant.plain = dialects[ring->dialect].has_semantics ? VARIANT_PLAIN_PRIVATE : VARIANT_PLAIN_SHOWN;
    /* Threads of one work-group; variants number groups by their first thread. */
    unsigned groups = 0;
    for (unsigned i = 0; i < ring->sketch->threads; i++) {
        variant.work_group[i] = groups;
        for (unsigned j = 0; j < i; j++)
            if (ring->sketch->group[ring->threads[j]] == ring->sketch->group[ring->threads[i]])
                variant.work_group[i] = variant.work_group[j];
        groups += variant.work_group[i] == groups;
    }
    variant.local = find_local(ring, cycle);
    if (variant_test(&variant, NULL, &test, &error) != STATUS_OK)
        return false;
    const bool same = synthesis_key(test, &key) && strcmp(text_string(&key), ring->key) == 0;
    if (same)
        text_add(ring->name, "%s", test->name);
    litmus_release(test);
    return same;
}

/* Tries the threads from place `at` on in every order. */
static bool try_rings(struct ring *ring, unsigned at)
{
    struct cycle cycle;
    if (at == ring->sketch->threads)
        return make_cycle(ring, &cycle) && name_variant(ring, &cycle);
    for (unsigned i = at; i < ring->sketch->threads; i++) {
        const uint8_t chosen = ring->threads[i];
        ring->threads[i] = ring->threads[at];
        ring->threads[at] = chosen;
        if (try_rings(ring, at + 1))
            return true;
        ring->threads[at] = ring->threads[i];
        ring->threads[i] = chosen;
    }
    return false;
}

/* Finds the variant of a cycle that is the test with this key, and appends its name. Returns false, and appends
 * nothing, if no variant is that test. */
static bool sketch_cycle_name(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                              const char *key, struct text *name)
{
    struct ring ring = {.sketch = sketch, .outcome = outcome, .dialect = dialect, .key = key, .name = name};
    if (sketch->threads < 2 || sketch_barriers(sketch) > 0)
        return false;
    for (unsigned i = 0; i < sketch->threads; i++)
        ring.threads[i] = (uint8_t)i;
    for (unsigned i = 0; i < sketch->count; i++) {
        ring.last[sketch->thread[i]] = i;
        if (sketch_starts(sketch, i))
            ring.first[sketch->thread[i]] = i;
    }
    if (try_rings(&ring, 0))
        return true;
    ring.any_turn = true;
    return try_rings(&ring, 0);
}

void sketch_key(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                struct text *key)
{
    text_add(key, "%d:", (int)dialect);
    for (size_t i = 0; i < sizeof *sketch; i++)
        text_add(key, "%02x", ((const unsigned char *)sketch)[i]);
    for (size_t i = 0; i < sizeof *outcome; i++)
        text_add(key, "%02x", ((const unsigned char *)outcome)[i]);
}

bool synthesis_key(const struct litmus_test *test, struct text *key)
{
    struct sketch sketch;
    struct outcome outcome;
    if (!sketch_of_test(test, &sketch, &outcome, NULL))
        return false;
    sketch_normalise(&sketch, &outcome);
    sketch_key(test->dialect, &sketch, &outcome, key);
    return true;
}

/* ---- in words ---- */

static const char *order_word(uint8_t strength, bool fence)
{
    static const char *const words[LITMUS_ORDER_COUNT] = {
        [LITMUS_PLAIN] = "",       [LITMUS_RELAXED] = ".rlx", [LITMUS_ACQUIRE] = ".acq",
        [LITMUS_RELEASE] = ".rel", [LITMUS_ACQ_REL] = ".ar",  [LITMUS_SEQ_CST] = ".sc"};
    const enum litmus_order order = strength_order(strength);
    return fence || order != LITMUS_PLAIN ? words[order] : "";
}

/* The memory that a fence or a barrier names: of a fence, global memory goes without saying. */
static void add_regions(uint8_t strength, bool fence, struct text *text)
{
    if (strength & SKETCH_ON_GLOBAL && (!fence || strength & SKETCH_ON_LOCAL))
        text_add(text, ".global");
    if (strength & SKETCH_ON_LOCAL)
        text_add(text, ".local");
}

static void add_strength(enum litmus_dialect dialect, uint8_t strength, bool fence, struct text *text)
{
    static const char *const narrow[LITMUS_DIALECT_COUNT] = {
        [LITMUS_OPENCL] = ".wg", [LITMUS_PTX] = ".cta", [LITMUS_VULKAN] = ".wg"};
    text_add(text, "%s", order_word(strength, fence));
    if (fence)
        add_regions(strength, true, text);
    if ((fence || strength & SKETCH_ATOMIC) && !(strength & SKETCH_WIDE) && narrow[dialect])
        text_add(text, "%s", narrow[dialect]);
    if (strength & SKETCH_DEPENDS && !fence)
        text_add(text, "%s", strength & SKETCH_ADDRESS ? ".addr" : strength & SKETCH_DATA ? ".data" : ".ctrl");
}

/* Every thread's accesses; what is in local memory; its group, if threads share one; what the reads return and the
 * locations end in. */
static void sketch_name_add_words(enum litmus_dialect dialect, const struct sketch *sketch,
                                  const struct outcome *outcome, struct text *text)
{
    bool grouped = false;
    for (unsigned i = 0; i < sketch->threads; i++)
        grouped |= sketch->group[i] != i;
    for (unsigned i = 0; i < sketch->count; i++) {
        if (i > 0)
            text_add(text, "%s", sketch_starts(sketch, i) ? "+" : "-");
        if (sketch->fence[i]) {
            text_add(text, "F");
            add_strength(dialect, sketch->fence[i], true, text);
            text_add(text, "-");
        }
        if (sketch->kind[i] == SKETCH_BARRIER) {
            text_add(text, "B");
            add_regions(sketch->strength[i], false, text);
            if (sketch->strength[i] != 0 && dialects[dialect].has_flags)
                text_add(text, "%s", sketch->strength[i] & SKETCH_WIDE ? "" : ".wg");
            else if (sketch->strength[i] != 0)
                add_strength(dialect, sketch->strength[i], true, text);
            continue;
        }
        text_add(text, "%c%c", "RWU"[sketch->kind[i]], "xyzabcde"[sketch->location[i]]);
        add_strength(dialect, sketch->strength[i] & (uint8_t) ~(sketch->strength[i] & SKETCH_ATOMIC ? 0 : SKETCH_WIDE),
                     false, text);
    }
    text_add(text, "%s", sketch->local ? "+local" : "");
    for (unsigned i = 0; i < sketch->locations && sketch->local + 1U != 1U << sketch->locations; i++)
        if (sketch->local >> i & 1)
            text_add(text, "%c", "xyzabcde"[i]);
    for (unsigned i = 0; i < sketch->threads && grouped; i++)
        text_add(text, "%s%u", i == 0 ? "+g" : "", sketch->group[i]);
    text_add(text, "+");
    static const char digits[] = "012345678";
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_reads(sketch, i))
            text_add(text, "%c",
                     outcome->source[i] < OUTCOME_INITIAL ? digits[sketch_value(sketch, outcome->source[i])] : '0');
    for (unsigned i = 0; i < sketch->locations; i++)
        if (outcome->last[i] < OUTCOME_INITIAL)
            text_add(text, "%c%c", "xyzabcde"[i], digits[sketch_value(sketch, outcome->last[i])]);
}

/* ---- the names that tests have in the catalogue ---- */

enum status known_tests_open(struct known_tests *known, enum litmus_dialect dialect, struct error *error)
{
    TRY(selection_all(&known->selection, error));
    known->keys = memory_take(known->selection.count + 1, sizeof *known->keys);
    for (size_t i = 0; i < known->selection.count; i++) {
        const struct litmus_test *test = known->selection.tests[i].test;
        LOCAL(text) key = {0};
        if (test->dialect == dialect && synthesis_key(test, &key)) {
            known->keys[i] = text_take(&key);
            hash_index_add(&known->index, hash_index_key(0, known->keys[i]), i);
        }
    }
    return STATUS_OK;
}

void known_tests_release(struct known_tests *known)
{
    for (size_t i = 0; known->keys && i < known->selection.count; i++)
        free(known->keys[i]);
    free(known->keys);
    hash_index_release(&known->index);
    selection_release(&known->selection);
}

/* The name of the first test with this key, or NULL. */
static const char *known_tests_name(const struct known_tests *known, const char *key)
{
    size_t step = 0, item;
    while (hash_index_next(&known->index, hash_index_key(0, key), &step, &item))
        if (strcmp(known->keys[item], key) == 0)
            return known->selection.tests[item].test->name;
    return NULL;
}

bool sketch_name(const struct sketch *sketch, const struct outcome *outcome, const struct known_tests *known,
                 struct litmus_test *test)
{
    LOCAL(text) key = {0}, name = {0};
    sketch_key(test->dialect, sketch, outcome, &key);
    const char *known_name = known ? known_tests_name(known, text_string(&key)) : NULL;
    if (known_name)
        text_add(&name, "%s", known_name);
    else if (!sketch_cycle_name(test->dialect, sketch, outcome, text_string(&key), &name))
        sketch_name_add_words(test->dialect, sketch, outcome, &name);
    test->name = arena_copy(&test->arena, text_string(&name));
    return known_name != NULL;
}
