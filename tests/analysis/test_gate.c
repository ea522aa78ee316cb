// SPDX-License-Identifier: Apache-2.0
/* Protects: each reason leads to its decision and exit code; too little data is no pass; what is expected does not count
 * and is reported when it is gone; no text of any origin breaks a report's form. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif
#define DATA ORCHIL_SOURCE_DIR "/tests/analysis/expectations/"

enum { MAXIMUM_TESTS = 8 };

struct scenario {
    const char *name;
    struct planted_test a[MAXIMUM_TESTS], b[MAXIMUM_TESTS]; /* up to one without a name */
    bool strict;
    enum gate_verdict verdict;
    const char *kinds;  /* of all reasons, each with a blank behind it */
    double suffices[2]; /* seconds, from and to; 0, 0 for none */
};

#define MUTANT                                                                                                         \
    {                                                                                                                  \
        .name = "MP", .rate = 1e-5                                                                                     \
    }
#define CONTROL                                                                                                        \
    {                                                                                                                  \
        .name = "MP+fence", .controls = "MP"                                                                           \
    }

static const struct scenario scenarios[] = {
    {.name = "equal", .a = {MUTANT, CONTROL}, .b = {MUTANT, CONTROL}, .kinds = ""},
    {.name = "a forbidden outcome",
     .a = {MUTANT},
     .b = {{.name = "MP", .rate = 1e-5, .verdict = "forbidden"}},
     .verdict = GATE_FAIL,
     .kinds = "forbidden "},
    {.name = "a forbidden outcome of the baseline alone",
     .a = {{.name = "MP", .rate = 1e-5, .verdict = "forbidden"}, {.name = "SB", .rate = 1e-5}},
     .b = {{.name = "MP", .rate = 0, .verdict = "forbidden"}, {.name = "SB", .rate = 1e-5}},
     .kinds = "gone "},
    {.name = "a forbidden outcome in a test that the baseline has not",
     .a = {{.name = "SB", .rate = 1e-5}},
     .b = {{.name = "SB", .rate = 1e-5}, {.name = "MP", .rate = 1e-5, .verdict = "forbidden"}},
     .verdict = GATE_FAIL,
     .kinds = "forbidden "},
    {.name = "one that the device does not promise",
     .a = {MUTANT},
     .b = {{.name = "MP", .rate = 1e-5, .verdict = "forbidden", .undeclared = true}},
     .kinds = ""},
    {.name = "one that the device does not promise, and that the baseline has not",
     .a = {MUTANT, {.name = "CoRR", .verdict = "forbidden", .undeclared = true}},
     .b = {MUTANT, {.name = "CoRR", .rate = 1e-6, .verdict = "forbidden", .undeclared = true}},
     .kinds = "undeclared "},
    {.name = "the same, strictly",
     .a = {MUTANT},
     .b = {{.name = "MP", .rate = 1e-5, .verdict = "forbidden", .undeclared = true}},
     .strict = true,
     .verdict = GATE_FAIL,
     .kinds = "forbidden "},
    {.name = "a control that appears",
     .a = {MUTANT, CONTROL},
     .b = {MUTANT, {.name = "MP+fence", .controls = "MP", .rate = 1e-6}},
     .verdict = GATE_FAIL,
     .kinds = "control "},
    {.name = "a hang",
     .a = {MUTANT, {.name = "SB", .rate = 1e-5}},
     .b = {MUTANT, {.name = "SB", .rate = 1e-5, .state = JOB_HANG, .batches = 2}},
     .verdict = GATE_FAIL,
     .kinds = "fault "},
    {.name = "a crash that the baseline has too",
     .a = {MUTANT, {.name = "SB", .state = JOB_CRASH, .batches = 2}},
     .b = {MUTANT, {.name = "SB", .state = JOB_CRASH, .batches = 2}},
     .verdict = GATE_FAIL,
     .kinds = "fault "},
    {.name = "support that is gone",
     .a = {MUTANT, {.name = "SB", .rate = 1e-5}},
     .b = {MUTANT, {.name = "SB", .state = JOB_UNSUPPORTED, .batches = 0}},
     .verdict = GATE_FAIL,
     .kinds = "refused "},
    {.name = "a lost outcome",
     .a = {{.name = "LB", .rate = 1e-5}},
     .b = {{.name = "LB", .rate = 0}},
     .verdict = GATE_FAIL,
     .kinds = "lost "},
    {.name = "a new outcome",
     .a = {{.name = "LB", .rate = 0}},
     .b = {{.name = "LB", .rate = 1e-5}},
     .verdict = GATE_FAIL,
     .kinds = "new "},
    {.name = "an outcome lost by too few batches",
     .a = {{.name = "LB", .rate = 1e-5, .batches = 2}},
     .b = {{.name = "LB", .rate = 0, .batches = 2}},
     .kinds = "lost-undecided "},
    {.name = "a new outcome in too few batches",
     .a = {{.name = "LB", .rate = 0, .batches = 2}},
     .b = {{.name = "LB", .rate = 1e-5, .batches = 2}},
     .kinds = "new-undecided "},
    {.name = "the gravest first, whatever the tests are called",
     .a = {{.name = "A", .rate = 1e-5}, {.name = "B", .rate = 1e-5}, {.name = "C", .rate = 1e-5}, {.name = "D"}},
     .b = {{.name = "A", .rate = 3e-5},
           {.name = "B"},
           {.name = "C", .rate = 1e-5, .state = JOB_HANG},
           {.name = "D", .rate = 1e-6, .verdict = "forbidden"}},
     .verdict = GATE_FAIL,
     .kinds = "forbidden fault lost rate "},
    {.name = "a rate",
     .a = {MUTANT, CONTROL},
     .b = {{.name = "MP", .rate = 3e-5}, CONTROL},
     .verdict = GATE_FAIL,
     .kinds = "rate "},
    {.name = "a mutant that is hardly seen",
     .a = {{.name = "MP", .rate = 2e-7, .variation = 0.01}, CONTROL},
     .b = {{.name = "MP", .rate = 2e-7, .variation = 0.01}, CONTROL},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "unseen ",
     .suffices = {2.01, 30}},
    {.name = "a mutant that nobody ever saw",
     .a = {{.name = "MP"}, CONTROL},
     .b = {{.name = "MP"}, CONTROL},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "unseen "},
    {.name = "a mutant with two batches",
     .a = {{.name = "MP", .rate = 1e-5, .batches = 2}, CONTROL},
     .b = {{.name = "MP", .rate = 1e-5, .batches = 2}, CONTROL},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "undecided "},
    {.name = "a mutant whose rate varies too much",
     .a = {{.name = "MP", .rate = 1e-5, .variation = 3, .draws = 11, .batches = 8}, CONTROL},
     .b = {{.name = "MP", .rate = 1e-5, .variation = 3, .draws = 12, .batches = 8}, CONTROL},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "undecided ",
     .suffices = {2, 400}},
    {.name = "stress that was not alive",
     .a = {MUTANT},
     .b = {{.name = "MP", .rate = 1e-5, .invalid_batches = 4}},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "invalid "},
    {.name = "a canary that failed",
     .a = {MUTANT, {.name = "SB", .rate = 1e-5}},
     .b = {MUTANT, {.name = "SB", .state = JOB_NOT_RUN, .batches = 0, .reason = "the canary failed"}},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "cut-short "},
    {.name = "a test that was not run",
     .a = {MUTANT, {.name = "SB", .rate = 1e-5}},
     .b = {MUTANT},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "missing "},
    {.name = "nothing in common",
     .a = {MUTANT},
     .b = {{.name = "SB", .rate = 1e-5}},
     .verdict = GATE_INCONCLUSIVE,
     .kinds = "missing "},
    {.name = "a failure weighs more than a doubt",
     .a = {MUTANT, {.name = "SB", .rate = 1e-5}, {.name = "LB", .rate = 1e-5}},
     .b = {MUTANT, {.name = "LB", .rate = 0}},
     .verdict = GATE_FAIL,
     .kinds = "lost missing "},
};

