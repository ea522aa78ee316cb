// SPDX-License-Identifier: Apache-2.0
/*
 * Changes of a test that give one of its outcomes another verdict, found by trying them and asking the model: the
 * smallest that forbids an allowed outcome, and the instructions without which a forbidden outcome would be allowed. A
 * door of models/explain for other rooms.
 *
 * Ownership: all results live in their arena until repairs_release.
 */
#pragma once

#include "models/explain/explain.h"

/* A change of one instruction, a new fence or barrier, or a change of a line such as "P1 after P0 by queue". */
struct repair_change {
    int thread;    /* P<thread>; of a line between launches the later one's */
    unsigned line; /* of the instruction; a new fence comes directly after this line, unless `next` says where in it; 0:
                    * a new line between launches */
    const char *before;      /* the instruction; NULL: a new fence, or a new line between launches */
    const char *after;       /* NULL: the fence, or the line, is left out */
    const char *next;        /* of a new fence: the instruction on this line that it comes before; NULL: none */
    enum litmus_order order; /* that the instruction has after the change; PLAIN for a line between launches */
};

struct repair {
    struct repair_change *changes; /* in order of threads and instructions */
    size_t count;
    unsigned cost;     /* see repair.c */
    enum verdict then; /* of the outcome in the changed test; NONE: not known */
    bool needed;       /* without any single one of the changes, the model does not give this answer */
    bool accesses;     /* it changes orders or scopes of accesses */
    bool meets;        /* it is barriers, one in each thread that shares them */
    const char *flag;  /* UNDEFINED: the flags, as judgement.undefined_by */
    const char
        *says; /* of launches: "launch P1's kernel after P0's has ended"; of a claim: which changes these are; else
                        * NULL */
};

struct repairs {
    struct arena arena;
    struct repair *items;
    size_t count;
    size_t changes;          /* the fewest instructions that suffice, without barriers; 0: nothing was found */
    bool is_fewest;          /* all smaller sets of changes were tried, and none suffices */
    struct repair *launches; /* repairs by the order of launches alone, REPAIRS_SHOWN at most */
    size_t launch_count;
    bool cut;          /* the time was up before all of these were tried */
    uint64_t tried;    /* tests that the model judged */
    uint64_t unjudged; /* of these, the tests whose outcome got no verdict */
};

enum { REPAIRS_SHOWN = 3 };

struct repair_wanted {
    const struct model *model;
    const struct litmus_test *test; /* with its text, so that instructions have lines */
    const int64_t *values;          /* the outcome; NULL: none, for a test without a fitting outcome */
    bool undefined;                 /* the test is undefined: changes that give it a meaning are wanted */
    const struct explanation
        *cause; /* repairs change the threads of its cycle; all if it has none or that is not enough */
    model_judging *judging;
    double deadline;                /* by clock_seconds */
    bool (*stopped)(void *context); /* as in struct judge_options */
    void *context;
};

/*
 * `repairs` is empty ({0}), or has results of launch_repairs_find or launch_weakenings_find.
 *
 * Stronger orders, wider scopes and new fences that forbid the outcome (of an undefined test: that give it a meaning):
 * the fewest instructions that suffice, at most REPAIRS_SHOWN of the lowest cost. If these change accesses of a test
 * that has fences or is CUDA, then also the smallest that does with fences alone. Errors come from reading the test
 * again.
 */
enum status repairs_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error);

/* Single changes to weaker orders, narrower scopes and left out fences that allow a forbidden outcome: for each
 * instruction the mildest. */
enum status weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error);

/* Adds the cheapest barriers that do the same, in all threads that share them, to repairs->items; see barriers.c. */
enum status barriers_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error);

/* Whether threads of the test can meet at a barrier. */
bool barriers_can_meet(const struct litmus_test *test);

/* The same by the order of launches: the host orders threads that run at once, or concurrent launches: one pair, then
 * all of one half of the test after the other half, then two pairs, then three. In a test without such lines, threads
 * become separate kernels. Results are added to `repairs`, which may be empty or have results of another search. Every
 * proposed test can end. */
void launch_repairs_find(const struct repair_wanted *wanted, struct repairs *repairs);

/* The orders of launches without which a forbidden outcome is allowed: each with the two launches made concurrent. */
void launch_weakenings_find(const struct repair_wanted *wanted, struct repairs *repairs);

/* Why a model allows an outcome that is not sequentially consistent. "Forbidden" and "allowed" are what the model says
 * of the outcome in the whole changed test, so they are about all executions that have it. */
enum weak_reason {
    WEAK_UNKNOWN,
    WEAK_SCOPES,      /* with wider scopes alone it is forbidden */
    WEAK_ACCESSES,    /* it is forbidden once weak accesses become relaxed (PTX) */
    WEAK_BOTH,        /* ... and scopes are wider, but not by one of these alone */
    WEAK_REORDERED,   /* without one program order of the cycle it is allowed, though all others are kept */
    WEAK_TOGETHER,    /* without any single one it is forbidden, without all of them it is allowed */
    WEAK_PROPAGATION, /* it is allowed even with acq_rel fences that keep the order of each thread, but not with sc
                       * fences */
    WEAK_DESPITE      /* it is allowed even with sc fences between all instructions */
};

struct weakness {
    struct arena arena;
    enum weak_reason reason;
    /* By index in cause->cycle: is not keeping this program order enough, with all others kept? Does it lead across a
     * branch? */
    bool *alone, *across;
    bool alone_only; /* REORDERED: no other single program order of the cycle is enough */
    enum litmus_dialect dialect;
    enum litmus_scope narrow,
        wide;   /* SCOPES: the scope that is too narrow, NONE if several are, and one that suffices */
    bool apart; /* SCOPES: the threads of the cycle's program orders are not all in one group of that scope */
    struct repair *claims; /* the changed tests that were judged for this reason, with the verdict in `then` */
    size_t claim_count;
    bool other_proxies; /* the test uses proxies other than the generic one, whose fences were not among those tried */
    bool cut;           /* the time was up: the reason is UNKNOWN */
};

/* `weakness` is {0}. Threads are changed as a whole, so that every execution is: their order is kept by fences of
 * device scope in all gaps between instructions, and by strong accesses of that scope. The caller calls
 * weakness_release. */
enum status weakness_find(const struct repair_wanted *wanted, struct weakness *weakness, struct error *error);
void weakness_release(struct weakness *weakness);

void repairs_release(struct repairs *repairs);

/* ---- an explanation in sentences (words.c) ---- */

/*
 * Append paragraphs, each one line, separated by empty ones. Events are called by their letters in the drawing.
 *
 * words_print_story: what happens along the cycle, and why no single order fits; for an `sc` outcome, an order that
 * gives it; for an undefined one, the race. model: the id.
 */
void words_print_story(const struct explanation *explanation, const struct execution_drawing *drawing,
                       const char *model, struct text *text);

/* Why the model allows a weak outcome. If no reason was found, it is what the first of the repairs strengthens. */
void words_print_weakness(const struct explanation *explanation, const struct execution_drawing *drawing,
                          const char *model, const struct weakness *weakness, const struct repairs *repairs,
                          struct text *text);
