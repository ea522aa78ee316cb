// SPDX-License-Identifier: Apache-2.0
/* Running one thread, shared by the trace_*.c files. */
#pragma once

#include "models/search/enumerate.h"

enum flow { FLOW_ON, FLOW_JUMP, FLOW_CUT, FLOW_DEAD /* no such execution */ };

/* Returns from the calling function with the flow of expression, unless that is FLOW_ON. */
#define FLOW_TRY(expression)                                                                                           \
    do {                                                                                                               \
        const enum flow try_flow = (expression);                                                                       \
        if (try_flow != FLOW_ON)                                                                                       \
            return try_flow;                                                                                           \
    } while (0)

enum { BY_VALUE = UINT32_MAX };

/* The value of a later read of a replay: that of the trace's read with the same number at its place, that of the access
 * before it, or that of the trace's last read. */
enum guess { GUESS_SAME, GUESS_BEFORE, GUESS_LAST, GUESS_COUNT };

/* A run that plays a trace again, in which one read gives another value. */
struct replay {
    const struct trace *trace;
    unsigned varied; /* that read's number in the trace */
    int64_t value;   /* and its new value */
    uint64_t merged; /* reads of the trace that take their value from the access before them, whatever that is now */
    enum guess guess;
    bool undefined; /* C gives the run no meaning */
    bool ambiguous; /* another guess gives another value */
};

/* An unknown value, and what a path says about it. */
struct term {
    int kind; /* an operator, or TERM_READ */
    unsigned left, right;
    int64_t left_value, right_value; /* of an operand that is not a term; for a read, its number */
    enum litmus_type type;
    bool known, nonzero; /* if the path is taken: it is `value`; it is anything but 0 */
    int64_t value;
};
enum { TERMS_MAXIMUM = 256, TERM_READ = -1 };

enum { LABEL_LOOPS = 1 << 20 };

/* Where a loop's iteration begins. */
struct loop_head {
    unsigned loop;    /* a number that the runner gave it */
    unsigned events;  /* of the trace so far */
    size_t registers; /* where their values are in the runner's list */
    /* Runs next in any case: this block from its statement number `from` on; NULL: unknown. */
    const struct litmus_block *next;
    size_t from;
};

/* Events of asynchronous copies, as bits of the trace's events. */
struct copied {
    uint64_t reads; /* reads of the copied data */
    uint64_t changes;
};

/* A thread's copies of one kind that name no mbarrier, or its wgmma.mma_async. */
struct copy_groups {
    struct copied *groups; /* those that were committed, in order */
    size_t count, room;
    struct copied open; /* those not committed yet */
};
enum { COPIES_ASYNC, COPIES_BULK, COPIES_OF_MATRICES, COPY_KINDS }; /* cp.async, cp.async.bulk, wgmma.mma_async */

struct runner {
    struct enumeration *enumeration;
    const struct litmus_test *test;
    int body;
    const struct litmus_thread *thread;
    struct {
        uint32_t taken, of; /* one of so many ways; BY_VALUE: the value was known */
    } * choices;            /* of the thread, at unknown values */
    size_t choice_count, choice_room, choice_at;
    struct datum *registers;
    unsigned *jumps; /* backwards, to each label */
    int label;       /* that FLOW_JUMP goes to */
    unsigned loops;  /* entered so far, which numbers loops; loops of labels are numbered from LABEL_LOOPS */
    int cut_loop;    /* the loop that went beyond the unrolling */
    struct loop_head *heads;
    size_t head_count, head_room;
    struct datum *kept; /* registers at the heads */
    size_t kept_count, kept_room;
    uint64_t *steady; /* as in struct path */
    size_t steady_count, steady_room;
    uint64_t ctrl;     /* reads that decided that the thread is here */
    uint64_t decisive; /* reads that decided anything */
    uint64_t before;   /* events that are sequenced before what comes next */
    struct copy_groups copies[COPY_KINDS];
    uint64_t multiplying;                    /* reads of wgmma.mma_async that the thread has not waited for */
    bool accessed[LITMUS_MAXIMUM_REGISTERS]; /* since the last wgmma.fence; all, if there was none */
    struct trace_event events[EVENTS_MAXIMUM];
    unsigned count;
    unsigned barriers[LITMUS_SCOPE_COUNT]; /* reached so far, by who meets at them */
    unsigned waits;                        /* barrier.cluster.wait so far */
    struct term terms[TERMS_MAXIMUM];      /* number 0 is none */
    unsigned term_count;
    unsigned steps; /* statements of this run */
    uint64_t work;  /* statements of all runs */
    enum status status;
    unsigned weak;         /* weak compare-and-swaps so far that might have succeeded */
    uint64_t spurious;     /* bit i: the i-th of them failed */
    struct replay *replay; /* or NULL */
    /* The path to play, or NULL: all paths are listed. */
    const struct path *path;
    const struct path_values *values;
};

