// SPDX-License-Identifier: Apache-2.0
/* The paths of all threads, which of them can be exchanged, and the numbers in a test, before anything is put
 * together. */
#include "models/search/enumerate.h"

#include "litmus/language/walk.h"

/* ---- threads that can be exchanged ---- */

/* They run the same code, have the same placement relative to all others, and nobody observes their registers. Of
 * executions that differ only by exchanging them, one is enough. */

static bool run_alike(const struct litmus_thread *a, const struct litmus_thread *b)
{
    bool same = litmus_same_code(a, b) && !litmus_has_collectives(&a->body); /* which tell lanes apart */
    for (size_t i = 0; same && i < a->register_count; i++)
        same = a->registers[i].initial == b->registers[i].initial &&
               a->registers[i].points_to == b->registers[i].points_to;
    return same;
}

static struct event event_of(const struct enumeration *enumeration, unsigned slot)
{
    return (struct event){.thread = enumeration->threads[slot].number, .body = enumeration->threads[slot].body};
}

/* Are both in one launch, and does every other thread share the same levels with both? */
static bool enumerate_same_place(const struct enumeration *enumeration, unsigned a, unsigned b)
{
    const unsigned *launch = enumeration->launches.of_body;
    if (launch[enumeration->threads[a].body] != launch[enumeration->threads[b].body])
        return false;
    const struct execution execution = {.test = enumeration->test};
    const struct event p = event_of(enumeration, a), q = event_of(enumeration, b);
    for (unsigned other = 0; other < enumeration->thread_count; other++) {
        const struct event r = event_of(enumeration, other);
        for (int level = 0; other != a && other != b && level < LITMUS_SCOPE_COUNT; level++)
            if (execution_same_instance(&execution, &p, &r, (enum litmus_scope)level) !=
                execution_same_instance(&execution, &q, &r, (enum litmus_scope)level))
                return false;
    }
    return true;
}

static bool is_observed(const struct enumeration *enumeration, unsigned slot)
{
    return ANY_OF(variable, enumeration->test->variables, enumeration->test->variable_count,
                  variable->thread == enumeration->threads[slot].number);
}

static void enumeration_find_alike(struct enumeration *enumeration)
{
    const struct litmus_thread *threads = enumeration->test->threads;
    for (unsigned slot = 0; slot < enumeration->thread_count; slot++) {
        enumeration->alike[slot] = slot;
        for (unsigned first = 0; !is_observed(enumeration, slot) && first < slot; first++)
            if (enumeration->alike[first] == first && !is_observed(enumeration, first) &&
                run_alike(&threads[enumeration->threads[first].body], &threads[enumeration->threads[slot].body]) &&
                enumerate_same_place(enumeration, first, slot)) {
                enumeration->alike[slot] = first;
                break;
            }
    }
}

/* ---- the numbers in a test ---- */

static void add_constant(struct enumeration *enumeration, int64_t value)
{
    for (size_t i = 0; i < enumeration->constant_count; i++)
        if (enumeration->constants[i] == value)
            return;
    ARENA_ADD(&enumeration->arena, enumeration->constants, enumeration->constant_count) = value;
}

static void add_of_proposition(struct enumeration *enumeration, const struct litmus_proposition *proposition)
{
    if (!proposition)
        return;
    for (int side = 0; side < 2 && proposition->kind == LITMUS_ATOM; side++)
        if (proposition->terms[side].variable == LITMUS_NONE)
            add_constant(enumeration, proposition->terms[side].value);
    add_of_proposition(enumeration, proposition->left);
    add_of_proposition(enumeration, proposition->right);
}

/* Fill in the constants, and which threads can be exchanged. */
static void enumeration_find_constants(struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);)
        if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_CONSTANT)
            add_constant(enumeration, walk.expression->value);
    add_of_proposition(enumeration, test->condition);
    add_of_proposition(enumeration, test->filter);
}

size_t enumeration_cell(const struct enumeration *enumeration, int storage, uint32_t element)
{
    return enumeration->cells[storage] + element;
}

