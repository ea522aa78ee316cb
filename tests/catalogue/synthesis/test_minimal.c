// SPDX-License-Identifier: Apache-2.0
/* Protects soundness and completeness: what theory knows is found and nothing else, inference finds what asking about
 * every program finds, a search that was stopped finds the rest when it goes on, and each test that is given is minimal
 * when it is read again from its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "catalogue/synthesis/lattice.h"
#include "catalogue/synthesis/sketch.h"
#include "catalogue/synthesis/strength.h"
#include "catalogue/synthesis/synthesis.h"

enum { MOST_TESTS = 512 };

struct found {
    const struct model *model;
    char *names[MOST_TESTS], *keys[MOST_TESTS];
    size_t count;
};

static struct model *load(const char *name)
{
    struct model *model;
    struct error error;
    assert_int_equal(model_load(name, &model, &error), STATUS_OK);
    return model;
}

/* Reads the test again and examines it; keeps its name and key. */
static enum status keep(const struct litmus_test *test, bool is_known, void *context, struct error *error)
{
    struct found *found = context;
    struct text text = {0}, key = {0}, spare = {0};
    struct litmus_test *again, *contained;
    assert_false(is_known);
    litmus_print(test, &text);
    assert_int_equal(litmus_parse("test", text_string(&text), text.size, &again, error), STATUS_OK);
    assert_true(synthesis_key(again, &key));
    assert_int_equal(synthesis_examine(found->model, again, &spare, &contained), SYNTHESIS_MINIMAL);
    assert_true(found->count < MOST_TESTS);
    found->names[found->count] = memory_copy(test->name);
    found->keys[found->count++] = text_take(&key);
    litmus_release(again);
    text_release(&text);
    text_release(&spare);
    return STATUS_OK;
}

static struct synthesis_counts find(const struct model *forbid, const struct model *allow, struct synthesis_bound bound,
                                    struct found *found)
{
    struct synthesis_counts counts;
    struct error error;
    bool complete;
    *found = (struct found){.model = forbid};
    const struct synthesis_request request = {
        .forbid = forbid, .allow = allow, .dialect = LITMUS_NONE, .bound = bound, .take = keep, .context = found};
    assert_int_equal(synthesise(&request, &counts, &complete, &error), STATUS_OK);
    assert_true(complete);
    assert_int_equal(counts.tests, found->count);
    return counts;
}

static void release(struct found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        free(found->names[i]);
        free(found->keys[i]);
    }
}

