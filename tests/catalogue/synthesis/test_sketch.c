// SPDX-License-Identifier: Apache-2.0
/* Protects sketches: one form for all that are equal up to names, what is left when something is left out, and that the
 * test of a sketch, printed and read again, is that sketch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "catalogue/synthesis/sketch.h"
#include "catalogue/synthesis/strength.h"

enum { RANDOM_SKETCHES = 2000 };

/* A barrier at a random place of a thread. */
static void insert_barrier(struct random *random, struct sketch *sketch, unsigned thread)
{
    unsigned first = 0, count = 0;
    for (unsigned i = 0; i < sketch->count; i++) {
        first += sketch->thread[i] < thread;
        count += sketch->thread[i] == thread;
    }
    const unsigned at = first + random_below(random, count + 1);
    memmove(&sketch->kind[at + 1], &sketch->kind[at], sketch->count - at);
    memmove(&sketch->thread[at + 1], &sketch->thread[at], sketch->count - at);
    memmove(&sketch->location[at + 1], &sketch->location[at], sketch->count - at);
    sketch->kind[at] = SKETCH_BARRIER;
    sketch->thread[at] = (uint8_t)thread;
    sketch->location[at] = SKETCH_NOWHERE;
    sketch->count++;
}

/* A program with an outcome, of a model's row. In a third of those whose model has barriers, the first two threads
 * meet; where the model tells local from global memory, any locations are local, and a third of the programs have one
 * group. */
static void draw_sketch(struct random *random, const struct strength_row *row, struct sketch *sketch,
                        struct outcome *outcome)
{
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    do {
        *sketch = (struct sketch){.count = (uint8_t)(2 + random_below(random, 5))};
        for (unsigned i = 0; i < sketch->count; i++) {
            const uint8_t last = i == 0 ? 0 : sketch->thread[i - 1];
            sketch->thread[i] = i == 0 || last == 2 ? last : (uint8_t)(last + random_below(random, 2));
            sketch->kind[i] = (uint8_t)random_below(random, 3);
            sketch->location[i] = (uint8_t)random_below(random, 3);
        }
        sketch->threads = sketch->thread[sketch->count - 1] + 1;
        sketch->locations = 3;
        for (unsigned i = 0; i < sketch->threads; i++)
            sketch->group[i] = (uint8_t)i;
        if (row->barriers && sketch->threads > 1 && random_below(random, 3) == 0) {
            sketch->group[1] = 0;
            insert_barrier(random, sketch, 0);
            insert_barrier(random, sketch, 1);
        }
        sketch->local = row->regions ? (uint8_t)random_below(random, 8) : 0;
        if (sketch->local && random_below(random, 3) == 0 && sketch_barriers(sketch) == 0)
            memset(sketch->group, 0, sizeof sketch->group);
        for (unsigned i = 0; i < sketch->count; i++) {
            size_t count = strength_of_access(row, (enum sketch_kind)sketch->kind[i],
                                              sketch_earlier_read(sketch, i) >= 0, true, levels);
            sketch->strength[i] = levels[random_below(random, (uint32_t)count)];
            count = strength_of_fence(row, true, levels);
            sketch->fence[i] = sketch_starts(sketch, i) ? 0 : levels[random_below(random, (uint32_t)count)];
        }
        sketch_normalise(sketch, NULL); /* locations that nothing accesses are not local */
    } while (sketch->threads == 1 || !strength_fits(row, sketch) || !sketch_shares_local(sketch) ||
             (sketch->local == 0 && sketch_barriers(sketch) == 0 && sketch->group[1] == 0));
    outcome_of_number(sketch, random_below(random, (uint32_t)outcome_count(sketch)), outcome);
    sketch_normalise(sketch, outcome);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const models[] = {"ptx", "opencl", "rc11", "vulkan"};
    struct random random = random_start(1, 0, 0, 0);
    for (unsigned i = 0; i < RANDOM_SKETCHES; i++) {
        const struct strength_row *row = strength_row_of(models[i % 4], LITMUS_NONE);
        struct sketch sketch, again;
        struct outcome outcome, outcome_again;
        struct text text = {0};
        struct litmus_test *parsed;
        struct error error;
        draw_sketch(&random, row, &sketch, &outcome);
        struct litmus_test *test = sketch_test(row->dialect, &sketch, &outcome);
        litmus_print(test, &text);
        if (litmus_parse("test", text_string(&text), text.size, &parsed, &error) != STATUS_OK)
            fail_msg("%s\n%s", error.text, text_string(&text));
        if (!sketch_of_test(parsed, &again, &outcome_again, NULL))
            fail_msg("no sketch:\n%s", text_string(&text));
        sketch_normalise(&again, &outcome_again);
        if (memcmp(&sketch, &again, sizeof sketch) != 0 || memcmp(&outcome, &outcome_again, sizeof outcome) != 0)
            fail_msg("another sketch:\n%s", text_string(&text));
        litmus_release(parsed);
        litmus_release(test);
        text_release(&text);
    }
}

