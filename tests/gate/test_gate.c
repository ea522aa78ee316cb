// SPDX-License-Identifier: Apache-2.0
/* Protects: each reason leads to its decision and exit code; reruns decide what a first run has chosen, and never
 * excuse unsound results; expected reasons do not count and are reported once they are gone; drafts of expectations are
 * refused until they say why; no text of any origin breaks a report's format. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/document/document.h"
#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "tests/analysis/planted/planted.h"
#include "tests/corpus.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif
#define DATA ORCHIL_SOURCE_DIR "/tests/gate/"

enum { MAXIMUM_TESTS = 8, RUNS = 3 };

struct scenario {
    const char *name;
    struct planted_test a[MAXIMUM_TESTS], b[MAXIMUM_TESTS]; /* up to one without a name */
    struct planted_test again[MAXIMUM_TESTS];               /* the results of the reruns; none: there are no reruns */
    size_t runs, judged;                                    /* of the baseline, 0: three; of B, 0: one */
    bool strict, stored;
    enum gate_verdict verdict;
    const char *kinds;  /* of all reasons, each followed by a blank */
    const char *broken; /* of the needs that are not met, in the same way; NULL: all are */
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
#include "tests/gate/gate_scenarios.inc"
};

/* Runs of these tests, which differ by the noise of counting alone. */
static struct side plant(const struct planted_test tests[MAXIMUM_TESTS], const char *driver, size_t runs)
{
    struct side side = planted_side(driver);
    for (size_t run = 0; run < runs; run++) {
        for (size_t i = 0; i < MAXIMUM_TESTS && tests[i].name; i++) {
            struct planted_test test = tests[i];
            const bool ran = test.state == JOB_COMPLETED || test.batches > 0;
            test.even = test.variation <= 0;
            test.batches = test.batches || !ran ? test.batches : 30;
            test.instances = 1000000;
            test.seconds = ran ? 2 : 0;
            test.draws = test.draws ? test.draws : 5;
            test.noise = run;
            test.run = (int64_t)run + 1;
            planted_add(&side, driver, &test);
        }
    }
    return side;
}

/* A decision with everything that it borrows. */
struct decision {
    struct side a, b, again;
    struct comparison first, second;
    struct gate_options options;
    struct gate gate;
};

static void compare_and_decide(struct decision *decision, const struct compare_options *options, bool stored,
                               bool has_again, const struct expectations *expectations)
{
    struct compare_options second = *options;
    struct gate_passes passes = {.first = &decision->first, .chooses = !stored};
    compare_sides(&decision->a, &decision->b, options, &decision->first);
    second.first = &decision->first;
    if (has_again) {
        compare_sides(&decision->a, &decision->again, &second, &decision->second);
        passes.again = &decision->second;
    }
    gate_decide(&passes, &decision->options, expectations, &decision->gate);
}

static void decide(struct decision *decision, const struct scenario *scenario, const struct expectations *expectations)
{
    const struct compare_options usual = {COMPARE_USUAL};
    *decision = (struct decision){.options = {.strict = scenario->strict,
                                              .assurance = 0.99999,
                                              .commands = {.from = " --baseline base.db",
                                                           .repeat = "",
                                                           .baseline = "orchil gate baseline --out more.db"}}};
    decision->a = plant(scenario->a, "1.0", scenario->runs > 0 ? scenario->runs : RUNS);
    decision->b = plant(scenario->b, "2.0", scenario->judged > 0 ? scenario->judged : 1);
    decision->again = plant(scenario->again, "2.0", RUNS);
    compare_and_decide(decision, &usual, scenario->stored, scenario->again[0].name != NULL, expectations);
}

static void forget(struct decision *decision)
{
    gate_release(&decision->gate);
    comparison_release(&decision->second);
    comparison_release(&decision->first);
    side_release(&decision->again);
    side_release(&decision->b);
    side_release(&decision->a);
}

static void add_kinds(const struct gate *gate, struct text *text)
{
    for (size_t c = 0; c < gate->case_count; c++)
        for (size_t r = 0; r < gate->cases[c].reason_count; r++)
            text_add(text, "%s ", gate_kinds[gate->cases[c].reasons[r].kind].word);
}

static void add_broken(const struct gate *gate, struct text *text)
{
    for (size_t i = 0; i < gate->broken_count; i++)
        text_add(text, "%s ", gate_kinds[gate->broken[i].kind].word);
}

