// SPDX-License-Identifier: Apache-2.0
/* Protects the catalogue, templates and all: a test that lies in the wrong folder, says of itself what its model does
 * not say, or is allowed and names a control that is missing, allowed itself, or another program, would make runs fail
 * or their numbers mean nothing. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/selection.h"
#include "kernel/target.h"
#include "litmus/language/walk.h"
#include "models/models.h"

static int load(void **state)
{
    struct selection *selection = calloc(1, sizeof *selection);
    struct error error;
    assert_non_null(selection);
    *state = selection;
    if (selection_all(selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return 0;
}

static int unload(void **state)
{
    selection_release(*state);
    free(*state);
    return 0;
}

/* What a test expects, in the models' words: what is unpromised is allowed. */
static const char *expected(const struct litmus_test *test)
{
    return litmus_claim(test) == LITMUS_CLAIM_UNPROMISED ? "allowed" : litmus_metadata(test, "Expect");
}

static bool expects(const struct litmus_test *test, const char *wanted)
{
    const char *expect = expected(test);
    return expect && strcmp(expect, wanted) == 0;
}

static bool is_progress(const struct litmus_test *test)
{
    return litmus_metadata(test, "Progress") != NULL;
}

/* FAMILY/DIALECT/, and a file that is no template has its test's name. */
static void every_test_lies_where_its_name_says(void **state)
{
    const struct selection *selection = *state;
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const char *dialect = strchr(selected->file, '/');
        char folder[16] = "", file[512];
        for (size_t c = 0; c + 1 < sizeof folder && litmus_dialect_name(selected->test->dialect)[c]; c++)
            folder[c] = (char)tolower((unsigned char)litmus_dialect_name(selected->test->dialect)[c]);
        if (!dialect || strncmp(dialect + 1, folder, strlen(folder)) != 0 || dialect[1 + strlen(folder)] != '/')
            fail_msg("%s is a test of the dialect %s", selected->file, folder);
        (void)snprintf(file, sizeof file, "%s.litmus", selected->test->name);
        if (!selected->template && strcmp(strrchr(selected->file, '/') + 1, file) != 0)
            fail_msg("%s holds a test named %s", selected->file, selected->test->name);
    }
}

static bool has_one_agent(const struct litmus_test *test)
{
    struct litmus_agents agents;
    struct error error;
    if (litmus_find_agents(test, &agents, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return agents.count == 1;
}

static void name_threads_of(const struct litmus_test *test, const struct litmus_placement *agent, struct text *name)
{
    for (size_t body = 0; body < test->body_count; body++) {
        const struct litmus_placement *placement = &test->threads[body].placement;
        if (placement->host == agent->host && (agent->host || placement->device == agent->device))
            text_add(name, "%zu", body);
    }
}

/* How a name ends that says who plays which thread: "d01-2", or "h1". */
static void name_placement(const struct litmus_test *test, struct text *name)
{
    const struct litmus_placement *seen[LITMUS_MAXIMUM_AGENTS];
    size_t count = 0;
    for (size_t body = 0; body < test->body_count; body++) {
        const struct litmus_placement *placement = &test->threads[body].placement;
        if (placement->host) {
            text_clear(name);
            text_add(name, "h");
            name_threads_of(test, placement, name);
            return;
        }
        bool known = false;
        for (size_t s = 0; s < count; s++)
            known |= seen[s]->device == placement->device;
        if (known)
            continue;
        seen[count] = placement;
        text_add(name, count++ == 0 ? "d" : "-");
        name_threads_of(test, placement, name);
    }
}

static void every_test_of_agents_has_several_as_its_name_says(void **state)
{
    const struct selection *selection = *state;
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        struct text wanted = {0};
        if (strncmp(selection->tests[i].file, "agents/", strlen("agents/")) != 0)
            continue;
        name_placement(test, &wanted);
        if (has_one_agent(test) || strcmp(strrchr(test->name, '+') + 1, text_string(&wanted)) != 0)
            fail_msg("%s: the name %s does not end with %s", selection->tests[i].file, test->name,
                     text_string(&wanted));
        text_release(&wanted);
        count++;
    }
    assert_true(count >= 800);
}

/* And to the same statements: a test that is printed as another one gives the same text again. */
static void printed_tests_parse_to_the_same_text(void **state)
{
    const struct selection *selection = *state;
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        struct text first = {0}, second = {0};
        struct litmus_test *again;
        struct error error;
        litmus_print(test, &first);
        if (litmus_parse(selection->tests[i].file, text_string(&first), first.size, &again, &error) != STATUS_OK)
            fail_msg("printed: %s", error.text);
        litmus_print(again, &second);
        assert_string_equal(text_string(&first), text_string(&second));
        for (size_t body = 0; body < test->body_count; body++)
            if (!litmus_same_block(&test->threads[body].body, &again->threads[body].body, false))
                fail_msg("%s is printed as another test:\n%s", test->name, text_string(&first));
        litmus_release(again);
        text_release(&first);
        text_release(&second);
    }
}