static struct side plant(const struct planted_test tests[MAXIMUM_TESTS], const char *driver)
{
    struct side side = planted_side(driver);
    for (size_t i = 0; i < MAXIMUM_TESTS && tests[i].name; i++) {
        struct planted_test test = tests[i];
        const bool ran = test.state == JOB_COMPLETED || test.batches > 0;
        test.even = test.variation <= 0;
        test.batches = test.batches || !ran ? test.batches : 30;
        test.instances = 1000000;
        test.seconds = ran ? 2 : 0;
        test.draws = test.draws ? test.draws : 5;
        planted_add(&side, driver, &test);
    }
    return side;
}

/* A decision with all that it borrows. */
struct decision {
    struct side a, b;
    struct comparison comparison;
    struct gate gate;
};

static void decide(struct decision *decision, const struct planted_test *a, const struct planted_test *b, bool strict,
                   const struct expectations *expectations)
{
    const struct compare_options usual = compare_usual_options();
    const struct gate_options options = {.strict = strict, .assurance = 0.99999};
    decision->a = plant(a, "1.0");
    decision->b = plant(b, "2.0");
    compare_sides(&decision->a, &decision->b, &usual, &decision->comparison);
    gate_decide(&decision->comparison, &options, expectations, &decision->gate);
}

static void forget(struct decision *decision)
{
    gate_release(&decision->gate);
    comparison_release(&decision->comparison);
    side_release(&decision->b);
    side_release(&decision->a);
}

