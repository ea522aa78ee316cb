// SPDX-License-Identifier: Apache-2.0
/* The kinds of steps, of which a list ensures that no table of rules overlooks one, and what meets a need. */
#include "inspect/needs.h"

#include "inspect/compare.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"

/* ---- the steps ---- */

enum inspect_step inspect_step(const struct kernel_step *step)
{
    if (step->access) {
        if (operation_is_mbarrier(step->access->operation))
            return step->access->operation < LITMUS_OPERATION_COUNT ? INSPECT_STEP_MBARRIER : INSPECT_STEP_UNKNOWN;
        return step->access->proxy == LITMUS_GENERIC ? INSPECT_STEP_ACCESS : INSPECT_STEP_PROXY;
    }
    if (step->fence)
        return step->fence->proxy == LITMUS_GENERIC && step->fence->restriction == LITMUS_UNRESTRICTED
                   ? INSPECT_STEP_FENCE
                   : INSPECT_STEP_PROXY_FENCE;
    if (step->barrier)
        return step->barrier->scope == LITMUS_CLUSTER ? INSPECT_STEP_CLUSTER_BARRIER : INSPECT_STEP_BARRIER;
    if (step->vector)
        return INSPECT_STEP_VECTOR;
    if (step->copy)
        return INSPECT_STEP_COPY;
    if (step->group)
        return INSPECT_STEP_GROUP;
    return step->collective ? INSPECT_STEP_COLLECTIVE : INSPECT_STEP_UNKNOWN;
}

const char *inspect_step_words(enum inspect_step kind)
{
    static const char *const words[] = {
#define INSPECT_STEP_WORDS(name, words) words,
        INSPECT_STEP_LIST(INSPECT_STEP_WORDS)};
    return words[kind];
}

enum status inspect_refuse(const struct litmus_test *test, const struct kernel_step *step, const char *machine,
                           struct error *error)
{
    LOCAL(text) text = {0};
    if (litmus_print_instruction(test, step->place, &text))
        (void)error_set(error, STATUS_UNSUPPORTED, "there are no rules for %s of '%s'", machine, text_string(&text));
    else
        (void)error_set(error, STATUS_UNSUPPORTED, "there are no rules for %s of %s", machine,
                        inspect_step_words(inspect_step(step)));
    return STATUS_UNSUPPORTED;
}

/* ---- what rules say ---- */

struct inspect_need *inspect_need_add(struct inspect_needs *needs, struct inspect_need need)
{
    needs->items[needs->count] = need;
    return &needs->items[needs->count++];
}

struct inspect_need inspect_need_of_grids(const struct litmus_fence *fence)
{
    return (struct inspect_need){.effect =
                                     fence->restriction == LITMUS_GRID_WAIT ? MACHINE_GRID_WAIT : MACHINE_GRID_TRIGGER};
}

void inspect_need_expected(struct inspect_needs *needs, const struct litmus_access *access, enum machine_effect effect,
                           unsigned bytes)
{
    if (access->expected_address)
        inspect_need_add(needs,
                         (struct inspect_need){.effect = effect, .bytes = bytes, .optional = effect == MACHINE_STORE});
}

enum machine_effect inspect_effect(enum litmus_operation operation)
{
    return operation == LITMUS_LOAD ? MACHINE_LOAD : operation == LITMUS_STORE ? MACHINE_STORE : MACHINE_UPDATE;
}

const struct litmus_location *inspect_location(const struct litmus_test *test, const struct litmus_access *access)
{
    const struct litmus_expression *address = access->address;
    return address->kind == LITMUS_EXPRESSION_ADDRESS ? &test->locations[address->index] : NULL;
}

bool inspect_is_constant(const struct litmus_test *test, const struct litmus_access *access)
{
    const struct litmus_location *location = inspect_location(test, access);
    return location && location->constant;
}

bool inspect_is_plain(const struct litmus_access *access)
{
    return access->address->kind == LITMUS_EXPRESSION_ADDRESS && access->operation <= LITMUS_STORE &&
           access->order == LITMUS_PLAIN && access->proxy == LITMUS_GENERIC && access->cache == LITMUS_CACHE_NONE &&
           access->prefetch == LITMUS_CACHE_NONE;
}

static bool points_to(int to, const struct litmus_test *test, unsigned location)
{
    return to != LITMUS_NONE && litmus_storage(test, (unsigned)to) == litmus_storage(test, location);
}

/* Whether a body may have the location's address for anything but plain accesses of it. */
static bool names_otherwise(const struct litmus_test *test, unsigned body, unsigned location)
{
    const struct litmus_thread *thread = &test->threads[body];
    bool otherwise = false;
    size_t names = 0, accesses = 0;
    for (size_t i = 0; i < thread->register_count; i++)
        otherwise |= points_to(thread->registers[i].points_to, test, location);
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);) {
        const struct litmus_expression *expression = walk.expression;
        const struct litmus_access *access = expression ? walk.access : NULL;
        if (expression && expression->kind == LITMUS_EXPRESSION_ADDRESS)
            names += litmus_storage(test, (unsigned)expression->index) == litmus_storage(test, location);
        otherwise |= access && access->address->kind != LITMUS_EXPRESSION_ADDRESS;
        accesses += access && inspect_is_plain(access) && points_to(access->address->index, test, location);
    }
    return otherwise || names != accesses;
}

