// SPDX-License-Identifier: Apache-2.0
/* Protects reproducers: the program of a test and a draw, as a golden file (golden/: threads in work-groups, threads
 * that share one, local memory, items that each play one thread, loops); its length; how long it runs; and which tests
 * have none. ORCHIL_UPDATE rewrites the golden file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/selection.h"
#include "hunt/reproduce/reproduce.h"
#include "kernel/target.h"
#include "tests/corpus.h"

static const char neutral[] = "[environment]\ngroup_size = 64\ntesting_percent = 100\nrounds = 100\nteams = 1\n"
                              "shuffle_chance = 0\nlane_chance = 0\nlane_offset = 1\ncell_chance = 0\nstride = 1\n"
                              "local_stride = 1\npre_stress_chance = 0\nstress_percent = 0\nmeet_all_chance = 0\n"
                              "jitter_chance = 0\nmeet_polls = 1000000\nspin_bound = 1000\n";

static struct backend_device device_of(bool cuda)
{
    return (struct backend_device){.backend = "cuda",
                                   .name = "Test device",
                                   .driver = "1",
                                   .architecture = "sm_90",
                                   .gpu = true,
                                   .takes = cuda ? BACKEND_TAKES_PTX : BACKEND_TAKES_C11,
                                   .atomic_orders = BACKEND_ALL_ORDERS,
                                   .atomic_scopes = BACKEND_ALL_SCOPES,
                                   .fence_orders = BACKEND_ALL_ORDERS,
                                   .fence_scopes = BACKEND_ALL_SCOPES,
                                   .types = BACKEND_ALL_TYPES,
                                   .compute_units = 16,
                                   .max_group_size = 1024,
                                   .sub_group_size = 32,
                                   .max_cluster_groups = 8,
                                   .paths = BACKEND_PATH_ASYNC,
                                   .shared_clock = true,
                                   .memory_bytes = (uint64_t)1 << 33,
                                   .local_bytes = 48 * 1024};
}

/* A test of the catalogue with everything that its reproducer needs. */
struct fixture {
    struct selection selection;
    struct backend_device device;
    struct environment environment;
    struct reproduce_facts facts;
    struct text outcome;
};

