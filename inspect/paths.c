// SPDX-License-Identifier: Apache-2.0
/* Paths through a listing: which actions of a body may follow which. A predicate that is known on a path remains known
 * until it is written, so that the two halves of an `if` that became predicated instructions are not taken for two
 * successive instructions. */
#include "inspect/paths.h"

/* ---- the predicates of an item ---- */

uint64_t path_bit(unsigned name)
{
    return name >= 1 && name < MACHINE_MASK_TRUE ? (uint64_t)1 << (name - 1) : 0;
}

/* Assumes that a predicate has a value, and records this in the state; false if it is known to have the other. */
static bool path_assume(struct path_state *state, unsigned guard, bool value)
{
    const uint64_t bit = path_bit(guard);
    if ((state->known & bit) && !(state->values & bit) == value)
        return false;
    state->known |= bit;
    state->values = value ? state->values | bit : state->values & ~bit;
    return true;
}

/* The value of a predicate, or of what stands for one: 1, 0, or -1 if it is not known. */
static int mask_value(const struct path_state *state, unsigned name)
{
    if (name >= MACHINE_MASK_TRUE)
        return name == MACHINE_MASK_TRUE ? 1 : name == MACHINE_MASK_FALSE ? 0 : -1;
    const uint64_t bit = path_bit(name);
    return state->known & bit ? (state->values & bit) != 0 : -1;
}

static int mask_invert(int value)
{
    return value < 0 ? value : !value;
}

static int mask_and(int a, int b)
{
    return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
}

static int mask_result(const struct path_state *state, const struct machine_mask *mask)
{
    const int a = mask_value(state, mask->left), b = mask_value(state, mask->right);
    switch (mask->operation) {
    case MACHINE_MASK_MOVE:
        return a;
    case MACHINE_MASK_NOT:
        return mask_invert(a);
    case MACHINE_MASK_AND:
        return mask_and(a, b);
    case MACHINE_MASK_OR:
        return mask_invert(mask_and(mask_invert(a), mask_invert(b)));
    case MACHINE_MASK_XOR:
        return a < 0 || b < 0 ? -1 : a != b;
    case MACHINE_MASK_AND_NOT:
        return mask_and(a, mask_invert(b));
    case MACHINE_MASK_OR_NOT:
        return mask_invert(mask_and(mask_invert(a), b));
    case MACHINE_MASK_NONE:
        break;
    }
    return -1;
}

void path_set(struct path_state *state, unsigned predicate, int value)
{
    const uint64_t bit = path_bit(predicate);
    state->known = value < 0 ? state->known & ~bit : state->known | bit;
    state->values = value > 0 ? state->values | bit : state->values & ~bit;
}

/* Whether the instruction changes a predicate. */
static bool changes(const struct machine_instruction *instruction, unsigned predicate)
{
    return (instruction->writes & path_bit(predicate)) || instruction->masks[0].to == predicate ||
           instruction->masks[1].to == predicate;
}

/* Records what a result says of an operand that was not known, given the other: that of `exec & ~mask` says the mask's
 * value for an item that took part. */
static void refine(const struct machine_instruction *instruction, const struct machine_mask *mask,
                   const struct path_state *before, int result, struct path_state *state)
{
    const int left = mask_value(before, mask->left), right = mask_value(before, mask->right);
    for (int left_side = 0; left_side < 2; left_side++) {
        const unsigned name = left_side ? mask->left : mask->right;
        if (name >= MACHINE_MASK_TRUE || (left_side ? left : right) >= 0 || changes(instruction, name))
            continue;
        for (int guess = 0; guess < 2; guess++) { /* the other value cannot give this result */
            struct path_state other = *before;
            path_set(&other, name, !guess);
            const int excluded = mask_result(&other, mask);
            if (excluded >= 0 && excluded != result)
                path_set(state, name, guess);
        }
    }
}

bool path_change(const struct listing *listing, const struct machine_instruction *instruction, struct path_state *state,
                 struct path_state *other)
{
    const struct path_state before = *state;
    /* Also where the next branch depends on it: what the branch says of it, it says of its operands. */
    const struct machine_instruction *next =
        instruction->next == MACHINE_NO_NEXT ? instruction : &listing->instructions[instruction->next];
    const struct machine_mask *forks = NULL;
    state->known &= ~instruction->writes;
    FOR_EACH(const struct machine_mask, mask, instruction->masks, 2) {
        if (mask->operation == MACHINE_MASK_NONE)
            continue;
        const int value = mask_result(&before, mask);
        const bool branches = next->branch != MACHINE_NO_NEXT && next->guard == mask->to && !forks;
        forks = value < 0 && (mask->to == listing->active || branches) ? mask : forks;
        path_set(state, mask->to, value);
    }
    *other = *state;
    if (forks) {
        path_set(state, forks->to, 1);
        path_set(other, forks->to, 0);
        refine(instruction, forks, &before, 1, state);
        refine(instruction, forks, &before, 0, other);
    }
    return forks != NULL;
}

