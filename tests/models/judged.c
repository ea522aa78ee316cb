// SPDX-License-Identifier: Apache-2.0
/* Judgements of texts, for tests. */
#include "tests/models/judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct model *loaded(const char *name)
{
    struct model *model;
    struct error error = {0};
    struct text path = {0};
    const char *folder = getenv("ORCHIL_TEST_MODELS");
    if (folder)
        text_add(&path, "%s/%s.cat", folder, name);
    if (model_load(folder ? text_string(&path) : name, &model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&path);
    return model;
}

struct litmus_test *parsed(const char *text)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("text", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text);
    return test;
}

struct judgement judged(const struct model *model, const char *text)
{
    struct judgement judgement;
    struct error error = {0};
    struct litmus_test *test = parsed(text);
    if (model_judge(model, test, NULL, &judgement, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text);
    litmus_release(test);
    return judgement;
}

bool reachable(const struct model *model, const char *text)
{
    struct judgement judgement = judged(model, text);
    bool found = false;
    for (size_t i = 0; i < judgement.outcome_count; i++)
        found |= judgement.outcomes[i].witness && judgement.outcomes[i].verdict != VERDICT_FORBIDDEN &&
                 judgement.outcomes[i].verdict != VERDICT_NONE;
    judgement_release(&judgement);
    return found;
}

enum verdict verdict_of(const struct model *model, const char *text, const char *outcome)
{
    struct judgement judgement = judged(model, text);
    struct litmus_test *test = parsed(text);
    enum verdict verdict = VERDICT_NONE;
    bool found = false;
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        struct text printed = {0};
        litmus_print_outcome(test, judgement.outcomes[i].values, &printed);
        if (strcmp(text_string(&printed), outcome) == 0) {
            verdict = judgement.outcomes[i].verdict;
            found = true;
        }
        text_release(&printed);
    }
    litmus_release(test);
    judgement_release(&judgement);
    if (!found)
        fail_msg("there is no outcome %s\n%s", outcome, text);
    return verdict;
}
