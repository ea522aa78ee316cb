// SPDX-License-Identifier: Apache-2.0
/* One test after another through the source's models and through ptx. */
#include "tests/kernel/mapping/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/target.h"

/* Enough for nearly every test of four threads; a larger one would take seconds. */
static const struct judge_options options = {.maximum_candidates = 20000};

static const struct search_model asked[SEARCH_MODELS] = {
    {.name = "opencl", .dialect = LITMUS_OPENCL},        {.name = "opencl-3.1", .dialect = LITMUS_OPENCL},
    {.name = "opencl-scoped", .dialect = LITMUS_OPENCL}, {.name = "rc11", .dialect = LITMUS_C},
    {.name = "rc11-scoped", .dialect = LITMUS_C},
};

static struct model *load(const char *name)
{
    struct model *model = NULL;
    struct error error;
    for (size_t i = 0; model_names[i]; i++)
        if (strcmp(model_names[i], name) == 0 && model_load(name, &model, &error) != STATUS_OK)
            fail_msg("%s", error.text);
    return model;
}

void mapping_search_start(struct mapping_search *search, enum litmus_dialect to, struct text *found)
{
    *search = (struct mapping_search){.to = to, .target = load(model_default(to)), .found = found};
    memcpy(search->models, asked, sizeof asked);
    for (size_t i = 0; i < SEARCH_MODELS; i++)
        search->models[i].model = load(asked[i].name);
    assert_non_null(search->target);
    assert_non_null(search->models[0].model);
}

void search_release(struct mapping_search *search)
{
    for (size_t i = 0; i < SEARCH_MODELS; i++)
        if (search->models[i].model)
            model_release(search->models[i].model);
    model_release(search->target);
}

/* ---- what would keep an outcome away ---- */

static void strengthen_order(enum litmus_order *order)
{
    if (*order == LITMUS_RELEASE || *order == LITMUS_ACQ_REL)
        *order = LITMUS_SEQ_CST;
}

static void strengthen_expression(struct litmus_expression *expression)
{
    if (!expression)
        return;
    strengthen_expression(expression->left);
    strengthen_expression(expression->right);
    if (!expression->access)
        return;
    strengthen_order(&expression->access->order);
    strengthen_expression(expression->access->operand);
    strengthen_expression(expression->access->expected);
}

static void strengthen_block(struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        struct litmus_statement *statement = &block->statements[i];
        strengthen_expression(statement->value);
        strengthen_block(&statement->body);
        strengthen_block(&statement->otherwise);
        if (statement->kind == LITMUS_FENCE)
            strengthen_order(&statement->fence.order);
    }
}

