// SPDX-License-Identifier: Apache-2.0
/* Finds and describes the faults of a body's code, from its actions and which of them follow each other. */
#include "inspect/swap_loops.h"

/* ---- words ---- */

void findings_add(const struct inspect_subject *subject, struct inspection *inspection, enum inspect_fault fault,
                  unsigned step, const char *format, ...)
{
    for (size_t i = 0; i < inspection->finding_count; i++)
        if (inspection->findings[i].fault == fault && inspection->findings[i].step == step)
            return;
    struct text text = {0};
    va_list arguments;
    const struct kernel_step *own = &subject->kernel->steps[step];
    text_add(&text, "P%u", subject->test->threads[own->body].first);
    if (own->place.line > 0)
        text_add(&text, " line %u", own->place.line);
    struct text instruction = {0};
    if (litmus_print_instruction(subject->test, own->place, &instruction))
        text_add(&text, ": '%s' ", text_string(&instruction));
    else
        text_add(&text, ": %s ", inspect_step_words(inspect_step(own)));
    text_release(&instruction);
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    ARENA_ADD(&inspection->arena, inspection->findings, inspection->finding_count) = (struct inspect_finding){
        fault, step, subject->kernel->steps[step].place, arena_copy(&inspection->arena, text_string(&text))};
    text_release(&text);
}

/* "STG.E [R2] at 0x4e0", or a bound. Returns buffer. */
static const char *name_action(const struct body_code *code, long action, char buffer[160])
{
    if (action < 0)
        return action == CODE_START ? "the thread's start" : "the thread's end";
    const struct machine_instruction *instruction =
        &code->subject->listing->instructions[code->actions[action].instruction];
    (void)snprintf(buffer, 160, "'%.120s' at 0x%lx", instruction->text, instruction->place);
    return buffer;
}

static const char *effect_name(enum machine_effect effect)
{
    static const char *const names[] = {
        [MACHINE_NOTHING] = "instruction",
        [MACHINE_LOAD] = "load",
        [MACHINE_STORE] = "store",
        [MACHINE_UPDATE] = "read-modify-write",
        [MACHINE_ASYNC] = "asynchronous operation",
        [MACHINE_COMMIT] = "end of a group",
        [MACHINE_WAIT] = "wait for groups",
        [MACHINE_GRID_WAIT] = "wait for earlier launches",
        [MACHINE_GRID_TRIGGER] = "trigger of the next launch",
        [MACHINE_FENCE] = "fence",
        [MACHINE_INVALIDATE] = "invalidation of the cache",
        [MACHINE_BARRIER] = "barrier",
    };
    return names[effect];
}

static const char *region_name(enum litmus_region region)
{
    return region == LITMUS_LOCAL ? "shared memory" : "global memory";
}

/* The name of an operation that is more than a load, a store or a read-modify-write; otherwise NULL. */
static const char *operation_name(const struct inspect_need *need)
{
    static const char *const names[LITMUS_OPERATION_COUNT] = {
        [LITMUS_ARRIVE] = "arrival",
        [LITMUS_EXPECT_TX] = "expect-tx",
        [LITMUS_ARRIVE_EXPECT_TX] = "arrival with expect-tx",
        [LITMUS_COMPLETE_TX] = "complete-tx",
        [LITMUS_TEST_WAIT] = "test of a phase",
        [LITMUS_TRY_WAIT] = "wait for a phase",
    };
    if (need->effect == MACHINE_BARRIER && need->operation == LITMUS_TRY_WAIT)
        return "wait for a cluster";
    return names[need->operation];
}

/* "asynchronous copy", "asynchronous add". */
static const char *async_name(enum litmus_operation operation)
{
    static const char *const names[LITMUS_OPERATION_COUNT] = {
        [LITMUS_FETCH_ADD] = "add", [LITMUS_FETCH_AND] = "and", [LITMUS_FETCH_OR] = "or",
        [LITMUS_FETCH_XOR] = "xor", [LITMUS_FETCH_MIN] = "min", [LITMUS_FETCH_MAX] = "max",
        [LITMUS_FETCH_INC] = "inc", [LITMUS_FETCH_DEC] = "dec", [LITMUS_STORE] = "copy",
    };
    return names[operation] ? names[operation] : "operation";
}

