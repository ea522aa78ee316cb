// SPDX-License-Identifier: Apache-2.0
/* Cycles of candidate executions in the notation of diy (Alglave, Maranget et al., "diy7", herdtools7's manual): a list
 * of edges such as "PodWW Rfe PodRR Fre". A litmus test asks for a cycle that no sequentially consistent execution has.
 * This file is about edges only; variant.h turns them into tests. */
#pragma once

#include "litmus/litmus.h"

enum { CYCLE_MAXIMUM_EDGES = 16, CYCLE_MAXIMUM_THREADS = 8 };

enum cycle_relation {
    CYCLE_RF, /* write to the read of its value */
    CYCLE_CO, /* write to a later write of the same location */
    CYCLE_FR, /* read to a write that comes after the one it read */
    CYCLE_PO, /* program order, plain */
    CYCLE_FENCE,
    CYCLE_ADDRESS, /* program order with a false dependency; from a read */
    CYCLE_DATA,
    CYCLE_CONTROL
};

enum cycle_direction { CYCLE_READ, CYCLE_WRITE };

/* An edge leads from the event of its own index to the next one (the last to event 0). */
struct cycle_edge {
    enum cycle_relation relation;
    bool external;                 /* between two threads; rf, co and fr only */
    bool same_location;            /* rf, co and fr always */
    enum litmus_order fence;       /* of a FENCE: ACQUIRE, RELEASE, ACQ_REL, SEQ_CST */
    enum litmus_scope fence_scope; /* of a FENCE, or SCOPE_NONE: the test's scope */
};

struct cycle_event {
    enum cycle_direction direction;
    bool ordered;            /* is `order` written? Else it is the test's default */
    enum litmus_order order; /* PLAIN, VOLATILE, RELAXED, ... */
};

struct cycle {
    size_t count;
    struct cycle_edge edges[CYCLE_MAXIMUM_EDGES];
    struct cycle_event events[CYCLE_MAXIMUM_EDGES];
};

/* Reads edges and annotations: Rfe Rfi Coe Coi Fre Fri (Wse Wsi), Po[sd][RW][RW], Fence{Sc,AR,Acq,Rel}[sd][RW][RW],
 * DpAddr/DpData/DpCtrl[sd][RW], and between them Pln, Vol, Rlx, Acq, Rel, AR, Sc for the event at that place. A fence
 * whose scope differs from the accesses' is followed by it: FenceARdWW.cta (sg, cta, cluster, qf, gpu, sys). The result
 * starts with the first event of a thread. SYNTAX, with the edge and the reason, for unknown words and for all that
 * cycle_check refuses; LIMIT beyond CYCLE_MAXIMUM_EDGES and CYCLE_MAXIMUM_THREADS. */
enum status cycle_parse(const char *text, struct cycle *cycle, struct error *error);

/* SYNTAX, with the reason, for anything that is not a cycle of a test: directions that do not meet, no edge between
 * threads, a location that changes once only, one thread with two locations, communications alone. The cycle starts
 * with the first event of a thread. */
enum status cycle_check(const struct cycle *cycle, struct error *error);

/* Appends the edges, with the annotations of the events that have one. */
void cycle_print(const struct cycle *cycle, struct text *text);

/* How many threads there are: one for each external edge. */
size_t cycle_threads(const struct cycle *cycle);

/* Gives each event the number of its location (x is 0, y is 1, ...), in the order of the events. Returns the number of
 * locations. */
unsigned cycle_locations(const struct cycle *cycle, unsigned locations[CYCLE_MAXIMUM_EDGES]);

/* Turns the cycle so that it starts as its family does: with the least key of all rotations, threads compared in the
 * order W < WW < RR < RW < WR < R. Of equal ones the first stays, so that the threads of SB keep their numbers. */
void cycle_normalize(struct cycle *cycle);

/* Appends the name of the family: the nickname ("MP", "IRIW"), or the key ("W+RR+WW") if there is none. The key is
 * diy's, for the normalized cycle: each thread's first and last direction, joined by '+'. */
void cycle_family(const struct cycle *cycle, struct text *text);

/* The plain cycle (Pod, Pos, Rfe, Fre, Coe) of a nickname or key. USAGE with names that resemble it. */
enum status cycle_of_family(const char *name, struct cycle *cycle, struct error *error);

/* The nicknames in the order of lists; NULL after the last. */
const char *cycle_nickname(size_t index);

/* The next column of a line, which ends at '|', without the blanks around it. */
struct text_part catalogue_take_column(const char **at, const char *end);

/* tests-litmus/families.txt, whose head says what its lines are. */
extern const char catalogue_families[];

/* A line of it. Missing words are empty. */
struct catalogue_family_line {
    size_t order;                     /* among the families below a heading; SIZE_MAX for others */
    struct text_part heading;         /* of the group of families, "Classic shapes" */
    struct text_part title, question; /* "Message passing"; what its tests ask or its witness means */
    struct text_part chinese_title, chinese_question;
};

/* The line of a family, whose name need not be terminated: one of cycles, or another folder of tests-litmus/. */
struct catalogue_family_line catalogue_family_line(const char *name, size_t length);

/* ---- shared by the files of cycles and variants ---- */

/* A thread by its first and last direction, in the order in which keys are compared. */
enum cycle_thread { CYCLE_W, CYCLE_WW, CYCLE_RR, CYCLE_RW, CYCLE_WR, CYCLE_R, CYCLE_THREAD_COUNT };

struct cycle_key {
    size_t count;
    enum cycle_thread threads[CYCLE_MAXIMUM_THREADS];
};

/* The next critical cycle of at most this many threads (up to CYCLE_MAXIMUM_THREADS), fewest threads first: of Pod,
 * Rfe, Fre and Coe, two events of a thread at most and three of a location, none twice. 6, 17 and 45 for 2, 3 and 4
 * threads.
 * *key starts as {0}. False: there is none. */
bool cycle_next_critical(unsigned threads, struct cycle_key *key, struct cycle *cycle);

/* Its word in a key, and the directions of its ends; a thread of one event has the same at both. */
struct cycle_thread_kind {
    const char *name;
    enum cycle_direction first, last;
    bool single; /* one event */
};
extern const struct cycle_thread_kind cycle_kinds[CYCLE_THREAD_COUNT];

/* The key that a text of size bytes names: a nickname, or directions joined by '+'. *same: whether its internal edges
 * stay at one location, as they do for the nicknames of coherence. False for any other text. */
bool cycle_find_key(const char *text, size_t size, struct cycle_key *key, bool *same);

/* Is the cycle's family one of the nicknames of coherence? */
bool cycle_is_coherence(const struct cycle *cycle);

/* The communication from an event of one direction to one of another; RF for two reads, which cycle_check refuses. */
enum cycle_relation cycle_communication(enum cycle_direction from, enum cycle_direction to);

bool cycle_is_communication(enum cycle_relation relation);

/* The directions that each relation requires of its first and its last event, or LITMUS_NONE. */
extern const struct cycle_ends {
    int first, last;
} cycle_ends[];