static void print_as(const struct gate *gate, int printer, bool verbose, struct text *text)
{
    struct document document;
    gate_document(gate, false, &document);
    document.verbose = verbose;
    document_printers[printer].print(&document, text);
    document_release(&document);
}

static void test_each_reason_leads_to_its_decision(void **state)
{
    (void)state;
    size_t wrong = 0;
    static const int codes[] = {[GATE_PASSED] = 0, [GATE_FAILED] = 1, [GATE_CHANGED] = 5, [GATE_INCONCLUSIVE] = 3};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *scenario = &scenarios[i];
        struct decision decision;
        struct text kinds = {0}, broken = {0}, text = {0};
        decide(&decision, scenario, NULL);
        add_kinds(&decision.gate, &kinds);
        add_broken(&decision.gate, &broken);
        print_as(&decision.gate, DOCUMENT_AS_TEXT, true, &text);
        if (strcmp(text_string(&kinds), scenario->kinds) != 0 || decision.gate.verdict != scenario->verdict ||
            strcmp(text_string(&broken), scenario->broken ? scenario->broken : "") != 0) {
            print_error("%s: found '%s', broken '%s', %s\n%s", scenario->name, text_string(&kinds),
                        text_string(&broken), gate_verdict_name(decision.gate.verdict), text_string(&text));
            wrong++;
        }
        text_release(&broken);
        wrong += decision.gate.exit_code != codes[scenario->verdict];
        if (decision.gate.suffices < scenario->suffices[0] || decision.gate.suffices > scenario->suffices[1])
            fail_msg("%s: %g s would do", scenario->name, decision.gate.suffices);
        text_release(&kinds);
        text_release(&text);
        forget(&decision);
    }
    assert_int_equal(wrong, 0);
}

/* With --fail-on soundness, changes alone pass; unsound results and doubts end as usual. */
static void test_changes_may_be_told_and_not_counted(void **state)
{
    (void)state;
    static const struct planted_test before = {.name = "LB"}, after = {.name = "LB", .rate = 1e-5};
    static const struct planted_test bad = {.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"};
    static const struct planted_test good = {.name = "CoRR", .verdict = "forbidden"};
    static const struct planted_test cut = {.name = "CoRR", .state = JOB_NOT_RUN};
    static const struct {
        const struct planted_test *then;
        enum gate_verdict verdict;
        int code;
    } cases[] = {{&good, GATE_CHANGED, 0}, {&bad, GATE_FAILED, 1}, {&cut, GATE_CHANGED, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct scenario scenario = {
            .a = {before, good}, .b = {after, *cases[i].then}, .judged = 3, .stored = true};
        struct decision decision;
        struct text text = {0};
        decide(&decision, &scenario, NULL);
        gate_release(&decision.gate);
        decision.options.fail_on = GATE_FAIL_ON_SOUNDNESS;
        gate_decide(&(struct gate_passes){.first = &decision.first, .chooses = false}, &decision.options, NULL,
                    &decision.gate);
        assert_int_equal(decision.gate.verdict, cases[i].verdict);
        assert_int_equal(decision.gate.exit_code, cases[i].code);
        print_as(&decision.gate, DOCUMENT_AS_TEXT, false, &text);
        assert_non_null(strstr(text_string(&text), "CHANGED  LB  1:r0=1; 1:r1=0;\n      new: "));
        text_release(&text);
        forget(&decision);
    }
}

/* The reruns with other draws decide nothing, except unsound results. */
static void test_other_draws_are_told(void **state)
{
    (void)state;
    static const struct planted_test none[MAXIMUM_TESTS] = {{.name = "LB"}};
    const struct planted_test some[MAXIMUM_TESTS] = {{.name = "LB", .rate = 1e-5, .draws = 6}};
    const struct planted_test bad[MAXIMUM_TESTS] = {{.name = "LB", .rate = 1e-5, .draws = 6, .verdict = "forbidden"}};
    const struct compare_options usual = {COMPARE_USUAL};
    const struct gate_options options = {.assurance = 0.99999};
    for (int unsound = 0; unsound < 2; unsound++) {
        struct side a = plant(none, "1.0", RUNS), b = plant(none, "2.0", 1);
        struct side other = plant(unsound ? bad : some, "2.0", 1);
        struct comparison first, third;
        struct gate gate;
        compare_sides(&a, &b, &usual, &first);
        compare_sides(&a, &other, &usual, &third);
        gate_decide(&(struct gate_passes){.first = &first, .other = &third, .chooses = true}, &options, NULL, &gate);
        assert_int_equal(gate.verdict, unsound ? GATE_FAILED : GATE_PASSED);
        gate_release(&gate);
        comparison_release(&third);
        comparison_release(&first);
        side_release(&other);
        side_release(&b);
        side_release(&a);
    }
}

/* A wide tolerance is not reported as too little data. */
static void test_a_wide_tolerance_is_no_doubt(void **state)
{
    (void)state;
    const struct scenario scenario = {
        .a = {MUTANT, CONTROL}, .b = {{.name = "MP", .rate = 4e-5}, CONTROL}, .stored = true};
    struct compare_options wide = {COMPARE_USUAL};
    struct decision decision;
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.verdict, GATE_CHANGED);
    gate_release(&decision.gate);
    comparison_release(&decision.first);
    wide.tolerance = 10;
    compare_and_decide(&decision, &wide, true, false, NULL);
    assert_int_equal(decision.gate.verdict, GATE_PASSED);
    forget(&decision);
}

/* If the tests were chosen, the others are not a doubt; a test with other content still is. */
static void test_chosen_tests_leave_the_others_out(void **state)
{
    (void)state;
    const struct scenario scenario = {.a = {{.name = "LB", .rate = 1e-5}, {.name = "MP", .rate = 1e-5}},
                                      .b = {{.name = "MP", .rate = 1e-5}}};
    const struct compare_options usual = {COMPARE_USUAL};
    struct decision decision;
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.verdict, GATE_INCONCLUSIVE);
    gate_release(&decision.gate);
    comparison_release(&decision.first);
    decision.options.chosen = true;
    compare_and_decide(&decision, &usual, false, false, NULL);
    assert_int_equal(decision.gate.verdict, GATE_PASSED);
    assert_int_equal(decision.gate.case_count, 1);
    gate_release(&decision.gate);
    comparison_release(&decision.first);
    decision.b.jobs[0].row.test_hash = "another content";
    compare_and_decide(&decision, &usual, false, false, NULL);
    assert_int_equal(decision.gate.verdict, GATE_INCONCLUSIVE);
    forget(&decision);
}

