// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the mappings from OPENCL and C to PTX and to VULKAN: what the source's model forbids, what is emitted has to
 * forbid, but for the limits that docs/internals/lowering.md explains. limits.txt lists those that a search finds in
 * all rings of two and three threads, in drawn ones of four, in random tests and in the catalogue; each of its lines is
 * found again here.
 *
 * The search is whole where ORCHIL_WHOLE_SEARCH is set (the test nightly.mapping), else a sample of a few seconds.
 * ORCHIL_SEARCH_SEED moves what is drawn; then nothing is compared with the list, and only a limit of another kind
 * fails. ORCHIL_SEARCH_ONLY names one title of the list. With the name of a test as its argument, the program prints
 * that test, and its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "catalogue/selection.h"
#include "kernel/target.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/mapping/random_test.h"
#include "tests/kernel/mapping/ring_test.h"
#include "tests/kernel/mapping/search.h"

/* What is searched, under the title that it has in the list; and of how many tests the sample takes one. */
static const struct space {
    const char *title;
    unsigned threads; /* of rings; 0: no rings */
    uint64_t drawn;   /* numbers that are drawn; 0: all of them */
    unsigned sample;
    enum litmus_dialect to;
} spaces[] = {
    {"rings of two threads", 2, 0, 3, LITMUS_PTX},
    {"rings of three threads", 3, 0, 60, LITMUS_PTX},
    {"rings of four threads", 4, 10000, 40, LITMUS_PTX},
    {"random tests", 0, 2000, 25, LITMUS_PTX},
    {"catalogue", 0, 0, 150, LITMUS_PTX},
    {"catalogue, as VULKAN", 0, 0, 150, LITMUS_VULKAN},
};

static bool is_whole(void)
{
    return getenv("ORCHIL_WHOLE_SEARCH") != NULL;
}

static uint64_t seed(void)
{
    const char *given = getenv("ORCHIL_SEARCH_SEED");
    return given ? strtoull(given, NULL, 10) : 1;
}

/* ---- limits ---- */

struct visit {
    struct mapping_search search;
    const struct space *space;
    const char *listed; /* the lines of the list */
};

/* Takes a test over, and examines it if it is of the sample or on the list. */
static void visit_test(struct visit *visit, struct litmus_test *test, uint64_t number)
{
    if (test && (is_whole() || number % visit->space->sample == 0 || search_lists(visit->listed, test->name)))
        search_examine(&visit->search, test);
    litmus_release(test);
}

static void visit_number(struct visit *visit, uint64_t number)
{
    static const enum litmus_dialect dialects[] = {LITMUS_OPENCL, LITMUS_C};
    const unsigned threads = visit->space->threads;
    const uint64_t ring = threads == 0              ? 0
                          : visit->space->drawn > 0 ? random_at(seed(), threads, 0, number) % ring_count(threads)
                                                    : number;
    for (size_t i = 0; i < 2; i++)
        visit_test(visit,
                   threads == 0 ? random_test(dialects[i], seed(), number) : ring_test(dialects[i], threads, ring),
                   number);
}

/* Not those with a host thread: what ptx makes of its accesses is weaker on purpose (docs/reference/models.md). */
static bool is_mapped(const struct litmus_test *test)
{
    struct litmus_agents agents;
    struct error error;
    if (litmus_find_agents(test, &agents, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    return (test->dialect == LITMUS_OPENCL || test->dialect == LITMUS_C) && !agents.host;
}

static void visit_catalogue(struct visit *visit)
{
    struct selection selection;
    struct error error;
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection.count; i++)
        if (is_mapped(selection.tests[i].test)) {
            visit_test(visit, selection.tests[i].test, i);
            selection.tests[i].test = NULL;
        }
    selection_release(&selection);
}

static void print_counts(const struct visit *visit)
{
    const struct mapping_search *search = &visit->search;
    print_message("%s: %u tests, %u unjudged in the target, %u limits unexplained\n", visit->space->title,
                  search->tests, search->target_unjudged, search->unexplained);
    for (size_t i = 0; i < SEARCH_MODELS; i++) {
        const struct search_model *model = &search->models[i];
        if (model->model)
            print_message("  %s: %u judged (in %u the rule for seq_cst decides), %u racy, %u unjudged, %u with limits, "
                          "%u with values out of thin air\n",
                          model->name, model->judged, model->by_total_order, model->racy, model->unjudged,
                          model->with_limits, model->out_of_thin_air);
    }
    /* A third of the catalogue is seq_cst, which VULKAN has not. */
    assert_true(search->tests > (search->to == LITMUS_PTX ? 5 : 1) * search->target_unjudged);
}

static const struct space *space_of(const char *title)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strcmp(spaces[i].title, title) == 0)
            return &spaces[i];
    fail_msg("no search is named %s", title);
    return NULL;
}