static void test_each_reason_leads_to_its_decision(void **state)
{
    (void)state;
    static const int codes[] = {0, 1, 3};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *scenario = &scenarios[i];
        struct decision decision;
        struct text kinds = {0}, text = {0};
        decide(&decision, scenario->a, scenario->b, scenario->strict, NULL);
        for (size_t c = 0; c < decision.gate.case_count; c++)
            for (size_t r = 0; r < decision.gate.cases[c].reason_count; r++)
                text_add(&kinds, "%s ", gate_kind_name(decision.gate.cases[c].reasons[r].kind));
        gate_print_text(&decision.gate, &text);
        if (strcmp(text_string(&kinds), scenario->kinds) != 0 || decision.gate.verdict != scenario->verdict)
            fail_msg("%s: found '%s', %s\n%s", scenario->name, text_string(&kinds),
                     gate_verdict_name(decision.gate.verdict), text_string(&text));
        assert_int_equal(gate_exit_code(decision.gate.verdict), codes[scenario->verdict]);
        if (decision.gate.suffices < scenario->suffices[0] || decision.gate.suffices > scenario->suffices[1])
            fail_msg("%s: %g s would do", scenario->name, decision.gate.suffices);
        text_release(&kinds);
        text_release(&text);
        forget(&decision);
    }
}

/* ---- the baseline's own variation ---- */

/* Several runs of MP, with a control, at these rates in parts of 1e-5. */
static struct side plant_runs(const double *rates, size_t count, const char *driver)
{
    struct side side = planted_side(driver);
    for (size_t i = 0; i < count; i++) {
        struct planted_test run = {.name = "MP", .even = true, .batches = 30, .instances = 1000000, .seconds = 2};
        run.draws = 5;
        run.rate = rates[i] * 1e-5;
        planted_add(&side, driver, &run);
        run.name = "MP+fence";
        run.controls = "MP";
        run.rate = 0;
        planted_add(&side, driver, &run);
    }
    return side;
}

