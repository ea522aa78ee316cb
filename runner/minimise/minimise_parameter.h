// SPDX-License-Identifier: Apache-2.0
/* The parameters of an environment to the minimiser: what is neutral, what belongs together, what is said of it. Private. */
#ifndef ORCHIL_RUNNER_MINIMISE_PARAMETER_H
#define ORCHIL_RUNNER_MINIMISE_PARAMETER_H

#include "runner/environment/environment.h"

/* A set of parameters, bit by enum parameter. */
typedef uint64_t parameter_set;
_Static_assert(PARAMETER_COUNT <= 64, "a set of parameters has 64 bits");

/* X(name, words): what parameters do together. Those of one mechanism go together before each goes by itself. */
#define MECHANISM_GROUP_LIST(X)                                                                                        \
    X(SIZE, "sizes") /* how much is run: they are never neutral, and never counted */                                  \
    X(STRESS, "memory stress")                                                                                         \
    X(PRE_STRESS, "pre-stress")                                                                                        \
    X(JITTER, "jitter")                                                                                                \
    X(DELAYS, "delays before instructions")                                                                            \
    X(MEETING, "meetings")                                                                                             \
    X(PARTNERS, "changing partners")                                                                                   \
    X(LANES, "permuted items")                                                                                         \
    X(PLACES, "spread locations")                                                                                      \
    X(OCCUPANCY, "idle groups")                                                                                        \
    X(CLUSTERS, "clusters")                                                                                            \
    X(WARM, "warmed caches")

#define MECHANISM_GROUP_ENUM(name, words) MECHANISM_GROUP_##name,
enum mechanism_group { MECHANISM_GROUP_LIST(MECHANISM_GROUP_ENUM) MECHANISM_GROUP_COUNT };
#undef MECHANISM_GROUP_ENUM

/* The parameters of a mechanism. */
parameter_set minimise_mechanism(enum mechanism_group group);

/* The parameters that are not neutral and do something: no size of stress where there is no stress. */
parameter_set minimise_active(const struct environment *environment);

/* The set without what does nothing once the rest is neutral. */
parameter_set minimise_effective(parameter_set set);

/* The environment with every parameter neutral that is not in the set; sizes keep their values. */
struct environment minimise_neutral(const struct environment *environment, parameter_set kept);

/* The environment of a draw: one value for each parameter, of a chance the coin, 0 or 1. */
struct environment minimise_drawn(const struct environment *of, const uint32_t values[PARAMETER_COUNT]);

/* The environment in the middle of its ranges; of a chance, what is more likely. */
struct environment minimise_middle(const struct environment *environment);

/* The environment with the values of another, of single values, instead of its ranges. */
struct environment minimise_fixed(const struct environment *environment, const struct environment *values);

/* Whether each parameter has a single value, which for a chance is 0 or 100. Of neutral ones too. */
bool minimise_is_fixed(const struct environment *environment);

/* Appends "jitter, stride": the names of whole mechanisms first, as far as the set has all of them that `of` has. */
void minimise_print_set(parameter_set set, parameter_set of, struct text *text);

/* Appends the active parameters with their values: "stride 64, jitter of up to 32 steps"; nothing where there are none. */
void minimise_print_values(const struct environment *environment, struct text *text);

#endif
