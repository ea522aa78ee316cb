// SPDX-License-Identifier: Apache-2.0
/* The entry points of the inspection: choose the machine's reader and rules, and compare; print; judge a difference. */
#include "inspect/inspect.h"

#include "inspect/amdgcn/amdgcn.h"
#include "inspect/readers.h"
#include "inspect/swap_loops.h"
#include "verdicts/verdicts.h"

/* Reads SASS whose line information refers to the PTX. */
static enum status read_sass(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    LOCAL(listing) ptx = {0};
    enum status status = STATUS_OK;
    if (code->ptx)
        status = listing_read_ptx(code->ptx, &ptx, error);
    if (status == STATUS_OK)
        status =
            listing_read_sass(code->text, code->ptx ? &ptx : NULL, code->ptx_line ? code->ptx_line : 1, listing, error);
    return status;
}

static enum status read_amdgcn(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_amdgcn(code->text, listing, error);
}

static enum status read_ptx(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_ptx(code->text, listing, error);
}

static enum status read_spirv(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_spirv(code->text, code->size, listing, error);
}

static enum status refuse_ptx(const struct inspect_subject *subject, struct error *error)
{
    const unsigned before = subject->first_line - 1;
    return listing_refuse_ptx(subject->listing, subject->kernel->helpers_line + before,
                              subject->kernel->functions_end + before, error);
}

/* The machines, with their readers and rules. */
static const struct {
    enum status (*read)(const struct inspect_code *code, struct listing *listing, struct error *error);
    inspect_rule *rule;
    /* Refuses more once the place of the test's code is known; or NULL. */
    enum status (*refuse)(const struct inspect_subject *subject, struct error *error);
    bool lines_of_calls, unrolls; /* as in struct inspect_subject */
    inspect_orders *orders;       /* or NULL */
    /* Corrects lines of the listing with knowledge of the test; or NULL. */
    void (*place)(const struct inspect_subject *subject, struct listing *listing);
} machines[INSPECT_MACHINE_COUNT] = {
    [INSPECT_SASS] = {.read = read_sass, .rule = rules_sass},
    [INSPECT_PTX] = {.read = read_ptx,
                     .rule = rules_ptx,
                     .orders = ptx_check_operands,
                     .refuse = refuse_ptx,
                     .place = ptx_place,
                     .unrolls = true},
    [INSPECT_AMDGCN] = {.read = read_amdgcn,
                        .rule = rules_amdgcn,
                        .orders = amdgcn_check_orders,
                        .lines_of_calls = true},
    [INSPECT_SPIRV] = {.read = read_spirv, .rule = rules_spirv, .place = spirv_place},
};

/* The line in the kernel's text of an instruction that accesses memory and has no other; else 0. */
static unsigned only_line(const struct inspect_subject *subject, const struct machine_instruction *instruction)
{
    return instruction->effect == MACHINE_NOTHING || instruction->line_count != 1
               ? 0
               : instruction->lines[0] - (subject->first_line - 1);
}

/* Why the step of an instruction is unknown: it is of a helper and does not name its call, or LLVM gave a clause of
 * accesses one line. NULL: there is none. */
static const char *find_lost(const struct inspect_subject *subject, const struct machine_instruction **lost)
{
    const struct kernel *kernel = subject->kernel;
    for (size_t i = 0; i + 1 < subject->listing->count; i++) { /* the last one ends the kernel */
        *lost = &subject->listing->instructions[i];
        const unsigned line = only_line(subject, *lost);
        if (line >= kernel->helpers_line && line < kernel->functions_line)
            return "names the line of an inlined function instead of the line of the call: compile without inlining";
        if (line >= kernel->functions_line && line < kernel->functions_end && i > 0 &&
            strncmp((*lost)[-1].text, "s_clause ", 9) == 0 && only_line(subject, *lost + 1) == line)
            return "begins a clause, for which LLVM gives only one line: compile for gfx90a";
    }
    return NULL;
}

void inspect_code(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                  struct inspection *inspection)
{
    LOCAL(listing) listing = {0};
    struct error error;
    *inspection = (struct inspection){0};
    if (machines[code->machine].read(code, &listing, &error) != STATUS_OK) {
        inspect_skip(inspection, error.text);
    } else {
        if (code->architecture[0])
            (void)snprintf(listing.architecture, sizeof listing.architecture, "%s", code->architecture);
        const struct inspect_subject subject = {.test = test,
                                                .kernel = kernel,
                                                .listing = &listing,
                                                .rule = machines[code->machine].rule,
                                                .lines_of_calls = machines[code->machine].lines_of_calls,
                                                .unrolls = machines[code->machine].unrolls,
                                                .orders = machines[code->machine].orders,
                                                .first_line = code->first_line};
        if (machines[code->machine].place)
            machines[code->machine].place(&subject, &listing);
        swap_loops_mark(&listing);
        if (machines[code->machine].refuse && machines[code->machine].refuse(&subject, &error) != STATUS_OK)
            inspect_skip(inspection, error.text);
        else
            inspect_compare(&subject, inspection);
        const struct machine_instruction *lost;
        const char *why = inspection->kept == TEST_NOT_KEPT ? find_lost(&subject, &lost) : NULL;
        if (why) {
            (void)error_set(&error, STATUS_UNSUPPORTED, "'%s' at 0x%lx %s", lost->text, lost->place, why);
            inspection_release(inspection);
            inspect_skip(inspection, error.text);
        }
    }
}