/* "fence of the async proxy for shared memory", "asynchronous copy from global memory to shared memory", "load"; after
 * "a" or "an" with `article`; or the form of an instruction. Returns buffer. */
static const char *need_name(const struct inspect_need *need, bool article, char buffer[160])
{
    static const char *const proxies[LITMUS_PROXY_COUNT] = {[LITMUS_TEXTURE] = "texture",
                                                            [LITMUS_SURFACE] = "surface",
                                                            [LITMUS_CONSTANT] = "constant",
                                                            [LITMUS_ALIAS] = "alias",
                                                            [LITMUS_ASYNC] = "async"};
    const char *const name = operation_name(need);
    const char *const hint = need->hints & MACHINE_HINT_MMIO       ? " of memory-mapped I/O"
                             : need->hints & MACHINE_HINT_VOLATILE ? " that is volatile"
                             : need->hints                         ? " with its cache hint"
                                                                   : "";
    if (need->form) {
        (void)snprintf(buffer, 160, "'%.*s'", (int)strcspn(need->form, ";\""), need->form);
        return buffer;
    }
    char *const words = buffer + (article ? 3 : 0);
    const size_t room = article ? 157 : 160;
    if (need->effect == MACHINE_ASYNC && !name)
        (void)snprintf(words, room, "asynchronous %s from %s to %s%s", async_name(need->operation),
                       region_name(need->from), region_name(need->region), need->multicast ? " of several groups" : "");
    else if (need->effect == MACHINE_FENCE && need->proxy != LITMUS_GENERIC)
        (void)snprintf(words, room, "fence of the %s proxy for %s", proxies[need->proxy], region_name(need->region));
    else if (need->proxy != LITMUS_GENERIC && need->effect != MACHINE_COMMIT)
        (void)snprintf(words, room, "%s by the %s proxy%s", effect_name(need->effect), proxies[need->proxy], hint);
    else
        (void)snprintf(words, room, "%s%s", name ? name : effect_name(need->effect), hint);
    if (!article)
        return buffer;
    const bool vowel = strchr("aeiou", words[0]) != NULL;
    memcpy(buffer, "an ", 3);
    return vowel ? buffer : memcpy(buffer + 1, "a ", 2);
}

/* ---- each step ---- */

static size_t first_piece(const struct follows *follows, unsigned step)
{
    size_t first = 0;
    while (first < follows->count && follows->pieces[first].step != step)
        first++;
    return first;
}

static const struct machine_instruction *instruction_of(const struct body_code *code, const struct action *action)
{
    return &code->subject->listing->instructions[action->instruction];
}

static bool is_present(const struct body_code *code, size_t piece)
{
    const unsigned step = code->follows->pieces[piece].step;
    const unsigned bit = 1u << (piece - first_piece(code->follows, step));
    return ANY_OF(action, code->actions, code->action_count, action->step == step && (action->matches & bit));
}

/* The first instruction of a step that meets none of its needs and, if `same`, has this effect, preferably through the
 * same proxy; or NULL. */
static const struct machine_instruction *odd_instruction(const struct body_code *code, unsigned step,
                                                         const struct inspect_need *need, bool same)
{
    const struct machine_instruction *odd = NULL;
    for (size_t i = 0; i < code->action_count; i++) {
        const struct machine_instruction *instruction = instruction_of(code, &code->actions[i]);
        if (code->actions[i].step != step || code->actions[i].matches != 0 ||
            (instruction->effect == need->effect) != same)
            continue;
        if (!odd || (instruction->proxy == need->proxy && odd->proxy != need->proxy))
            odd = instruction;
    }
    return odd;
}

/* In VULKAN's words if the test is written in them, else in PTX's, which has one for each level. */
static const char *scope_name(const struct body_code *code, enum litmus_scope scope)
{
    return litmus_scope_name(code->subject->test->dialect == LITMUS_VULKAN ? LITMUS_VULKAN : LITMUS_PTX, scope);
}

