// SPDX-License-Identifier: Apache-2.0
/*
 * Which values the reads of a test may give.
 *
 * Every value that a location can hold was written by some write, from values that were read. Growing from the initial
 * values and the condition's constants, round by round, reaches all values that are computed in any acyclic way, and
 * those that hold themselves up (out of thin air) if the condition asks for them. Then values that no write leaves are
 * taken away again until each has a write.
 */
#include <string.h>

#include "base/clock.h"
#include "models/search/enumerate.h"

int location_storage(const struct litmus_test *test, int location)
{
    while (test->locations[location].alias_of != LITMUS_NONE)
        location = test->locations[location].alias_of;
    return location;
}

/* A texture, surface or constant name stands for the generic address that it was made from; a generic alias is an
 * address of its own. */
int location_address(const struct litmus_test *test, int location)
{
    while (test->locations[location].proxy != LITMUS_GENERIC && test->locations[location].alias_of != LITMUS_NONE)
        location = test->locations[location].alias_of;
    return location;
}

size_t enumeration_cell(const struct enumeration *enumeration, int storage, uint32_t element)
{
    return enumeration->cells[storage] + element;
}

static bool values_have(const struct values *values, int64_t value)
{
    for (unsigned i = 0; i < values->count; i++)
        if (values->value[i] == value)
            return true;
    return false;
}

bool values_add(struct values *values, int64_t value, bool *changed)
{
    if (values_have(values, value))
        return true;
    if (values->count == ENUMERATE_MAXIMUM_VALUES)
        return false;
    values->value[values->count++] = value;
    *changed = true;
    return true;
}

int64_t location_initial(const struct litmus_test *test, int location, uint32_t element)
{
    const struct litmus_location *l = &test->locations[location];
    return l->points_to == LITMUS_NONE ? l->initial[element] : address_encode(l->points_to, 0);
}

static bool add_initial(const struct enumeration *enumeration, struct values *values)
{
    const struct litmus_test *test = enumeration->test;
    bool ignored, room = true;
    for (size_t i = 0; i < test->location_count; i++)
        for (uint32_t element = 0; test->locations[i].alias_of == LITMUS_NONE && element < test->locations[i].elements;
             element++)
            room &=
                values_add(&values[enumeration->cells[i] + element], location_initial(test, (int)i, element), &ignored);
    return room;
}

/* A constant that the condition compares something with might be read anywhere: no cycle of values gets going without
 * its first value. */
static bool add_constants(const struct enumeration *enumeration, const struct litmus_proposition *proposition)
{
    const struct litmus_test *test = enumeration->test;
    bool ignored, room = true;
    if (!proposition)
        return true;
    for (int side = 0; side < 2 && proposition->kind == LITMUS_ATOM; side++) {
        const struct litmus_term *term = &proposition->terms[side];
        for (size_t i = 0; term->variable == LITMUS_NONE && i < test->location_count; i++)
            for (uint32_t k = 0; test->locations[i].alias_of == LITMUS_NONE && k < test->locations[i].elements; k++)
                room &= values_add(&enumeration->values[enumeration->cells[i] + k],
                                   litmus_wrap(test->locations[i].type, term->value), &ignored);
    }
    return room && add_constants(enumeration, proposition->left) && add_constants(enumeration, proposition->right);
}

enum status values_too_many(const struct enumeration *enumeration)
{
    return error_set(enumeration->error, STATUS_UNSUPPORTED,
                     "a location may hold more than %d values: no model can judge the test", ENUMERATE_MAXIMUM_VALUES);
}

static size_t most_writes(const struct enumeration *enumeration)
{
    size_t all = 0;
    for (unsigned t = 0; t < enumeration->thread_count; t++) {
        const struct traces *traces = &enumeration->traces[enumeration->threads[t].body];
        size_t most = 0;
        for (size_t i = 0; i < traces->count; i++) {
            size_t writes = 0;
            for (unsigned k = 0; k < traces->items[i].count; k++)
                writes += traces->items[i].events[k].event.kind == EVENT_WRITE;
            most = writes > most ? writes : most;
        }
        all += most;
    }
    return all;
}

static enum status run_threads(struct enumeration *enumeration, struct values *written)
{
    for (size_t body = 0; body < enumeration->test->body_count; body++)
        TRY(traces_make(enumeration, (int)body, written));
    return STATUS_OK;
}