/* ---- expectations ---- */

static const struct scenario known_changes = {.a = {{.name = "CoRR"},
                                                    {.name = "LB+gone", .rate = 1e-5},
                                                    {.name = "MP+same", .rate = 1e-5},
                                                    {.name = "MP+slower", .rate = 3e-5},
                                                    {.name = "SB+hangs", .rate = 1e-5},
                                                    {.name = "SB+same", .rate = 1e-5},
                                                    {.name = "W+same", .rate = 1e-5}},
                                              .b = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"},
                                                    {.name = "LB+gone"},
                                                    {.name = "MP+same", .rate = 1e-5},
                                                    {.name = "MP+slower", .rate = 1e-5},
                                                    {.name = "SB+hangs", .rate = 1e-5, .state = JOB_HANG},
                                                    {.name = "SB+same", .rate = 1e-5},
                                                    {.name = "W+same", .rate = 1e-5}},
                                              .stored = true};

static void test_expected_reasons_do_not_count(void **state)
{
    (void)state;
    struct expectations expectations;
    struct decision decision;
    struct error error;
    assert_int_equal(expectations_read(DATA "expectations.ini", false, &expectations, &error), STATUS_OK);
    assert_int_equal(expectations.count, 7);
    assert_string_equal(expectations.entries[2].why, "needs another firmware");
    decide(&decision, &known_changes, &expectations);
    assert_int_equal(decision.gate.verdict, GATE_PASSED);
    assert_int_equal(decision.gate.counts.expected, 4);
    /* Gone: what was fixed; without a test: the one renamed. The other backend's may have an effect there. */
    assert_int_equal(decision.gate.stale_count, 2);
    assert_int_equal(decision.gate.stale[0]->line, 17);
    assert_string_equal(decision.gate.stale[0]->test, "MP+same");
    assert_string_equal(decision.gate.stale[1]->test, "no-such-test");
    forget(&decision);

    decide(&decision, &known_changes, NULL);
    assert_int_equal(decision.gate.verdict, GATE_FAILED);
    forget(&decision);
    /* A known rate is also known while it is unconfirmed: what is left is that one run decides no rate. */
    struct scenario few = known_changes;
    few.runs = 1;
    decide(&decision, &few, &expectations);
    assert_int_equal(decision.gate.counts.of_class[GATE_DOUBT], 1);
    assert_int_equal(decision.gate.counts.of_kind[GATE_FEW_DECIDED], 1);
    forget(&decision);
    /* What excuses most of the tests leaves too little to judge. */
    struct scenario most = known_changes;
    most.a[5] = most.b[5] = (struct planted_test){.name = NULL};
    decide(&decision, &most, &expectations);
    assert_int_equal(decision.gate.verdict, GATE_INCONCLUSIVE);
    assert_int_equal(decision.gate.counts.of_kind[GATE_MOST_EXCUSED], 1);
    forget(&decision);
    /* A known rate that changed by more than its size counts, and the entry has an effect. */
    struct scenario more = known_changes;
    more.b[3].rate = 3e-6;
    decide(&decision, &more, &expectations);
    assert_int_equal(decision.gate.verdict, GATE_CHANGED);
    assert_int_equal(decision.gate.counts.of_kind[GATE_RATE], 1);
    assert_string_equal(decision.gate.entries[0].of->sample->row.test, "MP+slower");
    assert_non_null(strstr(decision.gate.entries[0].reason->evidence, "expectations.ini:3 expects x0.3 to x0.5"));
    assert_int_equal(decision.gate.stale_count, 2);
    forget(&decision);
    /* A test that failed in another way does not prove that a known reason is gone. */
    struct scenario hung = {.b = {{.name = "MP+same", .state = JOB_HANG}}};
    memcpy(hung.a, known_changes.a, sizeof hung.a);
    decide(&decision, &hung, &expectations);
    for (size_t i = 0; i < decision.gate.stale_count; i++)
        assert_string_not_equal(decision.gate.stale[i]->test, "MP+same");
    forget(&decision);
    expectations_release(&expectations);
}

