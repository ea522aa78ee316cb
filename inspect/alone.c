// SPDX-License-Identifier: Apache-2.0
/* Compares the plain accesses of a location that only one thread accesses. */
#include "inspect/alone.h"

#include "inspect/amounts.h"
#include "litmus/language/walk.h"

/* ---- the relation of one location's accesses ---- */

static bool alone_loads(const struct follows *follows, size_t piece)
{
    return piece < follows->count && follows->pieces[piece].need.effect == MACHINE_LOAD;
}

static bool alone_stores(const struct follows *follows, size_t piece)
{
    return piece < follows->count && follows->pieces[piece].need.effect == MACHINE_STORE;
}

/* Whether an execution may go from one piece to another, or to the end, through loads alone; absent: through loads that
 * the code does not have. */
static bool goes_by_loads(const struct body_code *code, size_t from, size_t to, bool absent, bool *visited)
{
    const struct follows *follows = code->follows;
    if (follows_allowed(follows, from, to))
        return true;
    for (size_t next = 0; next < follows->count; next++) {
        if (visited[next] || !alone_loads(follows, next) || !follows_allowed(follows, from, next) ||
            (absent && code_has_step(code, follows->pieces[next].step)))
            continue;
        visited[next] = true;
        if (goes_by_loads(code, next, to, absent, visited))
            return true;
    }
    return false;
}

static bool goes(const struct body_code *code, size_t from, size_t to, bool absent)
{
    FREED bool *visited = memory_take(code->follows->count + 1, sizeof *visited);
    return goes_by_loads(code, from, to, absent, visited);
}

/* Whether the code must have a piece of which it has no instruction: a store that lasts, or that a load of the code
 * reads; a load that some execution reaches without, and leaves without, another access that has its value. */
static bool alone_lacks(const struct body_code *code, size_t piece)
{
    const struct follows *follows = code->follows;
    const size_t start = follows->count + FOLLOWS_START, end = follows->count + FOLLOWS_END;
    const unsigned step = follows->pieces[piece].step;
    if (code->subject->spare[step] || code_has_step(code, step))
        return false;
    const bool stores = alone_stores(follows, piece);
    bool lacking = goes(code, piece, end, !stores);
    for (size_t next = 0; next < follows->count; next++)
        lacking |= (stores ? alone_loads(follows, next) && code_has_step(code, follows->pieces[next].step)
                           : alone_stores(follows, next)) &&
                   goes(code, piece, next, true);
    return lacking && (stores || goes(code, start, piece, true));
}

/* Whether every execution that comes from where a piece may be next has it or the other. */
static bool is_unavoidable(const struct follows *follows, size_t piece, size_t other)
{
    const size_t all = follows->count + FOLLOWS_BOUNDS;
    return !ANY_NUMBER(
        size_t, from, 0, all,
        follows_allowed(follows, from, piece) &&
            ANY_NUMBER(size_t, to, 0, all, to != piece && to != other && follows_allowed(follows, from, to)));
}

/* Lets another load or store of the code stand for one that it lacks, as where a compiler makes one of two: on two
 * sides of a branch, or before or after and in one. Whether there is one. */
static bool stand_in(const struct body_code *code, struct follows *follows, size_t piece)
{
    const size_t all = follows->count + FOLLOWS_BOUNDS;
    size_t other = 0;
    while (other < follows->count &&
           !(follows->pieces[other].need.effect == follows->pieces[piece].need.effect &&
             is_unavoidable(follows, piece, other) && code_has_step(code, follows->pieces[other].step)))
        other++;
    for (size_t at = 0; at < all && other < follows->count; at++) {
        follows->allowed[at * all + other] |= follows->allowed[at * all + piece];
        follows->allowed[other * all + at] |= follows->allowed[piece * all + at];
    }
    return other < follows->count;
}

/* Whether the code may have `to` after `from`, and not the piece that the test has between them. */
static bool may_skip(const struct body_code *code, size_t from, size_t piece, size_t to)
{
    const struct follows *follows = code->follows;
    if (!follows_allowed(follows, from, piece) || !follows_allowed(follows, piece, to))
        return false;
    if (code->subject->spare[follows->pieces[piece].step])
        return true;
    if (alone_loads(follows, piece))
        return from < follows->count || alone_loads(follows, to);
    return alone_stores(follows, to);
}