bool inspect_is_own(const struct litmus_test *test, unsigned body, unsigned location)
{
    const struct litmus_location *own = &test->locations[location];
    bool alone = !own->is_volatile && !own->array && !own->constant && own->region != LITMUS_IMAGE &&
                 own->proxy == LITMUS_GENERIC && test->threads[body].count == 1 &&
                 !names_otherwise(test, body, location);
    for (size_t i = 0; i < test->location_count; i++)
        alone &= !points_to(test->locations[i].points_to, test, location);
    for (unsigned other = 0; other < test->body_count && alone; other++)
        alone = other == body || !litmus_accesses(test, other, location);
    return alone;
}

/* ---- instructions and steps ---- */

unsigned thread_line(const struct inspect_subject *subject, const struct machine_instruction *instruction,
                     bool *in_helper)
{
    const struct kernel *kernel = subject->kernel;
    *in_helper = false;
    for (unsigned i = 0; i < instruction->line_count; i++) {
        /* Converts a line of the listing to a line of the kernel's source, or 0. */
        const unsigned line =
            instruction->lines[i] >= subject->first_line ? instruction->lines[i] - subject->first_line + 1 : 0;
        if (line >= kernel->functions_line && line < kernel->functions_end)
            return line;
        *in_helper = line >= kernel->helpers_line && line < kernel->functions_line;
    }
    return 0;
}

void inspect_skip(struct inspection *inspection, const char *reason)
{
    *inspection = (struct inspection){.kept = TEST_NOT_INSPECTED};
    inspection->reason = arena_copy(&inspection->arena, reason);
}

ARENA_RELEASES(, inspection)

/* ---- whether an instruction is what a step needs ---- */

/* Whether it orders at least what the step needs, apart from the scope. */
static bool needs_covers(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return ordering_covers(instruction->ordering, need->ordering) &&
           ordering_covers(instruction->vulkan.failure, need->vulkan.failure);
}

/* Whether it accesses as many bytes, or those of neighbours too. */
static bool moves(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return instruction->lanes <= 1 &&
           (need->widens ? instruction->bytes % need->bytes == 0 : instruction->bytes == need->bytes);
}

/* Whether it does the same to the same memory through the same proxy. */
static bool is_alike(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    const bool regions =
        need->effect == MACHINE_ASYNC || (need->effect == MACHINE_FENCE && need->proxy != LITMUS_GENERIC);
    return instruction->effect == need->effect && instruction->proxy == need->proxy &&
           (need->operation == LITMUS_LOAD || instruction->operation == need->operation) &&
           instruction->multicast == need->multicast && instruction->vulkan.is_signed == need->vulkan.is_signed &&
           (ordering_storage(need->ordering) & ~ordering_storage(instruction->ordering)) == 0 &&
           (!regions || (instruction->region == need->region && instruction->from == need->from));
}

static bool needs_fits(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return (need->bytes == 0 || instruction->unread || moves(instruction, need)) &&
           (need->element == 0 || instruction->element == need->element);
}

/* Whether the instruction is the form, with registers for its operands, and perhaps with a guard. */
static bool has_form(const char *text, const char *form)
{
    for (text += *text == '@' ? strcspn(text, " ") : 0;;) {
        text += strspn(text, " ");
        form += strspn(form, " ");
        if (strchr(";\"", *form))
            return !*text;
        if (*form == '%' && *text == '%') {
            text += strcspn(text, " ,]}|");
            form += strcspn(form, " ,]}|;");
        } else if (*text++ != *form++)
            return false;
    }
}

bool compare_satisfies(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    if (need->form)
        return instruction->effect == need->effect && has_form(instruction->text, need->form);
    return is_alike(instruction, need) && needs_covers(instruction, need) && instruction->scope >= need->scope &&
           instruction->vulkan.meeting >= need->vulkan.meeting && needs_fits(instruction, need) &&
           instruction->pending <= need->pending && (need->hints & ~instruction->hints) == 0;
}

enum inspect_fault compare_fault(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    if (instruction->effect != need->effect || need->form)
        return INSPECT_CHANGED;
    if (!is_alike(instruction, need))
        return need->effect == MACHINE_FENCE && instruction->proxy == need->proxy ? INSPECT_NARROWED : INSPECT_CHANGED;
    if (!needs_fits(instruction, need))
        return INSPECT_RESIZED;
    if (need->hints & ~instruction->hints)
        return INSPECT_CHANGED;
    if (instruction->pending > need->pending)
        return INSPECT_WEAKENED;
    return needs_covers(instruction, need) ? INSPECT_NARROWED : INSPECT_WEAKENED;
}