static void every_test_says_what_it_shows(void **state)
{
    const struct selection *selection = *state;
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        struct text names = {0};
        if (strlen(test->doc) == 0)
            fail_msg("%s (%s) has no quoted line", selection->tests[i].file, test->name);
        if (litmus_unsupported(test, &names) != (litmus_metadata(test, "Unjudged") != NULL))
            fail_msg("%s (%s): Unjudged= says why a test is there whose instructions no model knows; this one has: %s",
                     selection->tests[i].file, test->name, text_string(&names));
        text_release(&names);
    }
}

/* What the model says of the witness: "allowed", "forbidden", or what it says instead of either. */
static const char *say(const struct judgement *judgement)
{
    const char *said = "forbidden";
    if (judgement->racy)
        return verdict_word(VERDICT_UNDEFINED);
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        const struct judged_outcome *outcome = &judgement->outcomes[i];
        if (outcome->verdict == VERDICT_UNDEFINED || outcome->verdict == VERDICT_UNSPECIFIED)
            return verdict_word(outcome->verdict);
        if (outcome->witness && outcome->verdict == VERDICT_NONE && strcmp(said, "forbidden") == 0)
            said = "unjudged"; /* the search was cut */
        else if (outcome->witness && outcome->verdict != VERDICT_FORBIDDEN && outcome->verdict != VERDICT_NONE)
            said = "allowed";
    }
    return said;
}

/* A loop, or a jump back. */
static bool spins(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || spins(&statement->body) ||
            spins(&statement->otherwise))
            return true;
        for (size_t label = 0; label < i && statement->kind == LITMUS_GOTO; label++)
            if (block->statements[label].kind == LITMUS_LABEL && block->statements[label].label == statement->label)
                return true;
    }
    return false;
}

static bool any_spins(const struct litmus_test *test)
{
    bool found = false;
    for (size_t i = 0; i < test->body_count; i++)
        found |= spins(&test->threads[i].body);
    return found;
}

/* The word of the dialect's model on the witness, or "unjudged". What spins takes seconds each and is left to the
 * night. */
static const char *verdict_on(const struct litmus_test *test)
{
    static struct model *models[LITMUS_DIALECT_COUNT]; /* loaded once; the end of the process releases them */
    const bool whole = getenv("ORCHIL_WHOLE_CATALOGUE") != NULL;
    struct kernel_target target = {0};
    struct judgement judgement;
    struct error error;
    const char *said = "unjudged";
    if (!models[test->dialect] && model_load(model_default(test->dialect), &models[test->dialect], &error) != STATUS_OK)
        fail_msg("%s", error.text);
    enum status status = whole || !any_spins(test) ? STATUS_OK : STATUS_UNSUPPORTED;
    if (status == STATUS_OK && test->dialect == LITMUS_CUDA)
        status = kernel_target_make(test, KERNEL_MAPPING_PTX, &target, &error);
    if (status == STATUS_OK)
        status = model_judge(models[test->dialect], target.test ? target.test : test, NULL, &judgement, &error);
    if (status == STATUS_OK) {
        said = say(&judgement);
        judgement_release(&judgement);
    } else if (status != STATUS_UNSUPPORTED && status != STATUS_LIMIT)
        fail_msg("%s: %s", test->name, error.text);
    kernel_target_release(&target);
    return said;
}

static void every_expectation_is_what_the_model_says(void **state)
{
    const struct selection *selection = *state;
    size_t judged = 0, unjudged = 0, neither = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const char *expect = expected(selected->test);
        const char *said = verdict_on(selected->test);
        if (strcmp(said, "unjudged") == 0)
            unjudged++;
        else if (expect && strcmp(expect, said) != 0)
            fail_msg("%s (%s): Expect=%s, and the model %s says %s", selected->file, selected->test->name, expect,
                     model_default(selected->test->dialect), said);
        else if (!expect && (strcmp(said, "allowed") == 0 || strcmp(said, "forbidden") == 0))
            fail_msg("%s (%s) has no line Expect=%s", selected->file, selected->test->name, said);
        else if (!expect)
            neither++;
        else
            judged++;
    }
    print_message("%zu expectations hold, %zu tests are unjudged, of %zu the model says neither\n", judged, unjudged,
                  neither);
    assert_true(judged > 5 * unjudged);
}

