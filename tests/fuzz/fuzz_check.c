// SPDX-License-Identifier: Apache-2.0
/* Any test that parses is judged within bounds, or refused with a reason. */
#include <stdint.h>
#include <stdlib.h>

#include "models/models.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CANDIDATES = 2000 };

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const char *name, const struct litmus_test *test)
{
    struct model *model;
    struct judgement judgement;
    struct error error = {0};
    const struct judge_options options = {.unroll = 1, .explain = true, .maximum_candidates = CANDIDATES};
    demand(model_load(name, &model, &error) == STATUS_OK);
    if (model_judge(model, test, &options, &judgement, &error) == STATUS_OK) {
        for (size_t i = 0; i < judgement.outcome_count; i++)
            demand((judgement.outcomes[i].verdict == VERDICT_FORBIDDEN) == (judgement.outcomes[i].axiom != NULL));
        judgement_release(&judgement);
    } else {
        demand(error.text[0]);
    }
    model_release(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("fuzz", (const char *)bytes, size, &test, &error) != STATUS_OK)
        return 0;
    judge(model_default(test->dialect), test);
    judge("rc11", test);
    litmus_release(test);
    return 0;
}
