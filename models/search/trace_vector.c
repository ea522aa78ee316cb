// SPDX-License-Identifier: Apache-2.0
/*
 * Accesses of several words in a row.
 *
 * Each word's access is a separate event, after earlier events of its thread and before later ones,
 * and unordered with the other words' (PTX ISA, "Vector Data-types" of the memory consistency
 * model; OpenCL C does not say more about vectors). The words of PTX's .b128 are one access:
 * `whole` joins them.
 */
#include "models/search/trace.h"

struct vectoring {
    struct litmus_place place;
    const struct litmus_vector *vector;
    struct target first;
    struct datum values[LITMUS_MAXIMUM_LANES], expected[LITMUS_MAXIMUM_LANES];
    struct datum old[LITMUS_MAXIMUM_LANES]; /* what each word held */
    unsigned reads[LITMUS_MAXIMUM_LANES];   /* numbers of the events */
    uint64_t decided;                       /* origins of the values that a compare-and-swap has
                                             * compared */
};

/* None of these reads memory. */
static enum flow evaluate_operands(struct runner *runner, struct vectoring *vectoring)
{
    const struct litmus_vector *vector = vectoring->vector;
    FLOW_TRY(trace_find_target(runner, vector->access.address, &vectoring->first));
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        if (vector->expected[lane])
            FLOW_TRY(trace_evaluate(runner, vector->expected[lane], &vectoring->expected[lane]));
        if (vector->values[lane])
            FLOW_TRY(trace_evaluate(runner, vector->values[lane], &vectoring->values[lane]));
    }
    return FLOW_ON;
}

static struct target target_of(const struct vectoring *vectoring, unsigned lane)
{
    struct target target = vectoring->first;
    target.element += lane;
    return target;
}

static bool is_load(const struct litmus_vector *vector)
{
    return vector->access.operation == LITMUS_LOAD;
}

static bool is_store(const struct litmus_vector *vector)
{
    return vector->access.operation == LITMUS_STORE;
}

static enum flow read_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    const struct litmus_access *access = &vectoring->vector->access;
    const struct target target = target_of(vectoring, lane);
    vectoring->reads[lane] = runner->count;
    return is_load(vectoring->vector)
               ? trace_add_read(runner, vectoring->place, access, &target, &vectoring->old[lane])
               : trace_add_read_half(runner, vectoring->place, access, &target, &vectoring->old[lane]);
}

static enum flow write_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    const struct litmus_access *access = &vectoring->vector->access;
    const struct target target = target_of(vectoring, lane);
    const struct datum value = vectoring->values[lane];
    if (access->operation == LITMUS_STORE)
        return trace_add_write(runner, vectoring->place, access, &target, value);
    return trace_add_write_half(runner, vectoring->place, access, &target, vectoring->reads[lane],
                                trace_modified(access, vectoring->old[lane], value), vectoring->decided);
}

static enum flow update_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    FLOW_TRY(read_word(runner, vectoring, lane));
    return write_word(runner, vectoring, lane);
}

/* Does the same to each word, in no order; later events come after all of them. */
typedef enum flow each_word(struct runner *runner, struct vectoring *vectoring, unsigned lane);
static enum flow for_each_word(struct runner *runner, struct vectoring *vectoring, each_word *act)
{
    const uint64_t before = runner->before;
    uint64_t after = before;
    enum flow flow = FLOW_ON;
    for (unsigned lane = 0; lane < vectoring->vector->lanes && flow == FLOW_ON; lane++) {
        runner->before = before;
        flow = act(runner, vectoring, lane);
        after |= runner->before;
    }
    runner->before = after;
    return flow;
}

/* The events since number `from` belong to one access. */
static void mark_whole(struct runner *runner, unsigned from)
{
    const uint64_t all = set_all(runner->count) & ~set_all(from);
    for (unsigned i = from; i < runner->count; i++)
        runner->events[i].whole = all & ~set_of(i);
    runner->enumeration->whole = true;
}

/* A compare-and-swap compares all words. */
static enum flow compare(struct runner *runner, struct vectoring *vectoring, bool *equal)
{
    const struct litmus_vector *vector = vectoring->vector;
    struct datum all = {1, LITMUS_INT, 0, false, 0};
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        const struct datum expected = trace_convert(runner, vectoring->expected[lane], vector->access.type);
        all = trace_binary(runner, LITMUS_AND, all, trace_binary(runner, LITMUS_EQ, vectoring->old[lane], expected));
    }
    FLOW_TRY(trace_decide(runner, all, equal));
    vectoring->decided = all.from;
    return FLOW_ON;
}

/* The reads of a read-modify-write are one access, and so are its writes. */
static enum flow access_whole(struct runner *runner, struct vectoring *vectoring)
{
    unsigned from = runner->count;
    bool writes = !is_load(vectoring->vector);
    if (!is_store(vectoring->vector)) {
        FLOW_TRY(for_each_word(runner, vectoring, read_word));
        mark_whole(runner, from);
        from = runner->count;
    }
    if (vectoring->vector->access.operation == LITMUS_CAS)
        FLOW_TRY(compare(runner, vectoring, &writes));
    if (!writes)
        return FLOW_ON;
    FLOW_TRY(for_each_word(runner, vectoring, write_word));
    mark_whole(runner, from);
    return FLOW_ON;
}

static void keep_results(struct runner *runner, const struct vectoring *vectoring)
{
    const struct litmus_vector *vector = vectoring->vector;
    for (unsigned lane = 0; lane < vector->lanes && !is_store(vector); lane++) {
        const int target = vector->registers[lane];
        if (target != LITMUS_NONE)
            runner->registers[target] =
                trace_convert(runner, vectoring->old[lane], runner->thread->registers[target].type);
    }
}

enum flow trace_vector(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_vector *vector = &statement->vector;
    struct vectoring vectoring = {.place = statement->place, .vector = vector};
    FLOW_TRY(evaluate_operands(runner, &vectoring));
    if (vector->whole)
        FLOW_TRY(access_whole(runner, &vectoring));
    else
        FLOW_TRY(for_each_word(runner, &vectoring,
                               is_load(vector)    ? read_word
                               : is_store(vector) ? write_word
                                                  : update_word));
    keep_results(runner, &vectoring);
    return FLOW_ON;
}
