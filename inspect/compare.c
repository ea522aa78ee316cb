// SPDX-License-Identifier: Apache-2.0
/*
 * The control flow of a listing for one body of a test: which of the body's instructions may directly follow which.
 *
 * An instruction belongs to a step if it is in one of the test's helpers and that helper was called on the step's line
 * (for a barrier: if it is on that line). From each such instruction all paths are followed to the next ones of the
 * body; other instructions are passed over. A predicate that is known on a path remains known until it is written, so
 * that the two halves of an `if` that became predicated instructions are not taken for two successive instructions.
 */
#include "inspect/compare.h"
#include "inspect/alone.h"
#include "inspect/amounts.h"
#include "inspect/paths.h"
#include "inspect/swap_loops.h"

static bool compare_accesses(const struct machine_instruction *instruction)
{
    return instruction->effect == MACHINE_LOAD || instruction->effect == MACHINE_STORE ||
           instruction->effect == MACHINE_UPDATE || instruction->effect == MACHINE_ASYNC;
}

static bool in_body(const struct inspect_subject *subject, unsigned body, unsigned line, bool in_helper,
                    const struct machine_instruction *instruction, unsigned *step)
{
    const struct kernel *kernel = subject->kernel;
    for (unsigned i = 0; i < kernel->step_count; i++) {
        if (kernel->steps[i].body != body)
            continue;
        *step = i;
        if (kernel->steps[i].line == line)
            return kernel->steps[i].barrier ? !compare_accesses(instruction)
                                            : in_helper || subject->lines_of_calls || listing_is_placed(instruction);
        if (kernel->steps[i].line + 1 == line && listing_is_placed(instruction) &&
            inspect_step(&kernel->steps[i]) == INSPECT_STEP_PROXY)
            return true;
    }
    return false;
}

static unsigned find_matches(const struct follows *follows, unsigned step,
                             const struct machine_instruction *instruction)
{
    unsigned matches = 0, number = 0;
    for (size_t i = 0; i < follows->count; i++)
        if (follows->pieces[i].step == step) {
            if (compare_satisfies(instruction, &follows->pieces[i].need))
                matches |= 1u << number;
            number++;
        }
    return matches;
}

/* Whether it is a fence, a barrier, an invalidation or a wait that the step does not need, which only makes the code
 * stronger. */
static bool is_extra(const struct action *action, const struct machine_instruction *instruction)
{
    return action->matches == 0 && !compare_accesses(instruction) && instruction->effect != MACHINE_COMMIT;
}

/* The nearest action after or before an instruction, in the order of the listing; or -1. */
static long nearest_action(const long *action_at, size_t count, size_t from, bool after)
{
    for (size_t i = from; after ? i < count : i > 0; i += after ? 1 : (size_t)-1)
        if (action_at[after ? i : i - 1] >= 0)
            return action_at[after ? i : i - 1];
    return -1;
}

/* Whether the step has an instruction that meets one of these needs. */
static bool has_match(const struct body_code *code, const struct action *action)
{
    return ANY_OF(one, code->actions, code->action_count,
                  one->step == action->step && (one->matches & action->matches));
}

/* The action of an instruction that belongs to a step of the body but is not needed by it, or NULL. */
static struct action *find_spare(const struct body_code *code, size_t instruction)
{
    return FIRST_OF(one, code->actions, code->action_count, one->instruction == instruction && one->matches == 0);
}

/* ptxas gives a fence before a loop of its own the place of the preceding code (sm_89, a release of 64 bits in shared
 * memory; sm_80, a release after a wait for copies). A fence of a thread's function that is at no step's place, or at
 * that of a step that does not need it, counts for the next access, and an invalidation for the access before it, if
 * that access needs one and has none. */