int64_t location_initial(const struct litmus_test *test, int location, uint32_t element)
{
    const struct litmus_location *l = &test->locations[location];
    return l->points_to == LITMUS_NONE ? litmus_initial(l, element) : address_encode(l->points_to, 0);
}

void enumeration_visit_events(const struct enumeration *enumeration,
                              void (*visit)(const struct enumeration *enumeration, const struct event *event,
                                            void *context),
                              void *context)
{
    FOR_EACH(const struct traces, traces, enumeration->traces, enumeration->test->body_count)
        for (size_t i = 0; i < traces_path_count(traces); i++) {
            const struct path *path = traces_path(traces, i);
            for (unsigned k = 0; k < path->count; k++)
                visit(enumeration, &path->events[k].event, context);
        }
}

static void note_written(const struct enumeration *enumeration, const struct event *event, void *context)
{
    bool *written = context;
    if (event->kind == EVENT_WRITE)
        written[enumeration_cell(enumeration, event->storage, event->element)] = true;
}

/* Reads of cells that are never written are known, which may remove paths and so writes: repeated until nothing
 * changes. */
static enum status list_paths(struct enumeration *enumeration)
{
    const size_t cells = enumeration->cell_count;
    bool *written = arena_take(&enumeration->arena, cells, sizeof *written);
    memset(enumeration->written, true, cells * sizeof *written);
    for (;;) {
        enumeration->mixed_sizes = false;
        for (size_t body = 0; body < enumeration->test->body_count; body++)
            TRY(traces_make(enumeration, (int)body));
        memset(written, false, cells * sizeof *written);
        enumeration_visit_events(enumeration, note_written, written);
        if (memcmp(written, enumeration->written, cells * sizeof *written) == 0)
            return STATUS_OK;
        memcpy(enumeration->written, written, cells * sizeof *written);
    }
}

/* ---- tests that cannot fit ---- */

/* Events that every evaluation of an expression has. */
static uint64_t events_of(const struct litmus_expression *expression)
{
    if (!expression)
        return 0;
    const bool both = expression->op != LITMUS_LOGICAL_AND && expression->op != LITMUS_LOGICAL_OR;
    uint64_t count = events_of(expression->left);
    if (expression->kind == LITMUS_EXPRESSION_BINARY && both)
        count += events_of(expression->right);
    const struct litmus_access *access = expression->access;
    if (expression->kind != LITMUS_EXPRESSION_ACCESS)
        return count;
    const bool both_halves = access->operation == LITMUS_EXCHANGE ||
                             (access->operation >= LITMUS_FETCH_ADD && access->operation < LITMUS_TEST_WAIT);
    return count + events_of(access->address) + events_of(access->operand) + (both_halves ? 2 : 1);
}

/* Events that every run of a block has, up to the first jump; *jumps: there is one. */
static uint64_t events_at_least(const struct litmus_block *block, bool *jumps)
{
    uint64_t count = 0;
    for (size_t i = 0; i < block->count && !*jumps; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_DO_WHILE)
            count += events_at_least(&statement->body, jumps);
        if (*jumps)
            break;
        count += events_of(statement->value);
        count += litmus_kinds[statement->kind].has_event;
        *jumps |= statement->kind == LITMUS_GOTO;
        if (statement->kind == LITMUS_IF || statement->kind == LITMUS_WHILE) {
            (void)events_at_least(&statement->body, jumps);
            (void)events_at_least(&statement->otherwise, jumps);
        }
    }
    return count;
}

/* A test with many busy threads is cheap to refuse, but expensive to enumerate. */
static enum status check_room(const struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    uint64_t count = 0, most = 0;
    for (size_t body = 0; body < test->body_count; body++) {
        bool jumps = false;
        const uint64_t own = events_at_least(&test->threads[body].body, &jumps);
        count += own * test->threads[body].count;
        most = own > most ? own : most;
    }
    if (count <= EVENTS_MAXIMUM || most > EVENTS_MAXIMUM)
        return STATUS_OK;
    return error_set(
        enumeration->error, STATUS_UNSUPPORTED,
        "an execution has more than %d events (at least %llu in its threads), so no model can judge the test; leave "
        "out what the condition does not need",
        EVENTS_MAXIMUM, (unsigned long long)count);
}

