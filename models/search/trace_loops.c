// SPDX-License-Identifier: Apache-2.0
/*
 * Iterations of a loop that leave a thread as it was. A thread that waits may do so any number of times, and it makes no
 * difference how often: an iteration after which the registers are what they were before it, or are set again before
 * anything looks at them, can be left out.
 */
#include <string.h>

#include "base/memory.h"
#include "models/search/trace.h"

/* Sets of registers are bits; those with higher numbers are taken to be looked at. */
enum { REGISTERS = 64 };

void trace_loop_head(struct runner *runner, const void *loop)
{
    if (runner->path || runner->replay)
        return;
    LIST_ADD(runner->heads, runner->head_count, runner->head_room) =
        (struct loop_head){loop, runner->count, runner->kept_count};
    for (size_t i = 0; i < runner->thread->register_count; i++)
        LIST_ADD(runner->kept, runner->kept_count, runner->kept_room) = runner->registers[i];
}

void trace_loop_end(struct runner *runner, size_t first)
{
    if (first >= runner->head_count)
        return;
    runner->kept_count = runner->heads[first].registers;
    runner->head_count = first;
}

/* ---- registers that are set before they are looked at ---- */

static uint64_t register_bit(int number)
{
    return number >= 0 && number < REGISTERS ? set_of((unsigned)number) : 0;
}

static uint64_t registers_in(const struct litmus_expression *expression)
{
    if (!expression)
        return 0;
    uint64_t found = expression->kind == LITMUS_EXPRESSION_REGISTER ? register_bit(expression->index) : 0;
    found |= registers_in(expression->left) | registers_in(expression->right);
    const struct litmus_access *access = expression->access;
    if (!access)
        return found;
    return found | registers_in(access->address) | registers_in(access->operand) | registers_in(access->expected) |
           registers_in(access->expected_address) | register_bit(access->expected_register);
}

static uint64_t registers_of_block(const struct litmus_block *block)
{
    uint64_t found = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        found |= registers_in(statement->value) | registers_in(statement->barrier.resource) |
                 registers_in(statement->barrier.quorum) | registers_of_block(&statement->body) |
                 registers_of_block(&statement->otherwise);
    }
    return found;
}

/* Registers that these statements set before they look at them, as far as they are sure to be run one after the other. */
static uint64_t registers_set_first(const struct litmus_block *block, size_t from)
{
    uint64_t looked_at = 0, set = 0;
    for (size_t i = from; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        looked_at |= registers_in(statement->value) & ~set;
        if (statement->kind == LITMUS_ASSIGN)
            set |= register_bit(statement->target) & ~looked_at;
        else if (statement->kind == LITMUS_BARRIER)
            looked_at |= (registers_in(statement->barrier.resource) | registers_in(statement->barrier.quorum)) & ~set;
        else if (statement->kind == LITMUS_IF)
            looked_at |= (registers_of_block(&statement->body) | registers_of_block(&statement->otherwise)) & ~set;
        else if (statement->kind != LITMUS_PERFORM && statement->kind != LITMUS_FENCE &&
                 statement->kind != LITMUS_LABEL)
            break;
    }
    return set;
}

/* ---- iterations ---- */

static bool is_same_value(const struct datum *a, const struct datum *b)
{
    if (a->unknown || b->unknown)
        return a->unknown && b->unknown && a->term != 0 && a->term == b->term;
    return a->value == b->value;
}

/* Are the registers the same at two heads, but for those of `set`? */
static bool is_steady(const struct runner *runner, const struct loop_head *before, const struct loop_head *after,
                      uint64_t set)
{
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const bool looked_at = i >= REGISTERS || !(set >> i & 1);
        if (looked_at && !is_same_value(&runner->kept[before->registers + i], &runner->kept[after->registers + i]))
            return false;
    }
    return true;
}

/* Are the events from one head to the next such as can be left out? Of writes, those of read-modify-writes may be. */
static bool may_be_left_out(const struct runner *runner, const struct loop_head *before, const struct loop_head *after)
{
    for (unsigned i = before->events; i < after->events; i++) {
        const struct trace_event *event = &runner->events[i];
        if (event->event.kind == EVENT_BARRIER || event->event.entry || event->event.exit ||
            (event->event.kind == EVENT_WRITE && event->rmw < (int)before->events))
            return false;
    }
    return true;
}

void trace_loop_cut(struct runner *runner, const void *loop, const struct litmus_block *next, size_t from)
{
    if (runner->path || runner->replay)
        return;
    const uint64_t set = next ? registers_set_first(next, from) : 0;
    const struct loop_head *before = NULL;
    runner->steady_count = 0;
    for (size_t i = 0; i < runner->head_count; i++) {
        const struct loop_head *head = &runner->heads[i];
        if (head->loop != loop)
            continue;
        if (before && is_steady(runner, before, head, set) && may_be_left_out(runner, before, head))
            LIST_ADD(runner->steady, runner->steady_count, runner->steady_room) =
                set_all(head->events) & ~set_all(before->events);
        before = head;
    }
}