/* Makes and ends a runner for a body of the enumeration's test. The end frees its contents. */
void trace_runner_make(struct runner *runner, struct enumeration *enumeration, int body);
void trace_runner_end(struct runner *runner);

/* Runs the thread once from its start. */
enum flow trace_run(struct runner *runner);

/* The value that a read, the last event, gives in a replay. */
int64_t replay_value(struct runner *runner);

/* Does this weak compare-and-swap, which might succeed, fail? */
bool trace_fails_by_chance(struct runner *runner);

/* Sets *settled to a value that decides how the thread continues. If the value is unknown, each of the first `of`
 * values is tried in turn: a path with one value is dropped once the value turns out to be another. in_turn gives the
 * value for a number; NULL: the number itself. */
typedef int64_t value_in_turn(const struct litmus_test *test, uint32_t number);
enum flow trace_settle(struct runner *runner, struct datum value, uint32_t of, value_in_turn *in_turn,
                       int64_t *settled);

/* The same for a condition. */
enum flow trace_decide(struct runner *runner, struct datum condition, bool *holds);

/* The next event of the trace; NULL, and runner->status, if there is no room. */
struct trace_event *trace_add_event(struct runner *runner, enum event_kind kind, struct litmus_place place);

/* ---- trace_terms.c ---- */

/* The value of an operation, as far as known. */
struct datum trace_unary(struct runner *runner, enum litmus_operator op, struct datum operand);
struct datum trace_binary(struct runner *runner, enum litmus_operator op, struct datum left, struct datum right);

/* The value converted to another type. */
struct datum trace_convert(const struct runner *runner, struct datum value, enum litmus_type type);

/* The value of the read that is the last event. */
struct datum trace_read(struct runner *runner, int64_t value, enum litmus_type type, bool unknown);

/* Are sums of this type right in their lowest bytes, so many? */
bool trace_adds_up(enum litmus_type type, size_t size);

/* Whether an unknown value is that of a read, the event number *read, plus something, modulo so many bytes. */
bool trace_is_sum(const struct runner *runner, struct datum value, size_t size, int *read, int64_t *addend);

/* The same value, known if the path's decisions so far determine it. */
struct datum trace_recall(const struct runner *runner, struct datum value);

/* Fills in the values that the path's decisions require from its reads. */
void trace_enter_demands(struct runner *runner);

/* Records that the path has taken a condition to hold or not. */
void trace_learn(struct runner *runner, struct datum condition, bool holds);

/* ---- trace_loops.c ---- */

/* A loop's iteration begins here; next and from are as in struct loop_head. */
void trace_loop_head(struct runner *runner, unsigned loop, const struct litmus_block *next, size_t from);

/* Finds the iterations of a loop, or of any (loop < 0), that leave the thread as it was, as in struct path. */
void trace_find_steady(struct runner *runner, int loop);

static inline uint64_t trace_bit(const struct runner *runner, const struct trace_event *event)
{
    return set_of((unsigned)(event - runner->events));
}

/* Notes that an instruction other than wgmma.mma_async accesses a register. */
void trace_access_register(struct runner *runner, int index);

/* The value of an expression, with the events of the accesses in it. */
enum flow trace_evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result);

/* ---- trace_access.c ---- */

struct target {
    int location;
    uint32_t element;
    uint64_t from;
};

/* Where an access goes. */
enum flow trace_find_target(struct runner *runner, const struct litmus_expression *expression, struct target *target);

/* The event of a load, of a store, and both events of a read-modify-write that returns no old value. */
enum flow trace_add_read(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                         const struct target *target, struct datum *result);
enum flow trace_add_write(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                          const struct target *target, struct datum value);

/* An access: adds its events and gives its value. */
enum flow trace_access(struct runner *runner, const struct litmus_expression *expression, struct datum *result);

enum flow trace_run_block(struct runner *runner, const struct litmus_block *block);

/* LITMUS_COPY and LITMUS_GROUP. */
enum flow trace_copy(struct runner *runner, const struct litmus_statement *statement);
enum flow trace_group(struct runner *runner, const struct litmus_statement *statement);

/* A function that several lanes call together. */
enum flow trace_collective(struct runner *runner, const struct litmus_statement *statement);

/* An access of several words. */
enum flow trace_vector(struct runner *runner, const struct litmus_statement *statement);