static void test_a_change_within_the_baselines_own_is_none(void **state)
{
    (void)state;
    static const struct {
        double runs[4], rate;
        size_t count;
        enum gate_kind kind;
        enum gate_verdict verdict;
    } cases[] = {
        {{1, 1.5, 0.8, 1.3}, 1.6, 4, GATE_VARIES, GATE_PASS},
        {{1, 1.5, 0.8, 1.3}, 12, 4, GATE_RATE, GATE_FAIL},
        {{1, 1.02, 0.99, 1.01}, 1.6, 4, GATE_RATE, GATE_FAIL},
        {{1, 1.5}, 1.6, 2, GATE_RATE, GATE_FAIL}, /* of two runs nothing is known */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct compare_options usual = compare_usual_options();
        const struct gate_options options = {.assurance = 0.99999};
        struct decision decision = {.a = plant_runs(cases[i].runs, cases[i].count, "1.0"),
                                    .b = plant_runs(&cases[i].rate, 1, "2.0")};
        compare_sides(&decision.a, &decision.b, &usual, &decision.comparison);
        gate_decide(&decision.comparison, &options, NULL, &decision.gate);
        assert_int_equal(decision.gate.verdict, cases[i].verdict);
        assert_int_equal(decision.gate.baseline_runs, cases[i].count);
        assert_true(decision.gate.cases[0].reason_count >= 1);
        for (size_t r = 0; r < decision.gate.cases[0].reason_count; r++)
            assert_int_equal(decision.gate.cases[0].reasons[r].kind, cases[i].kind);
        forget(&decision);
    }
}

/* What the baseline itself loses from run to run is no failure when it is lost once more, but is counted as lost. */
static void test_a_loss_within_the_baselines_own_is_listed(void **state)
{
    (void)state;
    static const double runs[] = {3, 0, 0};
    const struct compare_options usual = compare_usual_options();
    const struct gate_options options = {.assurance = 0.99999};
    const struct planted_test lost[MAXIMUM_TESTS] = {{.name = "MP", .rate = 0}};
    struct decision decision = {.a = plant_runs(runs, 3, "1.0"), .b = plant(lost, "2.0")};
    compare_sides(&decision.a, &decision.b, &usual, &decision.comparison);
    gate_decide(&decision.comparison, &options, NULL, &decision.gate);
    assert_int_equal(gate_section_size(&decision.gate, GATE_ONE_SIDED), 1);
    assert_int_equal(decision.gate.entries[decision.gate.entry_count - 1].reason->kind, GATE_VARIES);
    assert_int_equal(decision.gate.one_sided.seen_in[SIDE_A], 1);
    assert_int_equal(decision.gate.one_sided.undecided, 1);
    forget(&decision);
}

/* What other draws do to a rate excuses nothing: of the runs with the seed of B there are enough to tell. */
static void test_other_seeds_are_no_variation(void **state)
{
    (void)state;
    static const double equal[] = {1, 1.02, 0.99}, after = 1.6;
    const struct compare_options usual = compare_usual_options();
    const struct gate_options options = {.assurance = 0.99999};
    struct decision decision = {.a = plant_runs(equal, 3, "1.0"), .b = plant_runs(&after, 1, "2.0")};
    for (uint64_t i = 0; i < 4; i++) {
        const struct planted_test other = {.name = "MP",
                                           .even = true,
                                           .batches = 30,
                                           .instances = 1000000,
                                           .seconds = 2,
                                           .draws = 50 + i,
                                           .rate = (i % 2 ? 0.5 : 3) * 1e-5};
        planted_add(&decision.a, "1.0", &other);
    }
    compare_sides(&decision.a, &decision.b, &usual, &decision.comparison);
    gate_decide(&decision.comparison, &options, NULL, &decision.gate);
    assert_int_equal(decision.gate.verdict, GATE_FAIL);
    forget(&decision);
}

/* A tolerance that was chosen widely is not called too little data. */
static void test_a_wide_tolerance_is_no_doubt(void **state)
{
    (void)state;
    static const double before = 1, after = 4;
    struct compare_options wide = compare_usual_options();
    const struct gate_options options = {.assurance = 0.99999};
    struct decision decision = {.a = plant_runs(&before, 1, "1.0"), .b = plant_runs(&after, 1, "2.0")};
    wide.tolerance = 10;
    compare_sides(&decision.a, &decision.b, &wide, &decision.comparison);
    gate_decide(&decision.comparison, &options, NULL, &decision.gate);
    assert_int_equal(decision.gate.verdict, GATE_PASS);
    forget(&decision);
}