static void has_names(const struct found *found, const char *const *names, size_t count)
{
    assert_int_equal(found->count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(found->names[i], names[i]);
}

#define HAS_NAMES(found, ...)                                                                                          \
    has_names(&(found), (const char *const[]){__VA_ARGS__},                                                            \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* The five shapes of coherence, and the six critical cycles of two threads (Shasha and Snir). More accesses add
 * nothing. */
static void test_sc(void **state)
{
    (void)state;
    struct found found;
    struct model *sc = load("sc");
    (void)find(sc, NULL, (struct synthesis_bound){.threads = 2, .accesses = 6}, &found);
    HAS_NAMES(found, "Rx.rlx-Wx.rlx+1", "Wx.rlx-Rx.rlx+0", "Wx.rlx-Wx.rlx+x1", "CoRR+relaxed", "CoRW2+relaxed",
              "MP+relaxed", "LB+relaxed", "S+relaxed", "SB+relaxed", "R+relaxed", "2+2W+relaxed");
    release(&found);
    model_release(sc);
}

/* Without the two cycles with a write before a read, which come back with a fence or a read-modify-write. */
static void test_tso(void **state)
{
    (void)state;
    struct found found;
    struct model *sc = load("sc"), *tso = load("tso");
    (void)find(tso, NULL, (struct synthesis_bound){.threads = 2, .accesses = 6}, &found);
    HAS_NAMES(found, "Rx.rlx-Wx.rlx+1", "Wx.rlx-Rx.rlx+0", "Wx.rlx-Wx.rlx+x1", "CoRR+relaxed", "CoRW2+relaxed",
              "MP+relaxed", "LB+relaxed", "S+relaxed", "2+2W+relaxed");
    release(&found);
    (void)find(tso, NULL, (struct synthesis_bound){.threads = 2, .accesses = 4, .fences = 4}, &found);
    HAS_NAMES(found, "Rx.rlx-Wx.rlx+1", "Wx.rlx-Rx.rlx+0", "Wx.rlx-Wx.rlx+x1", "CoRR+relaxed", "CoRW2+relaxed",
              "MP+relaxed", "LB+relaxed", "S+relaxed", "SB+fencesc", "R+relaxed+fencesc", "2+2W+relaxed");
    release(&found);
    (void)find(sc, tso, (struct synthesis_bound){.threads = 2, .accesses = 6}, &found);
    HAS_NAMES(found, "SB+relaxed", "R+relaxed");
    release(&found);
    model_release(sc);
    model_release(tso);
}

/* Two accesses of a location with a barrier between them are in order: one thread reads no write from after it and
 * misses no write from before it, and the later write is the last. Where barriers have orders, one release and one
 * acquire are enough. */
static void test_barriers(void **state)
{
    (void)state;
    struct found found;
    struct model *ptx = load("ptx"), *opencl = load("opencl"), *vulkan = load("vulkan");
    const struct synthesis_bound bound = {.threads = 2, .accesses = 2, .barriers = 1};
    (void)find(ptx, NULL, bound, &found);
    HAS_NAMES(found, "Rx-Wx+1", "Rx-B+B-Wx+g00+1", "Wx-Rx+0", "Wx-Wx+x1", "Wx-B+B-Rx+g00+0", "Wx-B+B-Wx+g00+x1");
    release(&found);
    (void)find(opencl, NULL, bound, &found);
    HAS_NAMES(found, "Rx-Wx+1", "Rx-B.global.wg+B.global.wg-Wx+g00+1", "Wx-Rx+0", "Wx-Wx+x1",
              "Wx-B.global.wg+B.global.wg-Rx+g00+0", "Wx-B.global.wg+B.global.wg-Wx+g00+x1");
    release(&found);
    (void)find(vulkan, NULL, bound, &found);
    HAS_NAMES(found, "Rx-Wx+1", "Rx-B.rel.wg+B.acq.wg-Wx+g00+1", "Wx-Rx+0", "Wx-Wx+x1", "Wx-B.rel.wg+B.acq.wg-Rx+g00+0",
              "Wx-B.rel.wg+B.acq.wg-Wx+g00+x1");
    release(&found);
    model_release(ptx);
    model_release(opencl);
    model_release(vulkan);
}

/* Local memory needs the tests that global memory needs, with barriers whose flag names it. */
static void test_local(void **state)
{
    (void)state;
    struct found found;
    struct model *ptx = load("ptx"), *opencl = load("opencl");
    const struct synthesis_bound bound = {.threads = 2, .accesses = 2, .barriers = 1, .local = 1};
    (void)find(opencl, NULL, bound, &found);
    HAS_NAMES(found, "Rx-Wx+1", "Rx-Wx+local+1", "Rx-B.global.wg+B.global.wg-Wx+g00+1",
              "Rx-B.local.wg+B.local.wg-Wx+local+g00+1", "Wx-Rx+0", "Wx-Rx+local+0", "Wx-Wx+x1", "Wx-Wx+local+x1",
              "Wx-B.global.wg+B.global.wg-Rx+g00+0", "Wx-B.local.wg+B.local.wg-Rx+local+g00+0",
              "Wx-B.global.wg+B.global.wg-Wx+g00+x1", "Wx-B.local.wg+B.local.wg-Wx+local+g00+x1");
    release(&found);
    (void)find(ptx, NULL, bound, &found);
    assert_int_equal(found.count, 6); /* as in test_barriers: this model does not tell local memory apart */
    release(&found);
    model_release(ptx);
    model_release(opencl);
}

/* Of four accesses, those without a fence come first, although the search finds others before them. */
static void test_sizes(void **state)
{
    (void)state;
    struct found found;
    struct model *weak = load("ptx"), *strong = load("ptx-strengthened");
    (void)find(strong, weak, (struct synthesis_bound){.threads = 2, .accesses = 4, .fences = 2}, &found);
    HAS_NAMES(found, "CoRR+porlxpln+cta", "2+2W+rel", "R+rel+fencesc", "2+2W+fencear+rel", "R+fencear+fencesc",
              "2+2W+fencear");
    release(&found);
    model_release(weak);
    model_release(strong);
}

/* ---- a search that asks about every program ---- */

struct everything {
    struct oracle *oracle;
    const struct strength_row *row;
    const struct synthesis_bound *bound;
    const struct found *found;
    struct sketch sketch;
    size_t minimal, missing;
};

static bool forms_are_allowed(struct everything *all, const struct outcome *outcome)
{
    struct weaker weaker = {.next = 0};
    while (weaker_next(all->row, &all->sketch, outcome, &weaker))
        if (oracle_forbids(all->oracle, &weaker.sketch, &weaker.outcome))
            return false;
    return true;
}

static void judge_program(struct everything *all)
{
    struct outcome outcome;
    for (size_t number = 0; number < outcome_count(&all->sketch); number++) {
        outcome_of_number(&all->sketch, number, &outcome);
        if (!oracle_forbids(all->oracle, &all->sketch, &outcome) || !forms_are_allowed(all, &outcome))
            continue;
        struct sketch normal = all->sketch;
        struct text key = {0};
        bool found = false;
        sketch_normalise(&normal, &outcome);
        sketch_key(all->row->dialect, &normal, &outcome, &key);
        for (size_t i = 0; i < all->found->count; i++)
            found |= strcmp(all->found->keys[i], text_string(&key)) == 0;
        all->minimal++;
        all->missing += !found;
        text_release(&key);
    }
}

/* Gives access number `at` and the gap before it every strength, then the next one. */
static void choose(struct everything *all, unsigned at)
{
    struct sketch *sketch = &all->sketch;
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS], fences[STRENGTH_MAXIMUM_LEVELS];
    if (at == sketch->count) {
        if (sketch_fences(sketch) <= all->bound->fences && strength_fits(all->row, sketch))
            judge_program(all);
        return;
    }
    const bool local = all->bound->local > 0;
    const size_t count = strength_of_access(all->row, (enum sketch_kind)sketch->kind[at], false, local, levels);
    const size_t fence_count = sketch_starts(sketch, at) ? 1 : strength_of_fence(all->row, local, fences);
    fences[0] = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < fence_count; k++) {
            sketch->strength[at] = levels[i];
            sketch->fence[at] = fences[k];
            choose(all, at + 1);
        }
    sketch->strength[at] = sketch->fence[at] = 0;
}