/* Decides again, with other options or expectations. */
static void decide_again(struct decision *decision, const struct expectations *expectations)
{
    const struct gate_passes passes = decision->gate.passes;
    gate_release(&decision->gate);
    gate_decide(&passes, &decision->options, expectations, &decision->gate);
}

/* The text has each of these; where a line is broken does not matter. */
static void check_told(const struct gate *gate, const char *const *told)
{
    struct text text = {0}, words = {0};
    print_as(gate, DOCUMENT_AS_TEXT, false, &text);
    for (const char *c = text_string(&text); *c; c += strspn(c, " \n")) {
        const size_t size = strcspn(c, " \n");
        text_add(&words, "%.*s ", (int)size, c);
        c += size;
    }
    for (; *told; told++)
        if (!strstr(text_string(&words), *told))
            fail_msg("expected %s in\n%s", *told, text_string(&text));
    text_release(&words);
    text_release(&text);
}

/* An expectation without an effect fails if that is asked for: in the first line, and in each form as a finding. */
static void test_expectations_may_be_strict(void **state)
{
    (void)state;
    static const char *const told[DOCUMENT_PRINTER_COUNT] = {
        [DOCUMENT_AS_GITHUB] = "expectations.ini,line=17::this expectation of MP+same has no effect",
        [DOCUMENT_AS_JUNIT] = "expectations.ini:19\" classname=\"orchil.gate\" time=\"0.000\">\n      <failure ",
        [DOCUMENT_AS_MARKDOWN] = "| stale | ",
    };
    struct expectations expectations;
    struct decision decision;
    struct error error;
    struct text text = {0};
    assert_int_equal(expectations_read(DATA "expectations.ini", false, &expectations, &error), STATUS_OK);
    decide(&decision, &known_changes, &expectations);
    decision.options.strict_expectations = true;
    decide_again(&decision, &expectations);
    assert_int_equal(decision.gate.verdict, GATE_FAILED);
    assert_int_equal(decision.gate.exit_code, 1);
    check_told(&decision.gate, (const char *const[]){
                                   "FAILED: 2 expectations have no effect (" DATA "expectations.ini:17, ...), ", NULL});
    for (int form = 0; form < DOCUMENT_PRINTER_COUNT; form++) {
        text_clear(&text);
        print_as(&decision.gate, form, false, &text);
        if (told[form] && !strstr(text_string(&text), told[form]))
            fail_msg("expected %s in\n%s", told[form], text_string(&text));
    }
    text_release(&text);
    forget(&decision);
    expectations_release(&expectations);
}