static void adopt_fences(struct body_code *code, long *action_at)
{
    const struct listing *listing = code->subject->listing;
    for (size_t i = 0; i < listing->count; i++) {
        const struct machine_instruction *instruction = &listing->instructions[i];
        bool in_helper;
        if (instruction->effect != MACHINE_FENCE && instruction->effect != MACHINE_INVALIDATE)
            continue;
        const unsigned line = thread_line(code->subject, instruction, &in_helper);
        const bool of_step =
            ANY_OF(step, code->subject->kernel->steps, code->subject->kernel->step_count, step->line == line);
        if (line == 0 || action_at[i] >= 0 || (of_step && !find_spare(code, i)))
            continue;
        const long nearest = nearest_action(action_at, listing->count, i, instruction->effect == MACHINE_FENCE);
        if (nearest < 0)
            continue;
        const struct action action = {.instruction = i,
                                      .step = code->actions[nearest].step,
                                      .matches = find_matches(code->follows, code->actions[nearest].step, instruction)};
        if (action.matches == 0 || has_match(code, &action))
            continue;
        struct action *spare = find_spare(code, i);
        if (!spare)
            spare = &ARENA_ADD(&code->arena, code->actions, code->action_count);
        *spare = action;
        action_at[i] = spare - code->actions;
    }
}

/* Whether the nearest instruction with a line of a thread's function, before or after this one, is the body's. */
static bool is_within_body(const struct body_code *code, size_t instruction)
{
    const struct listing *listing = code->subject->listing;
    bool own = false;
    for (int after = 0; after < 2 && !own; after++) {
        bool in_helper;
        unsigned line = 0, step;
        for (size_t i = instruction; line == 0 && (after ? ++i < listing->count : i-- > 0);) {
            line = thread_line(code->subject, &listing->instructions[i], &in_helper);
            own = line != 0 && in_body(code->subject, code->body, line, in_helper, &listing->instructions[i], &step);
        }
    }
    return own;
}

/* LLVM gives no line to an access that it made of two. One among a body's instructions counts for a step that the code
 * lacks and that needs it. */
static void adopt_accesses(struct body_code *code, long *action_at)
{
    const struct listing *listing = code->subject->listing;
    for (size_t i = 0; i < listing->count; i++) {
        const struct machine_instruction *instruction = &listing->instructions[i];
        if (instruction->line_count > 0 || !compare_accesses(instruction) || !is_within_body(code, i))
            continue;
        for (size_t p = 0; p < code->follows->count && action_at[i] < 0; p++) {
            const unsigned step = code->follows->pieces[p].step;
            const unsigned matches = find_matches(code->follows, step, instruction);
            if (matches == 0 || code_has_step(code, step))
                continue;
            ARENA_ADD(&code->arena, code->actions, code->action_count) =
                (struct action){.instruction = i, .step = step, .matches = matches};
            action_at[i] = (long)code->action_count - 1;
        }
    }
}

static void find_actions(struct body_code *code, long *action_at)
{
    const struct listing *listing = code->subject->listing;
    for (size_t i = 0; i < listing->count; i++) {
        const struct machine_instruction *instruction = &listing->instructions[i];
        bool in_helper;
        unsigned step;
        action_at[i] = -1;
        if (instruction->effect == MACHINE_NOTHING)
            continue;
        const unsigned line = thread_line(code->subject, instruction, &in_helper);
        if (line == 0 || !in_body(code->subject, code->body, line, in_helper, instruction, &step))
            continue;
        if (inspect_ignores(code->subject, step)) {
            code->passed[i] = compare_accesses(instruction);
            continue;
        }
        const bool looped = swap_loops_do(code->subject, step);
        struct action action = {
            i, step, find_matches(code->follows, step, instruction), looped && instruction->swaps, false, false};
        if (looped && instruction->effect == MACHINE_LOAD) {
            code->reads[i] = true;
            continue;
        }
        ARENA_ADD(&code->arena, code->actions, code->action_count) = action;
        if (!is_extra(&action, instruction))
            action_at[i] = (long)code->action_count - 1;
    }
    adopt_fences(code, action_at);
}