const char *inspect_fault_word(enum inspect_fault fault)
{
    static const char *const words[] = {
#define INSPECT_FAULT_WORD(name, word, meaning) [INSPECT_##name] = (word),
        INSPECT_FAULT_LIST(INSPECT_FAULT_WORD)};
    return fault < INSPECT_FAULT_COUNT ? words[fault] : NULL;
}

const char *inspect_fault_meaning(enum inspect_fault fault)
{
    static const char *const meanings[] = {
#define INSPECT_FAULT_MEANING(name, word, meaning) [INSPECT_##name] = (meaning),
        INSPECT_FAULT_LIST(INSPECT_FAULT_MEANING)};
    return meanings[fault];
}

/* ---- printing ---- */

/* The next step on that line of the kernel, or LITMUS_NONE. */
static int find_step(const struct kernel *kernel, unsigned line, unsigned from)
{
    for (unsigned i = from; i < kernel->step_count; i++)
        if (kernel->steps[i].line == line)
            return (int)i;
    return LITMUS_NONE;
}

static void print_step(const struct inspect_subject *subject, unsigned step, struct text *text)
{
    const struct kernel_step *own = &subject->kernel->steps[step];
    LOCAL(text) instruction = {0};
    if (!litmus_print_instruction(subject->test, own->place, &instruction))
        text_add(&instruction, "%s", own->access ? "access" : own->fence ? "fence" : "barrier");
    text_add(text, "// P%u line %u: %s\n", subject->test->threads[own->body].first, own->place.line,
             text_string(&instruction));
}

enum status inspect_print(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                          struct text *text, struct error *error)
{
    LOCAL(listing) listing = {0};
    const struct inspect_subject subject = {
        .test = test, .kernel = kernel, .listing = &listing, .first_line = code->first_line};
    const enum status status = machines[code->machine].read(code, &listing, error);
    if (status == STATUS_OK && machines[code->machine].place)
        machines[code->machine].place(&subject, &listing);
    if (status == STATUS_OK) {
        /* Appends the instructions of the steps; each line's follow its steps. */
        unsigned printed = 0; /* the line whose steps were printed last */
        FOR_EACH(const struct machine_instruction, instruction, subject.listing->instructions, subject.listing->count) {
            bool in_helper;
            const unsigned line = thread_line(&subject, instruction, &in_helper);
            int step = line > 0 ? find_step(subject.kernel, line, 0) : LITMUS_NONE;
            if (step == LITMUS_NONE || instruction->text[0] == '\0')
                continue;
            for (; line != printed && step != LITMUS_NONE; step = find_step(subject.kernel, line, (unsigned)step + 1))
                print_step(&subject, (unsigned)step, text);
            printed = line;
            text_add(text, "    /*%04lx*/  %s\n", instruction->place, instruction->text);
        }
    }
    return status;
}

/* ---- a lawful change of a test, or a fault ---- */

static const double judging_seconds = 10; /* of one test and those that it may be */

enum { FEW_THREADS = 2, DEEPER_UNROLL = 8 };

/* The model that decides, or NULL if it cannot judge the test. */
static const struct opinion *inspect_judge(const struct litmus_test *test, const struct backend_device *device,
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
    if (is_meaningless(test->judgement.outcomes[0].verdict))
        return true; /* so are all of its outcomes */
    for (size_t i = 0; i < code->judgement.outcome_count; i++) {
        const enum verdict allowed = code->judgement.outcomes[i].verdict;
        if (allowed == VERDICT_FORBIDDEN)
            continue;
        const struct judged_outcome *of_test = opinion_on(test, code->labels[i]);
        if (!of_test || of_test->verdict == VERDICT_FORBIDDEN || is_meaningless(allowed))
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
    struct judge_options limits = {.deadline = clock_seconds() + judging_seconds};
    struct litmus_thread of_test, of_code;
    struct verdicts verdicts;
    if (inspection->kept != TEST_NOT_KEPT || inspection->amounts_to_count == 0)
        return;
    const struct litmus_test few = with_few_threads(test, &of_test);
    const struct opinion *opinion = inspect_judge(&few, device, &limits, &verdicts);
    if (!opinion) { /* perhaps since no loop ended */
        verdicts_release(&verdicts);
        limits.unroll = DEEPER_UNROLL;
        opinion = inspect_judge(&few, device, &limits, &verdicts);
    }
    bool lawful = opinion != NULL, judged = lawful;
    for (size_t i = 0; lawful && i < inspection->amounts_to_count; i++) {
        const struct litmus_test code = with_few_threads(inspection->amounts_to[i], &of_code);
        struct verdicts verdicts_of_code;
        const struct opinion *opinion_of_code = inspect_judge(&code, device, &limits, &verdicts_of_code);
        judged = opinion_of_code != NULL;
        lawful = judged && allows_no_more(opinion_of_code, opinion);
        verdicts_release(&verdicts_of_code);
    }
    verdicts_release(&verdicts);
    if (lawful)
        inspection->kept = TEST_MERGED;
    if (judged)
        return;
    inspection->kept = TEST_NOT_INSPECTED;
    inspection->reason =
        arena_print(&inspection->arena, "%s; no model could judge whether the code is correct", inspection->reason);
    inspection->finding_count = 0;
}

void inspect_and_judge(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                       const struct backend_device *device, struct inspection *inspection)
{
    inspect_code(code, test, kernel, inspection);
    judge_merged(test, device, inspection);
}