static bool choose_all(const struct sketch *skeleton, void *context)
{
    struct everything *all = context;
    all->sketch = *skeleton;
    choose(all, 0);
    return true;
}

static void compare_with_everything(const char *name, struct synthesis_bound bound)
{
    struct found found;
    struct model *model = load(name);
    const struct synthesis_counts counts = find(model, NULL, bound, &found);
    const struct strength_row *row = strength_row_of(name, LITMUS_NONE);
    struct oracle oracle = {.model = model, .dialect = row->dialect};
    struct everything all = {.oracle = &oracle, .row = row, .bound = &bound, .found = &found};
    for (unsigned n = 1; n <= bound.accesses; n++)
        skeletons_each(n, &bound, row, choose_all, &all);
    assert_int_equal(all.missing, 0);
    assert_true(all.minimal >= found.count); /* a symmetric skeleton has a test several times */
    assert_true(found.count > 0);
    assert_int_equal(counts.contradictions, 0);
    assert_true(counts.judged < oracle.judged);
    oracle_release(&oracle);
    release(&found);
    model_release(model);
}

static void test_inference(void **state)
{
    (void)state;
    compare_with_everything("ptx", (struct synthesis_bound){.threads = 2, .accesses = 3, .fences = 1});
    compare_with_everything("rc11", (struct synthesis_bound){.threads = 2, .accesses = 3, .updates = 1});
    compare_with_everything("vulkan", (struct synthesis_bound){.threads = 2, .accesses = 3, .fences = 1});
    compare_with_everything("ptx", (struct synthesis_bound){.threads = 3, .accesses = 3, .barriers = 1});
    compare_with_everything("vulkan",
                            (struct synthesis_bound){.threads = 2, .accesses = 2, .fences = 1, .barriers = 1});
    compare_with_everything("opencl", (struct synthesis_bound){.threads = 2, .accesses = 3, .local = 2});
    compare_with_everything("opencl", (struct synthesis_bound){.threads = 2, .accesses = 2, .barriers = 1, .local = 2});
    compare_with_everything("tso", (struct synthesis_bound){.threads = 3, .accesses = 4, .fences = 2, .updates = 1});
}