static enum status list_threads(struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    if (test->thread_count > ENUMERATE_MAXIMUM_THREADS)
        return error_set(enumeration->error, STATUS_UNSUPPORTED,
                         "the test has %u threads, but a model can judge at most %d", test->thread_count,
                         ENUMERATE_MAXIMUM_THREADS);
    for (size_t body = 0; body < test->body_count; body++)
        for (unsigned i = 0; i < test->threads[body].count; i++) {
            enumeration->threads[enumeration->thread_count].number = (int)(test->threads[body].first + i);
            enumeration->threads[enumeration->thread_count++].body = (int)body;
        }
    return STATUS_OK;
}

static enum status list_cells(struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    for (size_t i = 0; i < test->location_count; i++) {
        enumeration->cells[i] = enumeration->cell_count;
        if (test->locations[i].alias_of == LITMUS_NONE)
            enumeration->cell_count += test->locations[i].elements;
    }
    if (enumeration->cell_count > ENUMERATE_MAXIMUM_CELLS)
        return error_set(enumeration->error, STATUS_UNSUPPORTED,
                         "the test's locations have more than %d elements, so no model can judge the test",
                         ENUMERATE_MAXIMUM_CELLS);
    return STATUS_OK;
}

bool enumeration_is_over(const struct enumeration *enumeration)
{
    const struct judge_options *options = &enumeration->options;
    if (options->stopped && options->stopped(options->context)) {
        (void)error_set(enumeration->error, STATUS_UNSUPPORTED, "judging was interrupted");
        return true;
    }
    if (options->deadline <= 0 || clock_seconds() < options->deadline)
        return false;
    (void)error_set(enumeration->error, STATUS_UNSUPPORTED, "the time limit for judging was reached");
    return true;
}

enum status enumeration_make(const struct litmus_test *test, const struct judge_options *options, bool races,
                             struct enumeration *enumeration, struct error *error)
{
    struct litmus_test *expanded = litmus_expand(test);
    if (expanded)
        test = expanded;
    *enumeration = (struct enumeration){.test = test, .expanded = expanded, .races = races, .error = error};
    if (options)
        enumeration->options = *options;
    if (!enumeration->options.unroll)
        enumeration->options.unroll = MODEL_DEFAULT_UNROLL;
    if (!enumeration->options.maximum_candidates)
        enumeration->options.maximum_candidates = ENUMERATE_MAXIMUM_CANDIDATES;
    if (!enumeration->options.listed_candidates)
        enumeration->options.listed_candidates = ENUMERATE_LISTED_CANDIDATES;
    TRY(list_threads(enumeration));
    TRY(litmus_find_launches(test, &enumeration->launches, error));
    TRY(check_room(enumeration));
    enumeration->cells = arena_take(&enumeration->arena, test->location_count, sizeof *enumeration->cells);
    enumeration->traces = arena_take(&enumeration->arena, test->body_count, sizeof *enumeration->traces);
    TRY(list_cells(enumeration));
    enumeration->written = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *enumeration->written);
    enumeration_find_constants(enumeration);
    enumeration_find_alike(enumeration);
    TRY(list_paths(enumeration));
    enumeration_leave_out_idle(enumeration);
    enumeration->runners = arena_take(&enumeration->arena, test->body_count, sizeof(struct runner *));
    for (size_t body = 0; body < test->body_count; body++)
        enumeration->runners[body] = trace_runner_new(enumeration, (int)body);
    enumeration->cut = enumeration_is_cut(enumeration);
    return STATUS_OK;
}

void enumeration_release(struct enumeration *enumeration)
{
    for (size_t i = 0; enumeration->traces && i < enumeration->test->body_count; i++)
        traces_release(&enumeration->traces[i]);
    for (size_t i = 0; enumeration->runners && i < enumeration->test->body_count; i++)
        trace_runner_release(enumeration->runners[i]);
    arena_release(&enumeration->arena);
    litmus_release(enumeration->expanded);
}
