// SPDX-License-Identifier: Apache-2.0
/*
 * From a test to its candidate executions.
 *
 * First each thread by itself: all paths that it may take, with values that depend on its reads left open (trace_*.c).
 * Then all threads together: one path of each, and for these the meetings at barriers, the source of each read, which
 * determines the values, the order of sc fences, and coherence (search_*.c).
 */
#pragma once

#include "base/hash_index.h"
#include "models/cat/cat.h"
#include "models/models.h"

/* Limits beyond which a test is not judged. */
enum {
    ENUMERATE_MAXIMUM_THREADS = 64,
    ENUMERATE_MAXIMUM_CELLS = 8192,       /* elements of all locations */
    ENUMERATE_MAXIMUM_PATHS = 50000,      /* of one thread */
    ENUMERATE_KEPT_TRACES = 4096,         /* of one path */
    ENUMERATE_KEPT_PARTS = 4096,          /* plays of one path with some of its reads known */
    ENUMERATE_MAXIMUM_RUNS = 500000,      /* of one thread, including those that were cut or led nowhere */
    ENUMERATE_MAXIMUM_STEPS = 20000,      /* statements of one run; a longer one counts as cut */
    ENUMERATE_MAXIMUM_WORK = 50000000,    /* statements of all runs of one thread */
    ENUMERATE_MAXIMUM_REPLAY = 100000000, /* statements of all runs that look for dependencies */
    ENUMERATE_MAXIMUM_OUTCOMES = 65536,
    ENUMERATE_MAXIMUM_CANDIDATES = MODEL_DEFAULT_CANDIDATES, /* the defaults of judge_options */
    ENUMERATE_LISTED_CANDIDATES = 5000
};

struct trace_event {
    struct event event;
    uint64_t po;               /* events of the trace that are sequenced before it, as bits */
    uint64_t addr, data, ctrl; /* events on which it may depend; dependency.c decides on which it does */
    uint64_t completes;        /* events of asynchronous copies that are known to be done at this one */
    uint64_t whole;            /* the other words of the same access */
    int rmw;                   /* of the write half: the read half's number in the trace; else -1 */
    /* Of the write half: what it makes of the value read, if the operand is the same in all traces; else
     * LITMUS_LOAD. */
    enum litmus_operation change;
    enum litmus_type change_type;
    int64_t operand;
    /* Of a write: its value is that of the thread's event number `sum_of` plus `addend`, modulo its size; -1: not
     * known. */
    int sum_of;
    int64_t addend;
    /* Barriers: the identity of the dynamic barrier */
    const char *instance; /* as written, or NULL: then occurrence counts all barriers of the thread */
    unsigned occurrence;
    enum litmus_scope meets;    /* of a barrier: the threads of one WORK_GROUP, or of one SUB_GROUP */
    enum litmus_scope together; /* the program has no meaning unless all threads of this level reach it */
    int64_t resource;
    /* A function of several lanes, or a barrier of some: NULL if it is neither. `resource` is then the function and the
     * mask. */
    const struct litmus_collective *call;
    uint32_t lanes;  /* those of the mask */
    unsigned lane;   /* the own one */
    uint32_t source; /* of a shuffle: the lane whose value it gives */
};

/* What one event of a trace depends on, as bits of the trace's events. */
struct dependency {
    uint64_t addr, data, ctrl;
};

/* One way through a thread: every value is known. */
struct trace {
    unsigned count;
    struct trace_event *events;
    int64_t *registers;
    uint64_t spurious;               /* bit i: the i-th weak compare-and-swap that might have succeeded failed */
    struct dependency *dependencies; /* results of dependencies_find so far: `count` for each reading; or NULL */
    unsigned readings;               /* ways in which a compiler may take the thread's reads; 0: not known yet */
    uint64_t known;                  /* readings whose dependencies were found, as bits */
};

/* What a play of a path with some of its reads known has shown. */
struct part_played {
    uint64_t given, known; /* events known before, of the reads, and after; as bits */
    int64_t *from, *value; /* by event, before and after */
    bool plays;            /* these reads may lead this way */
};

/* What a thread does if its branches, compare-and-swaps and addresses turn out in one particular way. Values that
 * depend on reads are unknown, except for reads of elements that are never written. Different values of the reads may
 * give different traces, and some none. */
struct path {
    unsigned count;
    struct trace_event *events;
    uint64_t reads;        /* as bits of its events */
    uint64_t decisive;     /* those of them whose values decide which path it is */
    uint64_t branched;     /* those on whose values it depends that the thread has come to its end */
    uint32_t *decisions;   /* as trace_settle makes them, in order */
    struct trace **traces; /* the requested traces, by the values of their reads */
    size_t trace_count;
    struct part_played **parts; /* the plays with some reads known, by the values of these */
    size_t part_count;
    struct hash_index traces_by_values, parts_by_values;
    /* Iterations that leave the thread as it was, as sets of events: they are idle if they write what they have read.
     * For a path that went beyond the unrolling, those of that loop. */
    uint64_t *steady;
    size_t steady_count;
};

