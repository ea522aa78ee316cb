// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of generation. */
#pragma once

#include "catalogue/cycles/generate.h"

enum { AXIS_MAXIMUM_WORDS = 128, AXIS_WORD_SIZE = 160 };

/* The words of one axis. An axis that was not given has one empty word, which means the default. */
struct generation_axis {
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
    AXIS_PLAIN,
    AXIS_SEMANTICS,
    AXIS_SCOPE,
    AXIS_FENCE_SCOPE,
    AXIS_PLACEMENT,
    AXIS_COUNT
};

/* A generation with its words cut apart and checked. */
struct axes {
    const struct generation *generation;
    struct generation_axis axes[AXIS_COUNT];
    struct cycle *cycles; /* the written and named cycles, without annotations if tags are given; all different */
    size_t cycle_count, cycle_room;
};

/* The caller frees axes->cycles, also after an error. */
enum status axes_read(const struct generation *generation, struct axes *axes, struct error *error);

/* Meanings of words, each known to be one. */
enum litmus_dialect axis_dialect(const char *word);
enum variant_rmw axis_rmw(const char *word);
unsigned axis_region(const char *word);
enum variant_plain axis_plain(const char *word);
enum litmus_scope axis_scope(const char *word); /* SCOPE_NONE for the default */

/* Sets the storage classes that orders name. False if the word is none of them. */
bool axis_name_classes(const char *word, struct variant *variant);

/* Places the threads as the word says: the first way, or the one after the variant's present way. "all" has many ways,
 * other words have one. False after the last way, and if the word does not fit the number of threads. */
bool axis_place(const char *word, bool first, struct variant *variant);

/* Is the cycle one of the written and named ones? */
bool axes_have_cycle(const struct axes *axes, const struct cycle *cycle);