/* Finds instructions of steps for which the code lacks information. */
static void find_unread(const struct body_code *code, struct inspection *inspection)
{
    for (size_t i = 0; i < code->action_count; i++) {
        const struct machine_instruction *instruction =
            &code->subject->listing->instructions[code->actions[i].instruction];
        if (!instruction->unread)
            continue;
        inspection->kept = TEST_NOT_INSPECTED;
        inspection->reason = arena_print(&inspection->arena, "the code does not show, of '%s' at 0x%lx, %s",
                                         instruction->text, instruction->place, instruction->unread);
    }
}

/* A step's first access counts, or the first instruction that it needs if it accesses nothing. */
static void note_places(const struct body_code *code, long *places)
{
    for (size_t i = 0; places && i < code->action_count; i++) {
        const struct action *action = &code->actions[i];
        const struct machine_instruction *instruction = &code->subject->listing->instructions[action->instruction];
        const bool access = code->subject->kernel->steps[action->step].access != NULL;
        if ((access ? compare_accesses(instruction) : action->matches != 0) &&
            (places[action->step] < 0 || places[action->step] > (long)action->instruction))
            places[action->step] = (long)action->instruction;
    }
}

/* Appends the findings for a body. late: as in follows_build. Returns whether the body has ends of groups that may be
 * late. places, here and below: per step, filled with the index of its first instruction, or -1; or NULL. */
static bool compare_body(const struct inspect_subject *subject, unsigned body, bool late, long *places,
                         struct inspection *inspection)
{
    struct follows follows;
    struct error error;
    const size_t before = inspection->finding_count;
    if (follows_build(subject, body, late, &follows, &error) != STATUS_OK) {
        inspection->kept = TEST_NOT_INSPECTED;
        inspection->reason = arena_copy(&inspection->arena, error.text);
        follows_release(&follows);
        return false;
    }
    struct body_code code = {.subject = subject, .body = body, .follows = &follows};
    code.reads = arena_take(&code.arena, subject->listing->count, sizeof *code.reads);
    code.passed = arena_take(&code.arena, subject->listing->count, sizeof *code.passed);
    long *action_at = memory_take(subject->listing->count, sizeof *action_at);
    bool *outside = memory_take(subject->listing->count, sizeof *outside);
    bool *meeting = memory_take(subject->listing->count, sizeof *meeting);
    find_actions(&code, action_at);
    if (subject->alone) {
        adopt_accesses(&code, action_at);
        alone_loosen(&code, &follows);
    }
    find_landmarks(subject, body, outside, meeting);
    find_pairs(&code, action_at, outside, meeting);
    note_places(&code, places);
    findings_of_body(&code, inspection);
    if (inspection->finding_count == before)
        find_unread(&code, inspection);
    const bool has_late = follows.has_late;
    free(action_at);
    free(outside);
    free(meeting);
    arena_release(&code.arena);
    follows_release(&follows);
    return has_late;
}

/* Compares the body as written, or, if that has findings and the other has none, with late ends of groups. */
static void compare_either(const struct inspect_subject *subject, unsigned body, long *places,
                           struct inspection *inspection)
{
    const size_t before = inspection->finding_count;
    const bool has_late = compare_body(subject, body, false, places, inspection);
    if (!has_late || inspection->finding_count == before)
        return;
    LOCAL(inspection) again = {.kept = TEST_KEPT};
    (void)compare_body(subject, body, true, places, &again);
    if (again.finding_count == 0 && again.kept == TEST_KEPT)
        inspection->finding_count = before;
}

/* Whether the code attributes any instruction to a thread's function. */
static bool says_lines(const struct inspect_subject *subject)
{
    bool in_helper;
    return ANY_OF(one, subject->listing->instructions, subject->listing->count,
                  thread_line(subject, one, &in_helper) != 0);
}

/* Appends the findings for a body's orders. */
static void check_orders(const struct inspect_subject *subject, unsigned body, struct inspection *inspection)
{
    struct error error;
    if (!subject->orders || inspection->kept == TEST_NOT_INSPECTED ||
        subject->orders(subject, body, inspection, &error) == STATUS_OK)
        return;
    inspection->kept = TEST_NOT_INSPECTED;
    inspection->reason = arena_copy(&inspection->arena, error.text);
}