size_t path_next(const struct machine_instruction *instruction, const struct path_state *state,
                 struct path_state next[2])
{
    /* Whether a branch depends on the item's own predicate on this path, and not only on those of others. */
    const bool tells = instruction->predicated &&
                       (instruction->guard_within == 0 || mask_value(state, instruction->guard_within) == 1);
    size_t count = 0;
    if (instruction->branch != MACHINE_NO_NEXT) {
        next[count] = *state;
        next[count].at = (size_t)instruction->branch;
        count += !tells || path_assume(&next[count], instruction->guard, instruction->guard_value);
    }
    if (instruction->next != MACHINE_NO_NEXT) {
        next[count] = *state;
        next[count].at = (size_t)instruction->next;
        count += instruction->branch == MACHINE_NO_NEXT || !tells ||
                 path_assume(&next[count], instruction->guard, !instruction->guard_value);
    }
    return count;
}

/* The predicates whose values matter before an instruction, given those that matter after it. */
static uint64_t live_before(const struct machine_instruction *instruction, uint64_t live)
{
    uint64_t uses = path_bit(instruction->guard) | path_bit(instruction->guard_within);
    const uint64_t after = live;
    live &= ~instruction->writes;
    for (size_t i = 0; i < 2; i++)
        if (instruction->masks[i].operation != MACHINE_MASK_NONE) {
            const uint64_t to = path_bit(instruction->masks[i].to);
            live &= ~to;
            if (after & to)
                uses |= path_bit(instruction->masks[i].left) | path_bit(instruction->masks[i].right);
        }
    return live | uses;
}

/* Fills, per instruction, the predicates whose values matter from there on. */
static void path_find_live(const struct listing *listing, uint64_t *live)
{
    const uint64_t always = path_bit(listing->active);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = listing->count; i > 0; i--) {
            const struct machine_instruction *instruction = &listing->instructions[i - 1];
            uint64_t after = 0;
            if (instruction->next != MACHINE_NO_NEXT)
                after |= live[instruction->next];
            if (instruction->branch != MACHINE_NO_NEXT)
                after |= live[instruction->branch];
            const uint64_t before = live_before(instruction, after) | always;
            again |= before != live[i - 1];
            live[i - 1] = before;
        }
    }
}

/* ---- paths ---- */

enum { MAXIMUM_STATES = 1u << 20 }; /* of one exploration; beyond this, predicates are ignored */

struct explorer {
    const struct body_code *code;
    const long *action_at;
    const bool *outside; /* per instruction: a branch of the kernel, outside the threads' code */
    const bool *target;  /* per instruction: the target of a jump */
    const bool *meeting; /* per instruction: a barrier of the kernel, where all threads have ended */
    struct path_state *stack;
    size_t stack_count, stack_room;
    struct path_state *seen; /* a hash table, open addressing; room is a power of two */
    bool *taken;
    size_t seen_count, seen_room;
    bool *reached, *reached_leaving; /* per action, and the end after them */
    bool passes;                     /* a path to the end passes */
    bool forget;
    /* If the listing says which items take part, else NULL: per instruction, the predicates whose values matter from
     * there on. Where a path leaves the body, only the active one is kept, so that there are fewer states. */
    const uint64_t *live;
    /* Then also the states in which the actions and the meetings are reached from the kernel's start. */
    struct path_state *seeds;
    size_t seed_count, seed_room;
    int outcome;  /* of the compare-and-swap that an exploration begins at: 1 succeeded, 0 failed, -1 not known */
    bool surveys; /* the exploration that finds them: nothing ends a path */
    /* Instead of visiting: the places in `seen` of the states that come next. */
    bool records;
    size_t next[PATHS_MAXIMUM_NEXT], next_count;
};

static size_t state_hash(const struct path_state *state)
{
    uint64_t hash = (uint64_t)state->at * 0x9e3779b97f4a7c15u;
    hash ^= (state->known ^ (state->values << 32 | state->values >> 32)) * 0xc2b2ae3d27d4eb4fu;
    hash ^= (uint64_t)(state->leaves + 2 * state->passes) * 0x165667b19e3779f9u;
    return (size_t)(hash ^ hash >> 29);
}

