// SPDX-License-Identifier: Apache-2.0
/* Compares what a test and what the compiled code allow. */
#include "inspect/judge_merged.h"

#include "base/clock.h"
#include "verdicts/verdicts.h"

static const double judging_seconds = 10; /* of one test and those that it may be */

enum { FEW_THREADS = 2 };

/* The model that decides, or NULL if it cannot judge the test. */
static const struct opinion *judge(const struct litmus_test *test, const struct backend_device *device,
                                   const struct judge_options *limits, struct verdicts *verdicts)
{
    struct error error;
    *verdicts = (struct verdicts){.source = {.model = ""}};
    if (verdicts_make(test, device, limits, verdicts, &error) != STATUS_OK)
        return NULL;
    const struct opinion *opinion = verdicts_deciding(verdicts);
    return opinion->unjudged[0] || opinion->judgement.outcome_count == 0 ? NULL : opinion;
}

static bool is_meaningless(enum verdict verdict)
{
    return verdict == VERDICT_UNDEFINED || verdict == VERDICT_UNSPECIFIED;
}

/* Whether each outcome that the first allows is allowed by the second. */
static bool allows_no_more(const struct opinion *code, const struct opinion *test)
{
    for (size_t i = 0; i < code->judgement.outcome_count; i++) {
        const enum verdict allowed = code->judgement.outcomes[i].verdict;
        if (allowed == VERDICT_FORBIDDEN)
            continue;
        const struct judged_outcome *of_test = opinion_on(test, code->labels[i]);
        if (!of_test || of_test->verdict == VERDICT_FORBIDDEN ||
            (is_meaningless(allowed) && !is_meaningless(of_test->verdict)))
            return false;
    }
    return true;
}

/* A copy in which two threads stand for a range of many; its parts are the test's. */
static struct litmus_test with_few_threads(const struct litmus_test *test, struct litmus_thread *thread)
{
    struct litmus_test few = *test;
    *thread = test->threads[0];
    if (test->body_count != 1 || thread->count <= FEW_THREADS)
        return few;
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].body == 0)
            return few; /* a register of one of them */
    thread->count = FEW_THREADS;
    few.threads = thread;
    few.thread_count = FEW_THREADS;
    return few;
}

void judge_merged(const struct litmus_test *test, const struct backend_device *device, struct inspection *inspection)
{
    const struct judge_options limits = {.deadline = clock_seconds() + judging_seconds};
    struct litmus_thread of_test, of_code;
    struct verdicts verdicts;
    if (inspection->kept != TEST_NOT_KEPT || inspection->amounts_to_count == 0)
        return;
    const struct litmus_test few = with_few_threads(test, &of_test);
    const struct opinion *opinion = judge(&few, device, &limits, &verdicts);
    bool lawful = opinion != NULL;
    for (size_t i = 0; lawful && i < inspection->amounts_to_count; i++) {
        const struct litmus_test code = with_few_threads(inspection->amounts_to[i], &of_code);
        struct verdicts verdicts_of_code;
        const struct opinion *opinion_of_code = judge(&code, device, &limits, &verdicts_of_code);
        lawful = opinion_of_code && allows_no_more(opinion_of_code, opinion);
        verdicts_release(&verdicts_of_code);
    }
    verdicts_release(&verdicts);
    if (lawful)
        inspection->kept = TEST_MERGED;
}

void inspect_and_judge(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                       const struct backend_device *device, struct inspection *inspection)
{
    inspect_code(code, test, kernel, inspection);
    judge_merged(test, device, inspection);
}