static void compare_bodies(const struct inspect_subject *subject, long *places, struct inspection *inspection)
{
    inspection->kept = TEST_KEPT;
    inspection->reason = "";
    for (unsigned body = 0; body < subject->kernel->bodies && inspection->kept != TEST_NOT_INSPECTED; body++)
        if (kernel_plays_slot(subject->kernel, subject->kernel->slot_of[body])) {
            compare_either(subject, body, places, inspection);
            check_orders(subject, body, inspection);
        }
    if (inspection->kept != TEST_NOT_INSPECTED) {
        /* Finds instructions in helpers that were not called from a step's line. */
        const struct kernel *kernel = subject->kernel;
        FOR_EACH(const struct machine_instruction, instruction, subject->listing->instructions,
                 subject->listing->count) {
            bool in_helper, found = false;
            const unsigned line = thread_line(subject, instruction, &in_helper);
            if (!compare_accesses(instruction) || line == 0 || !in_helper)
                continue;
            unsigned nearest = 0;
            for (unsigned s = 0; s < kernel->step_count; s++) {
                found |= kernel->steps[s].line == line;
                if (kernel->steps[s].line <= line)
                    nearest = s;
            }
            if (!found && kernel->step_count > 0)
                findings_add(subject, inspection, INSPECT_ADDED, nearest,
                             "is near '%s' at 0x%lx, which belongs to no instruction of the test", instruction->text,
                             instruction->place);
        }
    }
}

static bool is_kept(const struct inspect_subject *subject)
{
    LOCAL(inspection) inspection = {0};
    compare_bodies(subject, NULL, &inspection);
    return inspection.kept == TEST_KEPT && inspection.finding_count == 0;
}

static bool is_kept_body(const struct inspect_subject *subject, unsigned body)
{
    LOCAL(inspection) inspection = {.kept = TEST_KEPT};
    compare_either(subject, body, NULL, &inspection);
    return inspection.kept == TEST_KEPT && inspection.finding_count == 0;
}

/* Sorts faults of one instruction before faults of several, and doubled instructions before instructions that seem
 * moved because of them. */
static void sort_findings(struct inspection *inspection)
{
    static const int ranks[INSPECT_FAULT_COUNT] = {
        [INSPECT_MISSING] = 0,  [INSPECT_ONCE] = 1,     [INSPECT_CHANGED] = 2,
        [INSPECT_RESIZED] = 3,  [INSPECT_NARROWED] = 4, [INSPECT_DOUBLED] = 5,
        [INSPECT_WEAKENED] = 6, [INSPECT_MOVED] = 7,    [INSPECT_ADDED] = 8,
    };
    struct inspect_finding *findings = inspection->findings;
    for (size_t i = 1; i < inspection->finding_count; i++)
        for (size_t j = i; j > 0 && ranks[findings[j].fault] < ranks[findings[j - 1].fault]; j--) {
            const struct inspect_finding other = findings[j];
            findings[j] = findings[j - 1];
            findings[j - 1] = other;
        }
}

/* An access of the code near a body that has no line and may be what a step needs; NULL: there is none. */
static const struct machine_instruction *lost_access(const struct inspect_subject *subject, unsigned step)
{
    struct follows follows;
    struct error error;
    const struct machine_instruction *lost = NULL;
    const unsigned body = subject->kernel->steps[step].body;
    const struct body_code code = {.subject = subject, .body = body, .follows = &follows};
    if (follows_build(subject, body, false, &follows, &error) == STATUS_OK)
        for (size_t i = 0; i < subject->listing->count && !lost; i++) {
            const struct machine_instruction *instruction = &subject->listing->instructions[i];
            if (instruction->line_count == 0 && compare_accesses(instruction) && instruction->proxy == LITMUS_GENERIC &&
                is_within_body(&code, i) &&
                (find_matches(&follows, step, instruction) != 0 ||
                 (subject->kernel->steps[step].access->operation > LITMUS_STORE &&
                  instruction->effect != MACHINE_UPDATE)))
                lost = instruction;
        }
    follows_release(&follows);
    return lost;
}