/* Of another seed only the kinds are known: those that the seq_cst rules of OpenCL's models forbid. */
static void check_kinds(enum litmus_dialect to, const char *lines)
{
    if (to != LITMUS_PTX)
        return;
    for (const char *line = lines; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "opencl", 6) != 0 || !strstr(line, ": SC-") || strstr(line, ": SC-") > strchr(line, ','))
            fail_msg("a limit of another kind: %.*s", (int)strcspn(line, "\n"), line);
}

static void check_limits(struct corpus_case *one, void *context)
{
    struct text found = {0};
    struct visit visit = {.space = space_of(one->title)};
    const struct text *listed = corpus_part(one, "limits");
    const char *only = getenv("ORCHIL_SEARCH_ONLY");
    (void)context;
    assert_non_null(listed);
    if (only && strcmp(only, one->title) != 0)
        return;
    visit.listed = text_string(listed);
    mapping_search_start(&visit.search, visit.space->to, &found);
    const uint64_t count = visit.space->drawn > 0 ? visit.space->drawn : ring_count(visit.space->threads);
    if (visit.space->threads == 0 && visit.space->drawn == 0)
        visit_catalogue(&visit);
    else
        for (uint64_t number = 0; number < count; number++)
            visit_number(&visit, number);
    print_counts(&visit);
    check_kinds(visit.space->to, text_string(&found));
    (void)printf("%s", text_string(&found)); /* cmocka's own would cut it */
    if (seed() == 1)
        corpus_expect(one, "limits", text_string(&found));
    search_release(&visit.search);
    text_release(&found);
}

static void test_limits(void **state)
{
    (void)state;
    assert_int_equal(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/mapping/limits.txt", check_limits, NULL),
                     sizeof spaces / sizeof spaces[0]);
}

/* ---- claims ---- */

/* Whether a model allows the witness. */
static bool allows(const char *model_name, const struct litmus_test *test)
{
    struct model *model;
    struct judgement judgement;
    struct error error;
    bool allowed = false;
    if (model_load(model_name, &model, &error) != STATUS_OK ||
        model_judge(model, test, NULL, &judgement, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < judgement.outcome_count; i++)
        allowed |= judgement.outcomes[i].witness && judgement.outcomes[i].verdict != VERDICT_FORBIDDEN;
    judgement_release(&judgement);
    model_release(model);
    return allowed;
}

static void check_claim(struct corpus_case *one, void *context)
{
    static const char *const forbidding[] = {"opencl", "opencl-3.1", "opencl-scoped"};
    struct kernel_target target;
    struct error error;
    struct litmus_test *source = fixture_parse(one->title, text_string(&one->parts[0].text));
    (void)context;
    for (size_t i = 0; i < 3; i++)
        assert_false(allows(forbidding[i], source));
    if (kernel_target_make(source, KERNEL_MAPPING_PTX, &target, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
    assert_true(allows("ptx", target.test));
    kernel_target_release(&target);
    litmus_release(source);
    assert_true(one->count >= 3);
    for (size_t i = 1; i < one->count; i++) {
        struct litmus_test *ptx = fixture_parse(one->title, text_string(&one->parts[i].text));
        const bool claimed = strncmp(one->parts[i].name, "allowed", 7) == 0;
        if (allows("ptx", ptx) != claimed)
            fail_msg("%s:%u: %s: it is not %s", one->path, one->line, one->title, one->parts[i].name);
        litmus_release(ptx);
    }
}

/* What other places of fences would do, as docs/internals/lowering.md says it. */
static void test_claims(void **state)
{
    (void)state;
    assert_int_equal(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/mapping/claims.txt", check_claim, NULL), 2);
}

/* ---- one test again ---- */

static struct litmus_test *test_of_name(enum litmus_dialect dialect, const char *name)
{
    unsigned long long of, number;
    if (sscanf(name, "ring-%llu-%llu", &of, &number) == 2 && of >= 2 && of <= 4 && number < ring_count((unsigned)of))
        return ring_test(dialect, (unsigned)of, number);
    return sscanf(name, "random-%llu-%llu", &of, &number) == 2 ? random_test(dialect, of, number) : NULL;
}

static int show_test(const char *name)
{
    static const enum litmus_dialect dialects[] = {LITMUS_OPENCL, LITMUS_C};
    struct text text = {0}, found = {0};
    struct mapping_search search;
    mapping_search_start(&search, LITMUS_PTX, &found);
    for (size_t i = 0; i < 2; i++) {
        struct litmus_test *test = test_of_name(dialects[i], name);
        if (!test)
            continue;
        litmus_print(test, &text);
        text_add(&text, "\n");
        search_examine(&search, test);
        litmus_release(test);
    }
    (void)printf("%s%s", text_string(&text), text_string(&found));
    const bool shown = text.size > 0;
    search_release(&search);
    text_release(&text);
    text_release(&found);
    return shown ? 0 : 2;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits), cmocka_unit_test(test_claims)};
    if (argc == 2)
        return show_test(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