/* Where the tests were chosen, those that were not are no doubt; one that has another content still is. */
static void test_chosen_tests_leave_the_others_out(void **state)
{
    (void)state;
    const struct compare_options usual = compare_usual_options();
    const struct gate_options options = {.assurance = 0.99999, .chosen = true};
    const struct planted_test a[MAXIMUM_TESTS] = {{.name = "LB", .rate = 1e-5}, {.name = "MP", .rate = 1e-5}};
    const struct planted_test b[MAXIMUM_TESTS] = {{.name = "MP", .rate = 1e-5}};
    struct decision decision = {.a = plant(a, "1.0"), .b = plant(b, "2.0")};
    compare_sides(&decision.a, &decision.b, &usual, &decision.comparison);
    gate_decide(&decision.comparison, &options, NULL, &decision.gate);
    assert_int_equal(decision.gate.verdict, GATE_PASS);
    assert_int_equal(decision.gate.case_count, 1);
    gate_release(&decision.gate);
    comparison_release(&decision.comparison);
    decision.b.jobs[0].row.test_hash = "another content";
    compare_sides(&decision.a, &decision.b, &usual, &decision.comparison);
    gate_decide(&decision.comparison, &options, NULL, &decision.gate);
    assert_int_equal(decision.gate.verdict, GATE_INCONCLUSIVE);
    forget(&decision);
}

/* ---- expectations ---- */

static const struct planted_test suite_a[MAXIMUM_TESTS] = {{.name = "CoRR"},
                                                           {.name = "LB+gone", .rate = 1e-5},
                                                           {.name = "MP+same", .rate = 1e-5},
                                                           {.name = "MP+slower", .rate = 3e-5},
                                                           {.name = "SB+hangs", .rate = 1e-5}};
static const struct planted_test suite_b[MAXIMUM_TESTS] = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"},
                                                           {.name = "LB+gone"},
                                                           {.name = "MP+same", .rate = 1e-5},
                                                           {.name = "MP+slower", .rate = 1e-5},
                                                           {.name = "SB+hangs", .rate = 1e-5, .state = JOB_HANG}};

static void test_expected_reasons_do_not_count(void **state)
{
    (void)state;
    struct expectations expectations;
    struct decision decision;
    struct error error;
    assert_int_equal(expectations_read(DATA "accepted.ini", &expectations, &error), STATUS_OK);
    assert_int_equal(expectations.count, 7);
    assert_string_equal(expectations.entries[2].why, "needs another firmware");
    decide(&decision, suite_a, suite_b, false, &expectations);
    assert_int_equal(decision.gate.verdict, GATE_PASS);
    /* Gone: what was fixed; without a test: the other backend's, and the one renamed. */
    assert_int_equal(decision.gate.stale_count, 3);
    assert_int_equal(decision.gate.stale[0]->line, 12);
    assert_string_equal(decision.gate.stale[1]->test, "MP+same");
    assert_string_equal(decision.gate.stale[2]->test, "no-such-test");
    forget(&decision);

    decide(&decision, suite_a, suite_b, false, NULL);
    assert_int_equal(decision.gate.verdict, GATE_FAIL);
    forget(&decision);
    /* A test that failed otherwise is no proof that a known reason is gone. */
    decide(&decision, suite_a, (const struct planted_test[MAXIMUM_TESTS]){{.name = "MP+same", .state = JOB_HANG}},
           false, &expectations);
    for (size_t i = 0; i < decision.gate.stale_count; i++)
        assert_string_not_equal(decision.gate.stale[i]->test, "MP+same");
    forget(&decision);
    expectations_release(&expectations);
}

static void test_wrong_files_are_refused(void **state)
{
    (void)state;
    char *list = planted_read_file("expectations/refusals.txt"), *rest = list;
    size_t files = 0;
    for (char *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n"), files++) {
        char path[512];
        struct expectations expectations;
        struct error error;
        (void)snprintf(path, sizeof path, "%s%.*s", DATA, (int)strcspn(line, ":"), line);
        assert_int_equal(expectations_read(path, &expectations, &error), STATUS_SYNTAX);
        assert_string_equal(error.text + strlen(DATA), line);
    }
    assert_int_equal(files, 6);
    struct expectations expectations;
    struct error error;
    assert_int_equal(expectations_read(DATA "missing.ini", &expectations, &error), STATUS_UNREADABLE);
    assert_int_equal(expectations_read(DATA, &expectations, &error), STATUS_UNREADABLE);
    free(list);
}

