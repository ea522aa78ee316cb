// SPDX-License-Identifier: Apache-2.0
/* Protects the parts of a judgement other than the meaning of verdicts: order of outcomes, axiom and cycle, bounds and
 * limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/explain/explain.h"
#include "tests/models/judged.h"

static const char mp[] = "PTX MP\n{ x=0; y=0; }\n"
                         " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                         " st.weak x, 1 | ld.acquire.gpu r0, y ;\n"
                         " st.release.gpu y, 1 | ld.weak r1, x ;\n"
                         "exists (1:r0=1 /\\ 1:r1=0)\n";

static const char spin[] = "PTX spin\n{ x=0; P1:r1=0; }\n"
                           " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                           " st.relaxed.gpu x, 1 | LC00: ;\n"
                           " | ld.relaxed.gpu r0, x ;\n"
                           " | add r1, r1, 1 ;\n"
                           " | beq r0, 0, LC00 ;\n"
                           "exists (1:r1=3)\n";

static struct judgement judge_with(const char *name, const char *text, struct judge_options options)
{
    struct model *model = loaded(name);
    struct litmus_test *test = parsed(text);
    struct judgement judgement;
    struct error error = {0};
    if (model_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    litmus_release(test);
    model_release(model);
    return judgement;
}

static void outcomes_in_order(void **state)
{
    static const enum verdict verdicts[] = {VERDICT_SC, VERDICT_SC, VERDICT_FORBIDDEN, VERDICT_SC};
    static const int64_t values[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    struct judgement judgement = judge_with("ptx", mp, (struct judge_options){0});
    (void)state;
    assert_int_equal(judgement.outcome_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(judgement.outcomes[i].values, values[i], sizeof values[i]);
        assert_int_equal(judgement.outcomes[i].verdict, verdicts[i]);
        assert_int_equal(judgement.outcomes[i].witness, i == 2);
        assert_null(judgement.outcomes[i].explanation);
    }
    assert_string_equal(judgement.outcomes[2].axiom, "Causality");
    assert_null(judgement.outcomes[0].axiom);
    assert_false(judgement.holds);
    assert_false(judgement.racy);
    assert_null(judgement.cut);
    assert_null(judgement.cut);
    assert_int_equal(judgement.consistent, 3);
    judgement_release(&judgement);
}

static void cycle_is_explained(void **state)
{
    struct judgement judgement = judge_with("ptx", mp, (struct judge_options){.explain = true});
    struct text cycle = {0};
    (void)state;
    explanation_print_cycle(judgement.outcomes[2].explanation, &cycle);
    assert_string_equal(text_string(&cycle), "P1 line 5: ld.weak r1, x\n"
                                             "           read x = 0\n"
                                             "    fr\n"
                                             "P0 line 4: st.weak x, 1\n"
                                             "           write x = 1\n"
                                             "    po\n"
                                             "P0 line 5: st.release.gpu y, 1\n"
                                             "           write y = 1, release gpu\n"
                                             "    synchronises\n"
                                             "P1 line 4: ld.acquire.gpu r0, y\n"
                                             "           read y = 1, acquire gpu\n"
                                             "    po, back to\n"
                                             "P1 line 5: read x = 0\n");
    assert_int_equal(judgement.outcomes[0].explanation->cycle_count, 0);
    text_release(&cycle);
    judgement_release(&judgement);
}

/* A loop of n rounds needs n iterations; the judgement reports a cut. */
static void unrolling(void **state)
{
    (void)state;
    for (unsigned unroll = 1; unroll <= 4; unroll++) {
        struct judgement judgement = judge_with("ptx", spin, (struct judge_options){.unroll = unroll});
        assert_int_equal(judgement.outcome_count, unroll);
        assert_int_equal(judgement.holds, unroll >= 3);
        assert_non_null(judgement.cut);
        assert_string_equal(judgement.cut, unroll == 1   ? "loops were followed for at most 1 iteration"
                                           : unroll == 2 ? "loops were followed for at most 2 iterations"
                                           : unroll == 3 ? "loops were followed for at most 3 iterations"
                                                         : "loops were followed for at most 4 iterations");
        judgement_release(&judgement);
    }
}

