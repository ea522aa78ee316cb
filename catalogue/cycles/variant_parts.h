// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of variants. */
#pragma once

#include "catalogue/cycles/variant.h"

/* The capabilities of a dialect. Orders and scopes are bits: 1u << LITMUS_RELAXED. */
struct variant_ability {
    unsigned loads, stores, updates, fences; /* orders of ld, st, read-modify-write and fences */
    unsigned scopes;
    bool regions, placements, clusters, queue_families;
    const char *plain;       /* the tag of plain accesses */
    const char *region_word; /* for local memory ("local", "shared"); NULL if there is none */
    const char *scope_words[LITMUS_SCOPE_COUNT];
};

extern const struct variant_ability variant_abilities[LITMUS_DIALECT_COUNT];

/* The scope that a word of size bytes names in the dialect; false if none. */
bool variant_scope(enum litmus_dialect dialect, const char *word, size_t size, enum litmus_scope *scope);

/* Is the event a read-modify-write? */
bool variant_updates(const struct variant *variant, size_t event);

/* UNSUPPORTED, with the reason, if the dialect cannot write the event's order. */
enum status variant_check_order(const struct variant *variant, size_t event, enum litmus_order order,
                                struct error *error);

/* The same for the order of a fence. */
enum status variant_check_fence(enum litmus_dialect dialect, enum litmus_order order, struct error *error);

/* UNSUPPORTED, with the reason, for a variant that has no test. The variant is settled. */
enum status variant_check(const struct variant *variant, struct error *error);

/* Whether the variant has an access with a scope; a fence. */
bool variant_has_scope(const struct variant *variant);
bool variant_has_fence(const struct variant *variant);

/* A bit for each location. */
unsigned variant_locations(const struct variant *variant);

/* Normalises the variant to the form that its name describes: numbers of work-groups, and no scope, region or
 * read-modify-write that changes nothing. */
void variant_settle(struct variant *variant);

/* A tag, read or to be written. */
struct variant_tag {
    struct cycle_edge edge;      /* relation, fence, fence_scope; same_location if the tag says so */
    enum litmus_order orders[2]; /* of its two events */
};

/* Reads size bytes of text as the tag of an edge between events of these directions. SYNTAX with what was expected. */
enum status variant_read_tag(enum litmus_dialect dialect, const char *text, size_t size,
                             const enum cycle_direction directions[2], struct variant_tag *tag, struct error *error);

/* The order of a thread's only access by its own tag; false if the tag names none. */
bool variant_single_order(enum litmus_dialect dialect, const char *tag, size_t size, enum litmus_order *order);

/* The pieces of a thread's tag: "rfi-addr", "relaxed-W-rel". */
struct variant_chain {
    size_t count; /* of tags */
    const char *tags[CYCLE_MAXIMUM_EDGES];
    size_t sizes[CYCLE_MAXIMUM_EDGES];
    int between[CYCLE_MAXIMUM_EDGES]; /* direction of the event after tag i; LITMUS_NONE if not given */
};

enum status variant_read_chain(const char *text, size_t size, struct variant_chain *chain, struct error *error);

/* How many work-groups a settled variant has. */
unsigned variant_groups(const struct variant *variant);

/* The first event of each thread; after the last thread, the number of events. */
void variant_starts(const struct cycle *cycle, size_t starts[CYCLE_MAXIMUM_THREADS + 1]);

/* Reads "local" as all bits, and "localxz" as those of its locations; false for anything else. */
bool variant_read_region(const char *text, size_t size, unsigned *local);

/* Reads "01-2", "w01", "c0-1", "q0-1" into the variant; false for anything else, or other numbers of threads. */
bool variant_read_placement(const char *text, size_t size, struct variant *variant);

/* Values in the witness: what each event writes or reads, and how many writes each location has. UNSUPPORTED if no
 * final state shows the order of three or more writes to one location. */
struct variant_values {
    unsigned location_count;
    unsigned locations[CYCLE_MAXIMUM_EDGES];    /* by event */
    unsigned values[CYCLE_MAXIMUM_EDGES];       /* by event */
    unsigned write_counts[CYCLE_MAXIMUM_EDGES]; /* by location */
};

enum status variant_find_values(const struct cycle *cycle, struct variant_values *values, struct error *error);

/* ---- VULKAN alone ---- */

/* Words after the tags: "semav", "private"; "semsc1". False for anything else. */
bool variant_read_plain(const char *text, size_t size, enum variant_plain *plain);
bool variant_read_classes(const char *text, size_t size, unsigned *classes);

/* Words of names and of options, and what titles say after ", plain accesses ". */
extern const struct variant_plain_word {
    const char *word; /* NULL: what a name leaves out */
    const char *title;
    unsigned write, read; /* the semantics of plain accesses */
} variant_plain_words[VARIANT_PLAIN_COUNT];

/* By the classes that orders name; NULL if these are the locations'. */
extern const char *const variant_class_words[];

/* Adds to the order of an access to the location, and of a fence, what VULKAN's has besides. */
void variant_complete_access(const struct variant *variant, size_t event, unsigned location,
                             struct litmus_ordering *ordering);
void variant_complete_fence(const struct variant *variant, struct litmus_ordering *ordering);

bool variant_has_plain(const struct variant *variant);

/* Do the orders leave out the storage class of a location? */
bool variant_misses_class(const struct variant *variant);

/* ---- values and words ---- */

/* The letters of locations: x, y, z, a, b, ... */
extern const char variant_letters[CYCLE_MAXIMUM_EDGES + 1];

/* Appends the doc lines, joined by newlines. */
void variant_describe(const struct variant *variant, const struct variant_notes *notes, struct text *text);
