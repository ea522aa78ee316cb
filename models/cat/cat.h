// SPDX-License-Identifier: Apache-2.0
/*
 * The cat language: reading a model, and asking it about executions.
 *
 * A model is translated to a linear list of set and relation operations, each at the first stage (enum stage) at which
 * all its operands are known. The enumerator fixes an execution stage by stage and evaluates the checks after each; a
 * check that fails early saves all later choices.
 *
 * The kind of coherence is declared in a comment that other tools skip:
 *     (* orchil: coherence total *)     or     (* orchil: coherence partial *)
 * Without it coherence is total, unless the model's title is PTX. Partial coherence is the least order that satisfies
 * the model's checks of the forms `empty r \ co` (pairs of r are ordered) and `empty r \ (co | co^-1)` (pairs of r are
 * ordered one way or the other; both are tried), where r does not depend on co. Its fr is the least too, so it breaks
 * the fewest of the other checks, provided that more pairs in co can only break them.
 *
 * (* orchil: single read-modify-writes *) makes each one event, if the dialect is not an assembly language
 * (cat_evaluate.c).
 *
 * Ownership: cat_parse's result belongs to the caller. Names returned live as long as the cat.
 */
#pragma once

#include "models/execution.h"

/* ---- the names that a model may use without defining them: base sets and relations, after herd and Dat3M ---- */

/* The steps in which the enumerator fixes an execution. Each operation of a model belongs to the first stage at which
 * all its operands are known. */
enum stage {
    STAGE_EVENTS,    /* events, po */
    STAGE_MEETINGS,  /* + who met at which barrier */
    STAGE_READS,     /* + rf, and what follows from it: values, and the dependencies */
    STAGE_FENCES,    /* + the order of sc fences */
    STAGE_COHERENCE, /* + co */
    STAGE_COUNT,
    STAGE_ORDERS = STAGE_COUNT /* + orders that a model chooses itself, without the enumerator (cat_evaluate.c) */
};

struct base {
    const char *name;
    enum stage stage;
    int argument;
    /* Exactly one of the two. */
    bool (*holds)(const struct event *event, int argument);
    void (*make)(const struct execution *execution, int argument, struct relation *result);
};

extern const struct base bases[];
extern const size_t base_count;

/* The index of a name of size bytes, or -1. */
int base_find(const char *name, size_t size);

/* Is it a set that can contain only writes? */
bool base_is_of_writes(const struct base *base);

/* Is it empty in every execution? */
bool base_is_empty(const struct base *base);

/* The set's value. */
uint64_t base_set(const struct base *base, const struct execution *execution);

/* ---- models ---- */

struct cat;

/* Limits, so that no text takes long to read. */
enum {
    CAT_MAXIMUM_FILE = 256 * 1024,             /* bytes */
    CAT_MAXIMUM_INCLUDES = 32,                 /* files, nested or not */
    CAT_MAXIMUM_NESTING = 100,                 /* of parentheses, and of functions in functions */
    CAT_MAXIMUM_NODES = 2048,                  /* operations after functions were expanded */
    CAT_MAXIMUM_STEPS = 100000,                /* expressions looked at while functions are expanded */
    CAT_MAXIMUM_CALLED = 4 * CAT_MAXIMUM_FILE, /* bytes of procedures that calls read again */
    CAT_MAXIMUM_CHECKS = 128,
    CAT_MAXIMUM_FLAGS = 32,
    CAT_MAXIMUM_ORDERING = 20000000 /* the model's operations times the prefixes of orders that are tried for one
                                     * execution; if none has fitted by then, the execution passes */
};

/* Returns the text of an included file, allocated, or NULL if there is none. Appends the folders that it searched. */
typedef char *cat_reader(const char *name, const void *context, struct text *folders);

/* file names the text in errors (FILE:LINE:COLUMN). */
enum status cat_parse(const char *file, const char *text, cat_reader *reader, const void *context, struct cat **cat,
                      struct error *error);
