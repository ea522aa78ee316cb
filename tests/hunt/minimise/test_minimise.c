// SPDX-License-Identifier: Apache-2.0
/* Protects what reproducers depend on: exactly the parameters that an outcome needs are found; a step is undone if
 * another seed does not show the outcome, if the device fails, or if a last run does not see it; the time limit is
 * kept; and a test with a forbidden outcome is reduced to exactly its core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "models/models.h"
#include "stand_in.h"

static const char sb_text[] = "OPENCL SB\n{ x=0; y=0; }\n"
                              "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                              "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
                              "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n}\n"
                              "P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                              "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
                              "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n"
                              "exists (0:r0=0 /\\ 1:r0=0)\n";
static const char sb_outcome[] = "0:r0=0; 1:r0=0;";

static const char *needed_words(const struct minimal *minimal, struct text *text)
{
    text_clear(text);
    minimal_print_needed(minimal, text);
    return text_string(text);
}

/* ---- which parameters are needed ---- */

static double rate_of_two(const struct stand_in *device, const struct minimise_setting *setting,
                          const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)seed;
    return drawn->stride.low >= 16 && drawn->jitter_chance.low == 100 ? 20000 : 0;
}

static void test_two_parameters(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_two;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_MINIMAL);
    assert_true(minimal.fixed);
    assert_int_equal(minimal.asked, 26); /* all except the four sizes */
    assert_int_equal(minimal.needed_count, 2);
    assert_true(minimal.needed[PARAMETER_stride] && minimal.needed[PARAMETER_jitter_chance]);
    assert_true(minimal.environment.stride.low >= 16);
    assert_int_equal(minimal.environment.jitter_chance.low, 100);
    assert_int_equal(minimal.environment.jitter_steps.low, 1);
    assert_int_equal(minimal.environment.group_size.low, 64); /* a size keeps its value */
    assert_int_equal(minimal.environment.testing_percent.low, 100);
    assert_int_equal(minimal.seen_runs, 3);
    assert_int_equal(minimal.resident_groups, 4);
    assert_int_equal(minimal.key, 17);
    assert_false(minimal.reduced); /* the model allows it */
    struct text text = {0};
    assert_non_null(strstr(needed_words(&minimal, &text), "2 of 26 parameters: jitter, stride "));
    text_release(&text);
    minimal_release(&minimal);
}

static double rate_of_any(const struct stand_in *device, const struct minimise_setting *setting,
                          const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)drawn, (void)seed;
    return 5000;
}

static void test_no_parameter(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    struct text text = {0};
    (void)state;
    device.rate = rate_of_any;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_MINIMAL);
    assert_string_equal(needed_words(&minimal, &text), "none of 26 parameters");
    assert_true(find_step(&minimal, "everything neutral")->kept);
    assert_int_equal(minimal.environment.ranges[PARAMETER_stride].low, 1);
    assert_int_equal(minimal.environment.ranges[PARAMETER_stride].high, 1);
    text_release(&text);
    minimal_release(&minimal);
}

/* What stress needs is removed with it; parameters of a mechanism that are not needed are removed one by one. */
static double rate_of_stress(const struct stand_in *device, const struct minimise_setting *setting,
                             const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)seed;
    return drawn->stress_percent.low > 0 && drawn->stress_lines.low > 1 ? 3000 : 0;
}

static void test_part_of_mechanism(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_stress;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.needed_count, 2);
    assert_true(minimal.needed[PARAMETER_stress_percent] && minimal.needed[PARAMETER_stress_lines]);
    minimal_release(&minimal);
}

/* Either of two parameters is enough; the parameter with fifty times the other's rate is kept. */
static double rate_of_either(const struct stand_in *device, const struct minimise_setting *setting,
                             const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)seed;
    return drawn->stride.low > 1 ? 50000 : drawn->stress_percent.low > 0 ? 1000 : 0;
}

static void test_higher_rate(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_either;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_stride]);
    minimal_release(&minimal);
}

/* Without jitter it is seen 180 times in a run of 3 s: enough for a run, but not for later steps. */
static double rate_near_bar(const struct stand_in *device, const struct minimise_setting *setting,
                            const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)seed;
    return drawn->jitter_chance.low == 100 ? 20000 : 60;
}

static void test_margin(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_near_bar;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_jitter_chance]);
    minimal_release(&minimal);
}