/* Where a test and its control may not differ: who runs where. */
static bool same_threads(const struct litmus_test *a, const struct litmus_test *b)
{
    if (a->body_count != b->body_count)
        return false;
    for (size_t i = 0; i < a->body_count; i++) {
        const struct litmus_placement *p = &a->threads[i].placement, *q = &b->threads[i].placement;
        if (a->threads[i].first != b->threads[i].first || a->threads[i].count != b->threads[i].count ||
            p->sub_group != q->sub_group || p->work_group != q->work_group || p->cluster != q->cluster ||
            p->device != q->device)
            return false;
    }
    return true;
}

/* Whether a location is atomic may differ: the data of a lock is plain only where the lock is right. */
static bool same_locations(const struct litmus_test *a, const struct litmus_test *b)
{
    if (a->location_count != b->location_count)
        return false;
    for (size_t i = 0; i < a->location_count; i++) {
        const struct litmus_location *x = &a->locations[i], *y = &b->locations[i];
        const uint32_t elements = x->elements < y->elements ? x->elements : y->elements;
        if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->region != y->region ||
            memcmp(x->initial, y->initial, elements * sizeof *x->initial) != 0)
            return false;
    }
    return true;
}

/* The condition from its first parenthesis on: the quantifier may differ, and where a location is an array only for the
 * sake of an address dependency, its element 0 is the location. */
static void add_proposition(const struct litmus_test *test, struct text *text)
{
    struct text condition = {0};
    litmus_print_condition(test, &condition);
    const char *at = strchr(text_string(&condition), '(');
    for (; at && *at; at += strncmp(at, "[0]", 3) == 0 ? 3 : 1)
        if (strncmp(at, "[0]", 3) != 0 && *at != '[' && *at != ']')
            text_add_bytes(text, at, 1);
    text_release(&condition);
}

static bool same_proposition(const struct litmus_test *a, const struct litmus_test *b)
{
    struct text x = {0}, y = {0};
    add_proposition(a, &x);
    add_proposition(b, &y);
    const bool same = x.size > 0 && strcmp(text_string(&x), text_string(&y)) == 0 && !a->filter && !b->filter;
    text_release(&x);
    text_release(&y);
    return same;
}

/* Calls see for each test that a line of metadata names; returns how many. */
static size_t each_named(const struct selection *selection, const struct selected_test *selected, const char *key,
                         void (*see)(const struct selected_test *selected, const struct litmus_test *named))
{
    const char *names = litmus_metadata(selected->test, key);
    size_t count = 0;
    while (names && *names) {
        char name[256];
        struct selected_test found;
        struct error error;
        const size_t length = strcspn(names, ", ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        names += length + strspn(names + length, ", ");
        if (selection_find(selection, name, selected->test->dialect, &found, &error) != STATUS_OK)
            fail_msg("%s (%s): %s=%s: %s", selected->file, selected->test->name, key, name, error.text);
        see(selected, found.test);
        selected_test_release(&found);
        count++;
    }
    return count;
}

/* What a sibling says of itself, or, where it is a variant that no file says anything about, what the model says. */
static bool shows(const struct litmus_test *sibling, const char *wanted)
{
    return litmus_metadata(sibling, "Expect") ? expects(sibling, wanted) : strcmp(verdict_on(sibling), wanted) == 0;
}

static void see_control(const struct selected_test *selected, const struct litmus_test *control)
{
    const struct litmus_test *test = selected->test;
    if (!shows(control, "forbidden"))
        fail_msg("%s (%s): its control %s is not forbidden", selected->file, test->name, control->name);
    if (!same_threads(test, control))
        fail_msg("%s (%s): its control %s has other threads", selected->file, test->name, control->name);
    if (!same_locations(test, control))
        fail_msg("%s (%s): its control %s has other locations", selected->file, test->name, control->name);
    if (!same_proposition(test, control))
        fail_msg("%s (%s): its control %s has another condition", selected->file, test->name, control->name);
}

static void every_allowed_test_has_a_control_that_is_its_forbidden_sibling(void **state)
{
    const struct selection *selection = *state;
    size_t controls = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const size_t count = each_named(selection, selected, "Control", see_control);
        if (count == 0 && expects(selected->test, "allowed") && !is_progress(selected->test))
            fail_msg("%s (%s) is allowed and names no control", selected->file, selected->test->name);
        controls += count;
    }
    assert_true(controls > 0);
}

