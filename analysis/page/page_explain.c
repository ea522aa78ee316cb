// SPDX-License-Identifier: Apache-2.0
/* Why an outcome is what it is: its execution as a picture, and in words. */
#include <stdlib.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"
#include "base/clock.h"
#include "base/memory.h"
#include "litmus/dialects.h"
#include "models/explain/repair.h"

enum { EXPLAIN_CANDIDATES = 100000, EXPLAIN_SECONDS = 10 };

static const struct judged_outcome *find_outcome(const struct litmus_test *test, const struct judgement *judgement,
                                                 const char *label)
{
    const struct judged_outcome *found = NULL;
    for (size_t i = 0; i < judgement->outcome_count && !found; i++) {
        struct text own = {0};
        litmus_print_outcome(test, judgement->outcomes[i].values, &own);
        if (strcmp(text_string(&own), label) == 0)
            found = &judgement->outcomes[i];
        text_release(&own);
    }
    return found;
}

static void print_paragraphs(const char *paragraphs, struct text *text)
{
    while (*paragraphs) {
        const size_t size = strcspn(paragraphs, "\n");
        char *paragraph = memory_copy_part(paragraphs, size);
        if (size > 0)
            html_add(text, "<p>$</p>\n", paragraph);
        free(paragraph);
        paragraphs += size + (paragraphs[size] == '\n');
    }
}

static void print_figure(const struct page_test *test, const struct judged_outcome *outcome, const char *label,
                         const char *model, bool open, struct text *text)
{
    struct execution_drawing drawing;
    struct text words = {0}, title = {0};
    drawing_make(outcome->explanation, &drawing);
    words_print_story(outcome->explanation, &drawing, model, &words);
    text_add(&title, "An execution of %s with the outcome %s", test->name, label);
    html_add(text, "<details class=fold$><summary>Why: $, <code>$</code>, $ under $</summary>\n<figure class=why>\n",
             open ? " open" : "", test->name, label, verdict_word(outcome->verdict), model);
    execution_plot(&drawing, text_string(&title), text);
    text_add(text, "</figure>\n");
    print_paragraphs(text_string(&words), text);
    text_add(text, "</details>\n");
    text_release(&words);
    text_release(&title);
    drawing_release(&drawing);
}

/* For an OPENCL or C test, the PTX model judges the PTX that was emitted for it. */
static model_judging *choose_judging(const struct page *page, const struct litmus_test *test, const char *model)
{
    const bool source = dialects[test->dialect].has_atomic_types;
    return source && (strcmp(model, model_default(LITMUS_PTX)) == 0 || strcmp(model, model_default(LITMUS_VULKAN)) == 0)
               ? page->judging_emitted
               : page->judging;
}

void page_print_explanation(const struct page *page, const struct page_test *test, const char *label,
                            const char *model_name, bool open, struct text *text)
{
    struct model *model = NULL;
    struct judgement judgement;
    struct error error;
    const struct judge_options options = {
        .explain = true, .listed_candidates = EXPLAIN_CANDIDATES, .deadline = clock_seconds() + EXPLAIN_SECONDS};
    if (!page->judging || !test->parsed || model_load(model_name, &model, &error) != STATUS_OK)
        return;
    model_judging *judging = choose_judging(page, test->parsed, model_name);
    if (judging(model, test->parsed, &options, &judgement, &error) == STATUS_OK) {
        const struct judged_outcome *outcome = find_outcome(test->parsed, &judgement, label);
        if (outcome && outcome->explanation)
            print_figure(test, outcome, label, model_id(model), open, text);
        judgement_release(&judgement);
    }
    model_release(model);
}