/* Batches of half a second are cut to a tenth, unless that costs most of the rate. */
static double rate_of_short(const struct stand_in *device, const struct minimise_setting *setting,
                            const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)drawn, (void)seed;
    return setting->environment.rounds.low < 100 ? 3000 : 20000;
}

static void test_short_batches(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.batch_seconds = 0.5;
    device.rate = rate_of_any;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.environment.rounds.low, 20);
    minimal_release(&minimal);
    device = stand_in_make();
    device.batch_seconds = 0.5;
    device.rate = rate_of_short;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.environment.rounds.low, 100);
    minimal_release(&minimal);
}

/* The rate needs many draws, which only ranges have: they stay ranges. */
static double rate_of_change(const struct stand_in *device, const struct minimise_setting *setting,
                             const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)drawn, (void)seed;
    return setting->environment.stride.low < setting->environment.stride.high ? 4000 : 0;
}

static void test_ranges(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    struct text text = {0};
    (void)state;
    device.rate = rate_of_change;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_MINIMAL);
    assert_false(minimal.fixed);
    assert_string_equal(needed_words(&minimal, &text), "1 of 26 parameters: stride 2 to 64");
    text_release(&text);
    minimal_release(&minimal);
}

/* ---- undone steps ---- */

/* Without jitter it is seen only with the first seed. */
static double rate_by_seed(const struct stand_in *device, const struct minimise_setting *setting,
                           const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting;
    return drawn->jitter_chance.low == 100 || seed == 7 ? 10000 : 0;
}

static void test_flaky(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_by_seed;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_jitter_chance]);
    const struct minimise_step *step = find_step(&minimal, "everything neutral");
    assert_false(step->kept);
    assert_int_equal(step->trial_count, 2); /* the second seed decided it */
    assert_int_equal(step->trials[1].seed, 8);
    assert_int_equal(step->trials[1].seen, 0);
    minimal_release(&minimal);
}

/* The trials of the steps see it, but the last runs do not without jitter: that step is undone. */
static double rate_by_run(const struct stand_in *device, const struct minimise_setting *setting,
                          const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting;
    return drawn->jitter_chance.low == 100 || seed < 7 + MINIMISE_SEEDS ? 10000 : 0;
}

static void test_runs_undo(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_by_run;
    /* The steps tried after an undone step depend on the remaining parameters. */
    device.environment.cluster_groups = (struct environment_range){2, 2};
    device.environment.cluster_chance = device.environment.cluster_partners_chance = (struct environment_range){0, 0};
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_true(find_step(&minimal, "everything neutral")->kept);
    assert_false(find_step(&minimal, "what is left")->kept);
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_jitter_chance]);
    assert_int_equal(minimal.seen_runs, 3);
    minimal_release(&minimal);
}

/* In one second of every three the machine is busy and sees nothing with any setting: this undoes no step. */
static double rate_of_busy(const struct stand_in *device, const struct minimise_setting *setting,
                           const struct environment *drawn, uint64_t seed)
{
    (void)setting, (void)seed;
    return fmod(device->now, 3) < 1 ? 0 : drawn->jitter_chance.low == 100 ? 20000 : 0;
}

static void test_busy(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_busy;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    for (size_t i = 0; i < minimal.step_count; i++) {
        const struct minimise_step *step = &minimal.steps[i];
        const bool jitter = strstr(step->what, "jitter") != NULL, without = strncmp(step->what, "without", 7) == 0;
        if (step->stage == MINIMISE_STAGE_ENVIRONMENT && jitter != without && !step->kept &&
            strcmp(step->what, "everything neutral") != 0)
            fail_msg("%s: %s", step->what, step->result);
    }
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_jitter_chance]);
    minimal_release(&minimal);
}

static enum job_state hang_without_stride(const struct minimise_setting *setting)
{
    return setting->environment.stride.high == 1 ? JOB_HANG : JOB_COMPLETED;
}

static void test_hang(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_any;
    device.state = hang_without_stride;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_MINIMAL);
    assert_int_equal(minimal.needed_count, 1);
    assert_true(minimal.needed[PARAMETER_stride]);
    assert_string_equal(find_step(&minimal, "everything neutral")->result, "undone: hang: as the test says");
    minimal_release(&minimal);
}

/* ---- reduced tests ---- */