static void add_difference(const struct body_code *code, struct inspection *inspection, unsigned step,
                           const struct machine_instruction *instruction, const struct inspect_need *need)
{
    const enum inspect_fault fault = compare_fault(instruction, need);
    const char *const text = instruction->text;
    char name[160];
    const unsigned long place = instruction->place;
    if (instruction->flaw) {
        findings_add(code->subject, inspection, fault, step, "has '%s' at 0x%lx, which is not PTX: %s", text, place,
                     instruction->flaw);
        return;
    }
    switch (fault) {
    case INSPECT_RESIZED:
        if (need->element != 0 && instruction->element != need->element)
            findings_add(code->subject, inspection, fault, step,
                         "changes elements of %u bytes, but '%s' at 0x%lx changes elements of %u", need->element, text,
                         place, instruction->element);
        else
            findings_add(code->subject, inspection, fault, step, "accesses %u bytes, but '%s' at 0x%lx accesses %u",
                         need->bytes, text, place, instruction->bytes);
        break;
    case INSPECT_NARROWED:
        if (need->proxy != LITMUS_GENERIC) {
            findings_add(code->subject, inspection, fault, step, "needs %s, but the code has '%s' at 0x%lx",
                         need_name(need, true, name), text, place);
            break;
        }
        findings_add(code->subject, inspection, fault, step, "needs a %s of scope %s, but the code has '%s' at 0x%lx",
                     effect_name(need->effect), scope_name(code, need->scope), text, place);
        break;
    case INSPECT_WEAKENED:
        findings_add(code->subject, inspection, fault, step, "needs a stronger %s than '%s' at 0x%lx",
                     need_name(need, false, name), text, place);
        break;
    default:
        findings_add(code->subject, inspection, INSPECT_CHANGED, step, "needs %s, but the code has '%s' at 0x%lx",
                     need_name(need, true, name), text, place);
        break;
    }
}

bool code_has_step(const struct body_code *code, unsigned step)
{
    return ANY_OF(action, code->actions, code->action_count, action->step == step);
}

/* Adds a step whose access is present but lacks something that orders it. */
static void add_unordered(const struct body_code *code, struct inspection *inspection, unsigned step,
                          const struct inspect_need *need)
{
    size_t first = 0;
    while (first + 1 < code->action_count && code->actions[first].step != step)
        first++;
    const struct machine_instruction *instruction = instruction_of(code, &code->actions[first]);
    char name[160];
    findings_add(code->subject, inspection, INSPECT_WEAKENED, step, "has no %s for '%s' at 0x%lx in the compiled code",
                 need_name(need, false, name), instruction->text, instruction->place);
}

/* Checks that every piece of the body is present. */
static void check_pieces(const struct body_code *code, struct inspection *inspection)
{
    for (size_t i = 0; i < code->follows->count; i++) {
        const struct piece *piece = &code->follows->pieces[i];
        const unsigned step = piece->step;
        char name[160];
        const bool first = i == 0 || code->follows->pieces[i - 1].step != step;
        if (first && !code_has_step(code, step) && !piece->need.optional) {
            findings_add(code->subject, inspection, INSPECT_MISSING, step, "is missing from the compiled code");
            continue;
        }
        if ((piece->need.optional && !piece->need.required) || is_present(code, i) || !code_has_step(code, step))
            continue;
        const struct machine_instruction *odd = odd_instruction(code, step, &piece->need, true);
        if (!odd && !piece->need.is_order)
            odd = odd_instruction(code, step, &piece->need, false);
        if (odd)
            add_difference(code, inspection, step, odd, &piece->need);
        else if (piece->need.is_order)
            add_unordered(code, inspection, step, &piece->need);
        else
            findings_add(code->subject, inspection, INSPECT_MISSING, step, "has no %s in the compiled code",
                         need_name(&piece->need, false, name));
    }
}

/* ---- order ---- */

/* Whether the action may meet the piece's need. An action that meets no need of its step has already been reported and
 * may meet any. */