void alone_loosen(const struct body_code *code, struct follows *follows)
{
    const size_t count = follows->count, all = count + FOLLOWS_BOUNDS;
    follows->loop_count = 0; /* a loop of such accesses may run once */
    for (size_t piece = 0; piece < count; piece++)
        follows->pieces[piece].need.required = alone_lacks(code, piece);
    for (size_t piece = 0; piece < count; piece++) {
        struct inspect_need *need = &follows->pieces[piece].need;
        need->required = need->required && !stand_in(code, follows, piece);
        need->optional = !need->required;
    }
    for (bool again = true; again;) {
        again = false;
        for (size_t from = 0; from < all; from++)
            for (size_t piece = 0; piece < count; piece++)
                for (size_t to = 0; to < all; to++)
                    if (!follows_allowed(follows, from, to) && may_skip(code, from, piece, to))
                        again = follows->allowed[from * all + to] = true;
    }
}

/* ---- the steps ---- */

/* The statement of which the access is the whole value; NULL if it is a part of one. */
static const struct litmus_statement *setter_of(const struct litmus_thread *thread, const struct litmus_access *access)
{
    const struct litmus_statement *found = NULL;
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
        if (walk.statement && (walk.statement->kind == LITMUS_ASSIGN || walk.statement->kind == LITMUS_PERFORM) &&
            walk.statement->value->access == access)
            found = walk.statement;
    return found;
}

/* Whether nobody reads what a plain load loads, which the code does not have. */
static bool is_unread(const struct inspect_subject *subject, const long *places, const struct kernel_step *step)
{
    const struct litmus_statement *setter = setter_of(&subject->test->threads[step->body], step->access);
    const struct litmus_location *location = inspect_location(subject->test, step->access);
    return setter && !location->is_volatile &&
           (setter->kind == LITMUS_PERFORM || !amounts_is_read(subject, places, step->body, setter));
}

/* Compares a body's accesses of a location alone; ignored: filled, per step. False also if there is none. */
static bool is_kept_alone(const struct inspect_subject *subject, unsigned body, const struct litmus_location *location,
                          const bool *spare, bool *ignored, alone_check *check)
{
    struct inspect_subject alone = *subject;
    bool has = false;
    for (size_t i = 0; i < subject->kernel->step_count; i++) {
        const struct kernel_step *step = &subject->kernel->steps[i];
        ignored[i] = step->body != body || !step->access || inspect_location(subject->test, step->access) != location;
        has |= !ignored[i];
    }
    alone.ignored = ignored;
    alone.spare = spare;
    alone.alone = true;
    return has && check(&alone, body);
}

/* Per step, whether it is a plain load that the code lacks and nobody reads. */
static bool *unread_loads(const struct inspect_subject *subject, const long *places)
{
    bool *unread = memory_take(subject->kernel->step_count + 1, sizeof *unread);
    for (size_t i = 0; i < subject->kernel->step_count; i++) {
        const struct litmus_access *access = subject->kernel->steps[i].access;
        if (places[i] < 0 && access && access->operation == LITMUS_LOAD && inspect_is_plain(access))
            unread[i] = is_unread(subject, places, &subject->kernel->steps[i]);
    }
    return unread;
}

bool *alone_find(const struct inspect_subject *subject, const long *places, alone_check *check)
{
    const struct kernel *kernel = subject->kernel;
    const struct litmus_test *test = subject->test;
    bool *found = unread_loads(subject, places);
    FREED bool *spare = memory_take(kernel->step_count + 1, sizeof *spare);
    FREED bool *ignored = memory_take(kernel->step_count + 1, sizeof *ignored);
    for (size_t i = 0; i < kernel->step_count; i++)
        spare[i] = found[i] || subject->same[i];
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned location = 0; location < test->location_count; location++)
            if (inspect_is_own(test, body, location) &&
                is_kept_alone(subject, body, &test->locations[location], spare, ignored, check))
                for (size_t i = 0; i < kernel->step_count; i++)
                    found[i] |= !ignored[i] && (test->thread_count > 1 || places[i] < 0);
    return found;
}

bool alone_may_lack(const struct inspect_subject *subject, const long *places, unsigned step, alone_check *check)
{
    const struct kernel *kernel = subject->kernel;
    const struct kernel_step *own = &kernel->steps[step];
    const struct litmus_location *location = inspect_location(subject->test, own->access);
    bool plain = location != NULL;
    for (size_t i = 0; i < kernel->step_count && plain; i++)
        if (kernel->steps[i].body == own->body && kernel->steps[i].access &&
            inspect_location(subject->test, kernel->steps[i].access) == location)
            plain = inspect_is_plain(kernel->steps[i].access);
    FREED bool *spare = unread_loads(subject, places);
    FREED bool *ignored = memory_take(kernel->step_count + 1, sizeof *ignored);
    return plain && is_kept_alone(subject, own->body, location, spare, ignored, check);
}
