// SPDX-License-Identifier: Apache-2.0
/*
 * Iterations of a loop that leave a thread as it was. A waiting thread may repeat an iteration any
 * number of times without effect: an iteration after which the registers are as before it, or are
 * set again before they are read, can be left out.
 */
#include <string.h>

#include "base/memory.h"
#include "litmus/language/visit.h"
#include "models/search/trace.h"

/* Sets of registers are bits; those with higher numbers count as read. */
enum { REGISTERS = 64 };

void trace_loop_head(struct runner *runner, unsigned loop, const struct litmus_block *next, size_t from)
{
    if (runner->path || runner->replay)
        return;
    LIST_ADD(runner->heads, runner->head_count, runner->head_room) =
        (struct loop_head){loop, runner->count, runner->kept_count, next, from};
    for (size_t i = 0; i < runner->thread->register_count; i++)
        LIST_ADD(runner->kept, runner->kept_count, runner->kept_room) = runner->registers[i];
}

/* ---- registers that are set before they are read ---- */

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

static uint64_t registers_of_statement(const struct litmus_statement *statement)
{
    const struct litmus_block *const blocks[] = {&statement->body, &statement->otherwise};
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    uint64_t found = 0;
    for (size_t i = litmus_statement_operands(statement, operands); i-- > 0;)
        found |= registers_in(operands[i]);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t k = 0; k < blocks[i]->count; k++)
            found |= registers_of_statement(&blocks[i]->statements[k]);
    return found;
}

/* Registers that these statements set before reading them, as far as the statements certainly run
 * in sequence. */
static uint64_t registers_set_first(const struct litmus_block *block, size_t from)
{
    uint64_t looked_at = 0, set = 0;
    for (size_t i = from; i < block->count && litmus_kinds[block->statements[i].kind].goes_on; i++) {
        const int *registers;
        looked_at |= registers_of_statement(&block->statements[i]) & ~set;
        for (size_t k = litmus_statement_registers(&block->statements[i], &registers); k-- > 0;)
            set |= register_bit(registers[k]) & ~looked_at;
    }
    return set;
}

/* ---- iterations ---- */

static bool is_alike(const struct trace_event *a, const struct trace_event *b, int distance)
{
    const struct event *p = &a->event, *q = &b->event;
    return p->kind == q->kind && event_same_cell(p, q) && p->size == q->size && p->order == q->order &&
           p->scope == q->scope && p->proxy == q->proxy && p->rmw == q->rmw && p->flag_global == q->flag_global &&
           p->flag_local == q->flag_local && p->flag_image == q->flag_image &&
           (a->rmw < 0 ? b->rmw < 0 : a->rmw + distance == b->rmw);
}

/* Are the preceding events, as many as the iteration has, of the same kinds as its own? Then they
 * could be left out instead: a thread that reads, and reads again while it must wait. */
static bool is_repeated(const struct runner *runner, const struct loop_head *before, const struct loop_head *after)
{
    const unsigned count = after->events - before->events;
    bool repeated = count > 0 && count <= before->events;
    for (unsigned i = before->events; repeated && i < after->events; i++)
        repeated = is_alike(&runner->events[i - count], &runner->events[i], (int)count);
    return repeated;
}

/* Has a register the same value, or that of the read that comes `distance` events later? */
static bool is_same_value(const struct runner *runner, const struct datum *a, const struct datum *b, unsigned distance)
{
    if (!a->unknown || !b->unknown)
        return !a->unknown && !b->unknown && a->value == b->value;
    const struct term *p = &runner->terms[a->term], *q = &runner->terms[b->term];
    if (!a->term || !b->term)
        return false;
    return a->term == b->term ||
           (distance > 0 && p->kind == TERM_READ && q->kind == TERM_READ && p->left_value + distance == q->left_value);
}

/* Whether the registers are the same at two heads, except those in `set`. */
static bool is_steady(const struct runner *runner, const struct loop_head *before, const struct loop_head *after,
                      uint64_t set, unsigned distance)
{
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const bool looked_at = i >= REGISTERS || !(set >> i & 1);
        if (looked_at &&
            !is_same_value(runner, &runner->kept[before->registers + i], &runner->kept[after->registers + i], distance))
            return false;
    }
    return true;
}

/* Can the events from one number to another be left out? Among writes, only those of
 * read-modify-writes can. */
static bool may_be_left_out(const struct runner *runner, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        const struct trace_event *event = &runner->events[i];
        if (event->event.kind == EVENT_BARRIER || event->event.entry || event->event.exit ||
            (event->event.kind == EVENT_WRITE && event->rmw < (int)from))
            return false;
    }
    return true;
}

/* The events that can be left out if the iteration between two heads is idle; none if it cannot be. */
static uint64_t steady_events(const struct runner *runner, const struct loop_head *before,
                              const struct loop_head *after, bool *steady)
{
    const uint64_t set = after->next ? registers_set_first(after->next, after->from) : 0;
    const unsigned count = after->events - before->events;
    unsigned from = before->events;
    *steady = is_steady(runner, before, after, set, 0);
    if (!*steady && is_repeated(runner, before, after)) {
        from -= count;
        *steady = is_steady(runner, before, after, set, count);
    }
    *steady = *steady && may_be_left_out(runner, from, from + count);
    return set_all(from + count) & ~set_all(from);
}

static const struct loop_head *head_before(const struct runner *runner, size_t number)
{
    for (size_t i = number; i-- > 0;)
        if (runner->heads[i].loop == runner->heads[number].loop)
            return &runner->heads[i];
    return NULL;
}

void trace_find_steady(struct runner *runner, int loop)
{
    runner->steady_count = 0;
    for (size_t i = 0; i < runner->head_count; i++) {
        const struct loop_head *head = &runner->heads[i], *before = head_before(runner, i);
        bool steady = false;
        if (!before || (loop >= 0 && head->loop != (unsigned)loop))
            continue;
        const uint64_t events = steady_events(runner, before, head, &steady);
        if (steady)
            LIST_ADD(runner->steady, runner->steady_count, runner->steady_room) = events;
    }
}
