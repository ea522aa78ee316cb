// SPDX-License-Identifier: Apache-2.0
/*
 * Functions that several lanes of a sub-group call together.
 *
 * A warp plays many instances, whose lanes a permutation scatters over it. So a slot that calls such a function first
 * finds where the lanes of its instance are (lanes_of in lanes.cl), and masks, lanes and results are
 * translated. As each instance names only its own lanes, those of others may be anywhere else in the code, and so may
 * the lanes of one instance at different calls: from sm_70 on a call "waits until all non-exited threads corresponding
 * to membermask have executed" it (PTX ISA, vote.sync).
 */
#include "litmus/language/collective.h"

#include "kernel/body.h"
#include "litmus/language/walk.h"

enum { MOST_LANES = 8, VOTES = 70, REDUCTIONS = 80, ELECTIONS = 90 };

void write_lanes(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    bool any = false;
    for (unsigned body = 0; body < allocation->kernel->bodies; body++)
        any |=
            allocation_in_slot(allocation, body, slot) && litmus_has_collectives(&allocation->test->threads[body].body);
    if (!any)
        return;
    writer->needs |= CODE_NEEDS_LANES;
    if (allocation->kernel->sub_groups == 0) {
        write_text(writer, "    const u32 own = 0u;\n    const u64 lanes = 0x2020202020202000u | LANE %% 32u;\n");
        return;
    }
    if (allocation->kernel->sub_group_items > MOST_LANES)
        write_note(writer,
                   error_set(writer->error, STATUS_UNSUPPORTED,
                             "no kernel for votes and shuffles among more than %d threads of a sub-group", MOST_LANES));
    /* Lanes that only fill the sub-group are nobody's. */
    const char *word = "    const u32 own =";
    for (unsigned body = 0; body < allocation->kernel->bodies; body++)
        if (allocation_in_slot(allocation, body, slot)) {
            write_text(writer, "%s thread - %uu < %uu", word, allocation->first_thread[body],
                       allocation->test->threads[body].count);
            word = " ||";
        }
    write_text(writer,
               " ? place %% SUB_GROUP_ITEMS : %du;\n"
               "    const u64 lanes = lanes_of(instance, own);\n",
               MOST_LANES);
}

/* ---- calls ---- */

static const char *const names[LITMUS_COLLECTIVE_COUNT] = {
    [LITMUS_VOTE_ANY] = "vote_any",
    [LITMUS_VOTE_ALL] = "vote_all",
    [LITMUS_BALLOT] = "ballot",
    [LITMUS_SHUFFLE] = "shuffle",
    [LITMUS_SHUFFLE_XOR] = "shuffle_xor",
    [LITMUS_MATCH_ANY] = "match_any",
    [LITMUS_MATCH_ALL] = "match_all",
    [LITMUS_REDUCE_ADD] = "reduce_add",
    [LITMUS_REDUCE_MIN] = "reduce_min",
    [LITMUS_REDUCE_MAX] = "reduce_max",
    [LITMUS_ELECT] = "elect",
    [LITMUS_ACTIVE] = "active",
    [LITMUS_SYNC_LANES] = "barrier_of_lanes",
};

static bool reduces(enum litmus_collective_function function)
{
    return function >= LITMUS_REDUCE_ADD && function <= LITMUS_REDUCE_MAX;
}

static bool shuffles(enum litmus_collective_function function)
{
    return function == LITMUS_SHUFFLE || function == LITMUS_SHUFFLE_XOR;
}

/* Its statements: those around the lowering's, which set `result` from `value`, `from` and `lanes_called`. */
static enum status add_body(struct writer *writer, const struct litmus_collective *collective, struct text *body)
{
    const enum litmus_collective_function function = collective->function;
    const bool masks = litmus_collective_type(collective) == LITMUS_UINT && !shuffles(function) && !reduces(function);
    if (function != LITMUS_ACTIVE)
        text_add(body, "const u32 called = lanes_to(lanes, mask);\n    ");
    if (shuffles(function))
        text_add(body, "const u32 from = (u32)(lanes >> 8u * (%s7u)) & 31u;\n    ",
                 function == LITMUS_SHUFFLE_XOR ? "(own ^ lane) & " : "lane & ");
    if (function != LITMUS_SYNC_LANES)
        text_add(body, "u32 result;\n    ");
    TRY(writer->lowering->collective(collective, body, writer->error));
    if (function != LITMUS_SYNC_LANES)
        text_add(body, "\n    return %sresult%s;", masks ? "lanes_from(lanes, " : "", masks ? ")" : "");
    return STATUS_OK;
}

