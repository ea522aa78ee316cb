// SPDX-License-Identifier: Apache-2.0
/*
 * The contents of a picture of an execution, independent of its size: a column for each thread, its
 * events from top to bottom with a letter each, and the arrows between them. The terminal and the
 * page draw the same. A door of models/explain for other rooms.
 */
#ifndef ORCHIL_MODELS_EXPLAIN_DRAWING_H
#define ORCHIL_MODELS_EXPLAIN_DRAWING_H

#include "models/explain/explain.h"

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

/*
 * Makes a drawing. Arrows: all edges of the cycle between columns or up a column, the reads from
 * other threads' writes, and coherence between threads. Reads from initial writes have none. The
 * caller releases the drawing; the explanation must outlive it.
 */
void drawing_make(const struct explanation *explanation, struct execution_drawing *drawing);
void drawing_release(struct execution_drawing *drawing);

/* The index of the drawn event of an event, or LITMUS_NONE: an initial write. */
int drawing_find(const struct execution_drawing *drawing, const struct explanation *explanation, unsigned event);

#endif
