// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the promise that the test which is judged is the one that is emitted. The kernel's text is read back without
 * a compiler, instruction by instruction, and the test that it plays is judged by the same model as
 * kernel_target_make's: every outcome must have the same verdict. So over random tests of OPENCL, C and CUDA and over
 * the catalogue's.
 *
 * Whole where ORCHIL_WHOLE_SEARCH is set (the test nightly.emitted), else a sample of a few seconds. ORCHIL_SEARCH_SEED
 * moves what is drawn.
 */
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
#include "tests/catalogue/random_tests.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/mapping/random_test.h"
#include "tests/kernel/mapping/read_kernel.h"

enum { MOST_REASONS = 64 };

/* Reasons, and how many tests have each. */
struct reasons {
    struct {
        char text[200];
        unsigned count;
    } items[MOST_REASONS];
    unsigned count;
};

struct guard {
    enum litmus_dialect target;
    struct model *model;
    unsigned tests, equal, unequal, not_emitted, unjudged, printed;
    struct reasons unread, refused, unprinted;
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

static void add_reason(struct reasons *reasons, const char *text, const struct litmus_test *test)
{
    unsigned i = 0;
    while (i < reasons->count && strncmp(reasons->items[i].text, text, 199) != 0)
        i++;
    if (i == MOST_REASONS)
        fail_msg("more than %d reasons", MOST_REASONS);
    if (i == reasons->count) {
        (void)snprintf(reasons->items[i].text, sizeof reasons->items[i].text, "%s", text);
        print_message("first: %s %s: %s\n", litmus_dialect_name(test->dialect), test->name, text);
        reasons->count++;
    }
    reasons->items[i].count++;
}

static void print_reasons(const char *title, const struct reasons *reasons)
{
    for (unsigned i = 0; i < reasons->count; i++)
        print_message("  %s: %u: %s\n", title, reasons->items[i].count, reasons->items[i].text);
}

/* The verdicts, an outcome a line, without the forbidden ones if not asked for; or why there are none, after "unjudged:
 * ". */
static bool add_verdicts(const struct model *model, const struct litmus_test *test, bool forbidden, struct text *text)
{
    const struct judge_options options = {.maximum_candidates = is_whole() ? 20000 : 6000};
    struct judgement judgement;
    struct error error;
    const enum status status = model_judge(model, test, &options, &judgement, &error);
    if (status == STATUS_UNSUPPORTED || status == STATUS_LIMIT) {
        text_add(text, "unjudged: %s\n", error.text);
        return false;
    }
    if (status != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    text_add(text, "%s%s%s\n", judgement.cut ? judgement.cut : "complete", judgement.racy ? ", racy" : "",
             judgement.never_ends ? ", never ends" : "");
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        if (!forbidden && judgement.outcomes[i].verdict == VERDICT_FORBIDDEN)
            continue;
        litmus_print_outcome(test, judgement.outcomes[i].values, text);
        text_add(text, " %s\n", verdict_word(judgement.outcomes[i].verdict));
    }
    judgement_release(&judgement);
    return true;
}

/* The kernels of the test's agents; 0 if the target has none. */
static unsigned generate(const struct guard *guard, const struct litmus_test *test, struct kernel *kernels,
                         struct error *error)
{
    struct backend_device members[BACKEND_MAXIMUM_MEMBERS];
    struct backend_device device = fixture_device(guard->target == LITMUS_PTX ? "ptx" : "glsl");
    struct litmus_agents agents;
    unsigned made;
    if (litmus_find_agents(test, &agents, error) != STATUS_OK)
        return 0;
    for (unsigned i = 0; i < agents.count && agents.count > 1; i++) {
        members[i] = fixture_device(agents.host && i + 1 == agents.count ? "c11"
                                    : guard->target == LITMUS_PTX        ? "ptx"
                                                                         : "glsl");
        members[i].index = i;
        members[i].gpu = !(agents.host && i + 1 == agents.count);
    }
    if (agents.count > 1)
        device = (struct backend_device){.backend = "ensemble",
                                         .name = "fixtures",
                                         .gpu = true,
                                         .host = agents.host,
                                         .homes = 7,
                                         .atomic_homes = 7,
                                         .links = "",
                                         .member_count = agents.count,
                                         .members = members};
    return kernel_generate_agents(test, &device, NULL, false, kernels, &made, error) == STATUS_OK ? made : 0;
}

/* The mapped test as a text of its own, parsed, allows the same. Which forbidden outcomes are listed depends on the
 * executions that the search leaves out, and so on the registers that the text has more. */
static void check_print(struct guard *guard, const struct kernel_target *made)
{
    const struct litmus_test *target = made->test;
    struct text text = {0}, of_printed = {0}, of_target = {0};
    struct error error;
    if (kernel_target_print(made, &text, &error) != STATUS_OK) {
        char *const position = strstr(error.text, ":"); /* a place in the text differs from test to test */
        if (position)
            *position = '\0';
        add_reason(&guard->unprinted, error.text, target);
    } else {
        struct litmus_test *printed = fixture_parse(target->name, text_string(&text));
        (void)add_verdicts(guard->model, printed, false, &of_printed);
        (void)add_verdicts(guard->model, target, false, &of_target);
        if (strcmp(text_string(&of_target), text_string(&of_printed)) != 0) {
            print_message("%s, printed, differs\n%sthe mapped test:\n%sthe printed one:\n%s", target->name,
                          text_string(&text), text_string(&of_target), text_string(&of_printed));
            guard->unequal++;
        }
        guard->printed++;
        litmus_release(printed);
    }
    text_release(&text);
    text_release(&of_printed);
    text_release(&of_target);
}

/* Judges both; true if they agree. */
static bool agree(struct guard *guard, const struct litmus_test *test, const struct read_test *read)
{
    struct text of_target = {0}, of_text = {0};
    struct kernel_target target;
    struct error error;
    bool judged = false;
    if (kernel_target_make(test, kernel_mapping_to(guard->target), &target, &error) == STATUS_OK) {
        judged = add_verdicts(guard->model, target.test, true, &of_target);
        if (judged)
            check_print(guard, &target);
        kernel_target_release(&target);
    } else {
        text_add(&of_target, "refused: %s\n", error.text);
    }
    judged |= add_verdicts(guard->model, read->test, true, &of_text);
    const bool same = strcmp(text_string(&of_target), text_string(&of_text)) == 0;
    guard->unjudged += same && !judged;
    guard->equal += same && judged;
    if (!same)
        print_message("%s %s to %s differs\nthe mapped test:\n%sthe emitted one:\n%s",
                      litmus_dialect_name(test->dialect), test->name, litmus_dialect_name(guard->target),
                      text_string(&of_target), text_string(&of_text));
    text_release(&of_target);
    text_release(&of_text);
    return same;
}

/* What the target refuses, as it must if a kernel's text cannot be read as a test either. */
static void note_unread(struct guard *guard, const struct litmus_test *test, const char *why)
{
    struct kernel_target target;
    struct error error;
    if (kernel_target_make(test, kernel_mapping_to(guard->target), &target, &error) == STATUS_OK) {
        add_reason(&guard->unread, why, test);
        kernel_target_release(&target);
    } else {
        add_reason(&guard->refused, error.text, test);
    }
}

static void examine(struct guard *guard, const struct litmus_test *test)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS] = {0};
    struct read_test read;
    struct error error;
    guard->tests++;
    const unsigned agents = generate(guard, test, kernels, &error);
    if (agents == 0) {
        guard->not_emitted++;
        return;
    }
    const char *why = read_kernel(test, guard->target, kernels, agents, &read);
    if (why)
        note_unread(guard, test, why);
    else
        guard->unequal += !agree(guard, test, &read);
    read_test_release(&read);
    for (unsigned agent = 0; agent < agents; agent++)
        kernel_release(&kernels[agent]);
}