/* ---- known since the baseline ---- */

static const struct scenario partly_known = {.a = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"},
                                                   {.name = "MP+gone", .rate = 1e-6, .verdict = "forbidden"},
                                                   {.name = "MP+new", .verdict = "forbidden"},
                                                   {.name = "SB+hangs", .rate = 1e-5, .state = JOB_HANG},
                                                   {.name = "W+crashes", .rate = 1e-5, .state = JOB_HANG}},
                                             .b = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"},
                                                   {.name = "MP+gone", .verdict = "forbidden"},
                                                   {.name = "MP+new", .rate = 1e-6, .verdict = "forbidden"},
                                                   {.name = "SB+hangs", .rate = 1e-5, .state = JOB_HANG},
                                                   {.name = "W+crashes", .rate = 1e-5, .state = JOB_CRASH}},
                                             .stored = true};

/* What the baseline showed too comes after what is new, fails all the same, and is counted apart: an outcome, or a
 * fault of the same kind. */
static void test_unsound_results_are_new_or_known(void **state)
{
    (void)state;
    static const char *const order[] = {"MP+new", "W+crashes", "CoRR", "SB+hangs"};
    struct decision decision;
    struct text json = {0};
    decide(&decision, &partly_known, NULL);
    assert_int_equal(decision.gate.exit_code, 1);
    assert_int_equal(decision.gate.counts.known, 2);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_string_equal(decision.gate.entries[i].of->sample->row.test, order[i]);
        assert_int_equal(decision.gate.entries[i].reason->known, i >= 2);
    }
    check_told(
        &decision.gate,
        (const char *const[]){"FAILED: 2 new soundness findings (MP+new, W+crashes); 2 known since the baseline, ",
                              "known since the baseline; B 30 in 30 of 30 draws",
                              "The baseline itself has 4 soundness findings (CoRR, MP+gone, SB+hangs, ...): ", NULL});
    gate_print_json(&decision.gate, &json);
    assert_non_null(strstr(text_string(&json), "\"soundness_new\": 2"));
    assert_non_null(strstr(text_string(&json), "\"soundness_known\": 2"));
    text_release(&json);
    forget(&decision);
}

static void test_known_results_fail_until_they_are_expected(void **state)
{
    (void)state;
    struct scenario scenario = {.a = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"}, MUTANT, CONTROL},
                                .b = {{.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"}, MUTANT, CONTROL}};
    struct expectation entry = {.test = "CoRR", .kind = GATE_FORBIDDEN, .why = "the chip", .line = 1};
    const struct expectations expectations = {.path = "expect.ini", .entries = &entry, .count = 1};
    struct decision decision;
    struct text text = {0};
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.exit_code, 1);
    check_told(&decision.gate,
               (const char *const[]){"FAILED: 1 soundness finding, known since the baseline, no behaviour changes",
                                     "The baseline itself has 1 soundness finding (CoRR): ", NULL});
    decide_again(&decision, &expectations);
    assert_int_equal(decision.gate.exit_code, 0);
    assert_int_equal(decision.gate.flaw_count, 0);
    check_told(&decision.gate, (const char *const[]){"no unexpected soundness findings", NULL});
    print_as(&decision.gate, DOCUMENT_AS_JUNIT, false, &text);
    assert_non_null(strstr(text_string(&text), "<skipped message=\"expected: the chip\"/>"));
    assert_null(strstr(text_string(&text), "baseline itself"));
    text_release(&text);
    forget(&decision);
}

/* ---- doubts and what comes and goes ---- */

static void test_doubts_may_fail(void **state)
{
    (void)state;
    const struct scenario scenario = {.a = {MUTANT, CONTROL}, .b = {MUTANT}};
    struct decision decision;
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.exit_code, 3);
    decision.options.fail_on = GATE_FAIL_ON_INCONCLUSIVE;
    decide_again(&decision, NULL);
    assert_int_equal(decision.gate.verdict, GATE_INCONCLUSIVE);
    assert_int_equal(decision.gate.exit_code, 1);
    check_told(&decision.gate, (const char *const[]){"INCONCLUSIVE, which --fail-on inconclusive fails: ", NULL});
    forget(&decision);
}

/* A mutant whose witness is lost is reported once, unless the loss does not count: then its doubt does. Both are
 * drafted. */
static void test_a_lost_mutant_is_told_once(void **state)
{
    (void)state;
    const struct scenario scenario = {
        .a = {{.name = "MP", .rate = 1e-3}, CONTROL}, .b = {{.name = "MP"}, CONTROL}, .judged = 3, .stored = true};
    const struct expectations none = {.count = 0};
    struct decision decision;
    struct text text = {0};
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.exit_code, 5);
    assert_int_equal(decision.gate.counts.of_kind[GATE_LOST], 1);
    assert_int_equal(decision.gate.counts.of_kind[GATE_UNSEEN], 0);
    check_told(&decision.gate, (const char *const[]){"its controls prove nothing", NULL});
    assert_int_equal(expectations_draft(&decision.gate, &none, &text), 2);
    assert_non_null(strstr(text_string(&text), "known.lost = WHY?\nknown.unseen = WHY?\n"));
    text_release(&text);
    decision.options.fail_on = GATE_FAIL_ON_SOUNDNESS;
    decide_again(&decision, NULL);
    assert_int_equal(decision.gate.counts.of_kind[GATE_UNSEEN], 1);
    assert_int_equal(decision.gate.exit_code, 3);
    forget(&decision);
}