/* Whether the bound on loops matters depends on the values that locations may have. */
static void values_beyond_the_unrolling(void **state)
{
    static const struct {
        const char *writer, *waiter;
        bool cut;
    } rows[] = {
        /* an initial value, the last one that is tried */
        {"atomic_store_explicit(x, 9, memory_order_relaxed);", "r0 < 5", true},
        {"atomic_store_explicit(x, 9, memory_order_relaxed);", "r0 < 0", false},
        /* one that follows from a read */
        {"int r = atomic_load_explicit(y, memory_order_relaxed);\n"
         "atomic_store_explicit(x, r + 1, memory_order_relaxed);",
         "r0 > 3", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text text = {0};
        text_add(&text,
                 "C values\n{ x=0; y=0; }\nP0 (atomic_int* x, atomic_int* y) {\n%s\n}\n"
                 "P1 (atomic_int* x) {\nint r0 = 0;\nint n = 0;\ndo {\n"
                 "r0 = atomic_load_explicit(x, memory_order_relaxed);\nn = n + 1;\n} while (%s);\n}\n"
                 "P2 (atomic_int* y) {\natomic_store_explicit(y, 7, memory_order_relaxed);\n}\n"
                 "exists (1:n=1)\n",
                 rows[i].writer, rows[i].waiter);
        struct judgement judgement = judge_with("rc11", text_string(&text), (struct judge_options){.unroll = 1});
        if ((judgement.cut != NULL) != rows[i].cut)
            fail_msg("%s", text_string(&text));
        judgement_release(&judgement);
        text_release(&text);
    }
}

/* Two threads that go on only with what the other writes when it goes on. */
static void values_that_go_on_together(void **state)
{
    static const char text[] = "C together\n{ x=0; y=0; }\n"
                               "P0 (atomic_int* x, atomic_int* y) {\n  int r = 0;\n  do {\n"
                               "    r = atomic_load_explicit(y, memory_order_relaxed);\n"
                               "    if (r == 7) { atomic_store_explicit(x, 5, memory_order_relaxed); }\n"
                               "  } while (r == 7);\n}\n"
                               "P1 (atomic_int* x, atomic_int* y) {\n  int r = 0;\n  int n = 0;\n  do {\n"
                               "    r = atomic_load_explicit(x, memory_order_relaxed);\n    n = n + 1;\n"
                               "    if (r == 5) { atomic_store_explicit(y, 7, memory_order_relaxed); }\n"
                               "  } while (r == 5);\n}\nexists (1:n=2)\n";
    struct judgement judgement = judge_with("opencl", text, (struct judge_options){.unroll = 1});
    (void)state;
    assert_non_null(judgement.cut);
    judgement_release(&judgement);
}

static void endless_loop_has_no_outcome(void **state)
{
    struct judgement judgement = judge_with("sc",
                                            "PTX endless\n{ x=0; }\n P0@cta 0,gpu 0 ;\n LC00: ;\n goto LC00 ;\n"
                                            "exists (x=0)\n",
                                            (struct judge_options){.unroll = 1000});
    (void)state;
    assert_int_equal(judgement.outcome_count, 0);
    assert_null(judgement.cut); /* another iteration changes nothing */
    assert_false(judgement.holds);
    judgement_release(&judgement);
    /* Loops in loops, and as many iterations as a number can say. */
    judgement = judge_with("sc",
                           "OPENCL endless\n{ [x]=0; }\nP0@wg 0, dev 0 (global atomic_int* x) {\n"
                           "  int r0 = 0;\n  while (r0 >= 0) { int r1 = 0; while (r1 < 100) { r1 = r1 + 1; } }\n}\n"
                           "exists (x=0)\n",
                           (struct judge_options){.unroll = UINT32_MAX});
    assert_int_equal(judgement.outcome_count, 0);
    assert_non_null(judgement.cut);
    judgement_release(&judgement);
}

static void quantifiers(void **state)
{
    static const struct {
        const char *condition;
        bool holds;
    } rows[] = {
        {"exists (0:r0=1)", true},
        {"exists (0:r0=2)", false},
        {"~exists (0:r0=1)", false},
        {"~exists (0:r0=2)", true},
        {"forall (0:r0=0 \\/ 0:r0=1)", true},
        {"forall (0:r0=1)", false},
        {"filter (0:r0=1) forall (0:r0=1)", true},
        {"filter (0:r0=0) exists (0:r0=1)", false},
        {"locations [0:r0;]", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text text = {0};
        text_add(
            &text,
            "PTX q\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n%s\n",
            rows[i].condition);
        struct judgement judgement = judge_with("ptx", text_string(&text), (struct judge_options){0});
        if (judgement.holds != rows[i].holds)
            fail_msg("%s", rows[i].condition);
        judgement_release(&judgement);
        text_release(&text);
    }
}

/* Only executions that pass the filter count, whether all candidates are made or the search prunes: what the others
 * race about says nothing. P1 reads 1, and acquires, exactly if it is last. An execution without a race comes first. */
static void filtered_executions_do_not_count(void **state)
{
    static const struct {
        const char *filter;
        bool racy, empty;
    } rows[] = {
        {"", true, false},
        {"filter (1:r0=1)", false, false},
        {"filter (1:r0=0)", true, false},
        {"filter (y=2)", false, false},
        {"filter (y=1)", true, false},
        {"filter (z=1)", true, false},
        {"filter (y=1 /\\ 1:r0=1)", false, true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        struct text text = {0};
        text_add(&text,
                 "C filtered\n{ x=0; y=0; }\nP0 (int* x, atomic_int* y, atomic_int* z) {\n*x = 1;\n"
                 "int r0 = atomic_exchange_explicit(y, 1, memory_order_release);\n"
                 "atomic_store_explicit(z, 1, memory_order_relaxed);\n}\nP1 (int* x, atomic_int* y) {\n"
                 "int r0 = atomic_exchange_explicit(y, 2, memory_order_acquire);\nint r1 = *x;\n}\n%s\n"
                 "exists (z=1)\n",
                 rows[i / 2].filter);
        const struct judge_options options = {.explain = true, .listed_candidates = i % 2};
        struct judgement judgement = judge_with("rc11", text_string(&text), options);
        if (judgement.racy != rows[i / 2].racy || (judgement.undefined != NULL) != rows[i / 2].racy ||
            (judgement.empty != NULL) != rows[i / 2].empty || (judgement.consistent == 0) != rows[i / 2].empty)
            fail_msg("%s", text_string(&text));
        judgement_release(&judgement);
        text_release(&text);
    }
}

static void check_refusal(const char *text, uint64_t candidates, const char *message)
{
    struct model *model = loaded("ptx");
    struct litmus_test *test = parsed(text);
    struct judgement judgement;
    struct error error = {0};
    const struct judge_options options = {.maximum_candidates = candidates};
    assert_int_equal(model_judge(model, test, &options, &judgement, &error),
                     candidates > 0 ? STATUS_LIMIT : STATUS_UNSUPPORTED);
    assert_string_equal(error.text, message);
    assert_int_equal(judgement.outcome_count, 0);
    litmus_release(test);
    model_release(model);
}

static void limits(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "PTX long\n{ x=0; }\n P0@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 65; i++)
        text_add(&text, " st.weak x, 1 ;\n");
    text_add(&text, "exists (x=1)\n");
    check_refusal(text_string(&text), 0, "a thread has more than 64 events: no model can judge the test");
    text_clear(&text);
    text_add(&text, "PTX wide\n{ x=0; }\n P0..P1@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 32; i++)
        text_add(&text, " st.weak x, 1 ;\n");
    text_add(&text, "exists (x=1)\n");
    check_refusal(text_string(&text), 0,
                  "an execution has more than 64 events (64 of its threads, 1 initial): no model can judge the test; "
                  "leave out what the condition does not need");
    text_release(&text);
    check_refusal("PTX many\n{ x=0; }\n P0..P99@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)\n", 0,
                  "the test has 100 threads, but a model can judge at most 64");
    check_refusal(mp, 2, "the test has more than 2 candidate executions: no model can judge it");
    check_refusal("PTX odd\n{ x=0; }\n P0@cta 0,gpu 0 ;\n nanosleep 20 ;\nexists (x=0)\n", 0,
                  "line 4: 'nanosleep 20' has no meaning in orchil's models");
    /* What the ISA has and no model knows is named, with the reason. */
    check_refusal(
        "PTX tmem\n{ x=0; }\n P0@cta 0,gpu 0 ;\n tcgen05.wait::ld.sync.aligned ;\nexists (x=0)\n", 0,
        "line 4: 'tcgen05.wait::ld.sync.aligned' has no meaning in orchil's models: the ISA's model does not cover "
        "the order of tcgen05 and tensor memory");
    check_refusal("PTX multi\n{ x=0; }\n P0@cta 0,gpu 0 ;\n multimem.red.relaxed.sys.global.add.u32 [x], 1 ;\nexists "
                  "(x=0)\n",
                  0,
                  "line 4: 'multimem.red.relaxed.sys.global.add.u32 [x], 1' has no meaning in orchil's models: the ISA "
                  "does not order multimem with accesses to a single copy");
    check_refusal(
        "PTX alias\n{ x=0; }\n P0@cta 0,gpu 0 ;\n fence.alias.sync_restrict::read.release.sys ;\nexists "
        "(x=0)\n",
        0,
        "line 4: 'fence.alias.sync_restrict::read.release.sys' has no meaning in orchil's models: PTX ISA 9.5 "
        "adds it, but the model covers only the text up to 9.4");
    check_refusal("PTX sizes\n{ ulong x=0; }\n P0@cta 0,gpu 0 ;\n st.weak.u32 x, 1 ;\n ld.weak.u64 r0, x ;\nexists "
                  "(0:r0=1)\n",
                  0, "accesses of different sizes meet without a race, so no model can judge the test");
}

/* Loops that lengthen each run that looks for dependencies. */
static void long_replays(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "C long\n{ }\nP0 (atomic_int* x, atomic_int* y) {\n  int s = 0;\n");
    for (int i = 0; i < 10; i++)
        text_add(&text, "  int r%d = atomic_load_explicit(x, memory_order_relaxed);\n  s = s + r%d;\n", i, i);
    for (int i = 0; i < 11; i++)
        text_add(&text, "  int i%d = 0;\n", i);
    for (int i = 0; i < 11; i++)
        text_add(&text, "  i%d = 0;\n  while (i%d < 2) {\n  i%d = i%d + 1;\n", i, i, i, i);
    text_add(&text, "  }}}}}}}}}}}\n  atomic_store_explicit(y, s + 1, memory_order_relaxed);\n}\n");
    text_add(&text, "P1 (atomic_int* x, atomic_int* y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\n");
    text_add(&text, "exists ([y]=1)\n");
    check_refusal(text_string(&text), 0,
                  "the dependencies of P0 take more than 100000000 steps to find: no model can judge the test");
    text_release(&text);
}

/* Reads that may see many writes: bounded by the number of candidates, not by time. */
static void many_candidates(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "PTX wild\n{ x=0; }\n P0..P7@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 3; i++)
        text_add(&text, " st.relaxed.gpu x, %d ;\n ld.relaxed.gpu r%d, x ;\n", i + 1, i);
    text_add(&text, "locations [0:r0; 1:r1; 2:r2; 3:r0; 4:r1; 5:r2; 6:r0; 7:r1;]\n");
    check_refusal(text_string(&text), 20000,
                  "the test has more than 20000 candidate executions: no model can judge it");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_in_order),
        cmocka_unit_test(cycle_is_explained),
        cmocka_unit_test(values_beyond_the_unrolling),
        cmocka_unit_test(values_that_go_on_together),
        cmocka_unit_test(unrolling),
        cmocka_unit_test(endless_loop_has_no_outcome),
        cmocka_unit_test(quantifiers),
        cmocka_unit_test(filtered_executions_do_not_count),
        cmocka_unit_test(limits),
        cmocka_unit_test(long_replays),
        cmocka_unit_test(many_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
