// SPDX-License-Identifier: Apache-2.0
/*
 * Shared by the steps of the search.
 *
 * The choices are made in this order: a path of each thread (search.c), who met at barriers (search_meetings.c), the
 * source of each read (search_choices.c), which settles the values (search_build.c), and the orders of sc fences and of
 * writes (search_choices.c). Each step calls the next and returns false when the search is over.
 *
 * There are two ways to search. The first makes every candidate and asks the model about it, which shows most about
 * forbidden outcomes. A test with too many candidates is searched again with `prunes`: then the model is asked about
 * the choices so far (search_choices.c), orders that follow are not chosen, and the search continues only while
 * candidates may show something new; what changes that commute end in is known beforehand (search_choices.c).
 */
#pragma once

#include "models/search/enumerate.h"

/* Observed locations: which events may have written the final value; no bit: nobody wrote. */
struct search_variable {
    int slot;        /* of a register: the index of its thread in enumeration->threads, else -1 */
    int storage;     /* of a location */
    int same_as;     /* an earlier variable of the same element, or -1 */
    uint64_t writes; /* to the location, other than initial ones; 0 for a register */
    bool total;      /* with the chosen paths it ends in one value, whatever else is chosen: `ending` */
    int64_t ending;
    uint64_t finals;
    unsigned final; /* one of these: the last writer in the present outcome */
};

struct search_state {
    struct search_request *request;
    struct enumeration *enumeration;
    const struct litmus_test *test;
    struct cat_values *values;
    bool prunes;
    bool uses_dependencies, uses_fences;
    uint64_t steps; /* choices looked at */
    bool full;      /* they were too many for a search that does not prune */

    /* The paths that are chosen, by slot (index in enumeration->threads), and the execution that they make. */
    struct path *path[ENUMERATE_MAXIMUM_THREADS];
    unsigned first[ENUMERATE_MAXIMUM_THREADS];         /* the number of the path's first event */
    unsigned slot_of[EVENTS_MAXIMUM];                  /* of each event of a thread */
    const struct trace_event *sources[EVENTS_MAXIMUM]; /* of each event, or NULL: an initial write */
    uint64_t peers[EVENTS_MAXIMUM]; /* of each access: the writes to its element, without initial ones */
    uint64_t sc_fences;             /* fences that are sc */
    struct execution execution;
    int failed_events, failed; /* a check that fails before the reads have sources, or -1 */

    /* Values settled by the sources of the reads so far. */
    uint64_t known;                                  /* events whose values are known */
    struct trace *chosen[ENUMERATE_MAXIMUM_THREADS]; /* of the threads whose values are all known; else NULL */

    struct spare_trace *spare; /* by slot, for those of them that are not kept */

    unsigned readings[ENUMERATE_MAXIMUM_THREADS]; /* of the chosen traces' dependencies, see dependency.c */
    bool without_dependencies;
    unsigned tried; /* readings, for the present candidate */

    struct relation ordered; /* writes that coherence has to order one way or the other */
    uint64_t last;           /* writes that no other may follow */
    bool exhausts;           /* every order is of interest; else one that is consistent is enough */
    bool may_race;           /* an order whose outcome passes the test's filter is of interest, for its flags */
    bool enough;             /* one was found: return to where the orders began */

    bool passes; /* some outcome of the candidate noted last passes the test's filter */
    struct search_variable *variables;
    struct arena arena; /* of variables */
    enum status status; /* why the search ended early */
};

/* The number of a thread's path among its body's paths. */
static inline size_t search_path_number(const struct search_state *state, unsigned slot)
{
    return (size_t)(state->path[slot] - state->enumeration->traces[state->enumeration->threads[slot].body].paths);
}

/* ---- search_build.c ---- */

/* Makes the execution of the chosen paths, and settles values that are known without any source. False: there is none,
 * or the search is over. */
bool search_build(struct search_state *state);

/* Enters the dependencies of the chosen traces, in their present readings, into the execution. */
bool search_set_dependencies(struct search_state *state);

/* Removes them again: for a part of the choices, no dependency is known. */
void search_clear_dependencies(struct search_state *state);

/* The state that search_settle changes, to be restored. */
struct search_settled {
    int64_t value[EVENTS_MAXIMUM];
    uint64_t known;
    struct trace *chosen[ENUMERATE_MAXIMUM_THREADS];
};
void search_keep_settled(const struct search_state *state, struct search_settled *settled);
void search_put_back(struct search_state *state, const struct search_settled *settled);

/* Settles all values that follow from what is known, after reads (as bits) have got a source or a value. False: with
 * these the threads do not take their paths. */
bool search_settle(struct search_state *state, uint64_t reads);

/* Settles what follows from the functions of several lanes, once it is known who came to each. False: as above. */
bool search_settle_lanes(struct search_state *state);

/* The values in which a thread's register may end, whatever the sources of reads that are not known yet. False: they
 * are not known, or too many. */
bool search_register_values(const struct search_state *state, unsigned slot, int number, struct value_list *found);

/* Every read has a source, but some values depend on themselves: tries those that are self-consistent. */
bool search_thin_air(struct search_state *state, bool (*next)(struct search_state *state));

/* ---- the steps ---- */

bool search_meetings(struct search_state *state);
bool search_reads(struct search_state *state);

/* Computes STAGE_EVENTS or STAGE_MEETINGS and notes a check that fails. False: no need to continue. */
bool search_stage(struct search_state *state, enum stage stage);

/* Counts a candidate (if the search prunes, a partial one that the model is asked about), or a choice. False: the
 * search is over. */
bool search_count(struct search_state *state);
bool search_step(struct search_state *state);

/* ---- search.c ---- */

/* Notes the outcomes that the candidate may have: check < 0: it is consistent. */
void search_note(struct search_state *state, int check);

/* Notes an inconsistent candidate whose coherence is not chosen, so that any write may come last; counts it if
 * requested. */
bool search_note_any_final(struct search_state *state, int check, bool count);

/* Keeps the present execution as the example of a flag, if it is the first that raises one. */
void search_capture_flag(const struct search_state *state);

/* Once a flag has taken the meaning from the test, no order is of interest for its flags. */
void search_end_races(struct search_state *state);

/* Sets the observed locations' last writes by coherence. */
void search_find_finals(struct search_state *state);

/* The same for an outcome that is to be found consistent: a total is known before its writes are. */
uint64_t search_may_end(const struct search_state *state, size_t at, int64_t *outcome);

/* Sets outcome[at] to what the write leaves. */
void search_set_last(const struct search_state *state, size_t at, unsigned write, int64_t *outcome);

/* Whether this outcome would be new if it is consistent. */
bool search_is_new(const struct search_state *state, const int64_t *outcome);

/* Whether the choices so far may lead to a new outcome. */
bool search_may_add(struct search_state *state);

/* Flags that no consistent execution has raised yet and that would still change the verdict, of those that are
 * possible. */
uint64_t search_open_flags(const struct search_state *state, enum stage stage);
