// SPDX-License-Identifier: Apache-2.0
/* What the steps of the search share. Private to the search_*.c files. */
#ifndef ORCHIL_MODELS_SEARCH_SEARCH_H
#define ORCHIL_MODELS_SEARCH_SEARCH_H

#include "models/search/enumerate.h"

/* Observed locations: which events may have written the final value; no bit: nobody wrote. */
struct search_variable {
    int slot;    /* of a register: the index of its thread in enumeration->threads, else -1 */
    int storage; /* of a location */
    int same_as; /* an earlier variable of the same element, or -1 */
    uint64_t finals;
};

/* What a thread may write in any of its traces. */
struct search_writes {
    struct event *events;
    size_t count;
};

struct search_state {
    const struct search_request *request;
    struct enumeration *enumeration;
    const struct litmus_test *test;
    struct search_result *result;
    struct cat_values *values;
    struct execution execution;
    struct trace *chosen[ENUMERATE_MAXIMUM_THREADS];
    unsigned readings[ENUMERATE_MAXIMUM_THREADS]; /* of the chosen traces' dependencies, see dependency.c */
    bool uses_dependencies, without_dependencies;
    bool several_readings;                             /* of the dependencies of the chosen traces */
    unsigned tried;                                    /* of them, for the present candidate */
    const struct trace_event *sources[EVENTS_MAXIMUM]; /* of each event, or NULL: an initial write */
    struct search_writes *writes;                      /* by body */
    uint64_t combinations;                             /* of traces, begun ones counted */
    struct search_variable *variables;
    int64_t *outcome;
    struct arena arena; /* of writes, variables and outcome */
    bool uses_fences;
    enum status status; /* what ended the search early */
};

/* May each read of the first `chosen` threads find its value, whatever the other threads do? */
bool search_may_have_sources(const struct search_state *state, unsigned chosen);
void search_list_writes(struct search_state *state);

/* Makes the execution of the chosen traces as far as STAGE_EVENTS; false if it has more events than fit. */
bool search_build(struct search_state *state);

/* Enters the dependencies of the chosen traces, in their present readings, into the execution. */
bool search_set_dependencies(struct search_state *state);

/* Is it time to ask checks of a part of a stage's choices? They spare candidates, but which axiom those would have broken
 * last is then not known: the earliest one of the part is taken. Small tests can do without. */
bool search_prunes(const struct search_state *state);

/* Counts a candidate. False: the search is over. */
bool search_count(struct search_state *state);

/* Each goes through all choices of its stage, and for each of them on to the next. False: the search is over. */
bool search_meetings(struct search_state *state);
bool search_reads(struct search_state *state);
bool search_coherence(struct search_state *state);

/* Computes a stage; true if no check fails, else what the candidate's outcomes are forbidden by is noted. */
bool search_stage(struct search_state *state, enum stage stage);

/* Notes the outcomes that the candidate may have: check < 0: it is consistent. */
void search_note(struct search_state *state, int check);

/* Notes, and counts if asked to, an inconsistent candidate whose coherence is not chosen: any write may come last. */
bool search_note_any_final(struct search_state *state, int check, bool count);

/* The writes, other than initial ones, to what an event accesses. */
uint64_t search_writes_to(const struct execution *execution, int storage, uint32_t element);

#endif