static void start(struct guard *guard, enum litmus_dialect target)
{
    struct error error;
    *guard = (struct guard){.target = target};
    if (model_load(model_default(target), &guard->model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void end(struct guard *guard, const char *title)
{
    print_message("%s to %s: %u tests, %u equal, %u unequal, %u unjudged alike, %u not emitted, %u printed\n", title,
                  litmus_dialect_name(guard->target), guard->tests, guard->equal, guard->unequal, guard->unjudged,
                  guard->not_emitted, guard->printed);
    print_reasons("unread", &guard->unread);
    print_reasons("refused by both", &guard->refused);
    print_reasons("not printed", &guard->unprinted);
    model_release(guard->model);
    assert_int_equal(guard->unequal, 0);
}

/* ---- what VULKAN has words for ---- */

static void weaken_expression(struct litmus_expression *expression)
{
    if (!expression)
        return;
    weaken_expression(expression->left);
    weaken_expression(expression->right);
    struct litmus_access *access = expression->access;
    if (!access)
        return;
    weaken_expression(access->operand);
    weaken_expression(access->expected);
    if (access->order == LITMUS_SEQ_CST)
        access->order = access->operation == LITMUS_LOAD    ? LITMUS_ACQUIRE
                        : access->operation == LITMUS_STORE ? LITMUS_RELEASE
                                                            : LITMUS_ACQ_REL;
    if (access->failure == LITMUS_SEQ_CST)
        access->failure = LITMUS_ACQUIRE;
    if (access->scope == LITMUS_ALL_DEVICES)
        access->scope = LITMUS_DEVICE;
}

static void weaken_block(struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        struct litmus_statement *statement = &block->statements[i];
        weaken_expression(statement->value);
        weaken_block(&statement->body);
        weaken_block(&statement->otherwise);
        if (statement->kind == LITMUS_FENCE && statement->fence.order == LITMUS_SEQ_CST)
            statement->fence.order = LITMUS_ACQ_REL;
        if (statement->kind == LITMUS_FENCE && statement->fence.scope == LITMUS_ALL_DEVICES)
            statement->fence.scope = LITMUS_DEVICE;
    }
}

/* Without seq_cst and other devices, if the target has neither. */
static void weaken(struct litmus_test *test, enum litmus_dialect target)
{
    for (size_t body = 0; body < test->body_count && target == LITMUS_VULKAN; body++)
        weaken_block(&test->threads[body].body);
}

/* ---- the tests ---- */

static const enum litmus_dialect targets[] = {LITMUS_PTX, LITMUS_VULKAN};

static bool has_mapping(const struct litmus_test *test, enum litmus_dialect target)
{
    return test->dialect == LITMUS_OPENCL || test->dialect == LITMUS_C ||
           (test->dialect == LITMUS_CUDA && target == LITMUS_PTX);
}

static void test_random(void **state)
{
    const uint64_t count = is_whole() ? 600 : 60;
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        struct guard guard;
        start(&guard, targets[t]);
        for (uint64_t number = 0; number < count; number++) {
            for (int dialect = 0; dialect < RANDOM_DIALECTS; dialect++) {
                struct text text = {0};
                struct litmus_test *small =
                    random_small_test((enum litmus_dialect)dialect, seed() * 1000000 + number, &text);
                weaken(small, targets[t]);
                if (has_mapping(small, targets[t]))
                    examine(&guard, small);
                litmus_release(small);
                text_release(&text);
            }
            struct litmus_test *test = random_test(number % 2 ? LITMUS_C : LITMUS_OPENCL, seed(), number);
            weaken(test, targets[t]);
            examine(&guard, test);
            litmus_release(test);
        }
        end(&guard, "random tests");
    }
}

static void test_catalogue(void **state)
{
    const size_t each = is_whole() ? 1 : 40;
    struct selection selection;
    struct error error;
    (void)state;
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t t = 0; t < 2; t++) {
        struct guard guard;
        start(&guard, targets[t]);
        for (size_t i = 0; i < selection.count; i += each)
            if (has_mapping(selection.tests[i].test, targets[t]))
                examine(&guard, selection.tests[i].test);
        end(&guard, "catalogue");
    }
    selection_release(&selection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_catalogue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