/* The test with every release made seq_cst, so that it is emitted with a fence.sc before it. */
static struct litmus_test *strengthened(const struct litmus_test *test)
{
    struct text text = {0};
    struct litmus_test *copy;
    struct error error;
    litmus_print(test, &text);
    if (litmus_parse(test->name, text_string(&text), text.size, &copy, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < copy->body_count; i++)
        strengthen_block(&copy->threads[i].body);
    text_release(&text);
    return copy;
}

/* ---- one test ---- */

/* What the target's model says of what is emitted; limits NULL: within the model's own bounds. */
static enum status judge_target(const struct mapping_search *search, const struct litmus_test *test,
                                const struct judge_options *limits, struct judgement *judgement)
{
    struct kernel_target target;
    struct error error;
    enum status status = kernel_target_make(test, kernel_mapping_to(search->to), &target, &error);
    if (status == STATUS_OK) {
        status = model_judge(search->target, target.test, limits, judgement, &error);
        kernel_target_release(&target);
    }
    if (status != STATUS_OK && status != STATUS_UNSUPPORTED && status != STATUS_LIMIT)
        fail_msg("%s: %s", test->name, error.text);
    return status;
}

/* The outcome of these values, or NULL where no candidate has it. */
static const struct judged_outcome *same_outcome(const struct judgement *judgement, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (memcmp(judgement->outcomes[i].values, values, count * sizeof *values) == 0)
            return &judgement->outcomes[i];
    return NULL;
}

static bool is_seq_cst_axiom(const char *axiom)
{
    return axiom && strncmp(axiom, "SC", 2) == 0;
}

static bool is_thin_air_axiom(const char *axiom)
{
    return axiom && strcmp(axiom, "No-Thin-Air") == 0;
}

static void add_line(struct mapping_search *search, const struct search_model *model, const struct litmus_test *test,
                     const char *axiom, const struct judged_outcome *outcome)
{
    text_add(search->found, "%s: %s, %s %s: ", model->name, axiom ? axiom : "no execution has it",
             litmus_dialect_name(test->dialect), test->name);
    litmus_print_outcome(test, outcome->values, search->found);
    text_add(search->found, "\n");
}

/* A limit of the one kind that is known goes away where every release has a fence.sc. */
static void check_kind(struct mapping_search *search, const struct litmus_test *test,
                       const struct judged_outcome *outcome)
{
    struct litmus_test *stronger = strengthened(test);
    struct judgement judgement;
    if (judge_target(search, stronger, NULL, &judgement) == STATUS_OK) {
        const struct judged_outcome *same = same_outcome(&judgement, outcome->values, test->variable_count);
        if (same && same->verdict != VERDICT_FORBIDDEN)
            fail_msg("%s: a limit of another kind: a fence.sc in each release does not forbid it", test->name);
        judgement_release(&judgement);
    } else {
        search->unexplained++;
    }
    litmus_release(stronger);
}

static void compare(struct mapping_search *search, struct search_model *model, const struct litmus_test *test,
                    const struct judgement *source, const struct judgement *target)
{
    const struct judged_outcome *limit = NULL;
    const char *axiom = NULL;
    bool thin_air = false, total_order = false;
    for (size_t i = 0; i < source->outcome_count; i++)
        total_order |= is_seq_cst_axiom(source->outcomes[i].axiom);
    for (size_t i = 0; i < target->outcome_count; i++) {
        const struct judged_outcome *of_target = &target->outcomes[i];
        const struct judged_outcome *of_source = same_outcome(source, of_target->values, test->variable_count);
        if (of_target->verdict == VERDICT_FORBIDDEN || (of_source && of_source->verdict != VERDICT_FORBIDDEN))
            continue;
        if (of_source && is_thin_air_axiom(of_source->axiom)) {
            thin_air = true;
        } else if (!limit) {
            limit = of_target;
            axiom = of_source ? of_source->axiom : NULL;
        }
    }
    model->out_of_thin_air += thin_air;
    model->by_total_order += total_order;
    model->with_limits += limit != NULL;
    if (!limit)
        return;
    add_line(search, model, test, axiom, limit);
    if (search->to == LITMUS_PTX)
        check_kind(search, test, limit);
}

static void ask(struct mapping_search *search, struct search_model *model, const struct litmus_test *test,
                const struct judgement *target)
{
    struct judgement source;
    struct error error;
    const enum status status = model_judge(model->model, test, &options, &source, &error);
    if (status != STATUS_OK && status != STATUS_UNSUPPORTED && status != STATUS_LIMIT)
        fail_msg("%s: %s", test->name, error.text);
    if (status != STATUS_OK) {
        model->unjudged++;
        return;
    }
    if (source.racy) {
        model->racy++;
    } else if (source.cut) {
        model->unjudged++;
    } else {
        model->judged++;
        compare(search, model, test, &source, target);
    }
    judgement_release(&source);
}

void search_examine(struct mapping_search *search, const struct litmus_test *test)
{
    struct judgement judgement;
    search->tests++;
    const enum status status = judge_target(search, test, &options, &judgement);
    if (status != STATUS_OK) {
        search->target_unjudged++;
        return;
    }
    for (size_t i = 0; i < SEARCH_MODELS; i++)
        if (search->models[i].model && search->models[i].dialect == test->dialect)
            ask(search, &search->models[i], test, &judgement);
    judgement_release(&judgement);
}

bool search_lists(const char *lines, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = strstr(lines, name); at; at = strstr(at + size, name))
        if (at[size] == ':' && at > lines && at[-1] == ' ')
            return true;
    return false;
}