static bool may_be(const struct body_code *code, long action, size_t piece)
{
    const struct follows *follows = code->follows;
    if (action == CODE_START || action == CODE_END)
        return piece == follows->count + (action == CODE_START ? FOLLOWS_START : FOLLOWS_END);
    const struct action *own = &code->actions[action];
    if (piece >= follows->count || follows->pieces[piece].step != own->step)
        return false;
    return own->matches == 0 || (own->matches & 1u << (piece - first_piece(follows, own->step)));
}

/* Whether in the test a piece of the second action may follow a piece of the first. An instruction that the items of a
 * sub-group run one after another follows itself. */
static bool is_allowed(const struct body_code *code, long from, long to)
{
    const size_t all = code->follows->count + FOLLOWS_BOUNDS;
    for (size_t a = 0; from == to && a < code->follows->count; a++)
        if (may_be(code, from, a) && code->follows->pieces[a].need.elects)
            return true;
    return ANY_NUMBER(size_t, a, 0, all,
                      may_be(code, from, a) &&
                          ANY_NUMBER(size_t, b, 0, all, may_be(code, to, b) && follows_allowed(code->follows, a, b)));
}

/* Finds the shortest path in the test from an action's pieces to another's: before[b] is the piece from which b is
 * reached. Returns the last piece, or `all` if there is no path. */
static size_t find_way(const struct body_code *code, long from, long to, size_t *before)
{
    const size_t all = code->follows->count + FOLLOWS_BOUNDS;
    size_t *queue = memory_take(all + 1, sizeof *queue), head = 0, tail = 0, found = all;
    for (size_t i = 0; i < all; i++)
        before[i] = all;
    for (size_t a = 0; a < all; a++)
        if (may_be(code, from, a))
            queue[tail++] = a;
    const size_t starts = tail;
    while (head < tail && found == all) {
        const size_t a = queue[head++];
        for (size_t b = 0; b < all && found == all; b++) {
            if (!follows_allowed(code->follows, a, b) || before[b] != all)
                continue;
            before[b] = head <= starts ? all + 1 : a;
            if (may_be(code, to, b))
                found = b;
            else
                queue[tail++] = b;
            if (tail > all)
                break;
        }
    }
    free(queue);
    return found;
}

/* Whether another action does the same. */
static bool has_twin(const struct body_code *code, long action)
{
    return action >= 0 && ANY_NUMBER(size_t, i, 0, code->action_count,
                                     (long)i != action && code->actions[i].step == code->actions[action].step &&
                                         (code->actions[i].matches & code->actions[action].matches));
}

/* Whether the code may have the piece directly after that action, although the test does not allow it. */
static bool comes_after(const struct body_code *code, long action, size_t piece)
{
    return ANY_OF(pair, code->pairs, code->pair_count,
                  pair->from == action && pair->to >= 0 && may_be(code, pair->to, piece) &&
                      !is_allowed(code, action, pair->to));
}

static void add_out_of_place(const struct body_code *code, struct inspection *inspection, const struct code_pair *pair)
{
    char from[160], to[160];
    const unsigned step = code->actions[pair->to].step;
    const bool twice = pair->from == pair->to || has_twin(code, pair->to) ||
                       (pair->from >= 0 && code->actions[pair->from].step == step);
    findings_add(code->subject, inspection, twice ? INSPECT_DOUBLED : INSPECT_MOVED, step,
                 twice ? "may run again: %s is followed by %s" : "is out of place: %s is followed by %s",
                 name_action(code, pair->from, from), name_action(code, pair->to, to));
}