/* The test as compiled by a compiler that loses fences and makes every order relaxed. */
static struct litmus_test *compile_wrongly(const struct minimise_setting *setting)
{
    struct text text = {0};
    struct litmus_test *test = NULL;
    struct error error;
    for (const char *line = setting->text; *line; line += strcspn(line, "\n") + 1) {
        const char *end = line + strcspn(line, "\n") + 1;
        char kept[1024];
        assert_true((size_t)(end - line) < sizeof kept);
        memcpy(kept, line, (size_t)(end - line));
        kept[end - line] = '\0';
        const char *order = strstr(kept, "memory_order_");
        if (strstr(kept, "atomic_work_item_fence"))
            continue;
        const char *rest = order ? order + strcspn(order, ",") : kept;
        text_add(&text, "%.*s%s%s", order ? (int)(order - kept) : 0, kept, order ? "memory_order_relaxed" : "", rest);
    }
    assert_int_equal(litmus_parse("compiled", text_string(&text), text.size, &test, &error), STATUS_OK);
    text_release(&text);
    return test;
}

/* It is seen if the model allows it in the compiled test. */
static double rate_of_wrong_compiler(const struct stand_in *device, const struct minimise_setting *setting,
                                     const struct environment *drawn, uint64_t seed)
{
    struct litmus_test *test = compile_wrongly(setting);
    const struct judge_options limits = {0};
    struct model *model;
    struct judgement judgement;
    struct error error;
    bool allowed = false;
    (void)device, (void)drawn, (void)seed;
    assert_int_equal(model_load("opencl", &model, &error), STATUS_OK);
    assert_int_equal(model_judge(model, test, &limits, &judgement, &error), STATUS_OK);
    for (size_t i = 0; i < judgement.outcome_count; i++)
        allowed |=
            judgement.outcomes[i].verdict != VERDICT_FORBIDDEN &&
            memcmp(judgement.outcomes[i].values, setting->values, test->variable_count * sizeof *setting->values) == 0;
    judgement_release(&judgement);
    model_release(model);
    litmus_release(test);
    return allowed ? 5000 : 0;
}

static const char long_mp_text[] =
    "OPENCL long-MP\n\"Message passing, with more than it takes.\"\nExpect=forbidden\n"
    "{ w=0; x=0; y=0; z=3; }\n"
    "P0@wg 0, dev 0 (global atomic_int* w, global atomic_int* x, global atomic_int* y, global atomic_int* z) {\n"
    "  atomic_store_explicit(z, 1, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
    "  int r0 = atomic_load_explicit(w, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P1@wg 1, dev 0 (global atomic_int* w) {\n"
    "  atomic_store_explicit(w, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P2@wg 2, dev 0 (global atomic_int* x, global atomic_int* y, global atomic_int* z) {\n"
    "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n"
    "  if (r0 == 1) {\n"
    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n"
    "  }\n"
    "  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
    "  int r2 = atomic_load_explicit(z, memory_order_relaxed, memory_scope_device);\n}\n"
    "exists (0:r0=1 /\\ 2:r0=1 /\\ 2:r1=0 /\\ 2:r2=1)\n";

static const char least_mp_text[] =
    "OPENCL long-MP-minimal\n\"What is left of long-MP.\"\n"
    "{ x=0; y=0; }\n\n"
    "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
    "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n}\n\n"
    "P1@wg 2, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
    "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n"
    "  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

static void test_core(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    struct text text = {0};
    (void)state;
    device.rate = rate_of_wrong_compiler;
    stand_in_minimise(&device, long_mp_text, "0:r0=1; 2:r0=1; 2:r1=0; 2:r2=1;", &minimal);
    assert_true(minimal.forbidden && minimal.reduced);
    assert_int_equal(minimal.end, MINIMISE_END_MINIMAL);
    assert_string_equal(minimal.outcome, "1:r0=1; 1:r1=0;");
    litmus_print(minimal.test, &text);
    assert_string_equal(text_string(&text), least_mp_text);
    text_release(&text);
    minimal_release(&minimal);
}

/* ---- how it ends ---- */

static double rate_of_none(const struct stand_in *device, const struct minimise_setting *setting,
                           const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)drawn, (void)seed;
    return 0;
}

static void test_unseen(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_none;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_UNSEEN);
    assert_non_null(strstr(minimal.why, "\"0:r0=0; 1:r0=0;\" was not seen in "));
    assert_int_equal(minimal.run_count, 0);
    assert_true(device.now < device.seconds);
    minimal_release(&minimal);
}

static enum job_state refuse(const struct minimise_setting *setting)
{
    (void)setting;
    return JOB_UNSUPPORTED;
}