static unsigned function_of(struct writer *writer, const struct litmus_collective *collective)
{
    const struct code_key key = {.kind = CODE_LANES, .values = {collective->function, collective->type}};
    const enum litmus_collective_function called = collective->function;
    struct code_function *function;
    struct text body = {0};
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    write_note(writer, add_body(writer, collective, &body));
    function->name = reduces(called) || shuffles(called)
                         ? arena_print(writer->arena, "%s_%s", names[called], lower_type(collective->type))
                         : names[called];
    if (called != LITMUS_SYNC_LANES)
        function->result = lower_type(litmus_collective_type(collective));
    code_parameter(writer, function, "u64 ", "lanes");
    if (called != LITMUS_ACTIVE)
        code_parameter(writer, function, "u32 ", "mask");
    if (called <= LITMUS_REDUCE_MAX)
        code_parameter(writer, function, "u32 ", "value");
    if (shuffles(called))
        code_parameter(writer, function, "u32 ", "own");
    if (shuffles(called))
        code_parameter(writer, function, "u32 ", "lane");
    function->body = code_keep(writer, &body);
    return number;
}

static void check_call(struct writer *writer, const struct litmus_collective *collective)
{
    const struct allocation *allocation = writer->allocation;
    const struct litmus_block *block = &allocation->test->threads[writer->body].body;
    const unsigned needed = collective->function == LITMUS_ELECT ? ELECTIONS
                            : reduces(collective->function)      ? REDUCTIONS
                                                                 : VOTES;
    unsigned loops = 0;
    for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);)
        loops += walk.statement && (walk.statement->kind == LITMUS_WHILE || walk.statement->kind == LITMUS_DO_WHILE ||
                                    allocation_jumps(walk.statement));
    if (loops > 1)
        write_refuse(
            writer,
            "a vote or shuffle in a thread with several loops or labels: a lane that gives up leaves the others "
            "waiting");
    write_note(writer, allocation_check_architecture(allocation, needed, names[collective->function], writer->error));
}

void write_collective(struct writer *writer, const struct litmus_statement *statement)
{
    const struct litmus_collective *collective = &statement->collective;
    if (!writer->lowering->collective || !(writer->allocation->device->takes & BACKEND_TAKES_PTX)) {
        write_refuse(
            writer, "votes, shuffles and barriers among some lanes run only as PTX (elsewhere they take all lanes of a "
                    "sub-group, which plays several instances)");
        return;
    }
    check_call(writer, collective);
    const unsigned function = function_of(writer, collective);
    if (statement->target != LITMUS_NONE)
        write_piece(writer, CODE_TARGET, (unsigned)statement->target);
    write_call(writer, (struct kernel_step){.place = statement->place, .collective = collective}, function);
    write_text(writer, "lanes");
    if (collective->function != LITMUS_ACTIVE) {
        write_piece(writer, CODE_NEXT, 0);
        if (collective->mask)
            write_value(writer, collective->mask, LITMUS_UINT);
        else
            write_text(writer, "0xffffffffu");
    }
    if (statement->value) {
        write_piece(writer, CODE_NEXT, 0);
        if (litmus_collective_votes(collective->function)) {
            write_text(writer, "(u32)((");
            write_condition(writer, statement->value);
            write_text(writer, ") != 0)");
        } else
            write_value(writer, statement->value, LITMUS_UINT);
    }
    if (collective->lane) {
        write_text(writer, ", own, ");
        write_value(writer, collective->lane, LITMUS_UINT);
    }
    write_end(writer, ";\n");
}
