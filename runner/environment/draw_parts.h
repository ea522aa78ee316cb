// SPDX-License-Identifier: Apache-2.0
/* What the files that make a draw share. */
#pragma once

#include "base/random.h"
#include "runner/environment/environment.h"

/* Purposes of random numbers. Each has its own stream, so a new parameter does not change the others. */
enum purpose {
    PURPOSE_VALUES, /* one per parameter, from here on */
    PURPOSE_SHUFFLE = 256,
    PURPOSE_TEAMS,
    PURPOSE_LANES,
    PURPOSE_CELLS,
    PURPOSE_LINES,
    PURPOSE_LAUNCH,
    PURPOSE_DELAYS,
    PURPOSE_HOMES,
    PURPOSE_WAVES,
    PURPOSE_ORDER,
    PURPOSE_PROGRAMMATIC
};

/* The value of each parameter, by its name and by its number. */
union drawn_values {
    struct {
#define VALUE_FIELD(name, ...) uint32_t name;
        ENVIRONMENT_LIST(VALUE_FIELD)
    };
    uint32_t of[PARAMETER_COUNT];
};

/* A draw while it is made. */
struct unfinished_draw {
    const struct kernel *kernel;
    const struct draw_limits *limits;
    const struct environment *environment; /* of this batch */
    const struct environment *portfolio;   /* of all batches of the job */
    uint64_t seed, key, batch;
    union drawn_values values;
    uint32_t instances; /* of a group and round, each played by WIDTH of its items */
    uint32_t repeats;   /* how many times as many they play, one after the other */
    uint32_t lines;
    struct draw *draw;
    size_t used; /* words of the draw buffer so far */
};

enum {
    DRAWING_MAXIMUM_GROUPS = 65535 /* so that products of two group numbers fit 32 bits */
};

uint32_t drawing_minimum(uint64_t a, uint64_t b);
uint32_t drawing_maximum(uint32_t a, uint32_t b);

/* The least common multiple. */
uint32_t drawing_common_multiple(uint32_t a, uint32_t b);

/* How many groups the test asks to form a cluster. */
uint32_t drawing_cluster_of(const struct kernel *kernel);

struct random drawing_stream(const struct unfinished_draw *drawing, enum purpose purpose);

/* Reserves words of the draw buffer for a table; its position. */
uint32_t drawing_reserve(struct unfinished_draw *drawing, size_t words);

/* A multiplier coprime to n and its inverse, so that x -> (multiplier * x + offset) mod n is a permutation. Modulo 1,
 * both are 0. */
uint32_t drawing_coprime(struct random *random, uint32_t n, uint32_t *inverse);

/* What the kernel's `reduce` needs to find remainders of n, which is not 0. */
uint32_t drawing_reciprocal(uint32_t n);

/* Fills a table with a permutation of `groups` groups, if they are shuffled. Groups that must be neighbours remain
 * so. */
void drawing_shuffle(const struct unfinished_draw *drawing, struct random *random, uint32_t *table, uint32_t groups);

/* The maximum number of rounds of a batch in which `testing` groups play. */
uint32_t drawing_limit_rounds(const struct unfinished_draw *drawing, uint32_t testing);

/* Decides how many of the `testing` groups share a cluster; with several agents none do. */
void drawing_size_clusters(struct unfinished_draw *drawing, uint32_t testing);

/* For a kernel of several launches. On a device that holds `resident` groups at
 * once: how many groups of each launch may test (launches_room) and how many stress (launches_stress); for how many
 * groups of the largest size results have room; and the order in which the driver gets the launches. */
uint32_t launches_room(const struct unfinished_draw *drawing, uint32_t resident);
uint32_t launches_stress(const struct unfinished_draw *drawing, uint32_t resident, uint32_t testing);
size_t launches_result_groups(const struct unfinished_draw *drawing);
void launches_order(struct unfinished_draw *drawing);
void launches_print(const struct draw *draw, struct text *text);

/* The same steps for a kernel of several agents. UNSUPPORTED if a member cannot hold its part of a team, or a location
 * cannot lie where the environment places it. */
enum status agents_size(struct unfinished_draw *drawing, struct error *error);
size_t agents_table_words(const struct kernel *kernel);
void agents_fill_shuffle(struct unfinished_draw *drawing);
void agents_fill_teams(struct unfinished_draw *drawing);
void agents_fill_homes(struct unfinished_draw *drawing);
void agents_fill_memory(struct unfinished_draw *drawing);
void agents_print_homes(const struct unfinished_draw *drawing, struct text *text);