static void test_refused(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_any;
    device.state = refuse;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_FAILED);
    assert_string_equal(minimal.why, "as the test says");
    minimal_release(&minimal);
}

static void test_budget(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_two;
    device.seconds = 30;
    device.overhead = 2;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_OUT_OF_TIME);
    assert_true(minimal.needed_count > 2);
    assert_true(minimal.run_count > 0); /* time was kept for them */
    assert_true(device.now < device.seconds + 10);
    minimal_release(&minimal);
}

static void test_stopped(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_two;
    device.stop_after = 10;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.end, MINIMISE_END_STOPPED);
    assert_int_equal(device.trials, 10);
    minimal_release(&minimal);
}

/* Once in twenty seconds, within twenty minutes: a trial sees it a few times, so a step's three trials are counted
 * together. */
static double rate_of_very_rare(const struct stand_in *device, const struct minimise_setting *setting,
                                const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)seed;
    return drawn->testing_percent.low == 100 || drawn->stride.low > 1 ? 0.05 : 0;
}

static void test_very_rare(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_very_rare;
    device.batch_seconds = 5;
    device.seconds = 1200;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    const struct minimise_step *step = find_step(&minimal, "everything neutral");
    assert_true(step->kept);
    assert_int_equal(minimal.needed_count, 0);
    assert_true(step->rate >= 0.025); /* of all three together: half of the start's */
    assert_true(minimal.run_seconds == 120);
    minimal_release(&minimal);
}

/* One batch in a hundred shows it often: its draw must be kept. */
static double rate_of_batches(const struct stand_in *device, const struct minimise_setting *setting,
                              const struct environment *drawn, uint64_t seed)
{
    (void)setting, (void)drawn;
    return seed == 11 && fabs(fmod(device->now, 1) - 0.5) < 0.006 ? 100000 : 1000;
}

static void test_best_batch(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_batches;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_int_equal(minimal.seed, 11); /* the seed of the second of the three runs */
    assert_int_equal(minimal.batch, minimal.runs[1].best_batch);
    assert_true(minimal.runs[1].best_rate > 50000);
    minimal_release(&minimal);
}

/* Once in five seconds: runs and trials are long, so little can be tried; a kept setting must show it. */
static double rate_of_rare(const struct stand_in *device, const struct minimise_setting *setting,
                           const struct environment *drawn, uint64_t seed)
{
    (void)device, (void)setting, (void)drawn, (void)seed;
    return 0.2;
}

static void test_rare(void **state)
{
    struct minimal minimal;
    struct stand_in device = stand_in_make();
    (void)state;
    device.rate = rate_of_rare;
    device.batch_seconds = 5;
    device.seconds = 3000;
    stand_in_minimise(&device, sb_text, sb_outcome, &minimal);
    assert_true(minimal.run_seconds >= 90 && minimal.run_seconds <= 120);
    assert_int_equal(minimal.seen_runs, 3);
    assert_true(minimal.needs_seconds > 40 && minimal.needs_seconds < 60);
    minimal_release(&minimal);
}

static void test_wrong_outcome(void **state)
{
    struct minimal minimal;
    struct error error;
    struct litmus_test *test;
    struct stand_in device = stand_in_make();
    struct stop_signals stop = {.descriptor = -1};
    const struct backend_device any = {.takes = BACKEND_TAKES_C11};
    const struct minimise_listener listener = {NULL, NULL};
    (void)state;
    assert_int_equal(litmus_parse("test", sb_text, strlen(sb_text), &test, &error), STATUS_OK);
    const struct minimise_options options = {.test = test,
                                             .device = &any,
                                             .environment = &device.environment,
                                             .outcome = "0:r0=0;",
                                             .seconds = 1,
                                             .stop = &stop};
    assert_int_equal(minimise(&options, &listener, &minimal, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "\"0:r0=0;\" is not an outcome of SB"));
    minimal_release(&minimal);
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_parameters),
        cmocka_unit_test(test_no_parameter),
        cmocka_unit_test(test_part_of_mechanism),
        cmocka_unit_test(test_higher_rate),
        cmocka_unit_test(test_margin),
        cmocka_unit_test(test_short_batches),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_flaky),
        cmocka_unit_test(test_runs_undo),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_rare),
        cmocka_unit_test(test_very_rare),
        cmocka_unit_test(test_best_batch),
        cmocka_unit_test(test_wrong_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