/* In opencl a wider scope on one side does not synchronise with a narrow one on the other, so nothing follows from it:
 * message passing with a release fence for local memory and an acquire is found. */
static void test_same_scopes(void **state)
{
    (void)state;
    struct model *opencl = load("opencl");
    struct oracle oracle = {.model = opencl, .dialect = LITMUS_OPENCL};
    const struct synthesis_bound bound = {.threads = 2, .accesses = 4, .fences = 1, .local = 2};
    struct sketch wanted = {.count = 4,
                            .threads = 2,
                            .locations = 2,
                            .local = 3,
                            .kind = {SKETCH_READ, SKETCH_READ, SKETCH_WRITE, SKETCH_WRITE},
                            .thread = {0, 0, 1, 1},
                            .location = {0, 1, 1, 0}};
    struct lattice lattice = {
        .row = strength_row_of("opencl", LITMUS_NONE), .bound = &bound, .oracle = &oracle, .skeleton = wanted};
    const uint8_t strength[] = {SKETCH_ATOMIC | SKETCH_ACQUIRES, SKETCH_ATOMIC, SKETCH_ATOMIC, SKETCH_ATOMIC};
    unsigned found = 0;
    memcpy(wanted.strength, strength, sizeof strength);
    wanted.fence[3] = SKETCH_RELEASES | SKETCH_ON_LOCAL;
    assert_true(lattice_explore(&lattice, NULL, NULL));
    for (size_t at = 0; at < lattice.count; at++)
        for (size_t i = 0; i < lattice.outcomes && memcmp(&lattice.asked[at].sketch, &wanted, sizeof wanted) == 0; i++)
            found += lattice_is_weakest(&lattice, at, i);
    assert_int_equal(found, 1);
    arena_release(&lattice.arena);
    oracle_release(&oracle);
    model_release(opencl);
}

/* The parts of a search have every test once. */
static void test_shards(void **state)
{
    (void)state;
    struct found whole, part;
    struct synthesis_counts counts;
    struct error error;
    bool complete;
    struct model *tso = load("tso");
    const struct synthesis_bound bound = {.threads = 2, .accesses = 4, .fences = 2};
    (void)find(tso, NULL, bound, &whole);
    size_t sum = 0;
    for (unsigned shard = 0; shard < 3; shard++) {
        part = (struct found){.model = tso};
        const struct synthesis_request request = {.forbid = tso,
                                                  .dialect = LITMUS_NONE,
                                                  .bound = bound,
                                                  .shard = shard,
                                                  .shards = 3,
                                                  .take = keep,
                                                  .context = &part};
        assert_int_equal(synthesise(&request, &counts, &complete, &error), STATUS_OK);
        sum += part.count;
        release(&part);
    }
    assert_int_equal(sum, whole.count);
    release(&whole);
    model_release(tso);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sc),    cmocka_unit_test(test_tso),         cmocka_unit_test(test_inference),
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_shards),      cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_local), cmocka_unit_test(test_same_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