/* What the first run showed and its reruns did not is proposed as flaky. */
static void test_what_comes_and_goes_is_drafted_as_flaky(void **state)
{
    (void)state;
    const struct scenario scenario = {
        .a = {MUTANT, CONTROL}, .b = {{.name = "MP", .rate = 3e-5}, CONTROL}, .again = {MUTANT, CONTROL}};
    const struct expectations none = {.count = 0};
    struct decision decision;
    struct text text = {0};
    decide(&decision, &scenario, NULL);
    assert_int_equal(decision.gate.exit_code, 0);
    check_told(
        &decision.gate,
        (const char *const[]){"so perhaps flaky: MP. To expect these changes, use --update-expectations FILE.", NULL});
    assert_int_equal(expectations_draft(&decision.gate, &none, &text), 1);
    assert_non_null(strstr(text_string(&text), "\nflaky.rate = WHY? not all reruns confirmed it\n"));
    text_release(&text);
    forget(&decision);
}

/* A draft has a line for each kind that counts, matches its test, and adds nothing the second time. It is refused until
 * it says why. */
static void test_what_was_seen_is_drafted(void **state)
{
    (void)state;
    static char path[] = "/tmp/orchil-test-XXXXXX";
    struct scenario scenario = known_changes;
    scenario.b[0].name = scenario.a[0].name = "Co[R]R; *";
    struct decision decision;
    struct expectations none = {.count = 0}, drafts, refused;
    struct error error;
    struct text text = {0};
    decide(&decision, &scenario, NULL);
    assert_int_equal(expectations_draft(&decision.gate, &none, &text), 4);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text_string(&text), text.size), text.size);
    assert_int_equal(close(file), 0);
    assert_int_equal(expectations_read(path, false, &refused, &error), STATUS_SYNTAX);
    assert_non_null(strstr(error.text, ":6:1: expected the reason to be filled in, found 'WHY?'"));
    assert_int_equal(expectations_read(path, true, &drafts, &error), STATUS_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(drafts.count, 4);
    text_clear(&text);
    assert_int_equal(expectations_draft(&decision.gate, &drafts, &text), 0);
    assert_int_equal(text.size, 0);
    text_release(&text);
    forget(&decision);
    decide(&decision, &scenario, &drafts);
    assert_int_equal(decision.gate.verdict, GATE_PASSED);
    assert_int_equal(decision.gate.stale_count, 0);
    forget(&decision);
    expectations_release(&drafts);
}

/* Writes a file, which is to be refused for the reason that the case expects. */
static void check_refused(struct corpus_case *one, void *context)
{
    const char *path = context;
    const struct text *written = corpus_part(one, "");
    struct expectations expectations;
    struct text found = {0};
    struct error error;
    assert_int_equal(file_write_quick(path, text_string(written), written->size, &error), STATUS_OK);
    assert_int_equal(expectations_read(path, false, &expectations, &error), STATUS_SYNTAX);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
    text_add(&found, "FILE%s\n", error.text + strlen(path));
    corpus_expect(one, "expected", text_string(&found));
    text_release(&found);
}

