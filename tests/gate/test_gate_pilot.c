// SPDX-License-Identifier: Apache-2.0
/* Protects: a pilot's batches, whatever the device's speed, give a job a number of instances that takes its share of
 * the time, in enough batches to compare them draw by draw; one disturbed batch changes little; a job that cannot have
 * enough batches says how long it needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gate/gate_suite.h"

enum { BATCHES = 24 };

/* The batches of a pilot of a device that needs `launch` seconds for a batch and `each` for an instance. */
static void play(struct pilot_batch batches[BATCHES], double launch, double each)
{
    for (size_t i = 0; i < BATCHES; i++) {
        batches[i].instances = UINT64_C(16) << i;
        batches[i].seconds = launch + each * (double)batches[i].instances;
    }
}

static const struct environment alone, mixed = {.batches = 3, .other_count = 1, .others = {{.batches = 1}}};

static double time_of(const struct pilot_choice *choice, double launch, double each)
{
    return (double)choice->instances / (double)choice->batch * launch + each * (double)choice->instances;
}

static void a_job_takes_its_share(void **state)
{
    (void)state;
    static const double speeds[] = {1e-6, 1e-7, 1e-8, 1e-9}, shares[] = {0.05, 0.3, 1};
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++) {
        for (size_t t = 0; t < sizeof shares / sizeof *shares; t++) {
            struct pilot_batch batches[BATCHES];
            play(batches, 2e-5, speeds[s]);
            const struct pilot_choice choice = pilot_choose(batches, BATCHES, shares[t], &alone);
            const double seconds = time_of(&choice, 2e-5, speeds[s]);
            assert_true(seconds > 0.4 * shares[t] && seconds <= shares[t]);
            assert_true(choice.instances >= ENVIRONMENT_BATCHES * (choice.batch - 1));
            assert_true(choice.needed <= 0);
        }
    }
}

static void members_of_a_portfolio_have_ten_batches(void **state)
{
    (void)state;
    struct pilot_batch batches[BATCHES];
    assert_int_equal(environment_least_batches(&alone, 10), 10);
    assert_int_equal(environment_least_batches(&mixed, 10), 40);
    assert_int_equal(environment_batch(&mixed, 4000), 100);
    assert_int_equal(environment_batch(&alone, 3000), 100);
    assert_int_equal(environment_batch(&alone, 7), 1);
    play(batches, 2e-5, 1e-8);
    const struct pilot_choice choice = pilot_choose(batches, BATCHES, 0.3, &mixed);
    assert_true(choice.instances >= 40 * (choice.batch - 1));
}

/* Where a batch costs far more than its instances, ten large ones see more than thirty small ones. */
static void dear_batches_are_fewer(void **state)
{
    (void)state;
    struct pilot_batch batches[BATCHES];
    play(batches, 0.02, 1e-8);
    const struct pilot_choice choice = pilot_choose(batches, BATCHES, 0.5, &alone);
    assert_true(choice.instances >= 10 * (choice.batch - 1) && choice.instances < 15 * choice.batch);
    assert_true(choice.needed <= 0);
}

static void a_disturbance_changes_little(void **state)
{
    (void)state;
    struct pilot_batch batches[BATCHES];
    play(batches, 2e-5, 1e-8);
    const struct pilot_choice before = pilot_choose(batches, BATCHES, 0.3, &alone);
    batches[12].seconds = 0.4;
    const struct pilot_choice after = pilot_choose(batches, BATCHES, 0.3, &alone);
    assert_true(after.instances * 2 > before.instances && after.instances < before.instances * 2);
}

static void what_does_not_fit_says_so(void **state)
{
    (void)state;
    struct pilot_batch batches[BATCHES];
    play(batches, 1, 0);
    const struct pilot_choice choice = pilot_choose(batches, BATCHES, 3, &alone);
    assert_true(choice.needed > 10 && choice.needed < 12);
    assert_int_equal(choice.batch, 16);
    assert_int_equal(choice.instances, 32); /* 2.7 s of 3 */
    assert_int_equal(pilot_choose(batches, 0, 3, &alone).instances, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_takes_its_share),     cmocka_unit_test(members_of_a_portfolio_have_ten_batches),
        cmocka_unit_test(dear_batches_are_fewer),    cmocka_unit_test(a_disturbance_changes_little),
        cmocka_unit_test(what_does_not_fit_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