static bool same_state(const struct path_state *a, const struct path_state *b)
{
    return a->at == b->at && a->known == b->known && a->values == b->values && a->leaves == b->leaves &&
           a->passes == b->passes;
}

/* The place of a state among those seen, or that it would take. */
static size_t find_slot(const struct explorer *explorer, const struct path_state *state)
{
    size_t slot = state_hash(state) & (explorer->seen_room - 1);
    while (explorer->taken[slot] && !same_state(&explorer->seen[slot], state))
        slot = (slot + 1) & (explorer->seen_room - 1);
    return slot;
}

/* Adds a state to those seen; false if it is already among them. */
static bool see(struct explorer *explorer, const struct path_state *state)
{
    const size_t slot = find_slot(explorer, state);
    if (explorer->taken[slot])
        return false;
    explorer->taken[slot] = true;
    explorer->seen[slot] = *state;
    explorer->seen_count++;
    return true;
}

static void see_clear(struct explorer *explorer)
{
    memset(explorer->taken, 0, explorer->seen_room * sizeof *explorer->taken);
    explorer->seen_count = 0;
}

static void see_grow(struct explorer *explorer)
{
    struct path_state *old = explorer->seen;
    bool *old_taken = explorer->taken;
    const size_t old_room = explorer->seen_room;
    explorer->seen_room = old_room ? 2 * old_room : 1024;
    explorer->seen = memory_take(explorer->seen_room, sizeof *explorer->seen);
    explorer->taken = memory_take(explorer->seen_room, sizeof *explorer->taken);
    explorer->seen_count = 0;
    for (size_t i = 0; i < old_room; i++)
        if (old_taken[i])
            (void)see(explorer, &old[i]);
    free(old);
    free(old_taken);
}

/* The predicates that the instructions directly before a meeting make a constant: on every path. */
static uint64_t constants_before(const struct explorer *explorer, size_t at)
{
    const struct machine_instruction *instructions = explorer->code->subject->listing->instructions;
    uint64_t constants = 0, written = 0;
    for (; at > 0 && !explorer->target[at] && instructions[at - 1].next == (long)at &&
           instructions[at - 1].branch == MACHINE_NO_NEXT;
         at--) {
        const struct machine_instruction *before = &instructions[at - 1];
        const struct machine_mask *mask = &before->masks[0];
        const bool constant = mask->operation == MACHINE_MASK_MOVE && mask->left != MACHINE_MASK_UNKNOWN &&
                              mask->left >= MACHINE_MASK_TRUE;
        constants |= constant ? path_bit(mask->to) & ~written : 0;
        written |= before->writes | path_bit(mask->to) | path_bit(before->masks[1].to);
    }
    return constants;
}

static void visit(struct explorer *explorer, struct path_state state)
{
    if (explorer->seen_count >= MAXIMUM_STATES)
        explorer->forget = true;
    if (explorer->forget)
        state.known = 0;
    if (explorer->live)
        state.known &= explorer->meeting[state.at]
                           ? path_bit(explorer->code->subject->listing->active) | constants_before(explorer, state.at)
                           : explorer->live[state.at];
    state.values &= state.known;
    if (explorer->records) {
        if (explorer->next_count < PATHS_MAXIMUM_NEXT)
            explorer->next[explorer->next_count++] = find_slot(explorer, &state);
        return;
    }
    if (2 * (explorer->seen_count + 1) > explorer->seen_room)
        see_grow(explorer);
    if (see(explorer, &state))
        LIST_ADD(explorer->stack, explorer->stack_count, explorer->stack_room) = state;
}

static void reach_end(struct explorer *explorer, const struct path_state *state)
{
    explorer->reached[explorer->code->action_count] = true;
    explorer->passes |= state->passes;
}

static void go_on_from(struct explorer *explorer, struct path_state state);

static void go_on(struct explorer *explorer, struct path_state state)
{
    const struct listing *listing = explorer->code->subject->listing;
    struct path_state other;
    if (path_change(listing, &listing->instructions[state.at], &state, &other))
        go_on_from(explorer, other);
    if (explorer->outcome >= 0 && listing->instructions[state.at].swaps)
        path_set(&state, MACHINE_MASK_SUCCESS, explorer->outcome);
    go_on_from(explorer, state);
}

