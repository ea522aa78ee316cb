// SPDX-License-Identifier: Apache-2.0
/*
 * Why an outcome has its verdict: one execution that has it, as events and the relations between them, with the cycle
 * that the model forbids or, for an allowed outcome, the cycle that sequential consistency forbids. The door of
 * models/explain for other rooms; models/models.h makes explanations (judge_options.explain).
 *
 * Ownership: all strings and arrays of an explanation live in its arena, until the judgement that has it is released.
 */
#pragma once

#include "models/models.h"

enum explained_kind { EXPLAINED_READ, EXPLAINED_WRITE, EXPLAINED_FENCE, EXPLAINED_BARRIER };

struct explained_event {
    enum explained_kind kind;
    int thread, body; /* P<thread> and its index in test->threads; LITMUS_NONE: an initial write */
    struct litmus_place place;
    const char *instruction; /* as in the test's text, on one line; NULL if unknown */
    const char *what;        /* "write x = 1, relaxed gpu" */
    const char *location;    /* "x", "x[2]"; "" for a fence or a barrier */
    int64_t value;           /* read or written */
    const char *shown;       /* that value, as people read it */
    enum litmus_order order; /* of an access, that of its own half: acquire belongs to reads, release to writes */
    int other_half;          /* of a half of a read-modify-write: the event that is the other one; else LITMUS_NONE */
};

/* `from` and `to` are indices of events. */
struct explained_edge {
    unsigned from, to;
    const char *relation; /* "po", "rf", "co", "fr", "sync_fence", or the model's name; NULL: no
                           * relation leads on */
    bool inverted;        /* the relation leads from `to` to `from` */
    const char *calls;    /* of launch-order in a cycle: "P1's launch comes after P0's by queue"; else NULL */
};

struct explanation {
    struct arena arena;
    enum verdict verdict;
    const char *axiom;              /* forbidden: the broken axiom; undefined: the race or other flag; else NULL */
    struct explained_event *events; /* initial writes first, then thread after thread in program order */
    size_t event_count;
    struct explained_edge *edges; /* po, rf, co and fr of the execution, without those that follow by transitivity */
    size_t edge_count;
    /* Forbidden: the edges that break the axiom, each starting where the last one ends; if that is a pair of events,
     * the cycle of the next kind if there is one. Weak: a cycle that sequential consistency forbids, of po, rf, co, fr,
     * barrier and rmw^-1 (both halves of an update are one event). Undefined: the pair of events. Else empty. */
    struct explained_edge *cycle;
    size_t cycle_count;
    bool closed;     /* the last edge ends where the first starts */
    unsigned *turns; /* sc: all events of threads, in an order that gives the outcome when they take turns; else NULL */
    size_t turn_count;
};

/* Is it an order of the thread's text, under any name: po, po-loc, ...? Relations through memory are not. */
bool explanation_is_program_order(const struct explanation *explanation, const struct explained_edge *edge);

/* Appends the cycle as lines: for each event "P1 line 7: " and its instruction as in the test's text, then what it
 * does, below the instruction; between events, indented by four more blanks, the relation that leads from one to the
 * next. A cycle ends with the event that it starts with. */
void explanation_print_cycle(const struct explanation *explanation, struct text *text);

/* Appends the requirement of a built-in model's axiom, as a sentence; nothing for a model or an axiom that has none.
 * `model` is its id. */
void explanation_add_axiom(const char *model, const char *axiom, struct text *text);

/* ---- the contents of a picture of an execution ---- */

/* They are independent of its size: a column for each thread, its events from top to bottom with a letter each, and the
 * arrows between them. The terminal and the page draw the same. */

/* An event, or both halves of a read-modify-write. */
struct drawn_event {
    const struct explained_event *event; /* for an update, the read half */
    unsigned column, row;                /* the row counts in its column */
    char letter[4];                      /* "a", "b", ..., "z", "a1", ... */
    const char *words, *sign;            /* "write x = 1" and the shorter "W x=1"; of a fence "fence sc gpu" */
    bool in_cycle;
    bool po_in_cycle; /* the cycle goes on to the next event of its column in program order */
};

/* From one event to another, by index. */
struct drawn_arrow {
    unsigned from, to;
    const char *label; /* "rf", "co", "fr", "sync", "barrier", ... */
    bool in_cycle;
};

struct execution_drawing {
    struct arena arena;
    int *threads;                     /* for each column, the number of its thread */
    unsigned column_count, row_count; /* rows of the longest column */
    struct drawn_event *events;       /* column after column */
    size_t event_count;
    struct drawn_arrow *arrows;
    size_t arrow_count;
};

/* Makes a drawing. Arrows: all edges of the cycle between columns or up a column, the reads from other threads' writes,
 * and coherence between threads. Reads from initial writes have none. The caller releases the drawing; the explanation
 * must outlive it. */
void drawing_make(const struct explanation *explanation, struct execution_drawing *drawing);
void drawing_release(struct execution_drawing *drawing);

/* The index of the drawn event of an event, or LITMUS_NONE: an initial write. */
int drawing_find(const struct execution_drawing *drawing, const struct explanation *explanation, unsigned event);
