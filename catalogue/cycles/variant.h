// SPDX-License-Identifier: Apache-2.0
/*
 * Variants of cycles: a family, a tag for each program-order edge, and how the test is placed. Each variant has a name
 * that describes it fully: variant_parse_name reads it back, so every variant exists without a file.
 *
 *   ISA2+fencear.cta+acq+acq+cta+01-2
 *   ^    ^           ^   ^   ^   ^ placement   ^ scope   tags, one for each thread of two accesses or more
 */
#pragma once

#include "catalogue/cycles/cycle.h"

enum variant_rmw { VARIANT_NO_RMW, VARIANT_RMW_WRITES, VARIANT_RMW_READS, VARIANT_RMW_ALL };

/* VULKAN: how plain accesses reach other threads. */
enum variant_plain {
    VARIANT_PLAIN_SHOWN,       /* st.av and ld.vis, of the variant's scope */
    VARIANT_PLAIN_BY_ORDERS,   /* nonpriv; releases have semav, acquires semvis */
    VARIANT_PLAIN_AVAILABLE,   /* st.av and ld.nonpriv: a word is missing, so other threads race */
    VARIANT_PLAIN_VISIBLE,     /* st.nonpriv and ld.vis: the other is missing */
    VARIANT_PLAIN_NON_PRIVATE, /* nonpriv, and no availability or visibility */
    VARIANT_PLAIN_PRIVATE,     /* st and ld: for their own thread */
    VARIANT_PLAIN_COUNT
};

struct variant {
    enum litmus_dialect dialect;
    struct cycle cycle; /* normalized; every event ordered */
    enum variant_rmw rmw;
    enum litmus_scope scope; /* of all accesses, and of fences that name none */
    unsigned threads;
    unsigned work_group[CYCLE_MAXIMUM_THREADS]; /* of each thread, numbered in the order of their first thread */
    bool one_sub_group[CYCLE_MAXIMUM_THREADS];  /* by work-group: its threads share a sub-group */
    bool one_cluster;                           /* all work-groups lie in one cluster */
    unsigned local;                             /* bit i: location i (x, y, z, a, b, ...) is in local memory; if all
                                                 * are, scope is the work-group, whatever `scope` says. VULKAN: of
                                                 * storage class 1 instead of 0 */
    /* Of VULKAN alone; 0 in other dialects. */
    enum variant_plain plain;
    unsigned semantics; /* the storage classes that orders name, bit 0 for class 0; 0: those of the test's locations */
    bool own_families;  /* each work-group is in a queue family of its own */
};

/* The plain variant of a cycle: relaxed where it is not annotated, device scope, a work-group for each thread. */
void variant_of_cycle(const struct cycle *cycle, enum litmus_dialect dialect, struct variant *variant);

/* Appends the name: FAMILY+TAGS[+rmw][+PLAIN][+REGION][+SEMANTICS][+SCOPE][+PLACEMENT]; docs/reference/test-names.md
 * lists the tags. */
void variant_name(const struct variant *variant, struct text *text);

/* The variant of a name. SYNTAX, with the part that is wrong and what was expected, if it names no variant: the caller
 * may still find a test of that name elsewhere. */
enum status variant_parse_name(enum litmus_dialect dialect, const char *name, struct variant *variant,
                               struct error *error);

/* Sets the tag of program-order edge `edge` (counted over the cycle); false if it does not fit the edge's directions or
 * the dialect. Tags: docs/reference/test-names.md. */
bool variant_set_tag(struct variant *variant, size_t edge, const char *tag);

/* The values of the test's metadata lines; NULL leaves a line out. */
struct variant_notes {
    const char *expect, *control, *mutants;
    bool racy; /* the text says that the test has a data race; expect is then NULL */
};

/* Sets tags as a name has them: "relaxed" for all threads, or "rel+acq+acq" with one for each thread of two accesses or
 * more, or one for each thread. Internal communications (Rfi) stay where the tag is shared. SYNTAX with the reason
 * where a tag does not fit; the variant is then unchanged. */
enum status variant_set_tags(struct variant *variant, const char *tags, struct error *error);

/* Are two variants one test under one name? */
bool variant_same(const struct variant *a, const struct variant *b);

/* The test: locations x, y, z, ..., registers r0, r1, ... of each thread, the condition that identifies the cycle, doc
 * lines, Cycle= and the notes, which may be NULL. UNSUPPORTED with the reason if the dialect has no such access (an
 * order, a scope, a region). The caller releases *test. */
enum status variant_test(const struct variant *variant, const struct variant_notes *notes, struct litmus_test **test,
                         struct error *error);

/* Appends a description in Chinese, lines joined by newlines, of a test that is a variant by its name and has Cycle=;
 * false for others. */
bool variant_describe_in_chinese(const struct litmus_test *test, struct text *text);