static void check_pair(const struct body_code *code, struct inspection *inspection, const struct code_pair *pair)
{
    if (pair->from == CODE_START && pair->to == CODE_END && !pair->passes)
        return; /* a round in which the thread does not play */
    /* Whether the test allows the end of a round after the first action and the start of a round before the second. */
    if (is_allowed(code, pair->from, pair->to) ||
        (pair->leaves && is_allowed(code, pair->from, CODE_END) && is_allowed(code, CODE_START, pair->to)))
        return;
    if (code->subject->alone) /* where pieces are optional, the relation says which */
        findings_add(code->subject, inspection, INSPECT_MOVED, code->follows->pieces[0].step, "is not kept");
    FREED size_t *before = memory_take(code->follows->count + FOLLOWS_BOUNDS, sizeof *before);
    const size_t last = find_way(code, pair->from, pair->to, before);
    /* If the test has the second before the first, in the same iteration of a loop, the second is late. */
    const bool late = pair->from >= 0 && pair->to >= 0 && code->actions[pair->to].step < code->actions[pair->from].step;
    if (last < code->follows->count + FOLLOWS_BOUNDS && !late) {
        /* Reports the pieces that the code skips between two actions, or the second action if it comes before them. */
        char from[160], to[160];
        for (size_t piece = before[last]; piece < code->follows->count; piece = before[piece]) {
            const struct piece *skipped = &code->follows->pieces[piece];
            if (skipped->need.optional || !code_has_step(code, skipped->step) || !is_present(code, piece))
                continue;
            if (pair->to >= 0 && comes_after(code, pair->to, piece)) {
                add_out_of_place(code, inspection, pair);
                continue;
            }
            findings_add(code->subject, inspection, skipped->need.is_order ? INSPECT_WEAKENED : INSPECT_MOVED,
                         skipped->step, "has its %s elsewhere, or not on every path: %s is followed by %s",
                         effect_name(skipped->need.effect), name_action(code, pair->from, from),
                         name_action(code, pair->to, to));
        }
    } else if (pair->from >= 0 && pair->to >= 0 && !pair->leaves)
        add_out_of_place(code, inspection, pair);
}

/* Checks that a loop of the test repeats in the code. */
static void check_loop(const struct body_code *code, struct inspection *inspection, const struct follows_loop *loop)
{
    FOR_EACH(const struct code_pair, pair, code->pairs, code->pair_count) {
        if (pair->leaves || pair->from < 0 || pair->to < 0)
            continue;
        for (size_t a = 0; a < code->follows->count; a++)
            for (size_t b = 0; loop->before[a] && may_be(code, pair->from, a) && b < code->follows->count; b++)
                if (loop->after[b] && may_be(code, pair->to, b))
                    return;
    }
    if (code_has_step(code, loop->step))
        findings_add(code->subject, inspection, INSPECT_ONCE, loop->step,
                     "is in a loop of the test, which the compiled code does not repeat");
}

void findings_of_body(const struct body_code *code, struct inspection *inspection)
{
    check_pieces(code, inspection);
    /* Checks for an access that its step does not need, although those that it needs are present. */
    for (size_t i = 0; i < code->action_count; i++) {
        const struct machine_instruction *instruction = instruction_of(code, &code->actions[i]);
        const struct follows *follows = code->follows;
        const unsigned step = code->actions[i].step;
        const struct piece *best = NULL;
        if (code->actions[i].matches != 0 || instruction->effect > MACHINE_COMMIT)
            continue;
        for (size_t p = first_piece(follows, step); p < follows->count && follows->pieces[p].step == step; p++)
            if (!follows->pieces[p].need.is_order && (!best || follows->pieces[p].need.effect == instruction->effect))
                best = &follows->pieces[p];
        if (best)
            add_difference(code, inspection, step, instruction, &best->need);
    }
    /* Checks the compare-and-swaps that do a step in a loop. */
    FOR_EACH(const struct action, action, code->actions, code->action_count) {
        const struct machine_instruction *swap = instruction_of(code, action);
        const char *flaw = action->loops ? swap_loops_flaw(code->subject->listing, action, code->reads,
                                                           &code->subject->kernel->steps[action->step])
                                         : NULL;
        if (flaw)
            findings_add(code->subject, inspection, INSPECT_CHANGED, action->step, "is done by '%s' at 0x%lx, but %s",
                         swap->text, swap->place, flaw);
    }
    for (size_t i = 0; i < code->pair_count; i++)
        check_pair(code, inspection, &code->pairs[i]);
    for (size_t i = 0; i < code->follows->loop_count; i++)
        check_loop(code, inspection, &code->follows->loops[i]);
}
