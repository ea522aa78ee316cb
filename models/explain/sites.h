// SPDX-License-Identifier: Apache-2.0
/* The places where a test can be made stronger or weaker, and their options. */
#pragma once

#include "models/explain/repair.h"

enum { SITE_MAXIMUM_OPTIONS = 24 };

struct site_option {
    enum litmus_order order;
    enum litmus_scope scope;
    enum litmus_proxy proxy; /* of a new fence; GENERIC: of memory orders */
    bool left_out;           /* of a fence or a barrier */
    unsigned cost;
    /* GAP: what is put there instead of a fence; of a barrier: the first has the orders and flags that it gets. */
    const struct litmus_statement *statements;
    size_t count;
};

enum site_kind { SITE_ACCESS, SITE_FENCE, SITE_GAP };

/* An access, a fence or a barrier, or the gap before a statement where one may be put. */
struct site {
    enum site_kind kind;
    int body;
    unsigned number;                /* of the instructions of the test, as sites_print_instruction counts them */
    struct litmus_place place;      /* for a gap: the last instruction of the thread before it */
    unsigned after;                 /* GAP: a new fence comes directly after this line of the text */
    struct litmus_access *access;   /* ACCESS */
    struct litmus_statement *fence; /* FENCE: a fence or a barrier */
    struct litmus_block *block;     /* GAP and FENCE: its block */
    size_t index;                   /* of the fence, or of the statement after the gap */
    unsigned depth;                 /* of that block: 0 is a thread's own */
    unsigned slot;                  /* twice the barriers before it in its thread, and one more for a barrier */
    struct site_option options[SITE_MAXIMUM_OPTIONS]; /* GAP and stronger ones, by cost */
    size_t option_count;
    bool is_chosen;
    struct site_option chosen, was;
    /* While the option is applied: what it changes, as it was. */
    struct litmus_block block_was;
    struct litmus_access access_was;
    struct litmus_statement fence_was;
};

struct sites {
    struct arena arena;
    struct litmus_test *test; /* a copy of the test, whose statements change */
    struct site *items;
    size_t count;
    unsigned *ends;                               /* by body: the number of the first instruction after it */
    enum litmus_scope scopes[LITMUS_SCOPE_COUNT]; /* the dialect's, narrow to wide */
    size_t scope_count;
    size_t reaching;                               /* the one of these that includes all threads of the test */
    enum litmus_proxy proxies[LITMUS_PROXY_COUNT]; /* GENERIC, and those that the test uses and has fences of */
    size_t proxy_count;
    bool stronger; /* the options make the test stronger, not weaker */
};

/* MEETINGS: the gaps and the barriers that a thread passes exactly once, without options. */
enum site_direction { SITES_STRONGER, SITES_WEAKER, SITES_MEETINGS };

/* The strongest order that a fence of the dialect has. */
enum litmus_order sites_strongest_fence(enum litmus_dialect dialect);

/* The sites of the bodies whose bits are set. The caller releases them, also after a failure. */
enum status sites_find(const struct litmus_test *test, uint64_t bodies, enum site_direction direction,
                       struct sites *sites, struct error *error);
void sites_release(struct sites *sites);

/* VULKAN: the semantics of this order that order all accesses of the test. */
unsigned sites_semantics(const struct litmus_test *test, enum litmus_order order);

/* The memories that a barrier can order, as bits: OPENCL's regions, VULKAN's storage classes, or one for all. */
unsigned sites_memories(const struct litmus_test *test);

/* The fence of the proxy if the site has that option; else the strongest one in a scope, or NULL. */
const struct site_option *site_strongest(const struct site *site, enum litmus_scope scope, enum litmus_proxy proxy);

bool place_before(struct litmus_place a, struct litmus_place b);

/* Is it a gap of this body after one place and before another in program order? */
bool site_is_gap_between(const struct site *site, int body, struct litmus_place after, struct litmus_place before);

/* NULL: the site stays as it is. */
void site_choose(struct site *site, const struct site_option *option);
void sites_choose_none(struct sites *sites);

/* ---- judging a changed test ---- */

enum change_answer { CHANGE_UNKNOWN, CHANGE_ALLOWS, CHANGE_FORBIDS };

struct change_judgement {
    bool judged; /* else the model cannot judge it, and the answer is UNKNOWN */
    enum change_answer answer;
    enum verdict then; /* of the outcome; NONE: not known */
    const char *flag;  /* UNDEFINED: the flags, as judgement.undefined_by; in the arena of the repairs */
    bool fits;         /* `fits` of change_judge_chosen was true of an execution that has the outcome */
    size_t allowed;    /* outcomes of the changed test that the model allows; 0: it cannot end */
    size_t seen;       /* values of these that are not 0: as a rule, what another thread wrote */
    bool witness;      /* one of these is a witness */
};

/* Whether the time is up or the search was stopped; records it in found->cut. */
bool change_is_over(const struct repair_wanted *wanted, struct repairs *found);

/* Judges a changed test. The caller counts it in found->tried. fits: called for an execution with an allowed outcome;
 * or NULL. */
struct change_judgement change_judge(const struct repair_wanted *wanted, const struct litmus_test *changed,
                                     struct repairs *found, bool (*fits)(const struct explanation *explanation));

/* Judges the test with the chosen options of the sites, and counts it. UNKNOWN also if the time is up or the dialect
 * cannot express it. */
struct change_judgement change_judge_chosen(const struct repair_wanted *wanted, struct sites *sites,
                                            struct repairs *found, bool (*fits)(const struct explanation *explanation));

/* Adds the chosen options as changes, with texts in the arena. Returns the test with them, which is the caller's; NULL:
 * the dialect cannot express it. */
struct litmus_test *change_apply(struct sites *sites, struct arena *arena, struct repair *repair);

/* Adds the chosen options to found->items, with the outcome's verdict. */
void change_note(const struct repair_wanted *wanted, struct sites *sites, struct repairs *found, struct repair repair);

/* The threads of the cause's cycle as bits; all if it has none. */
uint64_t change_bodies(const struct repair_wanted *wanted);