/* The paths of one thread. */
struct traces {
    struct path *paths, *cut; /* those that end, and those that went beyond the unrolling */
    size_t count, cut_count;
    struct arena arena; /* of all this */
};

struct enumeration {
    const struct litmus_test *test;
    struct litmus_test *expanded; /* `test`, if its ranges are separate threads here; else NULL */
    struct judge_options options; /* with its defaults filled in */
    struct error *error;
    size_t *cells; /* of each location: the number of its first element's cell */
    size_t cell_count;
    bool *written;      /* by cell: some path writes there */
    int64_t *constants; /* that the program and its condition name */
    size_t constant_count;
    struct traces *traces;   /* by body */
    struct runner **runners; /* by body: plays its paths */
    unsigned thread_count;
    struct {
        int number, body;
    } threads[ENUMERATE_MAXIMUM_THREADS];
    struct litmus_launches launches;           /* of the bodies of `test` */
    unsigned alike[ENUMERATE_MAXIMUM_THREADS]; /* the first thread with which each can be exchanged: see enumerate.c */
    struct arena arena;                        /* of all these; each body's paths have one of their own */
    bool cut;                                  /* a path went beyond the unrolling, and that may add an outcome */
    bool mixed_sizes;
    bool asynchronous; /* the test has asynchronous copies, or what orders them */
    bool whole;        /* the test has accesses that cover several words at once */
    bool races;        /* the model reports races: they must not be lost */
    uint64_t replayed; /* statements of the runs that looked for dependencies */
};

/* Fills *enumeration; the caller releases it, also after a failure. UNSUPPORTED with the reason if a limit is exceeded
 * or an instruction has no meaning. `races`: the model distinguishes races. */
enum status enumeration_make(const struct litmus_test *test, const struct judge_options *options, bool races,
                             struct enumeration *enumeration, struct error *error);

/* Leaves out the paths with an idle iteration, and drops the steady iterations of a path if one may race: see
 * trace_loops.c. */
void enumeration_leave_out_idle(struct enumeration *enumeration);

/* May executions beyond the unrolling have an outcome that no other execution has? See trace_loops.c. */
bool enumeration_is_cut(struct enumeration *enumeration);

/* Whether judging must end, because its time is up or it was stopped; then *error says so (UNSUPPORTED). */
bool enumeration_is_over(const struct enumeration *enumeration);
void enumeration_release(struct enumeration *enumeration);

/* All paths of a body, with reads of cells that are not `written` known. */
enum status traces_make(struct enumeration *enumeration, int body);
void traces_release(struct traces *traces);

/* How many paths a thread has, and one of them: first those that end, then those that went beyond the unrolling. */
static inline size_t traces_path_count(const struct traces *traces)
{
    return traces->count + traces->cut_count;
}

static inline struct path *traces_path(const struct traces *traces, size_t number)
{
    return number < traces->count ? &traces->paths[number] : &traces->cut[number - traces->count];
}

/* Values of the events of one path. */
struct path_values {
    int64_t value[EVENTS_MAXIMUM];
    uint64_t known; /* as bits */
};

/* The values that a place may have; no more are tried. */
struct value_list {
    int64_t value[64];
    unsigned count;
    bool any; /* its values are unknown */
};

/* Adds a value, unless the list has it; false if it has no room. */
bool value_list_add(struct value_list *list, int64_t value);

/* Is none of the path's iterations idle with these values? See trace_loops.c: idle ones can be left out. */
bool path_is_busy(const struct path *path, const struct path_values *values);

/* Plays a path with the reads among *values that are known, and fills in the values that follow. False: these reads do
 * not lead this way. */
bool path_play(struct enumeration *enumeration, int body, const struct path *path, struct path_values *values);

/* The same, but remembers what it has played, so path_trace must not follow. */
bool path_play_part(struct enumeration *enumeration, int body, struct path *path, struct path_values *values);

/* Plays a path like path_play. This register ends as *value, unless that depends on the unknown reads *from. */
bool path_register(struct enumeration *enumeration, int body, const struct path *path, struct path_values *values,
                   int number, int64_t *value, uint64_t *from);

/* The trace of a path whose reads have these values, if it was requested before; else NULL. */
struct trace *path_find(const struct path *path, const struct path_values *values);