static void go_on_from(struct explorer *explorer, struct path_state state)
{
    const struct machine_instruction *instruction = &explorer->code->subject->listing->instructions[state.at];
    struct path_state next[2];
    state.leaves |= explorer->outside[state.at] && !explorer->surveys;
    struct path_state runs = state;
    if (explorer->code->subject->alone && !explorer->surveys && explorer->code->passed[state.at])
        state.passes |= !instruction->predicated || path_assume(&runs, instruction->guard, instruction->guard_value);
    const size_t count = path_next(instruction, &state, next);
    for (size_t i = 0; i < count; i++)
        visit(explorer, next[i]);
    if (instruction->branch == MACHINE_NO_NEXT && instruction->next == MACHINE_NO_NEXT)
        reach_end(explorer, &state);
}

/* Handles one state of the stack: an action ends the path, unless it may be skipped. */
static void take_state(struct explorer *explorer, struct path_state state)
{
    const struct machine_instruction *instruction = &explorer->code->subject->listing->instructions[state.at];
    const long action = explorer->action_at[state.at];
    if (explorer->surveys) {
        go_on(explorer, state);
        return;
    }
    if (explorer->meeting[state.at]) {
        reach_end(explorer, &state);
        return;
    }
    if (action < 0) {
        go_on(explorer, state);
        return;
    }
    struct path_state runs = state;
    if (!instruction->predicated || path_assume(&runs, instruction->guard, instruction->guard_value))
        *(state.leaves ? &explorer->reached_leaving[action] : &explorer->reached[action]) = true;
    if (instruction->predicated && path_assume(&state, instruction->guard, !instruction->guard_value))
        go_on(explorer, state);
}

/* Assumes what the preceding branches imply, as far back as the instruction can be reached only through them. */
static void assume_before(const struct explorer *explorer, struct path_state *state)
{
    const struct machine_instruction *instructions = explorer->code->subject->listing->instructions;
    uint64_t written = 0;
    for (size_t i = state->at; i > 0 && !explorer->target[i] && instructions[i - 1].next == (long)i; i--) {
        const struct machine_instruction *before = &instructions[i - 1];
        const uint64_t bit = path_bit(before->guard);
        if (before->branch != MACHINE_NO_NEXT && before->predicated && !(written & bit) && !(state->known & bit))
            (void)path_assume(state, before->guard, !before->guard_value);
        written |= before->writes;
    }
}

/* Begins a path at an action, or at an instruction before the threads' code. */
static void start_from(struct explorer *explorer, long from, struct path_state state)
{
    const struct machine_instruction *instruction = &explorer->code->subject->listing->instructions[state.at];
    if (from != CODE_START && instruction->predicated &&
        !path_assume(&state, instruction->guard, instruction->guard_value))
        return;
    if (from == CODE_START && explorer->action_at[state.at] >= 0)
        take_state(explorer, state);
    else
        go_on(explorer, state);
}

/* Follows all paths from an action, or from an instruction before the threads' code. */
static void explore(struct explorer *explorer, struct body_code *code, long from, size_t at)
{
    const bool seeded = explorer->live && (from != CODE_START || explorer->meeting[at]);
    struct path_state state = {.at = at};
    see_clear(explorer);
    explorer->forget = explorer->passes = false;
    memset(explorer->reached, 0, (code->action_count + 1) * sizeof *explorer->reached);
    memset(explorer->reached_leaving, 0, (code->action_count + 1) * sizeof *explorer->reached_leaving);
    if (from != CODE_START)
        assume_before(explorer, &state);
    if (explorer->live && from == CODE_START)
        path_set(&state, code->subject->listing->active, 1);
    for (size_t i = 0; seeded && i < explorer->seed_count; i++)
        if (explorer->seeds[i].at == at)
            start_from(explorer, from, explorer->seeds[i]);
    if (!seeded)
        start_from(explorer, from, state);
    while (explorer->stack_count > 0)
        take_state(explorer, explorer->stack[--explorer->stack_count]);
    /* Adds the actions that an exploration reached. That a compare-and-swap comes again after it has failed is no
     * pair. */
    for (size_t i = 0; i <= code->action_count; i++) {
        if (!explorer->reached[i] && !explorer->reached_leaving[i])
            continue;
        if (explorer->outcome == 0)
            *((long)i == from ? &code->actions[from].repeats : &code->actions[from].gives_up) = true;
        if (explorer->outcome != 0 || (long)i != from)
            ARENA_ADD(&code->arena, code->pairs, code->pair_count) = (struct code_pair){
                from, i == code->action_count ? CODE_END : (long)i, !explorer->reached[i], explorer->passes};
    }
}