/* A value that is not held up by itself comes from at most as many writes as an execution has, each one round. */
static enum status grow_values(struct enumeration *enumeration, struct values *written)
{
    bool changed = true;
    for (size_t round = 0; changed && (round == 0 || round <= most_writes(enumeration)); round++) {
        memset(written, 0, enumeration->cell_count * sizeof *written);
        TRY(run_threads(enumeration, written));
        changed = false;
        for (size_t i = 0; i < enumeration->cell_count; i++)
            for (unsigned k = 0; k < written[i].count; k++)
                if (!values_add(&enumeration->values[i], written[i].value[k], &changed))
                    return values_too_many(enumeration);
    }
    return STATUS_OK;
}

static enum status shrink_values(struct enumeration *enumeration, struct values *written)
{
    for (bool changed = true; changed;) {
        memset(written, 0, enumeration->cell_count * sizeof *written);
        enumeration->cut = enumeration->mixed_sizes = false;
        TRY(run_threads(enumeration, written));
        if (!add_initial(enumeration, written))
            return values_too_many(enumeration);
        changed = false;
        for (size_t i = 0; i < enumeration->cell_count; i++) {
            struct values *values = &enumeration->values[i];
            unsigned kept = 0;
            for (unsigned k = 0; k < values->count; k++)
                if (enumeration->mixed_sizes || values_have(&written[i], values->value[k]))
                    values->value[kept++] = values->value[k];
            changed |= kept != values->count;
            values->count = kept;
        }
    }
    return STATUS_OK;
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
    const bool both_halves = access->operation == LITMUS_EXCHANGE || access->operation >= LITMUS_FETCH_ADD;
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
        count += statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER;
        *jumps |= statement->kind == LITMUS_GOTO;
        if (statement->kind == LITMUS_IF || statement->kind == LITMUS_WHILE) {
            (void)events_at_least(&statement->body, jumps);
            (void)events_at_least(&statement->otherwise, jumps);
        }
    }
    return count;
}

/* Many threads that each do something are no work to refuse, but a lot to enumerate. */
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
    return error_set(enumeration->error, STATUS_UNSUPPORTED,
                     "an execution has more than %d events: no model can judge the test", EVENTS_MAXIMUM);
}

static enum status list_threads(struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    if (test->thread_count > ENUMERATE_MAXIMUM_THREADS)
        return error_set(enumeration->error, STATUS_UNSUPPORTED,
                         "the test has %u threads, and a model can judge at most %d", test->thread_count,
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
                         "the test's locations have more than %d elements: no model can judge the test",
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
    (void)error_set(enumeration->error, STATUS_UNSUPPORTED, "there was no time left to judge the test");
    return true;
}

enum status enumeration_make(const struct litmus_test *test, const struct judge_options *options,
                             struct enumeration *enumeration, struct error *error)
{
    *enumeration = (struct enumeration){.test = test, .error = error};
    if (options)
        enumeration->options = *options;
    if (!enumeration->options.unroll)
        enumeration->options.unroll = MODEL_DEFAULT_UNROLL;
    if (!enumeration->options.maximum_candidates)
        enumeration->options.maximum_candidates = ENUMERATE_MAXIMUM_CANDIDATES;
    TRY(list_threads(enumeration));
    TRY(check_room(enumeration));
    enumeration->cells = arena_take(&enumeration->arena, test->location_count, sizeof *enumeration->cells);
    enumeration->traces = arena_take(&enumeration->arena, test->body_count, sizeof *enumeration->traces);
    TRY(list_cells(enumeration));
    enumeration->values = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *enumeration->values);
    struct values *written = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *written);
    if (!add_initial(enumeration, enumeration->values) || !add_constants(enumeration, test->condition) ||
        !add_constants(enumeration, test->filter))
        return values_too_many(enumeration);
    TRY(grow_values(enumeration, written));
    return shrink_values(enumeration, written);
}

void enumeration_release(struct enumeration *enumeration)
{
    for (size_t i = 0; enumeration->traces && i < enumeration->test->body_count; i++)
        traces_release(&enumeration->traces[i]);
    arena_release(&enumeration->arena);
}