static void see_mutant(const struct selected_test *selected, const struct litmus_test *mutant)
{
    if (!shows(mutant, "allowed"))
        fail_msg("%s (%s): its mutant %s is not allowed", selected->file, selected->test->name, mutant->name);
}

static void every_mutant_is_allowed(void **state)
{
    const struct selection *selection = *state;
    size_t mutants = 0, conformance = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const size_t count = each_named(selection, &selection->tests[i], "Mutants", see_mutant);
        mutants += count;
        conformance += expects(selection->tests[i].test, "forbidden") && count == 0;
    }
    print_message("%zu mutants; %zu forbidden tests name none\n", mutants, conformance);
    assert_true(mutants > 0);
}

static void see_planted(const struct selected_test *selected, const struct litmus_test *planted)
{
    const struct litmus_test *test = selected->test;
    if (!shows(planted, "allowed"))
        fail_msg("%s (%s): its planted violation %s is not allowed", selected->file, test->name, planted->name);
    if (!same_threads(test, planted))
        fail_msg("%s (%s): its planted violation %s has other threads", selected->file, test->name, planted->name);
    if (!same_proposition(test, planted))
        fail_msg("%s (%s): its planted violation %s has another condition", selected->file, test->name, planted->name);
}

/* A run of @assumptions needs all of it: who relies on what, and a violation that shows that the test can see one. */
static void every_assumption_says_who_relies_on_it_and_has_its_violation_planted(void **state)
{
    static const char *const words[] = {"Assumes", "Relies", "Promises", "Instead"};
    const struct selection *selection = *state;
    size_t assumptions = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const size_t planted = each_named(selection, selected, litmus_planted, see_planted);
        const bool unpromised = litmus_claim(selected->test) == LITMUS_CLAIM_UNPROMISED;
        if (unpromised && planted != 1)
            fail_msg("%s (%s): expected one test that Planted= names, found %zu", selected->file, selected->test->name,
                     planted);
        for (size_t w = 0; planted > 0 && w < sizeof words / sizeof *words; w++)
            if (!litmus_metadata(selected->test, words[w]))
                fail_msg("%s (%s): there is no line %s=", selected->file, selected->test->name, words[w]);
        assumptions += planted > 0;
    }
    print_message("%zu assumptions\n", assumptions);
    assert_true(assumptions >= 10);
}

/* Its head says what it is for: the short form of all families. It runs on one device, where tests of several agents
 * are unsupported. */
static void the_quick_suite_has_a_test_of_every_family(void **state)
{
    const struct selection *selection = *state;
    char quick[] = "@quick";
    char *words[] = {quick};
    struct selection suite;
    struct error error;
    if (selection_make(words, 1, kernel_judge, &suite, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection->count; i++) {
        const char *file = selection->tests[i].file;
        bool found = !has_one_agent(selection->tests[i].test);
        for (size_t q = 0; q < suite.count && !found; q++)
            found = strncmp(suite.tests[q].file, file, strcspn(file, "/") + 1) == 0;
        if (!found)
            fail_msg("@quick has no test of the family of %s", file);
    }
    for (size_t q = 0; q < suite.count; q++)
        if (!has_one_agent(suite.tests[q].test))
            fail_msg("@quick has a test of several agents: %s", suite.tests[q].file);
    assert_true(suite.budget > 0 && suite.confidence > 0);
    selection_release(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_test_lies_where_its_name_says),
        cmocka_unit_test(every_test_of_agents_has_several_as_its_name_says),
        cmocka_unit_test(printed_tests_parse_to_the_same_text),
        cmocka_unit_test(every_test_says_what_it_shows),
        cmocka_unit_test(every_expectation_is_what_the_model_says),
        cmocka_unit_test(every_allowed_test_has_a_control_that_is_its_forbidden_sibling),
        cmocka_unit_test(every_mutant_is_allowed),
        cmocka_unit_test(every_assumption_says_who_relies_on_it_and_has_its_violation_planted),
        cmocka_unit_test(the_quick_suite_has_a_test_of_every_family),
    };
    return cmocka_run_group_tests_name("catalogue", tests, load, unload);
}