static void test_wrong_files_are_refused(void **state)
{
    (void)state;
    char folder[256], path[300];
    struct expectations expectations;
    struct error error;
    assert_int_equal(temporary_folder_make("expectations", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/refused.ini", folder);
    assert_int_equal(corpus_each(DATA "expectations_refused.txt", check_refused, path), 8);
    assert_int_equal(expectations_read(DATA "missing.ini", false, &expectations, &error), STATUS_UNREADABLE);
    assert_int_equal(expectations_read(folder, false, &expectations, &error), STATUS_UNREADABLE);
    temporary_folder_remove(folder);
}

/* ---- reports ---- */

static const struct scenario hostile = {
    .a = {{.name = "]]><script>&\"'\x01|`%::", .label = "0:r0=<b>; %0A"},
          {.name = "MP", .rate = 1e-5},
          {.name = "SB", .rate = 1e-5},
          {.name = "LB", .rate = 1e-5}},
    .b = {{.name = "]]><script>&\"'\x01|`%::", .rate = 1e-6, .verdict = "forbidden", .label = "0:r0=<b>; %0A"},
          {.name = "MP", .rate = 1e-5},
          {.name = "SB", .state = JOB_CRASH, .reason = "line\nnext: \xff\xc3\xa9 \x1b[31m", .batches = 1},
          {.name = "LB", .state = JOB_UNSUPPORTED},
          {.name = "XX", .state = JOB_UNSUPPORTED}},
    .stored = true};

static void print_all(const struct gate *gate, struct text *text)
{
    static const int printers[] = {DOCUMENT_AS_JUNIT, DOCUMENT_AS_MARKDOWN, DOCUMENT_AS_GITHUB, DOCUMENT_AS_TEXT};
    for (size_t i = 0; i < sizeof printers / sizeof *printers; i++) {
        print_as(gate, printers[i], true, text);
        text_add(text, "----\n");
    }
    gate_print_json(gate, text);
}

static void test_reports_keep_their_form(void **state)
{
    (void)state;
    struct decision decision;
    struct text text = {0};
    decide(&decision, &hostile, NULL);
    print_all(&decision.gate, &text);
    char *expected = planted_read_file("gate/gate.txt");
    if (strcmp(text_string(&text), expected) != 0) {
        (void)fputs(text_string(&text), stdout); /* fail_msg would cut it */
        fail_msg("gate.txt says something else than the text above");
    }
    free(expected);
    text_release(&text);
    forget(&decision);
}

/* The gravest reasons are listed in full, even if there are many. */
static void test_reports_stay_within_limits(void **state)
{
    (void)state;
    struct side a = planted_side("1.0"), b = planted_side("2.0");
    static char names[60][8];
    const struct compare_options usual = {COMPARE_USUAL};
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
    gate_decide(&(struct gate_passes){.first = &comparison}, &options, NULL, &gate);
    print_as(&gate, DOCUMENT_AS_GITHUB, false, &text);
    size_t errors = 0, warnings = 0;
    for (const char *at = text_string(&text); *at; at = strchr(at, '\n') + 1) {
        errors += strncmp(at, "::error ", 8) == 0;
        warnings += strncmp(at, "::warning ", 10) == 0;
    }
    assert_int_equal(errors, 10);
    assert_int_equal(warnings, 10);
    text_clear(&text);
    print_as(&gate, DOCUMENT_AS_TEXT, false, &text);
    assert_non_null(
        strstr(text_string(&text), "\n  25 more cut-short (--verbose lists them): a job did not run to its end\n"));
    assert_non_null(strstr(text_string(&text), "  FAILED  fault: t29"));
    text_clear(&text);
    print_as(&gate, DOCUMENT_AS_TEXT, true, &text);
    assert_null(strstr(text_string(&text), "--verbose"));
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
        cmocka_unit_test(test_expectations_may_be_strict),
        cmocka_unit_test(test_unsound_results_are_new_or_known),
        cmocka_unit_test(test_known_results_fail_until_they_are_expected),
        cmocka_unit_test(test_doubts_may_fail),
        cmocka_unit_test(test_a_lost_mutant_is_told_once),
        cmocka_unit_test(test_what_comes_and_goes_is_drafted_as_flaky),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_changes_may_be_told_and_not_counted),
        cmocka_unit_test(test_other_draws_are_told),
        cmocka_unit_test(test_what_was_seen_is_drafted),
        cmocka_unit_test(test_a_wide_tolerance_is_no_doubt),
        cmocka_unit_test(test_chosen_tests_leave_the_others_out),
        cmocka_unit_test(test_reports_keep_their_form),
        cmocka_unit_test(test_reports_stay_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
