// SPDX-License-Identifier: Apache-2.0
/* Is a given test minimal? If not, what does it not need, and which minimal test is in it? */
#include <string.h>

#include "catalogue/synthesis/oracle.h"
#include "catalogue/synthesis/sketch_name.h"
#include "catalogue/synthesis/sketch_test.h"
#include "catalogue/synthesis/synthesis.h"
#include "catalogue/synthesis/weaker.h"

struct examination {
    struct oracle *oracle;
    struct weaker found;
};

/* Ends the walk at the first form that is still forbidden. */
static bool is_needed(const struct weaker *weaker, void *context)
{
    struct examination *examination = context;
    if (!oracle_forbids(examination->oracle, &weaker->sketch, &weaker->outcome))
        return true;
    examination->found = *weaker;
    return false;
}

static void add_spare(const struct sketch *sketch, const struct weaker *weaker, struct text *text)
{
    static const char *const words[WEAKER_KINDS] = {[WEAKER_ACCESS] = "a weaker order, scope or dependency of",
                                                    [WEAKER_FENCE] = "a weaker fence before",
                                                    [WEAKER_REMOVED] = "leaving out",
                                                    [WEAKER_SPLIT] = "no atomicity of",
                                                    [WEAKER_PARTED] = "fences in place of",
                                                    [WEAKER_SEPARATED] = "another work-group for the thread of"};
    static const char *const kinds[] = {"load", "store", "read-modify-write", "barrier"};
    unsigned number = 1;
    for (unsigned i = weaker->access; !sketch_starts(sketch, i); i--)
        number++;
    text_add(text, "%s access %u of P%u, a %s", words[weaker->kind], number, sketch->thread[weaker->access],
             kinds[sketch->kind[weaker->access]]);
}

/* Has an outcome that the model allows what the condition describes? Also if the model gives the test no meaning. */
static bool allows(const struct model *model, const struct litmus_test *test)
{
    static const struct judge_options options = {0};
    struct judgement judgement;
    struct error error;
    bool allowed = false;
    if (model_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        return true;
    for (size_t i = 0; i < judgement.outcome_count; i++)
        allowed |= judgement.outcomes[i].witness && judgement.outcomes[i].verdict != VERDICT_FORBIDDEN;
    judgement_release(&judgement);
    return allowed;
}

/* Reads that the condition leaves out may return anything; nothing else is minimal about them. A branch on what was read is a
 * false dependency in a sketch, so the sketch of a test that branches truly may allow more than the test does. */
enum synthesis_answer synthesis_examine(const struct model *model, const struct litmus_test *test, struct text *spare,
                                        struct litmus_test **contained)
{
    const struct strength_row *row = strength_row_of(model_id(model), (int)test->dialect);
    struct oracle oracle = {.model = model, .dialect = test->dialect};
    struct examination examination = {.oracle = &oracle};
    struct sketch sketch;
    struct outcome outcome;
    enum synthesis_answer answer = SYNTHESIS_MINIMAL;
    *contained = NULL;
    if (allows(model, test))
        return SYNTHESIS_ALLOWED;
    if (!row)
        text_add(spare, "the dialect %s under %s", litmus_dialect_name(test->dialect), model_id(model));
    if (!row || !sketch_of_test(test, &sketch, &outcome, spare))
        return SYNTHESIS_INEXPRESSIBLE;
    if (!oracle_forbids(&oracle, &sketch, &outcome)) {
        text_add(spare, "a branch or values without which it is allowed");
        answer = SYNTHESIS_INEXPRESSIBLE;
    }
    while (answer != SYNTHESIS_INEXPRESSIBLE && !weaker_each(row, &sketch, &outcome, is_needed, &examination)) {
        if (answer == SYNTHESIS_MINIMAL)
            add_spare(&sketch, &examination.found, spare);
        answer = SYNTHESIS_CONTAINS;
        sketch = examination.found.sketch;
        outcome = examination.found.outcome;
    }
    if (answer == SYNTHESIS_CONTAINS) {
        sketch_normalise(&sketch, &outcome);
        *contained = sketch_test(test->dialect, &sketch, &outcome);
        sketch_name(&sketch, &outcome, NULL, NULL, *contained);
    }
    oracle_release(&oracle);
    return answer;
}