/* Why a missing access may be no fault: it is in the code, without a line; or it is plain, and where orchil cannot
 * follow it, its thread may have its value. NULL: nothing says so. */
static const char *doubt_missing(const struct inspect_subject *subject, const long *places,
                                 const struct inspect_finding *finding, const struct machine_instruction **lost,
                                 struct arena *arena)
{
    *lost = subject->kernel->steps[finding->step].access ? lost_access(subject, finding->step) : NULL;
    if (*lost)
        return arena_print(arena, "%s, or it is '%s' at 0x%lx, whose line the compiler lost", finding->text,
                           (*lost)->text, (*lost)->place);
    if (subject->kernel->steps[finding->step].access && alone_may_lack(subject, places, finding->step, is_kept_body))
        return arena_print(arena, "%s, and its thread may have its value on paths that are not followed",
                           finding->text);
    return NULL;
}

/* A test whose findings are all doubtful is not inspected. What is out of place in a body may be so because of an
 * access there whose line was lost. */
static void doubt(const struct inspect_subject *subject, const long *places, const struct inspection *rest,
                  struct inspection *inspection)
{
    const char *why = NULL;
    FREED bool *lost = memory_take(subject->kernel->bodies + 1, sizeof *lost);
    bool certain = false;
    for (size_t i = 0; i < rest->finding_count && !certain; i++) { /* those that are missing come first */
        const struct inspect_finding *finding = &rest->findings[i];
        const struct machine_instruction *access = NULL;
        const unsigned body = subject->kernel->steps[finding->step].body;
        const char *reason = finding->fault == INSPECT_MISSING
                                 ? doubt_missing(subject, places, finding, &access, &inspection->arena)
                                 : NULL;
        lost[body] |= access != NULL;
        certain = !reason && !(finding->fault == INSPECT_MOVED && lost[body]);
        why = why ? why : reason;
    }
    if (certain || !why)
        return;
    inspection->kept = TEST_NOT_INSPECTED;
    inspection->reason = why;
    inspection->finding_count = 0;
}

/* Looks for a lawful change of the test that makes its findings no faults: one that no other thread can notice, or one
 * that is to be judged. */
static void find_change(struct inspect_subject *subject, const long *places, struct inspection *inspection)
{
    bool *alone = alone_find(subject, places, is_kept_body);
    struct inspection rest = {0};
    subject->ignored = alone;
    compare_bodies(subject, NULL, &rest);
    sort_findings(&rest);
    inspection->kept = rest.finding_count == 0 ? TEST_MERGED : TEST_NOT_KEPT;
    inspection->reason =
        arena_copy(&inspection->arena, (rest.finding_count > 0 ? &rest : inspection)->findings[0].text);
    if (inspection->kept == TEST_NOT_KEPT)
        amounts_find(subject, places, is_kept, inspection);
    if (inspection->kept == TEST_NOT_KEPT && inspection->amounts_to_count == 0)
        doubt(subject, places, &rest, inspection);
    inspection_release(&rest);
    subject->ignored = NULL;
    free(alone);
}

void inspect_compare(const struct inspect_subject *code, struct inspection *inspection)
{
    struct inspect_subject subject = *code;
    if (!says_lines(code)) {
        inspect_skip(inspection, "the code has no line information");
        return;
    }
    bool *same = memory_take(code->kernel->step_count + 1, sizeof *same);
    bool *needless = needless_find(code->test, code->kernel, same);
    subject.needless = needless;
    subject.same = same;
    long *places = memory_take(code->kernel->step_count + 1, sizeof *places);
    for (size_t i = 0; i < code->kernel->step_count; i++)
        places[i] = -1;
    compare_bodies(&subject, places, inspection);
    if (inspection->kept != TEST_NOT_INSPECTED && inspection->finding_count > 0) {
        sort_findings(inspection);
        find_change(&subject, places, inspection);
    }
    free(places);
    free(needless);
    free(same);
    if (code->kernel->user_code && inspection->kept != TEST_NOT_INSPECTED)
        inspect_list_became(&subject, inspection);
}
