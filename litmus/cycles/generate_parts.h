// SPDX-License-Identifier: Apache-2.0
/* What the files of generation share. Private to the room. */
#ifndef ORCHIL_LITMUS_CYCLES_GENERATE_PARTS_H
#define ORCHIL_LITMUS_CYCLES_GENERATE_PARTS_H

#include "litmus/cycles/generate.h"

enum { AXIS_MAXIMUM_WORDS = 128, AXIS_WORD_SIZE = 160 };

/* The words of one axis. An axis that was not given has one empty word, which means the default. */
struct axis {
    const char *option; /* for messages: "--tags" */
    size_t count;
    char words[AXIS_MAXIMUM_WORDS][AXIS_WORD_SIZE];
};

enum axis_name {
    AXIS_FAMILY,
    AXIS_DIALECT,
    AXIS_TAGS,
    AXIS_RMW,
    AXIS_REGION,
    AXIS_SCOPE,
    AXIS_FENCE_SCOPE,
    AXIS_PLACEMENT,
    AXIS_COUNT
};

/* A generation with its words cut apart and checked. */
struct axes {
    const struct generation *generation;
    struct axis axes[AXIS_COUNT];
    struct cycle *cycles; /* those that are written or named, without annotations where tags are given; no two equal */
    size_t cycle_count, cycle_room;
};

/* The caller calls axes_release, also after an error. */
enum status axes_read(const struct generation *generation, struct axes *axes, struct error *error);
void axes_release(struct axes *axes);

/* Where the text of the axis with this option is kept; NULL if there is none. */
const char **axis_text(struct generation *generation, const char *option);

/* Meanings of words, each known to be one. */
enum litmus_dialect axis_dialect(const char *word);
enum variant_rmw axis_rmw(const char *word);
unsigned axis_region(const char *word);
enum litmus_scope axis_scope(const char *word); /* SCOPE_NONE for the default */

/* Places the threads as the word says: first, and then as it says next, after the way that the
 * variant has. "all" has many ways, other words have one. False after the last way, and if the
 * word does not fit the number of threads. */
bool axis_place(const char *word, bool first, struct variant *variant);

bool axes_same_cycle(const struct cycle *a, const struct cycle *b);

#endif