/* ---- reports ---- */

static const struct planted_test hostile_a[MAXIMUM_TESTS] = {
    {.name = "]]><script>&\"'\x01|`%::", .label = "0:r0=<b>; %0A"},
    {.name = "MP", .rate = 1e-5},
    {.name = "SB", .rate = 1e-5},
    {.name = "LB", .rate = 1e-5}};
static const struct planted_test hostile_b[MAXIMUM_TESTS] = {
    {.name = "]]><script>&\"'\x01|`%::", .rate = 1e-6, .verdict = "forbidden", .label = "0:r0=<b>; %0A"},
    {.name = "MP", .rate = 1e-5},
    {.name = "SB", .state = JOB_CRASH, .reason = "line\nnext: \xff\xc3\xa9 \x1b[31m", .batches = 1},
    {.name = "LB", .state = JOB_UNSUPPORTED},
    {.name = "XX", .state = JOB_UNSUPPORTED}};

static void print_all(const struct gate *gate, struct text *text)
{
    gate_print_junit(gate, text);
    text_add(text, "----\n");
    gate_print_markdown(gate, text);
    text_add(text, "----\n");
    gate_print_github(gate, text);
    text_add(text, "----\n");
    gate_print_text(gate, text);
    text_add(text, "----\n");
    gate_print_json(gate, text);
}

static void test_reports_keep_their_form(void **state)
{
    (void)state;
    struct decision decision;
    struct text text = {0};
    decide(&decision, hostile_a, hostile_b, false, NULL);
    print_all(&decision.gate, &text);
    char *expected = planted_read_file("gate.txt");
    if (strcmp(text_string(&text), expected) != 0) {
        (void)fputs(text_string(&text), stdout); /* fail_msg would cut it */
        fail_msg("gate.txt says something else than the text above");
    }
    free(expected);
    text_release(&text);
    forget(&decision);
}

static void test_annotations_stay_within_the_limit(void **state)
{
    (void)state;
    struct side a = planted_side("1.0"), b = planted_side("2.0");
    static char names[60][8];
    const struct compare_options usual = compare_usual_options();
    const struct gate_options options = {.assurance = 0.99999};
    struct comparison comparison;
    struct gate gate;
    struct text text = {0};
    for (unsigned i = 0; i < 60; i++) {
        (void)snprintf(names[i], sizeof names[i], "t%02u", i);
        struct planted_test test = {.name = names[i], .even = true, .batches = 12, .instances = 1000, .rate = 0.1};
        planted_add(&a, "1.0", &test);
        test.state = i < 30 ? JOB_CRASH : JOB_NOT_RUN;
        planted_add(&b, "2.0", &test);
    }
    compare_sides(&a, &b, &usual, &comparison);
    gate_decide(&comparison, &options, NULL, &gate);
    gate_print_github(&gate, &text);
    size_t errors = 0, warnings = 0;
    for (const char *at = text_string(&text); *at; at = strchr(at, '\n') + 1) {
        errors += strncmp(at, "::error ", 8) == 0;
        warnings += strncmp(at, "::warning ", 10) == 0;
    }
    assert_int_equal(errors, 10);
    assert_int_equal(warnings, 10);
    text_release(&text);
    gate_release(&gate);
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_reason_leads_to_its_decision),
        cmocka_unit_test(test_expected_reasons_do_not_count),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_a_change_within_the_baselines_own_is_none),
        cmocka_unit_test(test_a_loss_within_the_baselines_own_is_listed),
        cmocka_unit_test(test_other_seeds_are_no_variation),
        cmocka_unit_test(test_a_wide_tolerance_is_no_doubt),
        cmocka_unit_test(test_chosen_tests_leave_the_others_out),
        cmocka_unit_test(test_reports_keep_their_form),
        cmocka_unit_test(test_annotations_stay_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