void cat_release(struct cat *cat);

/* Must coherence be total on each location? */
bool cat_is_total(const struct cat *cat);

/* Whether any check or flag depends on this base name, so that the enumerator must compute it. */
bool cat_uses(const struct cat *cat, const char *base_name);

/* Does a check depend on addr, data or ctrl? */
bool cat_check_uses_dependencies(const struct cat *cat, int check);

/* The evaluation of a model on one execution; one is reused for many. */
struct cat_values;
struct cat_values *cat_values_new(const struct cat *cat);
void cat_values_release(struct cat_values *values);

/* Computes the operations of a stage; earlier stages were computed for the same execution. */
void cat_compute(const struct cat *cat, struct cat_values *values, const struct execution *execution, enum stage stage);

/* The same, until a check of this stage fails: returns its number, or -1. This includes checks of later stages that
 * must fail in any case. */
int cat_evaluate(const struct cat *cat, struct cat_values *values, const struct execution *execution, enum stage stage);

/* The same for a part of the choices after STAGE_MEETINGS, which is already computed: some reads have no source yet,
 * sync_fence and co lack pairs. A check that fails here fails for every execution with these choices and more. */
int cat_evaluate_part(const struct cat *cat, struct cat_values *values, const struct execution *execution);

/* For a model with partial coherence: what co must contain, and what it must order. After STAGE_FENCES; for a part of
 * the choices, as far as known. */
void cat_contained(const struct cat *cat, const struct cat_values *values, unsigned count, bool part,
                   struct relation *result);
void cat_ordered(const struct cat *cat, const struct cat_values *values, unsigned count, bool part,
                 struct relation *result);

/* The check that asks co to contain something, or -1. */
int cat_containing_check(const struct cat *cat);

/* Bit i: flag i is raised. After STAGE_COHERENCE. */
uint64_t cat_flags(const struct cat *cat, const struct cat_values *values, unsigned count);

/* Bit i: flag i may be raised, as far as known after STAGE_EVENTS or STAGE_READS. */
uint64_t cat_flags_possible(const struct cat *cat, const struct cat_values *values, unsigned count, enum stage stage);

/* Flags that do not depend on choices after STAGE_READS. */
uint64_t cat_flags_of_reads(const struct cat *cat);

/* The flags by which the model gives the test no meaning, as opposed to a race. */
uint64_t cat_flags_unspecified(const struct cat *cat, uint64_t flags);

const char *cat_flag_name(const struct cat *cat, int flag);

/* Whether the model has flags for races, or for other tests to which the language gives no meaning. Those with names
 * such as mbarrier-not-initialised count only for a test that initialises an mbarrier; those with names such as
 * barrier-divergence or wgmma-registers depend on no read. */
bool cat_flags_races(const struct cat *cat, bool initialises);

const char *cat_check_name(const struct cat *cat, int check);
int cat_check_rank(const struct cat *cat, int check); /* its place among the model's checks */

/* A step of the cycle or path that breaks a check: from one event to the next. */
struct cat_step {
    unsigned event;
    const char *relation; /* name of the relation to the next step's event; NULL: none */
    bool inverted;        /* it leads from there to here */
};
enum { CAT_MAXIMUM_STEPS_SHOWN = 128 };

/* Explains why a check fails: a shortest cycle, split into named relations; or a pair that should not be related; or an
 * event that should not be in a set. Returns the number of steps; *closed: the last leads to the first. */
unsigned cat_offence(const struct cat *cat, const struct cat_values *values, int check, unsigned count,
                     struct cat_step steps[CAT_MAXIMUM_STEPS_SHOWN], bool *closed);

/* The events that raise a flag: a pair, the first step with the flag's name, or one event. Returns how many. */
unsigned cat_flag_offence(const struct cat *cat, const struct cat_values *values, int flag, unsigned count,
                          struct cat_step steps[2]);