/* Two threads that read and write: SB with a read-modify-write, whose threads are exchanged below. */
static struct sketch store_buffering(void)
{
    return (struct sketch){.count = 4,
                           .threads = 2,
                           .locations = 2,
                           .kind = {SKETCH_UPDATE, SKETCH_READ, SKETCH_WRITE, SKETCH_READ},
                           .thread = {0, 0, 1, 1},
                           .location = {0, 1, 1, 0},
                           .group = {0, 1}};
}

static void test_symmetry(void **state)
{
    (void)state;
    struct sketch one = store_buffering(), other = one;
    other.kind[0] = SKETCH_WRITE;
    other.kind[2] = SKETCH_UPDATE;
    sketch_normalise(&one, NULL);
    sketch_normalise(&other, NULL);
    assert_memory_equal(&one, &other, sizeof one);
    assert_true(sketch_is_normal(&one));
    other.kind[3] = SKETCH_WRITE;
    sketch_normalise(&other, NULL);
    assert_memory_not_equal(&one, &other, sizeof one);
}

static void test_removal(void **state)
{
    (void)state;
    /* Wx; Wx; Rx || Rx: the read of the first write reads what was before it, that of the last anything. */
    struct sketch sketch = {.count = 4,
                            .threads = 2,
                            .locations = 1,
                            .kind = {SKETCH_WRITE, SKETCH_WRITE, SKETCH_READ, SKETCH_READ},
                            .thread = {0, 0, 0, 1},
                            .fence = {0, SKETCH_ACQUIRES, SKETCH_RELEASES, 0},
                            .group = {0, 1}};
    struct outcome outcome;
    memset(&outcome, OUTCOME_OPEN, sizeof outcome);
    outcome.source[2] = 1;
    outcome.source[3] = 0;
    outcome.last[0] = 1;
    struct sketch less = sketch;
    struct outcome left = outcome;
    sketch_remove(&less, &left, 0);
    assert_int_equal(less.count, 3);
    assert_int_equal(left.source[1], 0);
    assert_int_equal(left.source[2], OUTCOME_INITIAL);
    assert_int_equal(left.last[0], OUTCOME_OPEN);
    assert_int_equal(less.fence[1], SKETCH_RELEASES);
    less = sketch;
    left = outcome;
    sketch_remove(&less, &left, 1);
    assert_int_equal(left.source[1], OUTCOME_OPEN);
    assert_int_equal(left.source[2], 0);
    assert_int_equal(less.fence[1], SKETCH_ACQUIRES | SKETCH_RELEASES);
    less = sketch;
    left = outcome;
    sketch_remove(&less, &left, 3);
    assert_int_equal(less.threads, 1);
}

/* A barrier goes for all threads that meet, with the fences beside it joined; or becomes fences, but for one at an
 * end. */