/* Finds the states in which the actions and the meetings are reached. */
static void find_seeds(struct explorer *explorer)
{
    struct path_state state = {0};
    explorer->surveys = true;
    path_set(&state, explorer->code->subject->listing->active, 1);
    see_clear(explorer);
    visit(explorer, state);
    while (explorer->stack_count > 0)
        take_state(explorer, explorer->stack[--explorer->stack_count]);
    for (size_t i = 0; i < explorer->seen_room; i++)
        if (explorer->taken[i] &&
            (explorer->action_at[explorer->seen[i].at] >= 0 || explorer->meeting[explorer->seen[i].at]))
            LIST_ADD(explorer->seeds, explorer->seed_count, explorer->seed_room) = explorer->seen[i];
    explorer->surveys = false;
}

static void release_explorer(struct explorer *explorer)
{
    free(explorer->seeds);
    free(explorer->stack);
    free(explorer->seen);
    free(explorer->taken);
}

void find_pairs(struct body_code *code, const long *action_at, const bool *outside, const bool *meeting)
{
    const size_t count = code->subject->listing->count;
    bool *target = memory_take(count, sizeof *target);
    struct explorer explorer = {
        .code = code, .action_at = action_at, .outside = outside, .target = target, .meeting = meeting, .outcome = -1};
    for (size_t i = 0; i < count; i++)
        if (code->subject->listing->instructions[i].branch != MACHINE_NO_NEXT)
            target[code->subject->listing->instructions[i].branch] = true;
    see_grow(&explorer);
    explorer.reached = memory_take(code->action_count + 1, sizeof *explorer.reached);
    explorer.reached_leaving = memory_take(code->action_count + 1, sizeof *explorer.reached_leaving);
    uint64_t *live = memory_take(count, sizeof *live);
    if (code->subject->listing->active != 0) {
        path_find_live(code->subject->listing, live);
        explorer.live = live;
        find_seeds(&explorer);
    }
    explore(&explorer, code, CODE_START, 0);
    for (size_t i = 0; i < count; i++)
        if (meeting[i])
            explore(&explorer, code, CODE_START, i);
    for (size_t i = 0; i < code->action_count; i++)
        for (explorer.outcome = code->actions[i].loops ? 1 : -1; action_at[code->actions[i].instruction] >= 0;) {
            explore(&explorer, code, (long)i, code->actions[i].instruction);
            if (explorer.outcome-- <= 0)
                break;
        }
    free(target);
    free(live);
    release_explorer(&explorer);
    free(explorer.reached);
    free(explorer.reached_leaving);
}

/* ---- the graph of an item ---- */

/* One node for each instruction, and an edge wherever one may follow another. */
static void make_plain_graph(const struct listing *listing, struct arena *arena, struct path_graph *graph)
{
    graph->count = listing->count;
    graph->nodes = arena_take(arena, graph->count, sizeof *graph->nodes);
    for (size_t i = 0; i < listing->count; i++) {
        struct path_node *node = &graph->nodes[i];
        node->at = i;
        node->takes_part = true;
        if (listing->instructions[i].next != MACHINE_NO_NEXT)
            node->next[node->next_count++] = (size_t)listing->instructions[i].next;
        if (listing->instructions[i].branch != MACHINE_NO_NEXT)
            node->next[node->next_count++] = (size_t)listing->instructions[i].branch;
    }
}

/* One node for each state that the survey saw. */
static void make_state_graph(struct explorer *explorer, struct arena *arena, struct path_graph *graph)
{
    FREED size_t *number = memory_take(explorer->seen_room, sizeof *number);
    const uint64_t active = path_bit(explorer->code->subject->listing->active);
    for (size_t slot = 0; slot < explorer->seen_room; slot++)
        if (explorer->taken[slot])
            number[slot] = graph->count++;
    graph->nodes = arena_take(arena, graph->count, sizeof *graph->nodes);
    explorer->records = true;
    for (size_t slot = 0; slot < explorer->seen_room; slot++) {
        if (!explorer->taken[slot])
            continue;
        struct path_node *node = &graph->nodes[number[slot]];
        node->at = explorer->seen[slot].at;
        node->takes_part = !(explorer->seen[slot].known & active) || (explorer->seen[slot].values & active);
        explorer->next_count = 0;
        go_on(explorer, explorer->seen[slot]);
        for (size_t i = 0; i < explorer->next_count; i++)
            node->next[node->next_count++] = number[explorer->next[i]];
    }
}