/* Room for a trace that is not kept. */
struct spare_trace {
    struct trace trace;
    struct trace_event events[EVENTS_MAXIMUM];
    int64_t *registers;
};

/* The trace of a path whose reads are all known and were played. Lives as long as the enumeration; or, if too many are
 * already kept, in *spare, until that is reused. */
struct trace *path_trace(struct enumeration *enumeration, int body, struct path *path, const struct path_values *values,
                         struct spare_trace *spare);

struct runner *trace_runner_new(struct enumeration *enumeration, int body);
void trace_runner_release(struct runner *runner);

/* The initial value of an element of a location; an address as address_encode has it. */
int64_t location_initial(const struct litmus_test *test, int location, uint32_t element);

size_t enumeration_cell(const struct enumeration *enumeration, int storage, uint32_t element);

/* Calls the function for each event of each path of each body, also of paths that are cut. */
void enumeration_visit_events(const struct enumeration *enumeration,
                              void (*visit)(const struct enumeration *enumeration, const struct event *event,
                                            void *context),
                              void *context);

/* The dependencies of a trace that no compiler can remove, in its reading number `reading`: dependency.c says what that
 * means. dependencies_readings says how many readings there are, at least 1; number 0 is the text as written.
 * dependencies_find gives one entry for each event; they live as long as the trace. UNSUPPORTED if it takes too
 * long. */
unsigned dependencies_readings(struct trace *trace);
enum status dependencies_find(struct enumeration *enumeration, int body, struct trace *trace, unsigned reading,
                              const struct dependency **found);

/* Addresses as values of registers. */
int64_t address_encode(int location, uint32_t element);
bool address_decode(const struct litmus_test *test, int64_t value, int *location, uint32_t *element);

/* The elements of all locations in a row: how many there are, and the address of one of them. */
uint32_t address_count(const struct litmus_test *test);
int64_t address_numbered(const struct litmus_test *test, uint32_t number);

/* A value and its origin. */
struct datum {
    int64_t value;
    enum litmus_type type;
    uint64_t from; /* events of the trace whose values it was computed from */
    bool unknown;  /* as long as some of these are */
    unsigned term; /* its term then: see trace_terms.c; 0: not recorded */
};

/* As litmus_value_is_defined. */
bool datum_is_defined(enum litmus_operator op, struct datum left, struct datum right);

/* How many threads must meet where a barrier of a thread at this place has `quorum`. More than the test has are whole
 * warps ("a multiple of the warp size"): of each, its lanes in the test come. */
int64_t quorum_shown(const struct litmus_test *test, const struct litmus_placement *own, int64_t quorum);

/* A key of several values, one after the other: first that of none, then each with a value more. */
#define KEY_OF_NONE UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t key_with(uint64_t key, int64_t value)
{
    key = (key ^ (uint64_t)value) * UINT64_C(0xbf58476d1ce4e5b9);
    return key ^ key >> 29;
}

/* An execution that shows an outcome, and the steps that break an axiom in it. */
struct capture {
    struct execution execution;
    struct cat_step steps[CAT_MAXIMUM_STEPS_SHOWN]; /* none if the execution is consistent */
    unsigned step_count;
    bool closed;
    unsigned flaws; /* the fewer, the better it shows the axiom */
};

/* The outcomes found so far. */
struct search_finding {
    int64_t *values;
    bool consistent, sc;
    int rank; /* of the check that the least inconsistent candidate breaks, or -1 */
    const char *axiom;
    struct capture *capture; /* of an execution that has it and shows the verdict, on request */
};

enum { FINDINGS_CAPTURES = 2048 }; /* outcomes that are explained: each costs some 14 KB */

struct findings {
    const struct litmus_test *test;
    struct search_finding *items;
    size_t count, room;
    struct hash_index by_values;
    size_t captures;        /* items that have one */
    struct arena arena;     /* of the items' values and captures */
    bool racy, unspecified; /* flags that some consistent execution raises; noted when the search is over, like */
    bool cut;               /* that outcomes not found consistent so far may still be */
};

void findings_release(struct findings *findings);

/* Judges every candidate. With only_sc, the cat is the model of sequential consistency, and outcomes that are not found
 * yet are left out. */
struct search_request {
    const struct cat *cat;
    struct enumeration *enumeration;
    struct findings *findings;
    bool only_sc, explain;
    bool open; /* barriers do not wait for the end of threads that do not come */
    struct error *error;
    /* What the search finds. */
    uint64_t candidates, consistent;
    bool stuck;                /* in some candidate, threads wait for ever at barriers */
    uint64_t flags;            /* raised by some consistent execution */
    struct capture *undefined; /* on request, if a flag was raised: the first such execution; the caller frees it */
};
enum status search(struct search_request *request);