static void test_barriers(void **state)
{
    (void)state;
    /* Wx; B || B; F; Rx || Wx, the first two in a group. */
    const struct sketch sketch = {.count = 5,
                                  .threads = 3,
                                  .locations = 1,
                                  .kind = {SKETCH_WRITE, SKETCH_BARRIER, SKETCH_BARRIER, SKETCH_READ, SKETCH_WRITE},
                                  .thread = {0, 0, 1, 1, 2},
                                  .location = {0, SKETCH_NOWHERE, SKETCH_NOWHERE, 0, 0},
                                  .strength = {0, SKETCH_RELEASES, SKETCH_ACQUIRES, 0, 0},
                                  .fence = {0, 0, 0, SKETCH_ACQUIRES, 0},
                                  .group = {0, 0, 1}};
    struct sketch less = sketch;
    struct outcome outcome;
    assert_true(sketch_meets(&sketch));
    assert_int_equal(sketch_barriers(&sketch), 2);
    outcome_of_number(&sketch, 1, &outcome);
    assert_int_equal(outcome.source[3], 0);
    sketch_remove(&less, &outcome, 2);
    assert_int_equal(less.count, 3);
    assert_int_equal(sketch_barriers(&less), 0);
    assert_int_equal(outcome.source[1], 0);
    assert_int_equal(less.fence[1], 0);
    /* Without its access the first thread is still there, to meet. */
    less = sketch;
    sketch_remove(&less, &outcome, 0);
    assert_int_equal(less.threads, 3);
    assert_true(sketch_meets(&less));
    /* Wx; B; Wx || B; Rx: only the first thread gets a fence. */
    less = sketch;
    less.kind[2] = SKETCH_WRITE;
    less.thread[2] = less.location[2] = less.strength[2] = 0;
    less.kind[3] = SKETCH_BARRIER;
    less.location[3] = SKETCH_NOWHERE;
    less.thread[4] = 1;
    less.fence[3] = 0;
    less.threads = 2;
    outcome_of_number(&less, 0, &outcome);
    sketch_part(&less, &outcome, 3);
    assert_int_equal(less.count, 3);
    assert_int_equal(less.fence[1], SKETCH_RELEASES);
    assert_int_equal(less.fence[2], 0);
}

/* Threads that share local memory stay in one group; which locations are local follows their names. */
static void test_local(void **state)
{
    (void)state;
    struct sketch sketch = store_buffering(), other = sketch;
    struct outcome outcome;
    sketch.group[1] = 0;
    sketch.local = 2;
    assert_true(sketch_shares_local(&sketch));
    other.local = 2;
    assert_false(sketch_shares_local(&other));
    other = sketch;
    assert_false(sketch_separate(&other, 1));
    outcome_of_number(&sketch, 0, &outcome);
    sketch_remove(&sketch, &outcome, 0);
    assert_int_equal(sketch.local, 1);
    sketch_remove(&sketch, &outcome, 1);
    sketch_remove(&sketch, &outcome, 0);
    assert_int_equal(sketch.local, 0);
}

/* Fences of OPENCL name global memory, and where tests have local memory either or both. No level comes before a weaker
 * one. */
static void test_levels(void **state)
{
    (void)state;
    static const char *const models[] = {"ptx", "opencl", "rc11", "vulkan"};
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    for (unsigned i = 0; i < 4; i++) {
        const struct strength_row *row = strength_row_of(models[i], LITMUS_NONE);
        const size_t count = strength_of_fence(row, true, levels);
        for (size_t high = 0; high < count; high++)
            for (size_t low = high + 1; low < count; low++)
                assert_false(strength_is_within(levels[low], levels[high]));
        /* Each of 8 orders with a scope has three levels in place of one. */
        assert_int_equal(count - strength_of_fence(row, false, levels), row->regions ? 16 : 0);
    }
    const struct strength_row *opencl = strength_row_of("opencl", LITMUS_NONE);
    assert_int_equal(strength_of_access(opencl, SKETCH_BARRIER, false, false, levels), 3);
    assert_int_equal(strength_of_access(opencl, SKETCH_BARRIER, false, true, levels), 7);
}

static void test_split(void **state)
{
    (void)state;
    struct sketch sketch = store_buffering();
    struct outcome outcome;
    outcome_of_number(&sketch, 0, &outcome);
    outcome.source[3] = 0;
    sketch.strength[0] = SKETCH_ATOMIC | SKETCH_ACQUIRES | SKETCH_RELEASES | SKETCH_WIDE;
    assert_true(sketch_split(&sketch, &outcome, 0));
    assert_int_equal(sketch.count, 5);
    assert_int_equal(sketch.kind[0], SKETCH_READ);
    assert_int_equal(sketch.kind[1], SKETCH_WRITE);
    assert_int_equal(sketch.strength[0], SKETCH_ATOMIC | SKETCH_ACQUIRES | SKETCH_WIDE);
    assert_int_equal(sketch.strength[1], SKETCH_ATOMIC | SKETCH_RELEASES | SKETCH_WIDE);
    assert_int_equal(outcome.source[0], OUTCOME_INITIAL);
    assert_int_equal(outcome.source[4], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_symmetry), cmocka_unit_test(test_removal),
        cmocka_unit_test(test_barriers),   cmocka_unit_test(test_split),    cmocka_unit_test(test_local),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
