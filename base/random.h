// SPDX-License-Identifier: Apache-2.0
/* Indexable randomness: a number is a function of where it is used, not of earlier draws. So a shard, a resumed run or
 * another order of jobs changes no other number. The mixing function is splitmix64's finaliser (Steele, Lea, Flood:
 * Fast Splittable Pseudorandom Number Generators, OOPSLA 2014; constants of Stafford's Mix13). */
#pragma once

#include "base/base.h"

/* One step of splitmix64 at state: the output for that state. */
uint64_t random_mix(uint64_t state);

/* The number for a purpose: equal arguments give equal numbers on any machine. */
uint64_t random_at(uint64_t seed, uint64_t job_key, uint64_t batch, uint64_t purpose);

/* A sequence of numbers of one purpose, each a function of its position. */
struct random {
    uint64_t base;
    uint64_t position;
};

struct random random_start(uint64_t seed, uint64_t job_key, uint64_t batch, uint64_t purpose);
uint64_t random_next(struct random *random);

/* Uniform in [0, bound); bound > 0. Without modulo bias (Lemire's multiply-and-reject). */
uint32_t random_below(struct random *random, uint32_t bound);

/* Uniform in [low, high]; low <= high. */
uint32_t random_between(struct random *random, uint32_t low, uint32_t high);

/* A new seed, for when no option gives one: below 2^32, so short enough to type. SYSTEM if the system has none. */
enum status random_seed(uint64_t *seed, struct error *error);