static void set_up(struct fixture *fixture, const char *word, const char *profile, bool cuda)
{
    char *arguments[] = {(char *)(uintptr_t)word};
    struct error error = {.text = ""};
    int64_t zeros[64] = {0};
    *fixture = (struct fixture){.device = device_of(cuda)};
    if (!cuda)
        (void)snprintf(fixture->device.backend, sizeof fixture->device.backend, "opencl");
    if (selection_make(arguments, 1, kernel_judge, &fixture->selection, &error) != STATUS_OK)
        fail_msg("%s: %s", word, error.text);
    const struct litmus_test *test = fixture->selection.tests[0].test;
    assert_true(test->variable_count <= 64);
    litmus_print_outcome(test, zeros, &fixture->outcome);
    if (environment_read("test", profile, &fixture->environment, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    fixture->facts = (struct reproduce_facts){.test = test,
                                              .outcome = text_string(&fixture->outcome),
                                              .device = &fixture->device,
                                              .environment = &fixture->environment,
                                              .resident_groups = 16,
                                              .seed = 1,
                                              .key = 2,
                                              .seen = 500,
                                              .instances = 1000000,
                                              .seconds = 10,
                                              .tool = "orchil 1",
                                              .command = "orchil reproduce",
                                              .when = "2025-01-31"};
}

static void tear_down(struct fixture *fixture)
{
    selection_release(&fixture->selection);
    text_release(&fixture->outcome);
}

static const char *file_of(const struct reproducer *reproducer, const char *name)
{
    for (size_t i = 0; i < reproducer->file_count; i++)
        if (strcmp(reproducer->files[i].name, name) == 0)
            return text_string(&reproducer->files[i].text);
    fail_msg("there is no %s", name);
    return "";
}

/* ---- the golden ---- */

/* The kernel of a program, from its sizes to the end of its entry point. */
static void cut_kernel(const char *program, struct text *kernel)
{
    const char *start = strstr(program, "enum {"), *host = strstr(program, "static unsigned *");
    assert_non_null(start);
    text_add_bytes(kernel, start, host ? (size_t)(host - start) : strlen(start));
    while (kernel->size > 0 && kernel->data[kernel->size - 1] == '\n')
        kernel->data[--kernel->size] = '\0';
    text_add(kernel, "\n");
}

static void check_golden(struct corpus_case *one, void *context)
{
    const bool cuda = strcmp(text_string(corpus_part(one, "as")), "cuda\n") == 0;
    struct fixture fixture;
    struct reproducer reproducer;
    struct text kernel = {0};
    struct error error = {.text = ""};
    (void)context;
    set_up(&fixture, one->title, neutral, cuda);
    if (reproduce_write(&fixture.facts, &reproducer, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
    cut_kernel(file_of(&reproducer, cuda ? "reproduce.cu" : "reproduce.cl"), &kernel);
    corpus_expect(one, "kernel", text_string(&kernel));
    text_release(&kernel);
    reproduce_release(&reproducer);
    tear_down(&fixture);
}

static void test_golden(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/hunt/reproduce/golden", check_golden, NULL) >= 5);
}

/* ---- sizes and times ---- */

static void test_usual_tests_are_short(void **state)
{
    static const char *const words[] = {"ptx:MP+relaxed",         "ptx:SB+fencesc",     "ptx:LB+relaxed",
                                        "ptx:IRIW+relaxed",       "ptx:WRC+rel+acq",    "ptx:CoRR+relaxed",
                                        "ptx:MP+relaxed+cta+01",  "ptx:R+relaxed",      "ptx:2+2W+relaxed",
                                        "ptx:lock-spin+textbook", "opencl:MP+relaxed",  "opencl:SB+sc",
                                        "opencl:LB+relaxed",      "opencl:CoRR+relaxed"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fixture fixture;
        struct reproducer reproducer;
        struct error error = {.text = ""};
        set_up(&fixture, words[i], neutral, strncmp(words[i], "ptx:", 4) == 0);
        if (reproduce_write(&fixture.facts, &reproducer, &error) != STATUS_OK)
            fail_msg("%s: %s", words[i], error.text);
        if (reproducer.lines > REPRODUCE_LINES || reproducer.lines < 50)
            fail_msg("%s has %u lines", words[i], reproducer.lines);
        reproduce_release(&reproducer);
        tear_down(&fixture);
    }
}

static void expect_time(uint64_t seen, double seconds, double run_seconds, double runs, const char *words)
{
    struct fixture fixture;
    struct reproducer reproducer;
    struct error error = {.text = ""};
    char start[64];
    set_up(&fixture, "ptx:MP+relaxed", neutral, true);
    fixture.facts.seen = seen;
    fixture.facts.seconds = seconds;
    fixture.facts.run_seconds = run_seconds;
    assert_int_equal(reproduce_write(&fixture.facts, &reproducer, &error), STATUS_OK);
    assert_true(fabs(reproducer.seconds - runs) < 1e-6);
    (void)snprintf(start, sizeof start, ": %.0f; // of three runs", runs);
    assert_non_null(strstr(file_of(&reproducer, "reproduce.cu"), start));
    assert_non_null(strstr(file_of(&reproducer, "reproduce.cu"), words));
    reproduce_release(&reproducer);
    tear_down(&fixture);
}

static void test_times(void **state)
{
    (void)state;
    assert_true(reproduce_expected_seconds(3) == 10);
    assert_true(isinf(reproduce_expected_seconds(0)));
    expect_time(1000000, 10, 0, 6, "3 of 3 runs see it after 100 ms in all");
    expect_time(30, 60, 0, 60, "3 of 3 runs see it after 1 min 0 s in all"); /* 0.5 per second: 3 * 10 / 0.5 */
    expect_time(1, 1000, 0, 120, "3 of 3 runs see it after 8 h 20 min in all");
    expect_time(30, 60, 5, 15, "3 of 3 runs see it after 1 min 0 s in all");
    expect_time(0, 60, 0, 120, "orchil has not seen this outcome");
}

/* ---- the environment ---- */

static const char everything[] =
    "[environment]\ngroup_size = 64\ntesting_percent = 50\nrounds = 100\nteams = 2\nshuffle_chance = 100\n"
    "lane_chance = 0\nlane_offset = 1\ncell_chance = 0\nstride = 2\nlocal_stride = 2\npre_stress_chance = 100\n"
    "pre_stress_rounds = 2\npre_stress_pattern = 4\nstress_percent = 25\nstress_pattern = 4\nstress_lines = 2\n"
    "stress_line_words = 32\nstress_chunked_chance = 0\nstress_cached_chance = 0\nmeet_all_chance = 0\n"
    "jitter_chance = 100\njitter_steps = 5\nmeet_polls = 1000000\nspin_bound = 1000\ncluster_chance = 100\n"
    "cluster_groups = 2\ncluster_partners_chance = 0\nstress_copy_chance = 0\nstress_copy_bytes = 16\n"
    "delay_chance = 100\ndelay_sites = 2\ndelay_nanoseconds = 300\ntick_chance = 100\ntick_nanoseconds = 900\n";

/* Writes the program of a test in the environment; if parameter is not NONE, with its value plus one or, for a chance,
 * the opposite. */
static void write_changed(const char *word, int parameter, bool copies, bool ticks, struct text *program)
{
    struct fixture fixture;
    struct reproducer reproducer;
    struct error error = {.text = ""};
    set_up(&fixture, word, everything, true);
    fixture.facts.resident_groups = 64;
    if (copies)
        fixture.environment.stress_copy_chance = (struct environment_range){100, 100};
    if (ticks)
        fixture.environment.jitter_chance = (struct environment_range){0, 0};
    if (parameter != LITMUS_NONE) {
        struct environment_range *range = &fixture.environment.ranges[parameter];
        const char *name = environment_parameters[parameter].name;
        if (strstr(name, "chance"))
            range->low = range->high = 100 - range->low;
        else
            range->low = range->high = range->low + (strstr(name, "percent") ? 10
                                                     : strstr(name, "size")  ? 96
                                                     : strstr(name, "bytes") ? 16
                                                                             : 1);
    }
    if (reproduce_write(&fixture.facts, &reproducer, &error) != STATUS_OK)
        fail_msg("%s: %s", word, error.text);
    text_add(program, "%s", file_of(&reproducer, "reproduce.cu"));
    reproduce_release(&reproducer);
    tear_down(&fixture);
}

/* If a new parameter were ignored, programs would not show what was seen. */
static void test_every_parameter_shows(void **state)
{
    (void)state;
    for (int parameter = 0; parameter < PARAMETER_COUNT; parameter++) {
        const char *word = parameter == PARAMETER_local_stride      ? "ptx:MP+rel+acq+local+01"
                           : parameter == PARAMETER_pair_group_size ? "ptx:LB+relaxed"
                                                                    : "ptx:lock-spin+textbook";
        struct text usual = {0}, changed = {0};
        const bool copies = parameter == PARAMETER_stress_copy_bytes; /* else copies have no size */
        const bool ticks = parameter == PARAMETER_tick_chance || parameter == PARAMETER_tick_nanoseconds ||
                           parameter == PARAMETER_load_lag_nanoseconds; /* without jitter */
        write_changed(word, LITMUS_NONE, copies, ticks, &usual);
        write_changed(word, parameter, copies, ticks, &changed);
        const bool differs = strcmp(text_string(&usual), text_string(&changed)) != 0;
        /* Groups that play in a reproducer always meet, an item plays one instance in a round, and a test that warms
         * caches has no reproducer. */
        if (differs == (parameter == PARAMETER_no_meeting_chance || parameter == PARAMETER_warm_chance ||
                        parameter == PARAMETER_item_instances))
            fail_msg("%s %s", environment_parameters[parameter].name, differs ? "shows" : "does not show");
        text_release(&usual);
        text_release(&changed);
    }
}

/* ---- foreign texts ---- */

/* The name of a test, a device or a driver is only text, whatever it contains. */
static void test_hostile_names(void **state)
{
    static const char text[] =
        "PTX x\"%s\\n\n\"a line that goes on \\\"\n{ x=0; P1:r0=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
        " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\nexists (1:r0=1)\n";
    struct fixture fixture;
    struct reproducer reproducer;
    struct litmus_test *test;
    struct error error = {.text = ""};
    (void)state;
    set_up(&fixture, "ptx:MP+relaxed", neutral, true);
    if (litmus_parse("hostile", text, sizeof text - 1, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    fixture.facts.test = test;
    fixture.facts.outcome = "1:r0=1;";
    (void)snprintf(fixture.device.architecture, sizeof fixture.device.architecture, "$(shell id)");
    assert_int_equal(reproduce_write(&fixture.facts, &reproducer, &error), STATUS_OK);
    assert_non_null(strstr(file_of(&reproducer, "reproduce.cu"), "\"x\\\"%s\\\\n\""));
    assert_null(strstr(file_of(&reproducer, "reproduce.cu"), "\\\n"));
    assert_null(strstr(file_of(&reproducer, "Makefile"), "shell"));
    reproduce_release(&reproducer);
    litmus_release(test);
    tear_down(&fixture);
}

/* ---- tests without a program ---- */

static void expect_refused(const char *word, uint32_t resident, const char *outcome, enum status status,
                           const char *words)
{
    struct fixture fixture;
    struct reproducer reproducer;
    struct error error = {.text = ""};
    set_up(&fixture, word, neutral, true);
    fixture.facts.resident_groups = resident;
    if (outcome)
        fixture.facts.outcome = outcome;
    assert_int_equal(reproduce_write(&fixture.facts, &reproducer, &error), status);
    if (!strstr(error.text, words))
        fail_msg("%s: found \"%s\"", word, error.text);
    reproduce_release(&reproducer);
    tear_down(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refused("ptx:progress-chain", 16, NULL, STATUS_UNSUPPORTED, "is a test of progress");
    expect_refused("ptx:IRIW+relaxed", 3, NULL, STATUS_UNSUPPORTED, "needs 4 work-groups at once");
    expect_refused("ptx:MP+relaxed", 16, "1:r0=1;", STATUS_USAGE, "is not an outcome of MP+relaxed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),        cmocka_unit_test(test_usual_tests_are_short),
        cmocka_unit_test(test_times),         cmocka_unit_test(test_every_parameter_shows),
        cmocka_unit_test(test_hostile_names), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