void paths_make_graph(const struct inspect_subject *subject, const bool *leaves, struct arena *arena,
                      struct path_graph *graph)
{
    const struct listing *listing = subject->listing;
    const struct body_code code = {.subject = subject};
    bool *nowhere = memory_take(listing->count, sizeof *nowhere), ignored[2];
    uint64_t *live = memory_take(listing->count, sizeof *live);
    long *no_action = memory_take(listing->count, sizeof *no_action);
    struct explorer explorer = {.code = &code,
                                .action_at = no_action,
                                .outside = leaves,
                                .target = nowhere,
                                .meeting = nowhere,
                                .live = live,
                                .outcome = -1,
                                .reached = ignored};
    *graph = (struct path_graph){0};
    see_grow(&explorer);
    path_find_live(listing, live);
    for (size_t i = 0; i < listing->count; i++)
        no_action[i] = -1;
    find_seeds(&explorer);
    explorer.surveys = true;
    if (explorer.forget)
        make_plain_graph(listing, arena, graph);
    else
        make_state_graph(&explorer, arena, graph);
    free(nowhere);
    free(live);
    free(no_action);
    release_explorer(&explorer);
}

/* ---- bodies ---- */

static bool is_among_steps(const struct kernel *kernel, unsigned body, unsigned line)
{
    bool before = false, after = false;
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == body) {
            before |= kernel->steps[i].line <= line;
            after |= kernel->steps[i].line >= line;
        }
    return before && after;
}

/* Whether a line is after the body's last step, and before any step of a body in another function: there a thread
 * stores its results. */
static bool is_after_steps(const struct kernel *kernel, unsigned body, unsigned line)
{
    bool after = false, other = false;
    unsigned last = 0;
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == body) {
            after = kernel->steps[i].line < line;
            last = kernel->steps[i].line;
        }
    for (size_t i = 0; i < kernel->step_count; i++)
        other |= kernel->slot_of[kernel->steps[i].body] != kernel->slot_of[body] && kernel->steps[i].line > last &&
                 kernel->steps[i].line <= line;
    return after && !other;
}

/* Marks the body's stores of results, and the instructions of the kernel's own lines in those blocks of code that have
 * no line between the body's first step and its last. In others they may be between the body's instructions, as a
 * compiler likes. */
static void find_outside(const struct inspect_subject *subject, unsigned body, bool *outside)
{
    const struct listing *listing = subject->listing;
    FREED bool *starts = memory_take(listing->count + 1, sizeof *starts);
    bool in_helper;
    starts[listing->count] = true;
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->instructions[i].branch != MACHINE_NO_NEXT)
            starts[listing->instructions[i].branch] = true;
        if (listing->instructions[i].branch != MACHINE_NO_NEXT || listing->instructions[i].next == MACHINE_NO_NEXT)
            starts[i + 1] = true;
    }
    for (size_t start = 0, end; start < listing->count; start = end) {
        bool threads = false;
        for (end = start; end == start || !starts[end]; end++)
            threads |=
                is_among_steps(subject->kernel, body, thread_line(subject, &listing->instructions[end], &in_helper));
        for (size_t i = start; i < end; i++) {
            const unsigned line = thread_line(subject, &listing->instructions[i], &in_helper);
            outside[i] = line == 0 ? !threads && listing->instructions[i].line_count > 0
                                   : listing->instructions[i].effect == MACHINE_STORE &&
                                         is_after_steps(subject->kernel, body, line);
        }
    }
}

void find_landmarks(const struct inspect_subject *subject, unsigned body, bool *outside, bool *meeting)
{
    if (subject->lines_of_calls)
        find_outside(subject, body, outside);
    for (size_t i = 0; i < subject->listing->count; i++) {
        const struct machine_instruction *instruction = &subject->listing->instructions[i];
        bool in_helper;
        const unsigned line = thread_line(subject, instruction, &in_helper);
        if (subject->unrolls && subject->kernel->agents > 1 && line != 0 && instruction->effect == MACHINE_STORE)
            outside[i] |= is_after_steps(subject->kernel, body, line);
        if (instruction->line_count == 0 || line != 0)
            continue;
        outside[i] |= instruction->branch != MACHINE_NO_NEXT;
        meeting[i] =
            instruction->effect == MACHINE_BARRIER && (!instruction->predicated || subject->listing->active != 0);
    }
}
